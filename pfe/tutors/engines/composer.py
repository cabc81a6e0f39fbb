"""Word problems composed of operations: a story and a structure that vary independently.

Example: a file with two openings, three operations and two questions such as

    engine: composer
    scene: |
      people(1, first_names)
      things = pick(stickers, marbles)
    openings:
      - to: count
        draws: n = between(4, 60)
        text: ["{name} <has|owns> {n:d} {things}.", "There are {n:d} {things} in {name}'s drawer."]
        value: n
    operations:
      - from: count
        to: count
        draws: k = between(2, it - 1)
        text: ["<Then|Later> {he} <gives|hands> {k:d} of them to a friend."]
        steps: ["After that {name} has {= it-k}."]
        check: x + k == it
    questions:
      - from: count
        draws: |
          friends = pick([k for k in [2, 3, 4, 5] if it % k == 0])
        text: ["<If|When> {he} shares them equally among {friends:d} children, how many {things} does each get?"]
        steps: ["Each gets {= it/friends}."]
        check: x * friends == it

makes "Ada owns 31 marbles. Later she hands 7 of them to a friend. If she shares them equally among 4 children, …".

A problem consists of one opening, operations (each at most once) and a question. The `to` of each part is the `from` of
the next; `from` may list several names. `it` is the current value: the last calculation of the steps, or `value` if
there is none. Later parts can use the names that a part samples or computes. `check` is an equation between `it` before
and the value `x` after, computed in another way than the steps. `steps` holds the weights for the number of
calculations in a problem; a part with a larger `weight` is sampled more often.

A problem may begin with a sentence of `tables/openers.yaml`, and with one of `intro`; neither has anything to calculate
with. Two sentences may be joined with ", and he …", so a text in a file must not contain that. `backwards: true`
reverses the story: the opening, which is the final state, comes just before the question, and the last operation is
undone first.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field, NonNegativeFloat, PositiveInt
from pydantic.dataclasses import dataclass

from pfe.errors import UserError, nearest
from pfe.problem import Problem, Skill
from pfe.tutors.content import Filled, Weight, engine_and_rest, read_content, table
from pfe.tutors.engines.arithmetic import Tables, check_result, read_tables, refuse_unknown_of_check
from pfe.tutors.family import ContentFamily, Draft, Facts, MathFamily
from pfe.tutors.formula import Draws, Formula, Names
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Wording, article, capital, one_of, wording
from pfe.tutors.worked_solutions import Steps

_TRIES = 400
_TRIALS = 3000
_JOINED = 0.5
_OPENED = 0.4
_PRONOUNS = frozenset({"He", "She", "His", "Her"})
_LINKED = re.compile(r", and (he|she|his|her|[A-Z]\w+) ")
# The weights of 1, 2, 3 … calculations in a problem.
_STEPS = (6, 27, 27, 20, 10, 6, 2.5, 1.5)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class EntryPart:
    """The library's entries about things of one kind: see `pfe.tutors.engines.bound_composer`."""

    text: Filled[list[Any]]
    about: Filled[list[str]]
    other: str
    topic: str = ""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Part:
    """An opening, an operation or a question, as a file describes it."""

    text: Filled[list[Any]]
    source: str = Field("", alias="from")
    to: str = ""
    draws: str = ""
    steps: list[Any] = field(default_factory=list)
    value: str = "it"
    check: str = ""
    library: list[EntryPart] = field(default_factory=list)
    weight: Weight = 1.0


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """The content of a file of this engine."""

    scene: str
    openings: Filled[list[Part]]
    questions: Filled[list[Part]]
    operations: list[Part] = field(default_factory=list)
    tables: Tables = field(default_factory=dict)
    steps: Filled[list[NonNegativeFloat]] = field(default_factory=lambda: list(_STEPS))
    intro: list[Any] = field(default_factory=list)
    backwards: bool = False
    largest: PositiveInt = 3000
    skill: Skill = "lookup"
    weight: Weight = 1.0


