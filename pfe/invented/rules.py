"""Rules with exceptions: four rules apply to every case, and statements of priority say which of the four wins.

Example: "Gorm is paid for with salt." and "On the day of Tafo everybody pays with cloth." both apply to a case, and "A
rule about goods goes before one about a day, …" decides, unless "But in the town of Mirl, except on the day of Sorb, …"
applies.

An exception has two conditions. The first always holds. The second names a thing of the case or another one, and a word
such as "except" or "only" says which of the two it needs; each is as likely if the exception applies as if it does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from itertools import cycle, permutations
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
_TRIES = 50
RANKS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, config=_STRICT)
class Kind:
    """A subject of rules: `says` has {name} and {outcome}, `case` has {name}."""

    says: Texts
    case: str


@dataclass(frozen=True, config=_STRICT)
class Content:
    """Four kinds of rules by their nouns; statements of priority have the nouns of kinds in their slots.

    `orders` has the kinds from {first} to {fourth}, each at each position of a sentence. `exceptions` has the kind
    {first} that goes before all others under two conditions, {one} and {two}, in any order. The second condition begins
    with one of the words of `without` if it must not hold, or of `within` if it must. The three exceptions of a library
    have different wordings and different such words, so comparing them does not reveal which one applies.
    """

    kinds: Annotated[Mapping[str, Kind], Len(4, 4)]
    outcomes: Annotated[tuple[str, ...], MinLen(_POOL)]
    asks: Texts
    orders: Annotated[tuple[str, ...], Len(4, 4)]
    exceptions: Annotated[tuple[str, ...], MinLen(4)]
    without: Annotated[tuple[str, ...], Len(3, 3)]
    within: Annotated[tuple[str, ...], Len(3, 3)]


@plain_dataclass(frozen=True)
class Exemption:
    """An exception: rules of the kind `first` win if `case` holds and `also` does, or does not, as `is_within` says.

    Both conditions are (kind, name).
    """

    first: str
    case: tuple[str, str]
    also: tuple[str, str]
    is_within: bool

    def applies(self, case: Mapping[str, str]) -> bool:
        """Return whether it applies to a case, which has a name for each kind."""
        return case[self.case[0]] == self.case[1] and (case[self.also[0]] == self.also[1]) == self.is_within


@plain_dataclass(frozen=True)
class World:
    """The case by kind, the outcome of each rule by kind and name, and the priority of the kinds."""

    case: Mapping[str, str]
    rules: Mapping[tuple[str, str], str]
    order: tuple[str, ...]
    exceptions: tuple[Exemption, ...]
    choices: tuple[str, ...]


class Rules(InventedFamily[World]):
    """Rules of four kinds, an order of the kinds, and three exceptions, at most one of which applies."""

    skill = "rules"
    asked = 2

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        content = self.content
        for kind, described in content.kinds.items():
            needs_slots(described.says, ("name", "outcome"), f"{path}: kinds.{kind}.says")
        needs_slots(content.orders, RANKS, f"{path}: orders")
        needs_slots(content.exceptions, ("first", "one", "two"), f"{path}: exceptions")
        needs_slots(content.asks, tuple(content.kinds), f"{path}: asks")
        values = {"outcome": content.outcomes}
        self._says = {kind: Wordings(one.says, values) for kind, one in content.kinds.items()}
        kinds = dict.fromkeys(RANKS, content.kinds)
        self._orders = Wordings(content.orders, kinds)
        self._asks = Wordings(content.asks)
        words = {**kinds, "word": (*content.without, *content.within)}
        self._exceptions = {
            (case, also, also_first): Wordings(
                [_with_cases(text, content, case, also, also_first) for text in content.exceptions], words
            )
            for case, also in permutations(content.kinds, 2)
            for also_first in (False, True)
        }

    def world(self, cell: Cell, rng: Random) -> World:
        kinds = tuple(self.content.kinds)
        drawn = [name.capitalize() for name in invented_names(rng, max(cell.rung, 8), cell.names)]
        named = list(zip(cycle(kinds), drawn, strict=False))
        pool = rng.sample(self.content.outcomes, _POOL)
        outcomes = [outcome for _ in range(len(named) // _POOL + 1) for outcome in rng.sample(pool, _POOL)]
        rules = dict(zip(named[: cell.rung], outcomes, strict=False))
        case = dict(named[:4])
        order, exceptions = self._priority(kinds, case, dict(named[4:8]), rng)
        return World(case, rules, order, exceptions, tuple(rng.sample(outcomes[:4], 4)))

    @staticmethod
    def _priority(
        kinds: Sequence[str], case: Mapping[str, str], other: Mapping[str, str], rng: Random
    ) -> tuple[tuple[str, ...], tuple[Exemption, ...]]:
        """Sample the order of kinds and an exception for each of the last three; the winning kind is sampled last.

        The second condition of each exception names a thing of the case or another one, with equal odds.
        """
        order = tuple(rng.sample(kinds, len(kinds)))
        decides = rng.choice(order)
        exceptions = []
        for first in order[1:]:
            condition, also = rng.sample(kinds, 2)
            names, does_hold = rng.choice([(case, True), (other, False)])
            is_within = does_hold == (first == decides)
            exceptions.append(Exemption(first, (condition, case[condition]), (also, names[also]), is_within))
        return order, tuple(exceptions)

    def another_question(self, world: World, rng: Random) -> World:
        for _ in range(_TRIES):
            case = {kind: rng.choice([name for one, name in world.rules if one == kind]) for kind in world.case}
            outcomes = [world.rules[kind, name] for kind, name in case.items()]
            other = replace(world, case=case, choices=tuple(rng.sample(outcomes, len(outcomes))))
            if len({*outcomes}) == len(outcomes) and len(_held(other)) <= 1:
                return other
        raise ValueError(f"{self.name}: no other case is decided between four rules of different outcomes")

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
        wordings = rng.sample(range(len(self.content.exceptions)), len(world.exceptions))
        within, without = (rng.sample(words, len(words)) for words in (self.content.within, self.content.without))
        for one, number in zip(world.exceptions, wordings, strict=True):
            (case, name), (also, other) = one.case, one.also
            word = (within if one.is_within else without).pop()
            slots = {"first": one.first, "name": name, "other": other, "word": word}
            text = self._exceptions[case, also, rng.random() < 0.5].write_as(number, slots)
            entries.append(Entry(text, needed=one.first == first))
        return entries

    def solve(self, world: World) -> str:
        first = _first_kind(world)
        return world.rules[first, world.case[first]]

    def changed(self, world: World) -> World:
        """Exchange the outcomes of the winning rule and of another that applies."""
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
        exceptions = []
        for text in problem.library:
            if slots := self._orders.read(text):
                order = tuple(slots[rank] for rank in RANKS)
            elif exemption := self._read_exception(text):
                exceptions.append(exemption)
            else:
                rules |= {
                    (kind, slots["name"]): slots["outcome"]
                    for kind, wording in self._says.items()
                    if (slots := wording.read(text))
                }
        world = World(case, rules, order, tuple(exceptions), problem.choices)
        if any((kind, name) not in rules for kind, name in case.items()) or not _first_kind(world):
            raise ValueError(f"{problem.id}: the library does not decide {case}")
        return self.solve(world)

    def _read_exception(self, text: str) -> Exemption | None:
        for (case, also, _), wording in self._exceptions.items():
            if slots := wording.read(text):
                is_within = slots["word"] in self.content.within
                return Exemption(slots["first"], (case, slots["name"]), (also, slots["other"]), is_within)
        return None


def _with_cases(text: str, content: Content, case: str, also: str, also_first: bool) -> str:
    """Return the wording of an exception for two kinds of conditions, with {name} and {other} for their names."""
    cases = [content.kinds[case].case, f"{{word}} {content.kinds[also].case.replace('{name}', '{other}')}"]
    one, two = reversed(cases) if also_first else cases
    return text.replace("{one}", one).replace("{two}", two)


def _first_kind(world: World) -> str:
    """Return the kind of rule that wins in the case, by the exception that applies or else by the order; "" if none."""
    return [*_held(world), *world.order, ""][0]


def _held(world: World) -> list[str]:
    """Return the kinds that exceptions put first in the case."""
    return [one.first for one in world.exceptions if one.applies(world.case)]
