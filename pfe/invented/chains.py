"""Multi-hop problems: from one of many people or places to another in two, four or eight hops.

Example: "Cheland pays rent to Duost, gets pills from Mival and learns the flute from Sporon." and similar statements
answer "Think of the landlord of Cheland, then of the teacher of that person. Who is that?"

Every relation is a permutation, so each name is the landlord of one other and the patient of one other. The choices are
the ends of four paths from one name that differ only in which relation is which: "landlord, teacher, landlord" and
"doctor, landlord, doctor" are two. The path in question is sampled last; the end of each could be exchanged in a
changed library.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import Len
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.wordings import Wordings, needs_slots
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
RELATIONS = ("a", "b", "c")  # as the slots of a file name them
LENGTHS = (2, 4, 8)
_CHOICES = 4
_TRIES = 20
Permutation = tuple[int, ...]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """Three relations: `says` has {x} and its three partners, {a} to {c}; `steps` names the relations in a question.

    A question is `begin` with {x} and {step}, `then` with {step} for each further hop, and `end`.
    """

    says: Annotated[tuple[str, ...], Len(4, 4)]
    steps: Annotated[tuple[str, ...], Len(3, 3)]
    begin: str
    then: str
    end: str


@plain_dataclass(frozen=True)
class World:
    """Names, three permutations of them, and four paths from the first name, each a sequence of relation numbers.

    The question asks for the path at index `asked`.
    """

    names: tuple[str, ...]
    relations: tuple[Permutation, ...]
    ways: tuple[tuple[int, ...], ...]
    asked: int
    choices: tuple[str, ...]

    @property
    def hops(self) -> tuple[int, ...]:
        return self.ways[self.asked]


class Chains(InventedFamily[World]):
    """Names that are related to each other by three relations."""

    skill = "hops"
    asked = 4
    smallest = 16  # with only four names, the count of each kind of hop tells whether the path returns

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        needs_slots(self.content.says, ("x", *RELATIONS), f"{path}: says")
        self._says = Wordings(self.content.says)

    def world(self, cell: Cell, rng: Random) -> World:
        names = tuple(name.capitalize() for name in invented_names(rng, cell.rung, cell.names))
        while True:
            with suppress(ValueError):
                return self._asking(names, _disjoint_permutations(rng, cell.rung, len(RELATIONS)), rng)

    def _asking(self, names: tuple[str, ...], relations: tuple[Permutation, ...], rng: Random) -> World:
        length = rng.choice(LENGTHS)
        for _ in range(_TRIES):
            ways = _alike(tuple(rng.randrange(len(RELATIONS)) for _ in range(length)), rng)
            ends = [_followed(relations, way, 0) for way in ways]
            if len({*ends}) == _CHOICES:
                choices = tuple(rng.sample([names[end] for end in ends], _CHOICES))
                world = World(names, relations, ways, rng.randrange(_CHOICES), choices)
                if self._all_can_change(world):
                    return world
        raise ValueError(f"{self.name}: no four ways of {length} hops lead to different ends")

    def _all_can_change(self, world: World) -> bool:
        """Return whether each path could be asked, so that a world that is sampled again does not reveal the path."""
        try:
            return all(self.changed(replace(world, asked=place)) for place in range(_CHOICES))
        except ValueError:
            return False

    def another_question(self, world: World, rng: Random) -> World:
        return self._asking(world.names, world.relations, rng)

    def question(self, world: World, rng: Random) -> str:
        first, *others = (self.content.steps[hop] for hop in world.hops)
        begin = self.content.begin.format(x=world.names[0], step=first)
        return f"{begin}{''.join(self.content.then.format(step=step) for step in others)}{self.content.end}"

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        passed = {_followed(world.relations, world.hops[:count], 0) for count in range(len(world.hops))}
        return [
            Entry(
                self._says.write(
                    {"x": name, **{
                        slot: world.names[relation[number]]
                        for slot, relation in zip(RELATIONS, world.relations, strict=True)
                    }},
                    rng,
                ),
                number in passed,
            )
            for number, name in enumerate(world.names)
        ]  # fmt: skip

    def solve(self, world: World) -> str:
        return world.names[_followed(world.relations, world.hops, 0)]

    def changed(self, world: World) -> World:
        """Exchange the targets of the last hops of the asked path and another one, so that their ends are exchanged."""
        last, ends = world.hops[-1], [_followed(world.relations, way, 0) for way in world.ways]
        other = next(place for place, way in enumerate(world.ways) if way[-1] == last and place != world.asked)
        here, there = (_followed(world.relations, world.ways[place][:-1], 0) for place in (world.asked, other))
        relation = list(world.relations[last])
        relation[here], relation[there] = relation[there], relation[here]
        relations = tuple(tuple(relation) if n == last else one for n, one in enumerate(world.relations))
        ends[world.asked], ends[other] = ends[other], ends[world.asked]
        if [_followed(relations, way, 0) for way in world.ways] != ends or not all(
            _are_disjoint(relations, name) for name in (here, there)
        ):
            raise ValueError(f"{self.name}: no exchange leads to another choice")
        return replace(world, relations=relations)

    def read(self, problem: Problem) -> str:
        start, steps = self._hops(problem.question)
        found = [slots for text in problem.library if (slots := self._says.read(text))]
        by_name = {slots["x"]: slots for slots in found}
        here = start
        for step in steps:
            if here not in by_name:
                raise ValueError(f"{problem.id}: nothing is said of {here}")
            here = by_name[here][RELATIONS[step]]
        return here

    def _hops(self, question: str) -> tuple[str, list[int]]:
        steps: list[int] = []
        rest = question.removesuffix(self.content.end)
        shortest = True
        while shortest:
            shortest = False
            for number, step in enumerate(self.content.steps):
                if rest.endswith(then := self.content.then.format(step=step)):
                    rest, shortest = rest.removesuffix(then), True
                    steps.insert(0, number)
        for number, step in enumerate(self.content.steps):
            begin = Wordings([self.content.begin.replace("{step}", step)])
            if slots := begin.read(rest):
                return slots["x"], [number, *steps]
        raise ValueError(f"{question!r} is no question of {self.name}")


def _followed(relations: Sequence[Permutation], hops: Sequence[int], start: int) -> int:
    here = start
    for hop in hops:
        here = relations[hop][here]
    return here


def _alike(way: tuple[int, ...], rng: Random) -> tuple[tuple[int, ...], ...]:
    """Return paths that repeat relations where this one does: two with one last relation and two with another.

    A path of a single relation gives fewer than four.
    """
    every = {tuple(names[hop] for hop in way) for names in permutations(range(len(RELATIONS)))}
    lasts = rng.sample(range(len(RELATIONS)), 2)
    alike = sorted(one for one in every if one[-1] in lasts)
    return tuple(rng.sample(alike, len(alike)))


def _are_disjoint(relations: Sequence[Permutation], name: int) -> bool:
    """Return whether the relations lead from a name to different other names."""
    return len({name, *(relation[name] for relation in relations)}) == len(relations) + 1


def _disjoint_permutations(rng: Random, size: int, count: int) -> tuple[Permutation, ...]:
    """Return permutations without fixed points, no two of which map a name to the same other."""
    while True:
        drawn: list[Permutation] = [tuple(range(size))]
        for _ in range(60 * count):
            one = tuple(rng.sample(range(size), size))
            if all(all(a != b for a, b in zip(one, other, strict=True)) for other in drawn):
                drawn.append(one)
            if len(drawn) > count:
                return tuple(drawn[1:])
