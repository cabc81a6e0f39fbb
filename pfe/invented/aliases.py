"""Two-hop problems by alias: one statement gives a thing another name, another states a value under that name.

Example: one sentence says that the robin, the tuna, the ant and the dog are called gorm, tafo, mirl and sorb there;
another says which of the four are birds, fish, insects and mammals. Which group does the gorm belong to?

Each sentence pairs four with four by ordinals (`pfe.invented.pairs`). With real things the
robin is a bird in the arm `agreeing` and a fish in `contradicted`, and everything else is the same.
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
from pfe.invented.pairs import SIZE, Pairs
from pfe.invented.wordings import Wordings
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
Texts = Annotated[tuple[str, ...], MinLen(1)]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """The wordings: `called` pairs names {p} to {s} with nouns {a} to {d}, `says` the nouns with their values.

    `asks` has {name}. `world` has real nouns for each value.
    """

    called: Texts
    says: Texts
    asks: Annotated[tuple[str, ...], MinLen(1)]
    world: Annotated[Mapping[str, Annotated[tuple[str, ...], MinLen(4)]], Len(SIZE, SIZE)]
    capital: bool = False  # names of persons and places

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.world)


@plain_dataclass(frozen=True)
class Group:
    """Four things: their names, their nouns (other names), the nouns' values, and real nouns with these values."""

    names: tuple[str, ...]
    nouns: tuple[str, ...]
    values: tuple[str, ...]
    real: tuple[str, ...]


@plain_dataclass(frozen=True)
class World:
    """The groups, with a question about one member of the first; values move by `shift` in the contradicted world."""

    groups: tuple[Group, ...]
    shift: int
    asked: int
    choices: tuple[str, ...]


class Aliases(InventedFamily[World]):
    """Things with two names, and a value that is stated of the second."""

    skill = "hops"
    asked = SIZE
    weight = 2  # the arms `contradicted` and `agreeing` have no other problems

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self._called = Pairs(self.content.called, f"{path}: called")
        self._says = Pairs(self.content.says, f"{path}: says", self.content.values)
        self._asks = Wordings(self.content.asks)

    def world(self, cell: Cell, rng: Random) -> World:
        count = cell.rung // 2
        drawn = invented_names(rng, 2 * SIZE * count, cell.names)
        if self.content.capital:
            drawn = [name.capitalize() for name in drawn]
        real = [rng.sample(words, len(words)) for words in self.content.world.values()]
        groups = []
        for start in range(0, 2 * SIZE * count, 2 * SIZE):
            pairs = [
                (value, words.pop() if words else "") for value, words in zip(self.content.values, real, strict=True)
            ]
            rng.shuffle(pairs)
            values, nouns = zip(*pairs, strict=True)
            groups.append(
                Group(tuple(drawn[start : start + SIZE]), tuple(drawn[start + SIZE : start + 2 * SIZE]), values, nouns)
            )
        choices = tuple(rng.sample(self.content.values, SIZE))
        return World(tuple(groups), rng.randrange(1, SIZE), rng.randrange(SIZE), choices)

    def another_question(self, world: World, rng: Random) -> World:
        return replace(world, asked=rng.randrange(SIZE), choices=tuple(rng.sample(world.choices, SIZE)))

    def question(self, world: World, rng: Random) -> str:
        return self._asks.write({"name": world.groups[0].names[world.asked]}, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        entries = []
        for place, group in enumerate(world.groups):
            entries.append(Entry(self._called.write(group.names, group.nouns, rng), place == 0))
            entries.append(Entry(self._says.write(group.nouns, group.values, rng), place == 0))
        return entries

    def solve(self, world: World) -> str:
        return world.groups[0].values[world.asked]

    def changed(self, world: World) -> World:
        """Exchange the values of two things of the group."""
        group, *others = world.groups
        values, other = list(group.values), (world.asked + world.shift) % SIZE
        values[world.asked], values[other] = values[other], values[world.asked]
        return replace(world, groups=(replace(group, values=tuple(values)), *others))

    def twins(self, world: World) -> Twins[World]:
        order = self.content.values

        def moved(group: Group, shift: int) -> Group:
            values = tuple(order[(order.index(value) + shift) % len(order)] for value in group.values)
            return replace(group, nouns=group.real if all(group.real) else group.nouns, values=values)

        agreeing, contradicted = (
            replace(world, groups=tuple(moved(group, shift) for group in world.groups)) for shift in (0, world.shift)
        )
        return Twins(agreeing, contradicted, self.solve(agreeing))

    def read(self, problem: Problem) -> str:
        asked = self._asks.read(problem.question)
        nouns, values = self._called.read(problem.library), self._says.read(problem.library)
        if asked is None or nouns.get(asked["name"]) not in values:
            raise ValueError(f"{problem.id}: nothing is said of what is asked for")
        return values[nouns[asked["name"]]]
