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

Where only frequent words stand between, a value is told by its being rare. So half of the later exercises are of any
words, have one value or two an entry, and are asked by the name and what stands before the value:
    ballot zelmar river glass of garlic under candle.   Question: zelmar glass of?   Answer:  →  " garlic"
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from pfe.icr.contexts import own_library
from pfe.training.rows import Asked
from pfe.tutors.coinage import coined

HARDEST = 16  # level: twenty words between name and value, at most
_FREQUENT = 150  # words that fill
_VALUES = 1000  # words that are asked for, those that come next
_SAME_WORDING = 0.6  # the share of exercises whose entries are worded alike, as entries of a library are
_OTHERS = 3  # names that entries have beside their own, each in several
_LINE, _MARKED, _STRANGE, _CUED, _DISTRACTED, _ANYWHERE = 3, 4, 5, 7, 8, 12  # the levels from which "Answer:", a
# library's marks, a name in the question that no entry has, words before the value in the question, and names that many
# entries have are seen, all in front of the entry's own name or in order, and then also behind it and in any
_FAR = 8  # the level behind which distances grow faster
CUES = 3  # words before a value that are given in a question, at most


class _Told(NamedTuple):
    """An entry with the words that ask for its value."""

    entry: list[str]
    question: list[str]
    value: str


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
        tell = self._cued if level >= _CUED and rng.random() < 0.5 else self._named
        told = tell(rng, names, level)
        entries = [" ".join(one.entry) + "." for one in told]
        marked = level >= _MARKED and rng.random() < 0.7
        form = "Question: {}?" if marked else "\n {}"
        ending = "\nAnswer:" if level >= _LINE else ""
        prompts = tuple(form.format(" ".join(one.question)) + ending for one in told)
        library = own_library(entries).text if marked else "".join(f"\n{entry}" for entry in entries)
        return Asked(library, prompts, tuple(f" {one.value}" for one in told))

    def _named(self, rng: Random, names: Sequence[str], level: int) -> list[_Told]:
        """Entries of frequent words, each with a value, asked by the name with such words around it.

        Half of the questions have a name beside it, in front or behind; so have entries, where names are shared.
        """
        strange, *others = coined(rng, 1 + _OTHERS, names)
        shared = others if level >= _DISTRACTED and rng.random() < 0.5 else []
        beside = [strange, *shared] if level >= _STRANGE else []
        around = _around(level)
        wording = _wordings(rng, lambda: [self._filled(rng, most) for most in (around, _apart(level), around)])
        made = []
        for name in names:
            before, between, behind = wording()
            stated = [name, *between]
            if shared:
                behind_name = rng.randint(1, len(stated)) if level >= _ANYWHERE else 0
                stated.insert(rng.choice((0, behind_name)), rng.choice(shared))
            asked = [*self._filled(rng, level // 2), name, *self._filled(rng, level // 2)]
            if beside and rng.random() < 0.5:
                asked.insert(rng.choice((0, len(asked))), rng.choice(beside))
            value = self._value(rng)
            made.append(_Told([*before, *stated, value, *behind], asked, value))
        return made

    def _cued(self, rng: Random, names: Sequence[str], level: int) -> list[_Told]:
        """Entries of any words, each with a value or two, asked by the name and words that stand before the value."""
        words = (*self.frequent, *self.values)
        count = rng.choice((1, 2))  # values of an entry
        most = (_around(level), *[_apart(level)] * count)
        wording = _wordings(rng, lambda: [rng.choices(words, k=rng.randint(1, some)) for some in most])
        made = []
        for name in names:
            before, *gaps = wording()
            values = [self._value(rng) for _ in gaps]
            stated = [word for gap, value in zip(gaps, values, strict=True) for word in (*gap, value)]
            gap, value = rng.choice(list(zip(gaps, values, strict=True)))
            *cues, last = gap[-CUES:]
            asked = [name, *(cue for cue in cues if rng.random() < 0.5), last]
            if level >= _ANYWHERE and rng.random() < 0.5:
                asked += self._filled(rng, 2)
                rng.shuffle(asked)
            made.append(_Told([*before, name, *stated], asked, value))
        return made

    def _value(self, rng: Random) -> str:
        return " ".join(rng.choices(self.values, k=rng.choice((1, 1, 2))))

    def _filled(self, rng: Random, most: int) -> list[str]:
        return rng.choices(self.frequent, k=rng.randint(0, most))


def _wordings(rng: Random, word: Callable[[], list[list[str]]]) -> Callable[[], list[list[str]]]:
    """How entries are worded: each in its own way, or all in one of a few."""
    few = [word() for _ in range(rng.choice((1, 2, 3)))]
    return (lambda: rng.choice(few)) if rng.random() < _SAME_WORDING else word


def _around(level: int) -> int:
    """Words in front of a name and behind its value, at most."""
    return (level + 1) // 4


def _apart(level: int) -> int:
    """Words between a name and its value, at most."""
    return (level + 1) // 2 + 3 * max(0, level - _FAR) // 2
