"""Single-hop retrieval for training: statements give things values of one type, and a question asks for one value.

Example: "The gorm never touches moss." and three more say what the gorm eats in spring, in winter and as a young one.
What does the gorm refuse?

Either every thing has four statements, and a question names the relation in words that no statement uses, or every
thing has one, and its name is the key. Matching names or word meanings finds the statement without reading the others,
so the benchmark itself has no such family (`pfe.invented.sequences`); a student begins with them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import Len, MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.sequences import dealt
from pfe.invented.wordings import Wordings, needs_slots
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
_POOL = 8  # values in one library, each equally often
_RELATIONS = 4


@dataclass(frozen=True, config=_STRICT)
class Relation:
    """One relation: `says` has {thing} and {value}, `asks` has {thing}."""

    says: Annotated[tuple[str, ...], MinLen(2)]
    asks: Annotated[tuple[str, ...], MinLen(2)]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """Four relations whose values are of one type."""

    values: Annotated[tuple[str, ...], MinLen(_POOL)]
    relations: Annotated[tuple[Relation, ...], Len(_RELATIONS, _RELATIONS)]
    capital: bool = False  # names of persons and places


@plain_dataclass(frozen=True)
class World:
    """The values of each thing, one for each of the `relations`; the question asks for `thing` at index `place`."""

    relations: tuple[int, ...]
    values: Mapping[str, tuple[str, ...]]
    thing: str
    place: int
    choices: tuple[str, ...]


class Relations(InventedFamily[World]):
    """Things with a value for each of four relations, or for one of them (`by_key`)."""

    skill = "lookup"
    asked = 16
    weight = 3

    def __init__(self, path: Path, by_key: bool = False) -> None:
        super().__init__(path)
        self.by_key = by_key
        if by_key:
            self.name = f"{self.name}_by_key"
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        for number, relation in enumerate(self.content.relations):
            needs_slots(relation.says, ("thing", "value"), f"{path}: relations.{number}.says")
            needs_slots(relation.asks, ("thing",), f"{path}: relations.{number}.asks")
        values = {"value": self.content.values}
        self._says = [Wordings(relation.says, values) for relation in self.content.relations]
        self._asks = [Wordings(relation.asks) for relation in self.content.relations]

    @classmethod
    def of_file(cls, path: Path) -> "Sequence[Relations]":
        return [cls(path), cls(path, by_key=True)]

    def world(self, cell: Cell, rng: Random) -> World:
        every = range(_RELATIONS)
        relations = (rng.choice(every),) if self.by_key else tuple(every)
        count = cell.rung // len(relations)
        names = invented_names(rng, max(count, 2), cell.names)
        if self.content.capital:
            names = [name.capitalize() for name in names]
        pool = rng.sample(self.content.values, min(_POOL, len(names) * len(relations)))
        values = [tuple(rng.sample(values, len(values))) for values in dealt(pool, len(names), len(relations), rng)]
        return self._asking(relations, dict(zip(names[:count], values, strict=False)), pool, rng)

    @staticmethod
    def _asking(
        relations: tuple[int, ...], values: Mapping[str, tuple[str, ...]], pool: Sequence[str], rng: Random
    ) -> World:
        thing = rng.choice(list(values))
        others = [value for value in pool if value not in values[thing]]
        choices = [*values[thing], *rng.sample(others, _RELATIONS - len(relations))]
        return World(relations, values, thing, rng.randrange(len(relations)), tuple(rng.sample(choices, _RELATIONS)))

    def another_question(self, world: World, rng: Random) -> World:
        pool = sorted({value for values in world.values.values() for value in values})
        return self._asking(world.relations, world.values, pool, rng)

    def question(self, world: World, rng: Random) -> str:
        return self._asks[world.relations[world.place]].write({"thing": world.thing}, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        return [
            Entry(
                self._says[relation].write({"thing": thing, "value": value}, rng),
                (thing, place) == (world.thing, world.place),
            )
            for thing, values in world.values.items()
            for place, (relation, value) in enumerate(zip(world.relations, values, strict=True))
        ]

    def solve(self, world: World) -> str:
        return world.values[world.thing][world.place]

    def changed(self, world: World) -> World:
        """Exchange two values of the thing, or its only value and that of another thing."""
        answer = self.solve(world)
        places = [(thing, place) for thing, values in world.values.items() for place in range(len(values))]
        others = [
            (thing, place)
            for thing, place in places
            if world.values[thing][place] in {*world.choices} - {answer} and (self.by_key or thing == world.thing)
        ]
        if not others:
            raise ValueError(f"{self.name}: no other thing has one of the choices")
        there = Random(repr(world)).choice(others)
        values = {thing: list(of_thing) for thing, of_thing in world.values.items()}
        values[world.thing][world.place] = values[there[0]][there[1]]
        values[there[0]][there[1]] = answer
        return replace(world, values={thing: tuple(of_thing) for thing, of_thing in values.items()})

    def read(self, problem: Problem) -> str:
        for asks, says in zip(self._asks, self._says, strict=True):
            asked = asks.read(problem.question)
            if asked is None:
                continue
            for text in problem.library:
                slots = says.read(text, self.content.values)
                if slots and slots["thing"].lower() == asked["thing"].lower():
                    return slots["value"]
        raise ValueError(f"{problem.id}: the library does not say what is asked for")
