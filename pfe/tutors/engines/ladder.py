"""Families of the ladder: the engines of `pfe.invented` with their own content and several questions about each world.

Example: `content/ladder_synth/meals.yaml` begins with `engine: ladder.relations`. Its problems are like those of the
benchmark `invented`, with 4 to 32 statements, but with other wordings, values and relations.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from pfe.errors import UserError, nearest
from pfe.invented.family import Entry as Statement
from pfe.invented.family import InventedFamily, W
from pfe.invented.ladder import Cell, NameKind
from pfe.invented.making import ENGINES
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest
from pfe.tutors.family import BoundFamily, ContentFamily, Draft, Entry, Facts, quoted
from pfe.tutors.place import Place

T = TypeVar("T")
RUNGS = {4: 3, 8: 3, 16: 1, 32: 1}  # statements in context, with weights: easy problems take many worlds to learn
_NAMES: Mapping[NameKind, int] = {"plain": 3, "confusable": 1}  # kinds of names, with weights
_TRIES = 20


@dataclass(frozen=True)
class _Asked:
    """A question about a world, with the family that asks it, the cell of the ladder and the seed of its wording."""

    family: InventedFamily[Any]
    cell: Cell
    world: Any
    wording: int


class Engine(ContentFamily, BoundFamily):
    """Problems that an engine of `pfe.invented` makes from a file that names it: `engine: ladder.chains`."""

    domain = "invented"
    scorer = "mixed"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        name = engine_and_rest(path)[0].partition(".")[2]
        if name not in ENGINES:
            place = Place(path) / "engine"
            raise UserError(f"{place}: unknown engine 'ladder.{name}'; {nearest(name, ENGINES)}")
        self._families = ENGINES[name].of_file(path)
        self.asked = min(family.asked for family in self._families)
        self.weight = max(family.weight for family in self._families)

    def world(self, rng: Random) -> Sequence[Facts]:
        while True:
            family = rng.choice(self._families)
            rungs = {rung: often for rung, often in RUNGS.items() if family.smallest <= rung <= family.largest}
            cell = Cell(family.skill, _drawn(rungs, rng), _drawn(_NAMES, rng))
            try:
                return self._all_asked(family, cell, rng)
            except ValueError:  # too little can be asked about this world, or no exchange changes the answer
                continue

    def _all_asked(self, family: InventedFamily[Any], cell: Cell, rng: Random) -> Sequence[Facts]:
        """Sample questions about one world that differ in content, else in wording, else in choices."""
        worlds = cycle(self._different(family, cell, rng))
        written: set[str] = set()
        facts = []
        for world in islice(worlds, self.asked):
            wordings = [rng.getrandbits(32) for _ in range(_TRIES)]
            texts = {family.question(world, Random(wording)): wording for wording in wordings}
            text = next((text for text in texts if text not in written), next(iter(texts)))
            if text in written:
                world = _with_other_choices(family, world, rng)
            written.add(text)
            facts.append(_facts(_Asked(family, cell, world, texts[text])))
        return facts

    def _different(self, family: InventedFamily[Any], cell: Cell, rng: Random) -> Sequence[Any]:
        """Sample a world and versions of it that ask other things.

        There are `asked` versions, or as many as the world has statements if that is less.

        Raises:
            ValueError: too little can be asked about the world.
        """
        first = family.world(cell, rng)
        family.changed(first)
        worlds = {family.question(first, Random(0)): first}
        different = min(self.asked, cell.rung)
        for _ in range(_TRIES * self.asked):
            if len(worlds) == different:
                return [*worlds.values()]
            with suppress(ValueError):
                other = family.another_question(first, rng)
                family.changed(other)
                worlds.setdefault(family.question(other, Random(0)), other)
        raise ValueError(f"{self.name}: too little can be asked of a world")

    def _repeats(self, made: Sequence[Facts]) -> bool:
        """Return False: the questions differ, and to discover a rule all of them need all entries."""
        return False

    def facts(self, rng: Random) -> Facts:
        return self.world(rng)[0]

    def write(self, facts: Facts, rng: Random) -> Draft:
        asked = _asked(facts)
        family, world = asked.family, asked.world
        question = family.question(world, Random(asked.wording))
        return Draft(question, choices=family.choices(world), functions=family.functions(world))

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        return [Entry(statement.text, statement.needed) for statement in self._statements(facts, rng)]

    @staticmethod
    def _statements(facts: Facts, rng: Random) -> Sequence[Statement]:
        asked = _asked(facts)
        return asked.family.entries(asked.world, rng)

    def _library(self, world: str, facts: Facts) -> tuple[Entry, ...]:
        if _asked(facts).family.in_order:
            return tuple(self.entries(facts, Random(f"{world}:library")))
        return super()._library(world, facts)

    def solve(self, facts: Facts) -> str:
        return str(facts["answer"] if "answer" in facts else _asked(facts).family.solve(_asked(facts).world))

    def check(self, facts: Facts, answer: str) -> bool:
        """Return whether the plain reader finds this answer in the texts that state the facts."""
        if "answer" in facts:
            return bool(facts["answer"] == answer)
        draft = self.write(facts, Random(0))
        texts = tuple(statement.text for statement in self._statements(facts, Random(0)))
        written = Problem("", self.set, self.domain, draft.question, "", choices=draft.choices, library=texts)
        return _asked(facts).family.answered(written) == answer

    def solution(self, facts: Facts, draft: Draft) -> str:
        """Quote the needed statements; of a function only the first line, since the others have quotation marks."""
        return quoted("library", [entry.text.splitlines()[0] for entry in draft.library if entry.needed])

    def read(self, problem: Problem) -> Facts:
        for family in self._families:
            if (answer := family.answered(problem)) is not None:
                return {"answer": answer}
        raise ValueError(f"{problem.id}: the library does not say what is asked for")

    def candidates(self, problem: Problem) -> Iterable[str]:
        """Return the choices; for a call, the correct answers with each of the problem's libraries."""
        return problem.choices or dict.fromkeys((problem.answer, *(variant.answer for variant in problem.variants)))

    def change(self, facts: Facts, rng: Random) -> Facts:
        asked = _asked(facts)
        return _facts(replace(asked, world=asked.family.changed(asked.world)))

    def unknown(self, facts: Facts) -> str:
        return _asked(facts).family.unknown()

    def stranger(self, facts: Facts, rng: Random) -> Facts:
        """Sample another world of the same cell, so the length of a library does not show if it answers."""
        asked = _asked(facts)
        return _facts(replace(asked, world=asked.family.world(asked.cell, rng)))

    def _irrelevant(self, problem: Problem, facts: Facts) -> tuple[str, ...]:
        """Return the same library for all questions about a world, unless it answers one of them."""
        return super()._irrelevant(replace(problem, id=self._world(problem.id)), facts)

    def problem(self, id: str, facts: Facts) -> Problem:
        cell = _asked(facts).cell
        return replace(super().problem(id, facts), skill=cell.skill, rung=cell.rung, names=cell.names)


def _drawn(weights: Mapping[T, int], rng: Random) -> T:
    return rng.choices([*weights], [*weights.values()])[0]


def _facts(asked: _Asked) -> Facts:
    return {"asked": asked}


def _with_other_choices(family: InventedFamily[W], world: W, rng: Random) -> W:
    """Return a world with the same question and its choices sampled again; the same world if none is found."""
    asked = family.question(world, Random(0))
    for _ in range(_TRIES):
        with suppress(ValueError):
            other = family.another_question(world, rng)
            family.changed(other)
            if family.question(other, Random(0)) == asked:
                return other
    return world


def _asked(facts: Facts) -> _Asked:
    asked: _Asked = facts["asked"]
    return asked