def _joined(texts: Iterable[str], names: Names, rng: Random) -> str:
    """Return the texts as one, with some sentences about a person joined to the one before."""
    people = {names.get("name2"), names.get("name3")} | _PRONOUNS
    told, fresh = "", False
    for text in texts:
        first = text.split(" ")[0]
        if fresh and told.endswith(".") and first in people and rng.random() < _JOINED:
            rest = text[0].lower() + text[1:] if first in _PRONOUNS else text
            told, fresh = f"{told[:-1]}, and {rest}", False
        else:
            told, fresh = f"{told} {text}".strip(), True
    return told


def _parted(text: str) -> str:
    """Return the text with joined sentences split again."""
    return _LINKED.sub(lambda match: f". {capital(match[1])} ", text)


class EntryKind:
    """Entries of a library that state the same about different things."""

    def __init__(self, part: EntryPart, tables: Mapping[str, Any], where: Place) -> None:
        self.part, self.where = part, where
        self.other = Draws(part.other, tables, where / "other")

    def refuse_unknown(self, known: frozenset[str]) -> None:
        """Reject names that neither the story nor `other` gives a value to.

        Raises:
            UserError: there is one.
        """
        self.other.refuse_unknown(known)
        for number, name in enumerate(self.part.about):
            refuse_unknown({name}, known | self.other.targets, self.where / "about" / number)

    def subject(self, names: Names) -> tuple[Any, ...]:
        """Return the key for what an entry with these names is about: its topic and the values of `about`."""
        return (self.part.topic, *(names[name] for name in self.part.about))


class Operation:
    """One part of a story: what it samples, states and computes."""

    def __init__(self, part: Part, tables: Mapping[str, Any], where: Place) -> None:
        self.part = part
        self.where = where
        self.draws = Draws(part.draws, tables, where / "draws")
        self.steps = Steps(part.steps, where / "steps")
        self.value = Formula(part.value, where / "value")
        self.equation = Formula(part.check, where / "check") if part.check else None
        self.entries = [EntryKind(entry, tables, where / "library" / n) for n, entry in enumerate(part.library)]
        if (self.steps.count > 0) != bool(self.equation):
            raise UserError(
                f"{where}: `steps` and `check` belong together; give both, the check with the new value `x`"
            )

    @property
    def gives(self) -> frozenset[str]:
        """Return the names that it gives a value to, for later parts."""
        return self.draws.targets | self.steps.results

    def refuse_unknown(self, known: frozenset[str]) -> None:
        """Reject names that nothing in the family gives a value to.

        Raises:
            UserError: there is one.
        """
        self.draws.refuse_unknown(known)
        listed = known | self.draws.tables.keys()
        self.steps.refuse_unknown(listed)
        refuse_unknown(self.value.names, listed, self.value.where)
        if self.equation:
            refuse_unknown_of_check(self.equation, listed)
        for entry in self.entries:
            entry.refuse_unknown(known)

    def after(self, names: Names) -> dict[str, Any]:
        """Return the names after its calculations, including `it`.

        Raises:
            ValueError: something cannot be computed, or the value is not positive.
        """
        result = self.steps.result(names)
        value = result.value if self.steps.count else self.value.value(names)
        if not value > 0:
            raise ValueError(f"{self.where}: {value} is left")
        return {**result.names, "it": value}

    def holds(self, names: Names, x: Any) -> bool:
        """Return whether the value after it may be `x`."""
        return self.equation is None or bool(self.equation.value({"x": x}, names, self.draws.tables))


class Line(NamedTuple):
    """An operation of a story with the names that are known before its calculations."""

    operation: int
    names: Names


class Reading(NamedTuple):
    """An operation with the slots parsed from its text."""

    operation: int
    slots: Names


