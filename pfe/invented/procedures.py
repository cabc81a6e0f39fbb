"""Procedures: operations that the library defines, composed in two, four or eight steps.

Example: "The molu of a number is what you get if you count on from it by 3." and a definition of the secha answer
"Begin with 14. Take the molu of it, then the secha of the result. What is the last result?"

One of the steps is any of four operations, and the choices are the results with each of the four. Definitions have
about equal lengths, so that length does not reveal the operation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.errors import UserError, nearest
from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.wordings import Wordings
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
_CHOICES = 4
_FEWEST = 6  # operations: four candidates for the open step, and others for the other steps
_LARGEST = 9999
_NONE = "-1"  # the result if a number becomes negative, or loses its only digit
LENGTHS = (2, 4, 8)
Texts = Annotated[tuple[str, ...], MinLen(1)]
Operation = tuple[str, int]  # its kind, and the number in its definition

# The operations that a file may define, as functions of a number or a word and of the number in the definition.
NUMBERS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda n, k: n + k,
    "subtract": lambda n, k: n - k,
    "double_add": lambda n, k: 2 * n + k,
    "digits": lambda n, k: n + sum(map(int, str(abs(n)))) + k,
    "tens": lambda n, k: n // 10 + k if n > 9 else int(_NONE),
    "reverse": lambda n, k: int(str(abs(n))[::-1]) + k,
}
WORDS: Mapping[str, Callable[[str, int], str]] = {
    "drop_first": lambda w, _: w[1:],
    "drop_last": lambda w, _: w[:-1],
    "double_first": lambda w, _: w[:1] + w,
    "double_last": lambda w, _: w + w[-1:],
    "swap_ends": lambda w, _: w[-1:] + w[1:-1] + w[:1],
    "first_to_end": lambda w, _: w[1:] + w[:1],
    "last_to_front": lambda w, _: w[-1:] + w[:-1],
    "reverse": lambda w, _: w[::-1],
}


@dataclass(frozen=True, config=_STRICT)
class Content:
    """The type of value that a family works `on`, and the definitions of its operations, with {name} and maybe {k}.

    A question is `begin` with {start} and {name}, `then` with {name} for each further step, and `end`.
    """

    on: Literal["numbers", "words"]
    defines: Mapping[str, Texts]
    begin: str
    then: str
    end: str
    starts: tuple[str, ...] = ()


@plain_dataclass(frozen=True)
class World:
    """The operations by name, the steps by name, and the four candidates for the step at index `open`.

    `shown` is the order of the candidates' results among the choices.
    """

    defined: Mapping[str, Operation]
    start: str
    steps: tuple[str, ...]
    open: int
    candidates: tuple[str, ...]
    shown: tuple[int, ...]


class Procedures(InventedFamily[World]):
    """Operations with invented names, and a start value that goes through some of them."""

    skill = "procedures"
    asked = 4

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.does: Mapping[str, Callable[[Any, int], Any]] = NUMBERS if self.content.on == "numbers" else WORDS
        for name in self.content.defines:
            if name not in self.does:
                raise UserError(f"{path}: unknown operation '{name}'; {nearest(name, self.does)}")
        self._defines = {kind: Wordings(texts) for kind, texts in self.content.defines.items()}
        self._begin, self._then = Wordings([self.content.begin]), Wordings([self.content.then])

    def world(self, cell: Cell, rng: Random) -> World:
        while not self._can_be_asked(world := self._asking(self._defined(cell, rng), rng)):
            pass
        return world

    def another_question(self, world: World, rng: Random) -> World:
        while not self._can_be_asked(other := self._asking(world.defined, rng)):
            pass
        return other

    def _can_be_asked(self, world: World) -> bool:
        results = [self._result(world, candidate) for candidate in world.candidates]
        return len({*results}) == _CHOICES and all(map(_is_shown, results)) and self._are_alike(results)

    def _are_alike(self, results: Sequence[str]) -> bool:
        """Return whether results have the same length, so that it does not tell words apart; numbers always pass."""
        return self.content.on == "numbers" or len({*map(len, results)}) == 1

    def _defined(self, cell: Cell, rng: Random) -> Mapping[str, Operation]:
        kinds = list(self.content.defines)
        names = invented_names(rng, max(cell.rung, _FEWEST), cell.names)
        return {
            name: (kind, rng.randint(2, 9)) for name, kind in zip(names, _in_turn(kinds, len(names), rng), strict=True)
        }

    def _asking(self, defined: Mapping[str, Operation], rng: Random) -> World:
        names = list(defined)
        candidates = tuple(rng.sample(names, _CHOICES))
        others = [name for name in names if name not in candidates]
        steps = tuple(rng.choice(others) for _ in range(rng.choice(LENGTHS)))
        start = str(rng.randint(11, 99)) if self.content.on == "numbers" else rng.choice(self.content.starts)
        place = rng.randrange(len(steps))
        steps = (*steps[:place], rng.choice(candidates), *steps[place + 1 :])
        return World(defined, start, steps, place, candidates, tuple(rng.sample(range(_CHOICES), _CHOICES)))

    def _result(self, world: World, candidate: str) -> str:
        """Return the result with another operation at the open step."""
        steps = (*world.steps[: world.open], candidate, *world.steps[world.open + 1 :])
        return self._done(world.start, [world.defined[step] for step in steps])

    def _done(self, start: str, operations: Sequence[Operation]) -> str:
        value: Any = int(start) if self.content.on == "numbers" else start
        for kind, number in operations:
            value = self.does[kind](value, number)
            if isinstance(value, int) and value < 0:
                return _NONE  # the definitions are about digits, not signs
        return str(value)

    def question(self, world: World, rng: Random) -> str:
        first, *others = world.steps
        begin = self._begin.write({"start": world.start, "name": first}, rng)
        return f"{begin}{''.join(self.content.then.format(name=name) for name in others)}{self.content.end}"

    def choices(self, world: World) -> tuple[str, ...]:
        return tuple(self._result(world, world.candidates[place]) for place in world.shown)

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        return [
            Entry(self._defines[kind].write({"name": name, "k": number}, rng), name in world.steps)
            for name, (kind, number) in world.defined.items()
        ]

    def solve(self, world: World) -> str:
        return self._done(world.start, [world.defined[step] for step in world.steps])

    def changed(self, world: World) -> World:
        """Exchange the definitions of the open step's operation and another one, so that another choice results."""
        asked = world.steps[world.open]
        for other in (*world.candidates, *world.defined):
            defined = {**world.defined, asked: world.defined[other], other: world.defined[asked]}
            answer = self.solve(replace(world, defined=defined))
            if answer != self.solve(world) and answer in self.choices(world):
                # The choices stay those of the original library.
                return replace(world, defined=defined)
        raise ValueError(f"{self.name}: no exchange of definitions leads to another choice")

    def read(self, problem: Problem) -> str:
        start, steps = self._asked(problem.question)
        defined = dict(found for text in problem.library if (found := self._definition(text)))
        if not {*steps} <= {*defined}:
            raise ValueError(f"{problem.id}: the library does not define what is asked for")
        return self._done(start, [defined[step] for step in steps])

    def _asked(self, question: str) -> tuple[str, list[str]]:
        before, *middle = question.removesuffix(self.content.end).split(self.content.then.partition("{name}")[0])
        begin = self._begin.read(before)
        if begin is None:
            raise ValueError(f"{question!r} is no question of {self.name}")
        after = self.content.then.partition("{name}")[2]
        return begin["start"], [begin["name"], *(name.removesuffix(after) for name in middle)]

    def _definition(self, text: str) -> tuple[str, Operation] | None:
        for kind, wording in self._defines.items():
            if slots := wording.read(text):
                return slots["name"], (kind, int(slots.get("k", 0)))
        return None


def _in_turn(kinds: Sequence[str], count: int, rng: Random) -> list[str]:
    """Return `count` kinds, each about equally often, in random order."""
    drawn = [kind for _ in range(count // len(kinds) + 1) for kind in rng.sample(kinds, len(kinds))][:count]
    rng.shuffle(drawn)
    return drawn


def _is_shown(result: str) -> bool:
    """Return whether a result is a number from 1 to 9,999, or a word of at least two letters."""
    return 0 < int(result) <= _LARGEST if result.lstrip("-").isdecimal() else len(result) >= 2
