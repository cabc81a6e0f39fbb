"""The base class of the benchmark's families: a world is sampled, stated as a library, and asked about.

Example, from the family `owners`, with four statements such as "The baker left the quaffen to the smith, from whom it
came by way of the miller to the weaver.":
    To whom does the quaffen belong today?     the weaver (among baker, smith, miller and weaver)

Every family is fair by construction: its four choices are sampled first and appear in the library in the same way, and
the one that the question asks for is sampled last. So a model that ignores the question's condition is correct one time
in four.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from pfe.invented.ladder import Cell
from pfe.problem import UNKNOWN, Problem, Skill, Variant

SET = "invented"
W = TypeVar("W")
_TRIES = 50


@dataclass(frozen=True)
class Entry:
    """One statement of a library; `needed` if the answer depends on it."""

    text: str
    needed: bool = False


@dataclass(frozen=True)
class Twins(Generic[W]):
    """A world that agrees with the real one, and one that contradicts it; `otherwise` is the real answer."""

    agreeing: W
    contradicted: W
    otherwise: str


class InventedFamily(ABC, Generic[W]):
    """One kind of problem: an engine with the wordings of one file `content/<name>.yaml`; W is the type of its worlds.

    It supports rungs from `smallest` to `largest`; `asked` says how many questions `beside` can ask of one world in
    training.
    """

    skill: Skill
    in_order: ClassVar[bool] = False  # whether the library keeps the order of its entries
    weight: ClassVar[int] = 1  # turns in the rotation of families
    asked: ClassVar[int] = 1
    smallest: int = 4
    largest: int = 4096

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, f"{self.skill}-{path.stem}"

    @classmethod
    def of_file(cls, path: Path) -> "Sequence[InventedFamily[Any]]":
        """Return the families that a content file describes.

        Raises:
            UserError: the file has a mistake; says where.
        """
        return [cls(path)]

    @abstractmethod
    def world(self, cell: Cell, rng: Random) -> W:
        """Sample the facts that the library states and the question."""

    @abstractmethod
    def question(self, world: W, rng: Random) -> str:
        """Return the question."""

    @abstractmethod
    def choices(self, world: W) -> tuple[str, ...]:
        """Return the choices; empty if the answer is free text."""

    @abstractmethod
    def entries(self, world: W, rng: Random) -> Sequence[Entry]:
        """Return the statements; a changed world uses `rng` equally often."""

    @abstractmethod
    def solve(self, world: W) -> str:
        """Return the answer."""

    @abstractmethod
    def changed(self, world: W) -> W:
        """Return the world with two values exchanged, so that the answer is another of the choices.

        Raises:
            ValueError: no exchange does that.
        """

    @abstractmethod
    def read(self, problem: Problem) -> str:
        """Return the answer from the text alone: question, library and choices.

        Raises:
            ValueError: the library does not state the answer.
        """

    def another_question(self, world: W, rng: Random) -> W:
        """Return the same world with another question.

        Raises:
            ValueError: there is no other question.
        """
        raise ValueError(f"{self.name}: nothing else can be asked of a world")

    def twins(self, world: W) -> Twins[W] | None:
        """Return worlds about real things, with the real facts and against them; None if the family has none."""
        return None

    def functions(self, world: W) -> tuple[str, ...]:
        """Return the definitions of the functions on offer."""
        return ()

    def unknown(self) -> str:
        """Return the correct answer without the library."""
        return UNKNOWN

    def make(self, cell: Cell, seed: int, index: int) -> Problem:
        """Return problem number `index` of a cell under a seed, deterministically."""
        id = f"{SET}/{self.name}-{cell.rung}-{cell.names}/s{seed}/{index}"
        world, changed = self._drawn(cell, id)
        library, answer = self._library(world, id), self.solve(world)
        problem = Problem(
            id=id, set=SET, domain="invented", question=self.question(world, Random(f"{id}:question")),
            answer=answer, choices=self.choices(world), functions=self.functions(world), group=id, family=self.name,
            library=_texts(library), needed=tuple(place for place, entry in enumerate(library) if entry.needed),
            skill=self.skill, rung=cell.rung, names=cell.names,
        )  # fmt: skip
        variants = (
            Variant("changed", _texts(self._library(changed, id)), self.solve(changed), answer),
            Variant("irrelevant", self._irrelevant(problem, cell), self.unknown()),
            Variant("bare", (), self.unknown()),
            *self._against_world(world, id),
        )
        return replace(problem, variants=variants)

    def _drawn(self, cell: Cell, id: str) -> tuple[W, W]:
        """Sample a world and its changed version; sample again if no exchange leads to another choice."""
        for attempt in range(_TRIES):
            world = self.world(cell, Random(f"{id}:world{attempt}"))
            try:
                return world, self.changed(world)
            except ValueError:
                continue
        raise ValueError(f"{id}: no world of {self.name} can be changed")

    def _against_world(self, world: W, id: str) -> Sequence[Variant]:
        twins = self.twins(world)
        if twins is None:
            return ()
        contradicted, agreeing = twins.contradicted, twins.agreeing
        return (
            Variant("contradicted", _texts(self._library(contradicted, id)), self.solve(contradicted), twins.otherwise),
            Variant("agreeing", _texts(self._library(agreeing, id)), self.solve(agreeing)),
        )

    def _library(self, world: W, id: str) -> Sequence[Entry]:
        entries = list(self.entries(world, Random(f"{id}:library")))
        if not self.in_order:
            Random(f"{id}:order").shuffle(entries)
        return entries

    def _irrelevant(self, problem: Problem, cell: Cell) -> tuple[str, ...]:
        """Return a library of this family about other things, which does not answer the problem."""
        for attempt in range(_TRIES):
            id = f"{problem.id}:other{attempt}"
            texts = _texts(self._library(self.world(cell, Random(f"{id}:world")), id))
            if self.answered(replace(problem, library=texts)) is None:
                return texts
        raise ValueError(f"{problem.id}: every library of {self.name} answers it")

    def answered(self, problem: Problem) -> str | None:
        """Return the answer of the rule-based reader; None if the library does not state it."""
        try:
            return self.read(problem)
        except ValueError:
            return None


def _texts(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(entry.text for entry in entries)
