"""Rules and their exceptions: four rules fit every case, and others say which of the four goes first.

Example: "Gorm is paid for with salt." and "On the day of Tafo everybody pays with cloth." fit one case, and "A rule
about a ware goes before one about a day, …" decides, unless "But in the town of Mirl a rule about a day goes first."
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import Len, MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.wordings import Wordings, needs_slots
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
Texts = Annotated[tuple[str, ...], MinLen(1)]
_POOL = 8
RANKS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, config=_STRICT)
class Kind:
    """What rules can be about: `says` has {name} and {outcome}, `case` has {name}."""

    says: Texts
    case: str


@dataclass(frozen=True, config=_STRICT)
class Content:
    """Four kinds of rules by their nouns; the texts of priority have the nouns of kinds in their slots.

    `orders` has the kinds from {first} to {fourth}, `exception` a {case} and the {first} kind there, `nested` the case
    in which that is not so and the kind that is first then.
    """

    kinds: Annotated[Mapping[str, Kind], Len(4, 4)]
    outcomes: Annotated[tuple[str, ...], MinLen(_POOL)]
    asks: Texts
    orders: Annotated[tuple[str, ...], MinLen(2)]
    exception: Texts
    nested: Texts


@plain_dataclass(frozen=True)
class Exemption:
    """In the case that a kind has a name, rules of another kind go first."""

    kind: str
    name: str
    first: str


@plain_dataclass(frozen=True)
class World:
    """The case by kind, the outcome of each rule by kind and name, and which goes first."""

    case: Mapping[str, str]
    rules: Mapping[tuple[str, str], str]
    order: tuple[str, ...]
    exceptions: tuple[Exemption, ...]
    choices: tuple[str, ...]


class Rules(InventedFamily[World]):
    """Rules of four kinds, an order of the kinds, and up to two exceptions, the second from the first."""

    skill = "rules"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        content = self.content
        for kind, described in content.kinds.items():
            needs_slots(described.says, ("name", "outcome"), f"{path}: kinds.{kind}.says")
        needs_slots(content.orders, RANKS, f"{path}: orders")
        needs_slots(content.asks, tuple(content.kinds), f"{path}: asks")
        values = {"outcome": content.outcomes}
        self._says = {kind: Wordings(one.says, values) for kind, one in content.kinds.items()}
        kinds = dict.fromkeys(RANKS, content.kinds)
        self._orders = Wordings(content.orders, kinds)
        self._asks = Wordings(content.asks)
        self._exceptions = {
            (nested, kind): Wordings([text.replace("{case}", one.case) for text in texts], kinds)
            for nested, texts in enumerate((content.exception, content.nested))
            for kind, one in content.kinds.items()
        }

    def world(self, cell: Cell, rng: Random) -> World:
        kinds = tuple(self.content.kinds)
        drawn = [name.capitalize() for name in invented_names(rng, max(cell.rung, 8), cell.names)]
        named = list(zip(cycle(kinds), drawn, strict=False))
        pool = rng.sample(self.content.outcomes, _POOL)
        outcomes = [outcome for _ in range(len(named) // _POOL + 1) for outcome in rng.sample(pool, _POOL)]
        rules = dict(zip(named[: cell.rung], outcomes, strict=False))
        case = dict(named[:4])
        return World(
            case, rules, *self._priority(kinds, case, dict(named[4:8]), rng), tuple(rng.sample(outcomes[:4], 4))
        )

    @staticmethod
    def _priority(
        kinds: Sequence[str], case: Mapping[str, str], other: Mapping[str, str], rng: Random
    ) -> tuple[tuple[str, ...], tuple[Exemption, ...]]:
        """Draw the order of kinds and at most two exceptions, each of which holds in half of the cases."""
        order = tuple(rng.sample(kinds, len(kinds)))
        firsts = rng.sample(order[1:], 2)
        of = rng.sample(kinds, 2)
        exceptions = tuple(
            Exemption(kind, (case if rng.random() < 0.5 else other)[kind], first)
            for kind, first in zip(of, firsts, strict=True)
        )
        return order, exceptions[: rng.randrange(3)]

    def question(self, world: World, rng: Random) -> str:
        return self._asks.write(world.case, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        first = _first_kind(world)
        decides = (first, world.case[first])
        entries = [
            Entry(self._says[kind].write({"name": name, "outcome": outcome}, rng), (kind, name) == decides)
            for (kind, name), outcome in world.rules.items()
        ]
        ranks = dict(zip(RANKS, world.order, strict=True))
        entries.append(Entry(self._orders.write(ranks, rng), needed=first == world.order[0]))
        for nested, one in enumerate(world.exceptions):
            text = self._exceptions[nested, one.kind].write({"name": one.name, "first": one.first}, rng)
            entries.append(Entry(text, needed=one.first == first))
        return entries

    def solve(self, world: World) -> str:
        first = _first_kind(world)
        return world.rules[first, world.case[first]]

    def changed(self, world: World) -> World:
        """Exchange the outcomes of the rule that decides and of another that fits."""
        first = _first_kind(world)
        other = next(kind for kind in world.order if kind != first)
        here, there = (first, world.case[first]), (other, world.case[other])
        rules = {**world.rules, here: world.rules[there], there: world.rules[here]}
        return replace(world, rules=rules)

    def read(self, problem: Problem) -> str:
        case = self._asks.read(problem.question)
        if case is None:
            raise ValueError(f"{problem.question!r} is no question of {self.name}")
        rules: dict[tuple[str, str], str] = {}
        order: tuple[str, ...] = ()
        exceptions: dict[int, Exemption] = {}
        for text in problem.library:
            if slots := self._orders.read(text):
                order = tuple(slots[rank] for rank in RANKS)
                continue
            for (nested, kind), wording in self._exceptions.items():
                if slots := wording.read(text):
                    exceptions[nested] = Exemption(kind, slots["name"], slots["first"])
                    break
            else:
                for kind, wording in self._says.items():
                    if slots := wording.read(text):
                        rules[kind, slots["name"]] = slots["outcome"]
        world = World(case, rules, order, tuple(exceptions[nested] for nested in sorted(exceptions)), problem.choices)
        if not order or any((kind, name) not in rules for kind, name in case.items()):
            raise ValueError(f"{problem.id}: the library does not decide {case}")
        return self.solve(world)


def _first_kind(world: World) -> str:
    """Return the kind of rule that goes first in the case."""
    held = [one for one in world.exceptions if world.case[one.kind] == one.name]
    if not held or held[0] is not world.exceptions[0]:
        return world.order[0]
    return held[-1].first
