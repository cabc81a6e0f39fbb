"""Single-hop retrieval and abstention: one sentence puts four values in an order, and the question asks for one place.

Example: "The baker left the gorm to the smith, from whom it came by way of the miller to the weaver." To whom does the
gorm belong today?

Each sentence holds all four values, and over its wordings each place of the order is at each position in the sentence.
The name of the thing finds the sentence, but only reading it finds the value. For abstention two of the four are
unknown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import Len, MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.errors import UserError
from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.things import THINGS, Thing, described_things
from pfe.invented.wordings import Wordings, needs_slots
from pfe.problem import UNKNOWN, Problem, Skill
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
PLACES = ("a", "b", "c", "d")  # of the order, by their slot names
_POOL = 8  # values in one library, each equally often
Texts = Annotated[tuple[str, ...], MinLen(1)]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """One kind of order: `says` has {thing} and the places {a} to {d}, `asks` has {thing}, for each place.

    `value` is the form of a value in a sentence, with {}; `nobody` replaces it if the value is not known.
    """

    values: Annotated[tuple[str, ...], MinLen(_POOL)]
    says: Annotated[tuple[str, ...], MinLen(4)]
    asks: Annotated[tuple[Texts, ...], Len(4, 4)]
    skills: Annotated[tuple[Skill, ...], MinLen(1)]
    value: str = "{}"
    nobody: str = ""


@plain_dataclass(frozen=True)
class World:
    """The order of values of each thing ("" if unknown), and the thing and place in question."""

    orders: tuple[tuple[str, ...], ...]
    things: tuple[Thing, ...]
    asked: int
    place: int
    choices: tuple[str, ...]


class Sequences(InventedFamily[World]):
    """Things with four values in an order."""

    asked = 4

    def __init__(self, path: Path, skill: Skill, by_description: bool = False) -> None:
        self.skill = skill
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.by_description = by_description
        if by_description:
            self.name, self.largest = f"{self.name}_described", 1024
        needs_slots(self.content.says, ("thing", *PLACES), f"{path}: says")
        values = {place: self._stated(("", *self.content.values)) for place in PLACES}
        self._says = Wordings(self.content.says, {**values, "thing": THINGS.texts} if by_description else values)
        questions = {"thing": THINGS.glosses} if by_description else {}
        self._asks = [Wordings(texts, questions) for texts in self.content.asks]

    @classmethod
    def of_file(cls, path: Path) -> "Sequence[Sequences]":
        skills = read_content(path, Content, engine_and_rest(path)[1]).skills
        named = [cls(path, skill) for skill in skills]
        return [*named, cls(path, "lookup", by_description=True)] if "lookup" in skills else named

    def _stated(self, values: Sequence[str]) -> list[str]:
        return [self.content.value.format(value) if value else self.content.nobody for value in values]

    def world(self, cell: Cell, rng: Random) -> World:
        things = (
            described_things(rng, cell.rung, cell.names)
            if self.by_description
            else tuple(Thing(name, name) for name in invented_names(rng, cell.rung, cell.names))
        )
        pool = rng.sample(self.content.values, _POOL)
        known = 2 if self.skill == "abstention" else 4
        orders = [_order(values, rng) for values in dealt(pool, cell.rung, known, rng)]
        return self._asking(tuple(orders), things, pool, rng)

    def _asking(
        self, orders: tuple[tuple[str, ...], ...], things: tuple[Thing, ...], pool: Sequence[str], rng: Random
    ) -> World:
        asked = rng.randrange(len(things))
        choices = [value for value in orders[asked] if value]
        if len(choices) < len(PLACES):
            choices += [rng.choice([value for value in pool if value not in choices]), UNKNOWN]
        rng.shuffle(choices)
        return World(orders, things, asked, rng.randrange(len(PLACES)), tuple(choices))

    def another_question(self, world: World, rng: Random) -> World:
        pool = sorted({value for order in world.orders for value in order if value})
        return self._asking(world.orders, world.things, pool, rng)

    def question(self, world: World, rng: Random) -> str:
        return self._asks[world.place].write({"thing": world.things[world.asked].gloss}, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        return [
            Entry(
                self._says.write({"thing": thing.text, **dict(zip(PLACES, self._stated(order), strict=True))}, rng),
                number == world.asked,
            )
            for number, (thing, order) in enumerate(zip(world.things, world.orders, strict=True))
        ]

    def solve(self, world: World) -> str:
        return world.orders[world.asked][world.place] or UNKNOWN

    def changed(self, world: World) -> World:
        order = list(world.orders[world.asked])
        here = world.place
        others = [place for place, value in enumerate(order) if value != order[here]]
        if self.skill == "abstention":
            # Known and unknown values are exchanged, so half of the changed answers are unknown too.
            others = [place for place in others if bool(order[place]) != bool(order[here])]
        there = others[Random(repr(world)).randrange(len(others))]
        order[here], order[there] = order[there], order[here]
        orders = [tuple(order) if number == world.asked else one for number, one in enumerate(world.orders)]
        return replace(world, orders=tuple(orders))

    def read(self, problem: Problem) -> str:
        place, thing = self._asked(problem.question)
        for text in problem.library:
            slots = self._says.read(text, self._stated(("", *self.content.values)))
            if slots and slots["thing"] == thing:
                return self._by_text[slots[PLACES[place]]]
        raise ValueError(f"{problem.id}: nothing is said of {thing}")

    def _asked(self, question: str) -> tuple[int, str]:
        for place, wording in enumerate(self._asks):
            if slots := wording.read(question):
                thing = slots["thing"]
                return place, THINGS.by_gloss[thing] if self.by_description else thing
        raise ValueError(f"{question!r} is no question of {self.name}")

    @cached_property
    def _by_text(self) -> Mapping[str, str]:
        values = ("", *self.content.values)
        return {text: value or UNKNOWN for text, value in zip(self._stated(values), values, strict=True)}


def dealt(pool: Sequence[str], count: int, size: int, rng: Random) -> Iterator[Sequence[str]]:
    """Yield `size` values for each of `count` things, so that every value is used equally often."""
    if count * size % len(pool):
        raise UserError(f"{count} things with {size} values do not have {len(pool)} equally often; take a rung of four")
    for _ in range(count * size // len(pool)):
        dealt = rng.sample(pool, len(pool))
        yield from (dealt[start : start + size] for start in range(0, len(pool), size))


def _order(values: Sequence[str], rng: Random) -> tuple[str, ...]:
    order = [*values, *[""] * (len(PLACES) - len(values))]
    return tuple(rng.sample(order, len(order)))
