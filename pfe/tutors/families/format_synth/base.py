"""What the families of format_synth share: an instruction and the data it is about, in either order.

Example: the instruction "Give these dates as YYYY-MM-DD, one a line." and the data "5 March 2021\\n9 May 2020".
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from random import Random
from typing import ClassVar

from pfe.problem import Problem
from pfe.tutors.family import Draft, Facts, Family, unfill_any

# What may be asked for, and the wordings that ask for it.
Phrases = Mapping[str, tuple[str, ...]]


class Instruction(Family):
    """An instruction, an empty line, and lines of data, or the other way round."""

    domain = "format"
    scorer = "format"
    asks: ClassVar[tuple[str, ...]]

    @abstractmethod
    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        """What fills the gaps of the instruction."""

    @abstractmethod
    def data(self, facts: Facts, rng: Random) -> list[str]:
        """The lines of data."""

    @abstractmethod
    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        """The inverse of `wording` and `data`.

        Raises:
            ValueError: they are of no problem of this family.
        """

    @abstractmethod
    def forms(self, facts: Facts) -> Iterable[str]:
        """The right output and others that a careless reader might write."""

    def write(self, facts: Facts, rng: Random) -> Draft:
        ask = rng.choice(self.asks).format(**self.wording(facts, rng))
        data = "\n".join(self.data(facts, rng))
        parts = (data, ask) if rng.random() < 0.3 else (ask, data)
        return Draft("\n\n".join(parts))

    def read(self, problem: Problem) -> Facts:
        first, _, second = problem.question.partition("\n\n")
        for ask, data in ((first, second), (second, first)):
            try:
                gaps = unfill_any(self.asks, ask)
            except ValueError:
                continue
            return self.understand(gaps, data.split("\n"))
        raise ValueError(f"{problem.question!r} is no problem of {self.name}")

    def candidates(self, problem: Problem) -> Iterable[str]:
        return dict.fromkeys(self.forms(self.read(problem)))


def weave(*sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Every text that takes one wording of each sentence, in order."""
    return tuple(" ".join(choice) for choice in product(*sentences))


def meaning(phrases: Phrases, wording: str) -> str:
    """What a wording asks for.

    Raises:
        ValueError: it is none of the wordings.
    """
    for code, wordings in phrases.items():
        if wording in wordings:
            return code
    raise ValueError(f"unknown wording {wording!r}")


def listed(items: Sequence[str], last: str = "and") -> str:
    """Items in a sentence: "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(items[:-1]), items[-1]) if part)


def unlisted(text: str, last: str = "and") -> list[str]:
    """The inverse of `listed`."""
    *most, end = text.split(f" {last} ")
    return [item for part in most for item in part.split(", ")] + [end]


def ascending(values: Sequence[object]) -> bool:
    """Whether every value is above the one before it."""
    return all(a < b for a, b in pairwise(values))  # type: ignore[operator]
