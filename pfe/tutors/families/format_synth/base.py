"""The base class of the format_synth families: an instruction and its data, in either order.

Example: the instruction "Give these dates as YYYY-MM-DD, one per line." with the data "5 March 2021\\n9 May 2020".
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from random import Random
from typing import ClassVar

from pfe.problem import Problem
from pfe.tutors.family import Draft, Facts, Family, unfill_any

# Each option that an instruction may ask for, with its possible wordings.
Phrases = Mapping[str, tuple[str, ...]]


class Instruction(Family):
    """An instruction and lines of data, in either order, separated by an empty line."""

    domain = "format"
    scorer = "format"
    asks: ClassVar[tuple[str, ...]]

    @abstractmethod
    def wording(self, facts: Facts, rng: Random) -> Mapping[str, object]:
        """Return the values that fill the gaps of the instruction."""

    @abstractmethod
    def data(self, facts: Facts, rng: Random) -> list[str]:
        """Return the lines of data."""

    @abstractmethod
    def understand(self, gaps: Mapping[str, str], lines: list[str]) -> Facts:
        """Recover the facts from the gaps of the instruction and the lines of data.

        Raises:
            ValueError: no problem of this family has these gaps and lines.
        """

    @abstractmethod
    def forms(self, facts: Facts) -> Iterable[str]:
        """Yield the correct output and outputs with typical mistakes."""

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
    """Return every text that joins one wording of each sentence, in order."""
    return tuple(" ".join(choice) for choice in product(*sentences))


def meaning(phrases: Phrases, wording: str) -> str:
    """Return the option that a wording asks for.

    Raises:
        ValueError: no option has this wording.
    """
    for code, wordings in phrases.items():
        if wording in wordings:
            return code
    raise ValueError(f"unknown wording {wording!r}")


def listed(items: Sequence[str], last: str = "and") -> str:
    """Join items to a list in a sentence: "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(items[:-1]), items[-1]) if part)


def unlisted(text: str, last: str = "and") -> list[str]:
    """Split a list in a sentence into its items (the inverse of `listed`)."""
    *most, end = text.split(f" {last} ")
    return [item for part in most for item in part.split(", ")] + [end]


def ascending(values: Sequence[object]) -> bool:
    """Return whether the values are strictly increasing."""
    return all(a < b for a, b in pairwise(values))  # type: ignore[operator]
