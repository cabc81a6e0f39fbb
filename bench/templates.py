"""Word problems from the templates of others, with or without added clauses, in the style of GSM-Symbolic, P1 and P2.

Example: "Ann buys 3 books at the store." becomes "Freya buys 8 kettles at the pier."; P1 adds "There is a service
charge of $4.". Names, numbers and nouns change all at once, in one problem of two the pronouns too. An added clause is
one of templates.yaml or a sentence of a donor.
Source of this kind of variant: GSM-Symbolic, Mirzadeh et al. 2024.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import yaml

from pfe.calibration.attack import Donors, rewritten
from pfe.calibration.swapping import SENTENCE_END, numbers_swapped, reworded
from pfe.firewall.folding import names
from pfe.problem import Problem

_WORDS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
REWORDED = 0.25  # share of the words with a synonym that change, for each added clause
ADJECTIVES = ("", "", "plain ", "spare ")  # one noun in two becomes two words
_NOUNS = {kind: [pair.split("/") for pair in pairs.split()] for kind, pairs in _WORDS["nouns"].items()}
_GENDERS = (("he", "she"), ("his", "her"), ("him", "her"), ("himself", "herself"))
_OTHER_GENDER = {
    old: new
    for pair in _GENDERS
    for first, second in (pair, map(str.capitalize, pair))
    for old, new in ((first, second), (second, first))
}
_WORD = re.compile(r"\b[A-Za-z]+\b")


@dataclass(frozen=True)
class Variants:
    """A set of words of templates.yaml, and the donors of clauses."""

    words: str
    donors: Donors

    def variant(self, problem: Problem, clauses: int, seed: str) -> Problem | None:
        """Return another problem from the template of `problem`, with some added clauses.

        The result is None for a problem that states no number or consists of a single sentence.
        """
        rng = Random(f"{seed}:{problem.id}")
        changed = numbers_swapped(problem, self.donors, rng)
        if changed is None or len(SENTENCE_END.split(problem.question.strip())) < 2:
            return None
        swap = self._names(changed.question, rng) | self._nouns(changed.question, rng)
        swap |= _OTHER_GENDER if rng.random() < 0.5 else {}
        changed = rewritten(changed, lambda text: _WORD.sub(lambda word: swap.get(word.group(), word.group()), text))
        sentences = SENTENCE_END.split(changed.question.strip())
        sentences = [reworded(sentence, rng, REWORDED * clauses) for sentence in sentences]
        people = sorted(names(changed.question, self.donors.ordinary_words)) or ["The owner"]
        for _ in range(clauses):
            sentences.insert(rng.randrange(1, len(sentences)), self._clause(rng, people))
        # The answer changes with the numbers; its value does not matter here.
        return replace(changed, question=" ".join(sentences), answer=str(rng.randrange(3, 999)), solution="")

    def _names(self, text: str, rng: Random) -> dict[str, str]:
        substitutes = _WORDS[self.words]["names"].split()
        rng.shuffle(substitutes)
        return dict(zip(sorted(names(text, self.donors.ordinary_words)), substitutes, strict=False))

    def _nouns(self, text: str, rng: Random) -> dict[str, str]:
        """Return the substitutes of the nouns in a text; a singular and its plural change together."""
        swap = dict[str, str]()
        words = set(_WORD.findall(text.lower()))
        for kind, pairs in _NOUNS.items():
            substitutes = [pair.split("/") for pair in _WORDS[self.words][kind].split()]
            rng.shuffle(substitutes)
            present = [pair for pair in pairs if words & set(pair)]
            for old, new in zip(present, substitutes, strict=False):
                before = rng.choice(ADJECTIVES)
                for form, other in zip(old, new, strict=True):
                    swap |= {form: before + other, form.capitalize(): (before + other).capitalize()}
        return swap

    def _clause(self, rng: Random, people: Sequence[str]) -> str:
        if rng.random() < 0.5:
            donor = SENTENCE_END.split(rng.choice(self.donors.texts).strip())
            return rng.choice(donor[1:-1] or donor)
        numbers = {"a": rng.randrange(2, 30), "b": rng.randrange(30, 200), "p": rng.randrange(5, 45, 5)}
        clause: str = rng.choice(_WORDS[self.words]["clauses"])
        return clause.format(name=rng.choice(people), **numbers)
