"""Hops by another name: what is said of a thing is said of it under the name that it has elsewhere.

Example: "The gorm is only another name for the tafo." and "The tafo belongs to the birds." With real things the tafo is
the robin: in the arm `agreeing` it is a bird, in `contradicted` a fish, and everything else is the same.

All things have another name, real ones in both of these arms, and every value is said equally often.
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

from pfe.invented.family import Entry, InventedFamily, Twins
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.wordings import Wordings, needs_slots
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
_CHOICES = 4
Texts = Annotated[tuple[str, ...], MinLen(2)]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """`called` has {name} and {noun}, `says` {noun} and {value}, `asks` {name}; `world` real nouns of each value."""

    called: Texts
    says: Texts
    asks: Texts
    world: Annotated[Mapping[str, Annotated[tuple[str, ...], MinLen(4)]], Len(4, 4)]
    capital: bool = False  # names of persons and places

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.world)


@plain_dataclass(frozen=True)
class World:
    """Of each thing its name, its other name and what is said of that; the real ones of `real`, in their order."""

    names: tuple[str, ...]
    nouns: tuple[str, ...]
    values: tuple[str, ...]
    real: tuple[str, ...]
    shift: int
    asked: int
    choices: tuple[str, ...]


class Aliases(InventedFamily[World]):
    """Things with two names, and a value that is said of the second."""

    skill = "hops"
    weight = 2  # the arms `contradicted` and `agreeing` have no other problems
    smallest = 16

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        needs_slots(self.content.called, ("name", "noun"), f"{path}: called")
        needs_slots(self.content.says, ("noun", "value"), f"{path}: says")
        self._called = Wordings(self.content.called)
        self._says = Wordings(self.content.says, {"value": self.content.values})
        self._asks = Wordings(self.content.asks)

    def world(self, cell: Cell, rng: Random) -> World:
        count = cell.rung // 2
        drawn = invented_names(rng, 2 * count, cell.names)
        if self.content.capital:
            drawn = [name.capitalize() for name in drawn]
        values = [value for value in self.content.values for _ in range(count // _CHOICES)]
        rng.shuffle(values)
        nouns = {value: rng.sample(words, len(words)) for value, words in self.content.world.items()}
        real = [nouns[value].pop() if nouns[value] else "" for value in values]
        asked = rng.choice([place for place, noun in enumerate(real) if noun])
        return World(
            tuple(drawn[:count]), tuple(drawn[count:]), tuple(values), tuple(real), rng.randrange(1, _CHOICES),
            asked, tuple(rng.sample(self.content.values, _CHOICES)),
        )  # fmt: skip

    def question(self, world: World, rng: Random) -> str:
        return self._asks.write({"name": world.names[world.asked]}, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        entries = []
        for place, (name, noun, value) in enumerate(zip(world.names, world.nouns, world.values, strict=True)):
            needed = place == world.asked
            entries.append(Entry(self._called.write({"name": name, "noun": noun}, rng), needed))
            entries.append(Entry(self._says.write({"noun": noun, "value": value}, rng), needed))
        return entries

    def solve(self, world: World) -> str:
        return world.values[world.asked]

    def changed(self, world: World) -> World:
        """Exchange the values of two things."""
        values = list(world.values)
        other = next(place for place, value in enumerate(values) if value != values[world.asked])
        values[world.asked], values[other] = values[other], values[world.asked]
        return replace(world, values=tuple(values))

    def twins(self, world: World) -> Twins[World]:
        nouns = tuple(real or noun for real, noun in zip(world.real, world.nouns, strict=True))
        agreeing = replace(world, nouns=nouns)
        order = self.content.values
        against = tuple(order[(order.index(value) + world.shift) % len(order)] for value in world.values)
        return Twins(agreeing, replace(agreeing, values=against), self.solve(agreeing))

    def read(self, problem: Problem) -> str:
        asked = self._asks.read(problem.question)
        nouns = {slots["name"]: slots["noun"] for text in problem.library if (slots := self._called.read(text))}
        values = {slots["noun"]: slots["value"] for text in problem.library if (slots := self._says.read(text))}
        if asked is None or nouns.get(asked["name"]) not in values:
            raise ValueError(f"{problem.id}: nothing is said of what is asked for")
        return values[nouns[asked["name"]]]
