"""Exercises that can be solved by reading alone: entries with a coined name and a value, asked by the name.

Example, four entries at level 4, of which each is asked:
    [LIBRARY]
    <blank line>
    we zelmar of garlic.
    …
    Question: the zelmar is?
    Answer:  →  " garlic"

Names are coined and values drawn, so there is nothing to remember: who finds a value has looked it up. Between name,
value and the line that asks stand the words that the corpus says most, none at first and more from level to level,
since a student learns to look up what is next to its key (Olsson et al. 2022, arXiv:2209.11895) long before what is
apart from it. Names and values are words, in as many tokens as the tokenizer gives them: what a student learns of
random tokens holds for the pieces of no name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from pfe.icr.contexts import own_library
from pfe.training.rows import Asked
from pfe.tutors.coinage import coined

HARDEST = 16  # level: eight words between name and value
_FREQUENT = 150  # words that fill
_VALUES = 1000  # words that are asked for, those that come next
_SAME_WORDING = 0.6  # the share of exercises whose entries are worded alike, as entries of a library are
_OTHERS = 3  # names that entries have beside their own, each in several; a question may also have one that none has
_LINE, _MARKED, _DISTRACTED, _ANYWHERE = 3, 4, 8, 12  # the levels from which "Answer:", a library's marks and other
# names are seen, these in front of the name that is asked for, and then also behind it


@dataclass(frozen=True)
class Exercises:
    """Words to make exercises of: those that fill, and those that are asked for."""

    frequent: tuple[str, ...]
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Exercises":
        """Exercises in the words of these texts; a word that is frequent is never a value."""
        counted = Counter(word for text in texts for word in re.findall(r"\b[a-z]+\b", text))
        ordered = [word for word, _ in counted.most_common(_FREQUENT + _VALUES)] or ["and"]
        rest = [word for word in ordered[_FREQUENT:] if len(word) > 2]
        return cls(tuple(ordered[:_FREQUENT]), tuple(rest or ordered))

    def drawn(self, rng: Random, level: int) -> Asked:
        """One exercise of a level, 0 to `HARDEST`."""
        names = coined(rng, rng.choice((4, 6, 8, 10)))
        values = [" ".join(rng.choices(self.values, k=rng.choice((1, 1, 2)))) for _ in names]
        others = coined(rng, _OTHERS + 1, names) if level >= _DISTRACTED and rng.random() < 0.5 else []
        marked = level >= _MARKED and rng.random() < 0.7
        entries = self._entries(rng, names, values, others[:_OTHERS], level)
        prompts = [self._question(rng, name, others, level, marked) for name in names]
        library = own_library(entries).text if marked else "".join(f"\n{entry}" for entry in entries)
        return Asked(library, tuple(prompts), tuple(f" {value}" for value in values))

    def _entries(
        self, rng: Random, names: Sequence[str], values: Sequence[str], others: Sequence[str], level: int
    ) -> list[str]:
        """Each with a name and its value, half as many words behind it as the level says at most."""
        apart = (level + 1) // 2
        parts = (apart // 2, apart, apart // 2)  # words in front of the name, up to the value, and behind it
        few = [[self._filled(rng, most) for most in parts] for _ in range(rng.choice((1, 2, 3)))]
        alike = rng.random() < _SAME_WORDING
        made = []
        for name, value in zip(names, values, strict=True):
            before, between, behind = rng.choice(few) if alike else [self._filled(rng, most) for most in parts]
            stated = [name, *between]
            if others:
                behind_name = rng.randint(1, len(stated)) if level >= _ANYWHERE else 0
                stated.insert(rng.choice((0, behind_name)), rng.choice(others))
            made.append(" ".join([*before, *stated, value, *behind]) + ".")
        return made

    def _question(self, rng: Random, name: str, others: Sequence[str], level: int, marked: bool) -> str:
        around = level // 2
        parts = [[*self._filled(rng, around), name, *self._filled(rng, around)]]
        if others and rng.random() < 0.5:
            parts.insert(rng.randint(0, 1) if level >= _ANYWHERE else 0, [rng.choice(others)])
        words = " ".join(word for part in parts for word in part)
        asked = f"Question: {words}?" if marked else f"\n {words}"
        return f"{asked}\nAnswer:" if level >= _LINE else asked

    def _filled(self, rng: Random, most: int) -> list[str]:
        return rng.choices(self.frequent, k=rng.randint(0, most))