class Engine(ContentFamily, MathFamily):
    """A family of word problems of many structures, written as content."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = self.content.weight
        self.tables = read_tables(self.content.tables)
        self.scene = Draws(self.content.scene, self.tables, Place(path) / "scene")
        said = self.content
        parts = {"openings": said.openings, "operations": said.operations, "questions": said.questions}
        self.operations: list[Operation] = []
        self._numbers: dict[str, range] = {}
        for kind, listed in parts.items():
            start = len(self.operations)
            self.operations += [
                Operation(part, self.scene.tables, Place(path) / kind / number) for number, part in enumerate(listed)
            ]
            self._numbers[kind] = range(start, len(self.operations))
        self._check_states()
        self._check_names()
        self._reachable = self._lengths()

    def _check_names(self) -> None:
        self.scene.refuse_unknown(())
        for operation in self.operations:
            operation.refuse_unknown(self.given)

    def _check_states(self) -> None:
        """Reject a part whose `to` is no part's `from`, or whose `from` is no part's `to`.

        Raises:
            UserError: there is one.
        """
        ends = [self.operations[number] for kind in ("openings", "operations") for number in self._numbers[kind]]
        starts = [self.operations[number] for kind in ("operations", "questions") for number in self._numbers[kind]]
        sources = {source for one in starts for source in one.part.source.split()}
        targets = {one.part.to for one in ends}
        for one in ends:
            if one.part.to not in sources:
                raise UserError(
                    f"{one.where / 'to'}: nothing comes `from` '{one.part.to}'; {nearest(one.part.to, sources)}"
                )
        for one in starts:
            for source in one.part.source.split() or [""]:
                if source not in targets:
                    raise UserError(f"{one.where / 'from'}: nothing leads `to` '{source}'; {nearest(source, targets)}")

    @cached_property
    def given(self) -> frozenset[str]:
        """Return the names that anything in the family gives a value to."""
        return self.scene.targets.union({"it"}, *(operation.gives for operation in self.operations))

    def try_out(self) -> None:
        """Generate stories until every part was in one, and check its equation against the result of its steps.

        Raises:
            UserError: an equation does not hold, or a part is in no story.
        """
        super().try_out()
        untold = set(range(len(self.operations)))
        for number in range(_TRIALS):
            rng = Random(number)
            path = self._path(rng)
            lines = self._drawn(path, rng) if path is not None and untold & {*path} else None
            for line in lines or ():
                untold.discard(line.operation)
                self._check_result(line)
            if not untold:
                return
        raise UserError(
            f"{self.operations[min(untold)].where}: is in no story; ask less of its draws, or let more lead to it"
        )

    def _check_result(self, line: Line) -> None:
        operation = self.operations[line.operation]
        if operation.equation:
            check_result(operation.equation, operation.after(line.names)["it"], line.names, operation.draws.tables)

    @cached_property
    def wordings(self) -> Sequence[Wording]:
        scene = self.scene.values()
        return [
            one_of(operation.part.text, {**scene, **operation.draws.values()}, operation.where / "text", self.given)
            for operation in self.operations
        ]

    @cached_property
    def intro(self) -> Wording:
        return one_of(self.content.intro or [""], self.scene.values(), Place(self.path) / "intro", self.scene.targets)

    @cached_property
    def openers(self) -> Sequence[Wording]:
        """Return sentences about the story's person: none without a person, none about a job if the story has one."""
        if "name" not in self.scene.targets:
            return []
        listed = table("openers")
        words = {name: one_of(texts) for name, texts in listed["words"].items()}
        words |= {f"a_{name}": one_of([article(text) for text in texts]) for name, texts in listed["words"].items()}
        people = {name: texts for name, texts in self.scene.values().items() if name in ("name", "he", "him", "his")}
        fitting = [text for text in listed["texts"] if "job" not in self.scene.targets or "job}" not in text]
        return [wording(text, {**words, **people}, "openers.yaml") for text in fitting]

    def facts(self, rng: Random) -> Facts:
        for _ in range(_TRIES):
            path = self._path(rng)
            if path is not None and (lines := self._drawn(path, rng)) is not None:
                return {"story": tuple(lines)}
        raise UserError(f"{self.path}: no story comes out; ask less of its draws")

    def write(self, facts: Facts, rng: Random) -> Draft:
        story = facts["story"]
        texts = [self.wordings[line.operation].write(line.names, rng) for line in story]
        if self.content.backwards:
            texts = [*reversed(texts[:-1]), texts[-1]]
        names = story[0].names
        first = self.intro.write(names, rng)
        if self.openers and rng.random() < _OPENED:
            first = f"{rng.choice(self.openers).write(names, rng)} {first}".strip()
        return Draft(_joined(filter(None, [first, *texts]), names, rng))

    def solve(self, facts: Facts) -> str:
        last = facts["story"][-1]
        answer = self.operations[last.operation].after(last.names)["it"]
        if not isinstance(answer, int):
            raise ValueError(f"{self.operations[last.operation].where}: {answer} is no whole number")
        return str(answer)

    def check(self, facts: Facts, answer: str) -> bool:
        last = next(line for line in reversed(facts["story"]) if self.operations[line.operation].equation)
        return answer.isdecimal() and self.operations[last.operation].holds(last.names, int(answer))

    def solution(self, facts: Facts, draft: Draft) -> str:
        texts = [self.operations[line.operation].steps.text(line.names) for line in facts["story"]]
        return "\n".join(text for text in texts if text)

    def read(self, problem: Problem) -> Facts:
        for path in self._readings(_parted(problem.question)):
            try:
                return {"story": tuple(self._walked(path, problem))}
            except ValueError:
                continue
        raise ValueError(f"{problem.id}: the text is not of {self.name}")

    def candidates(self, problem: Problem) -> Iterable[str]:
        return map(str, range(self.content.largest + 1))

    def _path(self, rng: Random) -> list[int] | None:
        """Sample operations that lead from an opening to a question, with a sampled number of calculations.

        It is None if there are none.
        """
        weights = self.content.steps
        return self._extended([], rng.choices(range(1, len(weights) + 1), weights)[0], rng)

    def _extended(self, path: list[int], left: int, rng: Random) -> list[int] | None:
        for number in self._shuffled(self._next(path), rng):
            operation = self.operations[number]
            rest = left - operation.steps.count
            if number in self._numbers["questions"]:
                if rest == 0:
                    return [*path, number]
            elif rest in self._reachable.get(operation.part.to, ()) and (
                longer := self._extended([*path, number], rest, rng)
            ):
                return longer
        return None

    def _next(self, path: Sequence[int]) -> list[int]:
        """Return the parts that may follow: openings first, then unused parts whose `from` has the last part's `to`."""
        if not path:
            return list(self._numbers["openings"])
        here = self.operations[path[-1]].part.to
        rest = range(self._numbers["operations"].start, len(self.operations))
        return [number for number in rest if number not in path and here in self.operations[number].part.source.split()]

    def _shuffled(self, numbers: Sequence[int], rng: Random) -> list[int]:
        """Return the numbers in random order, in which parts of more weight tend to come sooner."""
        keys = {number: rng.random() ** (1 / self.operations[number].part.weight) for number in numbers}
        return sorted(numbers, key=keys.__getitem__, reverse=True)

    def _lengths(self) -> Mapping[str, frozenset[int]]:
        """Return how many calculations may lie between each state and the end of a question, with repetitions."""
        most, found = len(self.content.steps), dict[str, set[int]]()
        for _ in range(most + 2):
            for number, operation in enumerate(self.operations):
                ends = {0} if number in self._numbers["questions"] else found.get(operation.part.to, set())
                reached = {operation.steps.count + end for end in ends}
                for source in operation.part.source.split():
                    found.setdefault(source, set()).update(n for n in reached if n <= most)
        return {source: frozenset(lengths) for source, lengths in found.items()}

    def _drawn(self, path: Sequence[int], rng: Random) -> list[Line] | None:
        """Sample the numbers and words of the story; None if they do not work out."""
        return self._lines(path, self.scene.draw(rng, {}), lambda operation, names: operation.draws.draw(rng, names))

    def _lines(
        self,
        path: Sequence[int],
        scene: dict[str, Any] | None,
        draw: Callable[[Operation, Names], dict[str, Any] | None],
    ) -> list[Line] | None:
        """Return the story, in which `draw` samples the parts one after another; None if one does not work out."""
        names, lines = scene, list[Line]()
        for number in path:
            names = None if names is None else draw(self.operations[number], names)
            if names is None:
                return None
            lines.append(Line(number, names))
            try:
                names = self.operations[number].after(names)
            except ValueError:
                return None
        answer = names["it"] if names else None
        return lines if isinstance(answer, int) and answer <= self.content.largest else None

    def looked_up(self, operation: Operation, names: Names, problem: Problem) -> Names:
        """Return what the problem's library states about the names of an operation: here nothing."""
        return {}

    def _walked(self, path: Sequence[Reading], problem: Problem) -> Iterator[Line]:
        """Yield the lines of a story from the slots that were parsed for its parts.

        Raises:
            ValueError: an equation does not hold, two parts contradict each other, or something cannot be computed.
        """
        names: Names = {}
        for place, (number, slots) in enumerate(path):
            operation = self.operations[number]
            told = (slots.keys() & names.keys()) - operation.draws.targets
            if any(slots[name] != names[name] for name in told):
                raise ValueError(f"{operation.where}: it says otherwise than what was told before")
            names = operation.draws.complete(slots, self.scene.complete(slots, names))
            slots = {**slots, **self.looked_up(operation, names, problem)}
            names = operation.draws.complete(slots, names)
            yield Line(number, names)
            if place < len(path) - 1:
                after = operation.after(names)
                if not operation.holds(names, after["it"]):
                    raise ValueError(f"{operation.where}: the equation does not hold")
                names = after

    def _readings(self, text: str) -> Iterator[list[Reading]]:
        """Yield every way to parse the text as a story, in the order of the calculations."""
        starts: list[tuple[int, dict[str, Any]]] = [(0, {})]
        for opener in self.openers:
            starts += opener.match(text, 0, {})
        for start, known in starts:
            start += start > 0
            for end, slots in self.intro.match(text, start, known):
                yield from self._matched(text, end + (end > start), slots, [])

    def _matched(self, text: str, start: int, scene: Names, path: list[Reading]) -> Iterator[list[Reading]]:
        for number in self._told_next([number for number, _ in path]):
            for end, slots in self.wordings[number].match(text, start, dict(scene)):
                longer = [*path, Reading(number, slots)]
                if number in self._numbers["questions"]:
                    if end == len(text) and (ordered := self._in_order(longer)):
                        yield ordered
                elif text.startswith(" ", end):
                    known = {name: slots[name] for name in slots.keys() & self.scene.targets}
                    yield from self._matched(text, end + 1, known, longer)

    def _told_next(self, told: Sequence[int]) -> Sequence[int]:
        """Return the parts that may come next in the text."""
        if not self.content.backwards:
            return self._next(told)
        if told and told[-1] in self._numbers["openings"]:
            return self._numbers["questions"]
        return [n for kind in ("operations", "openings") for n in self._numbers[kind] if n not in told]

    def _in_order(self, told: list[Reading]) -> list[Reading] | None:
        """Return the parsed parts in the order of the calculations; None if one cannot follow another."""
        ordered = [*reversed(told[:-1]), told[-1]] if self.content.backwards else told
        numbers = [number for number, _ in ordered]
        fits = all(number in self._next(numbers[:place]) for place, number in enumerate(numbers))
        return ordered if fits else None
