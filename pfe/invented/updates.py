"""State tracking: the owners of values change over a record, and a question asks for the owner now or at some entry.

Example: "Entry 1: of Gorm, Tafo, Mirl and Sorb, the second has the attic, …" and "Entry 3: Gorm and Tafo swap what they
have." Which room belongs to Tafo at the end of all entries?

The values appear only in the first entry of a group, paired as in `pfe.invented.pairs`. In each later entry two members
meet, and only the wording tells whether they exchange: a wording that exchanges and its twin that does not have the
same number of words, commas and characters. A model that reads everything else is correct one time in four:
the meetings could lead to each of the four values, the actual value is sampled uniformly, and then the meetings that
are exchanges are sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.errors import UserError
from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.pairs import SIZE, Pairs, paired
from pfe.invented.wordings import Wordings, needs_slots
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
_GROUP = SIZE  # members
_SHORT, _LONG = 4, 8  # entries of a group, including the first, which states the values
_LEAST = 3  # minimum number of later entries before the question's point in time
Texts = Annotated[tuple[str, ...], MinLen(1)]
Swap = tuple[int, int]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """The wordings: `first` has {entry} and pairs members with values; `swaps` and `stays` have {entry}, {x} and {y}.

    Each of `stays` has the length of the one of `swaps` at the same position, so that lengths do not tell them apart.
    `now` asks with {x}, `then` with {x} and the {entry} after which it is asked.
    """

    values: Annotated[tuple[str, ...], MinLen(_GROUP)]
    first: Texts
    swaps: Annotated[tuple[str, ...], MinLen(2)]
    stays: Annotated[tuple[str, ...], MinLen(2)]
    now: Texts
    then: Texts


@plain_dataclass(frozen=True)
class Group:
    """Members, their initial values, and the pairs that meet (`swaps`); `entries` are the numbers of all entries.

    `real` says in which of the later entries the two exchange.
    """

    members: tuple[str, ...]
    values: tuple[str, ...]
    swaps: tuple[Swap, ...]
    real: tuple[bool, ...]
    entries: tuple[int, ...]

    def holders(self, count: int) -> list[int]:
        """Return, for each member, the index of the member whose initial value it has after `count` later entries."""
        held = list(range(_GROUP))
        for (x, y), is_real in zip(self.swaps[:count], self.real, strict=False):
            if is_real:
                held[x], held[y] = held[y], held[x]
        return held


@plain_dataclass(frozen=True)
class World:
    """The groups, with a question about a member of the first, after `after` later entries, now or at that entry."""

    groups: tuple[Group, ...]
    member: int
    after: int
    is_now: bool
    choices: tuple[str, ...]


class Updates(InventedFamily[World]):
    """Groups of four whose members exchange their values."""

    skill = "updates"
    in_order = True
    asked = 4

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = content = read_content(path, Content, engine_and_rest(path)[1])
        needs_slots((*content.swaps, *content.stays), ("entry", "x", "y"), f"{path}: swaps, stays")
        if [*map(_shape, content.swaps)] != [*map(_shape, content.stays)]:
            raise UserError(f"{path}: a line of `stays` has as many words, commas and characters as that of `swaps`")
        self._first = Pairs(content.first, f"{path}: first", content.values, ["entry"])
        self._moves = {is_real: Wordings(texts) for is_real, texts in ((True, content.swaps), (False, content.stays))}
        self._now, self._then = map(Wordings, (content.now, content.then))

    def world(self, cell: Cell, rng: Random) -> World:
        size = min(cell.rung, _LONG)
        count = cell.rung // size
        names = [name.capitalize() for name in invented_names(rng, _GROUP * count, cell.names)]
        values = rng.sample(self.content.values, _GROUP)
        numbers = rng.sample(range(1, cell.rung + 1), cell.rung)
        is_now = size == _SHORT or rng.random() < 0.5
        after = size - 1 if is_now else rng.randint(_LEAST, size - 2)
        asked, member = _asked(rng, size - 1, after)
        groups = [
            Group(
                tuple(names[place * _GROUP : (place + 1) * _GROUP]),
                tuple(rng.sample(values, _GROUP)),
                *(_meetings(rng, size - 1) if place else asked),
                tuple(sorted(numbers[place * size : (place + 1) * size])),
            )
            for place in range(count)
        ]
        return World(tuple(groups), member, after, is_now, tuple(rng.sample(values, _GROUP)))

    def another_question(self, world: World, rng: Random) -> World:
        choices = tuple(rng.sample(world.choices, _GROUP))
        return replace(world, member=rng.randrange(_GROUP), choices=choices)

    def question(self, world: World, rng: Random) -> str:
        group = world.groups[0]
        slots = {"x": group.members[world.member], "entry": group.entries[world.after]}
        return (self._now if world.is_now else self._then).write(slots, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        entries = [
            (number, text, place == 0 and at <= world.after)
            for place, group in enumerate(world.groups)
            for at, (number, text) in enumerate(zip(group.entries, self._texts(group, rng), strict=True))
        ]
        return [Entry(text, needed) for _, text, needed in sorted(entries)]

    def _texts(self, group: Group, rng: Random) -> list[str]:
        first, *later = group.entries
        texts = [self._first.write(group.members, group.values, rng, entry=first)]
        for number, swap, is_real in zip(later, group.swaps, group.real, strict=True):
            x, y = (group.members[member] for member in rng.sample(swap, 2))
            texts.append(self._moves[is_real].write({"entry": number, "x": x, "y": y}, rng))
        return texts

    def solve(self, world: World) -> str:
        group = world.groups[0]
        return group.values[group.holders(world.after)[world.member]]

    def changed(self, world: World) -> World:
        """Exchange two values of the first entry."""
        group, *others = world.groups
        here = group.holders(world.after)[world.member]
        there = (here + 1) % _GROUP
        values = list(group.values)
        values[here], values[there] = values[there], values[here]
        return replace(world, groups=(replace(group, values=tuple(values)), *others))

    def read(self, problem: Problem) -> str:
        asked = self._now.read(problem.question) or self._then.read(problem.question)
        if asked is None:
            raise ValueError(f"{problem.question!r} is no question of {self.name}")
        last = int(asked.get("entry", 10**9))
        held: dict[str, str] = {}
        for _, slots in sorted((int(slots["entry"]), slots) for slots in map(self._slots, problem.library) if slots):
            if int(slots["entry"]) > last:
                break
            if "a" in slots:
                held |= paired(slots)
            elif slots["x"] in held and slots["y"] in held:
                held[slots["x"]], held[slots["y"]] = held[slots["y"]], held[slots["x"]]
        if asked["x"] not in held:
            raise ValueError(f"{problem.id}: nothing is said of {asked['x']}")
        return held[asked["x"]]

    def _slots(self, text: str) -> dict[str, str] | None:
        """Return the slots of an entry that states or moves values."""
        return self._first.slots(text) or self._moves[True].read(text)


Meetings = tuple[tuple[Swap, ...], tuple[bool, ...]]


def _shape(template: str) -> tuple[int, int, int]:
    return len(template.split()), template.count(","), len(template)


def _meetings(rng: Random, count: int) -> Meetings:
    """Sample the pairs that meet in `count` entries, and which of them exchange."""
    pairs = tuple((x, y) for x, y in (rng.sample(range(_GROUP), 2) for _ in range(count)))
    return pairs, tuple(rng.random() < 0.5 for _ in pairs)


def _asked(rng: Random, count: int, after: int) -> tuple[Meetings, int]:
    """Sample meetings and a member that could have each of the four values after `after` of them, with equal odds."""
    while True:
        (pairs, later), member = _meetings(rng, count), rng.randrange(_GROUP)
        by_holder: dict[int, list[tuple[bool, ...]]] = {}
        for real in product((False, True), repeat=after):
            group = Group(("",) * _GROUP, ("",) * _GROUP, pairs, real, ())
            by_holder.setdefault(group.holders(after)[member], []).append(real)
        if len(by_holder) == _GROUP:
            real = rng.choice(by_holder[rng.randrange(_GROUP)])
            return (pairs, (*real, *later[after:])), member
