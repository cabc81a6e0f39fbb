"""Relations: four statements about every thing, with values of one type, and a question about one of the relations.

Example: "The gorm never touches moss." and three more say what the gorm eats in spring, in winter and as a young one.
What does the gorm refuse?

Questions name a relation in words that no statement has. Whoever knows what the words mean finds the statement without
the others, so the benchmark itself asks no such family (`pfe.invented.sequences`); a student begins with them.
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
_POOL = 8  # values of one library, each as often as the others
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
    """The values of each thing, by relation, and which relation of which thing is asked for."""

    values: Mapping[str, tuple[str, ...]]
    thing: str
    relation: int
    choices: tuple[str, ...]


class Relations(InventedFamily[World]):
    """Things with a value under each of four relations."""

    skill = "lookup"
    asked = 6

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        for number, relation in enumerate(self.content.relations):
            needs_slots(relation.says, ("thing", "value"), f"{path}: relations.{number}.says")
            needs_slots(relation.asks, ("thing",), f"{path}: relations.{number}.asks")
        values = {"value": self.content.values}
        self._says = [Wordings(relation.says, values) for relation in self.content.relations]
        self._asks = [Wordings(relation.asks) for relation in self.content.relations]

    def world(self, cell: Cell, rng: Random) -> World:
        count = max(2, cell.rung // _RELATIONS)
        names = invented_names(rng, count, cell.names)[: cell.rung // _RELATIONS]
        if self.content.capital:
            names = [name.capitalize() for name in names]
        pool = rng.sample(self.content.values, _POOL)
        values = [tuple(rng.sample(values, _RELATIONS)) for values in dealt(pool, count, _RELATIONS, rng)]
        return self._asking(dict(zip(names, values, strict=False)), rng)

    @staticmethod
    def _asking(values: Mapping[str, tuple[str, ...]], rng: Random) -> World:
        thing = rng.choice(list(values))
        return World(values, thing, rng.randrange(_RELATIONS), tuple(rng.sample(values[thing], _RELATIONS)))

    def beside(self, world: World, rng: Random) -> World:
        return self._asking(world.values, rng)

    def question(self, world: World, rng: Random) -> str:
        return self._asks[world.relation].write({"thing": world.thing}, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        return [
            Entry(says.write({"thing": thing, "value": value}, rng), (thing, place) == (world.thing, world.relation))
            for thing, values in world.values.items()
            for place, (says, value) in enumerate(zip(self._says, values, strict=True))
        ]

    def solve(self, world: World) -> str:
        return world.values[world.thing][world.relation]

    def changed(self, world: World) -> World:
        values = list(world.values[world.thing])
        here, there = world.relation, (world.relation + 1) % _RELATIONS
        values[here], values[there] = values[there], values[here]
        return replace(world, values={**world.values, world.thing: tuple(values)})

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
