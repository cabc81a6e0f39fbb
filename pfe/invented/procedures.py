"""Procedures: operations that the library defines, done one after the other.

Example: "The molu of a number is what remains when 3 is taken from its double." and "To get the secha of a number, add
its last digit." answer "Take the molu of 14, and then the secha of what you get. Which number is it?" with 30.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Annotated, Any

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.errors import UserError, nearest
from pfe.invented.family import SIZES, InventedFamily, names
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content
from pfe.tutors.family import Draft, Entry, Facts
from pfe.tutors.wording import Wording, one_of

_STRICT = ConfigDict(extra="forbid", strict=False)
_LARGEST = 5000
Texts = Annotated[tuple[str, ...], MinLen(1)]
Step = tuple[str, int]  # which operation, with which number in it

# What the operations of a file do: on a number or a word, with the number that stands in the definition.
NUMBERS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda n, k: n + k,
    "subtract": lambda n, k: n - k,
    "from": lambda n, k: 500 + k - n,
    "double_add": lambda n, k: 2 * n + k,
    "double_subtract": lambda n, k: 2 * n - k,
    "triple_add": lambda n, k: 3 * n + k,
    "multiply": lambda n, k: n * (k % 7 + 2),
    "digits": lambda n, k: n + sum(map(int, str(n))) + k,
    "tens": lambda n, k: n // 10 + k,
    "double": lambda n, _: 2 * n,
    "triple": lambda n, _: 3 * n,
    "successor": lambda n, _: n + 1,
}
WORDS: Mapping[str, Callable[[str, int], str]] = {
    "backwards": lambda w, _: w[::-1],
    "drop_first": lambda w, _: w[1:],
    "drop_last": lambda w, _: w[:-1],
    "double_first": lambda w, _: w[:1] + w,
    "double_last": lambda w, _: w + w[-1:],
    "swap_ends": lambda w, _: w[-1:] + w[1:-1] + w[:1],
    "first_to_end": lambda w, _: w[1:] + w[:1],
    "last_to_front": lambda w, _: w[-1:] + w[:-1],
    "without_vowels": lambda w, _: "".join(letter for letter in w if letter not in "aeiou"),
    "every_other": lambda w, _: w[::2],
    "upper": lambda w, _: w.upper(),
}


@dataclass(frozen=True, config=_STRICT)
class Content:
    """One family: what it works `on`, `defines` with {name} and perhaps {k:d}, the operations that have a real name."""

    on: str
    defines: Mapping[str, Texts]
    asks: Mapping[int, Texts]
    called: Texts
    world: Mapping[str, str]
    inputs: tuple[str, ...] = ()


class Procedures(InventedFamily):
    """Operations with invented names, and an input that goes through two or three of them."""

    skill = "procedures"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.does: Mapping[str, Callable[[Any, int], Any]] = NUMBERS if self.content.on == "numbers" else WORDS
        for name in (*self.content.defines, *self.content.world.values()):
            if name not in self.does:
                raise UserError(f"{path}: unknown operation '{name}'; {nearest(name, self.does)}")

    def facts(self, rng: Random) -> Facts:
        while True:
            facts = self._draw(rng)
            results = [self._with_first(facts, step) for step in (*facts["first"], self._real_step(facts))]
            if len(set(results)) == len(results) and all(map(_shown, results)):
                return facts | {"choices": tuple(rng.sample(results, len(results))) if rng.random() < 0.5 else ()}

    def _draw(self, rng: Random) -> dict[str, Any]:
        """Three definitions of the first operation are alike: its own, the changed one, and one for the choices."""
        size = max(4, rng.choice(SIZES) // 2)
        kinds = list(self.content.defines)
        first, *others = names(rng, size)
        drawn = [(rng.choice(kinds), rng.randint(2, 9)) for _ in range(3)]
        defined = {first: drawn[0]} | {name: (rng.choice(kinds), rng.randint(2, 9)) for name in others}
        start = str(rng.randint(11, 99)) if self.content.on == "numbers" else rng.choice(self.content.inputs)
        return {
            "defined": defined,
            "steps": (first, *rng.sample(others, rng.choice((1, 1, 2)))),
            "start": start,
            "first": tuple(drawn),
            "real": rng.choice(list(self.content.world)),
        }

    def _real_step(self, facts: Facts) -> Step:
        return self.content.world[facts["real"]], 0

    def _with_first(self, facts: Facts, step: Step) -> str:
        """The result where the first operation is another."""
        return self.solve({**facts, "defined": {**facts["defined"], facts["steps"][0]: step}})

    def write(self, facts: Facts, rng: Random) -> Draft:
        slots = {"start": facts["start"]} | {f"name{place}": name for place, name in enumerate(facts["steps"], 1)}
        return Draft(self._asks[len(facts["steps"])].write(slots, rng), choices=facts["choices"])

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        return list(self._entries(facts, rng, ""))

    def contradiction(self, facts: Facts, rng: Random) -> tuple[Sequence[Entry], str, str]:
        first = facts["steps"][0]
        entries = list(self._entries(facts, rng, first))
        called = self._called.write({"name": first, "real": facts["real"]}, rng)
        world = self._with_first(facts, self._real_step(facts))
        return [*entries, Entry(called, needed=True)], self.solve(facts), world

    def _entries(self, facts: Facts, rng: Random, by_real_name: str) -> Iterable[Entry]:
        for name, (kind, number) in facts["defined"].items():
            slots = {"name": facts["real"] if name == by_real_name else name, "k": number}
            yield Entry(self._defines[kind].write(slots, rng), name in facts["steps"])

    def change(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "defined": {**facts["defined"], facts["steps"][0]: facts["first"][1]}}

    def solve(self, facts: Facts) -> str:
        value: Any = int(facts["start"]) if self.content.on == "numbers" else facts["start"]
        for name in facts["steps"]:
            kind, number = facts["defined"][name]
            value = self.does[kind](value, number)
        return str(value)

    def check(self, facts: Facts, answer: str) -> bool:
        *earlier, last = facts["steps"]
        before = self.solve({**facts, "steps": tuple(earlier)})
        kind, number = facts["defined"][last]
        return str(self.does[kind](int(before) if self.content.on == "numbers" else before, number)) == answer

    def candidates(self, problem: Problem) -> Iterable[str]:
        if problem.choices:
            return problem.choices
        facts = self.read(problem)
        steps = facts["steps"]
        slips = (self.solve({**facts, "steps": slip}) for slip in (steps[::-1], steps[:-1], steps[1:]))
        return sorted({self.solve(facts), *slips})

    def solution(self, facts: Facts, draft: Draft) -> str:
        lines = []
        for place, name in enumerate(facts["steps"], 1):
            before = self.solve({**facts, "steps": facts["steps"][: place - 1]})
            lines.append(f"The {name} of {before} is {self.solve({**facts, 'steps': facts['steps'][:place]})}.")
        return "\n".join(lines)

    def read(self, problem: Problem) -> Facts:
        for count, wording in sorted(self._asks.items(), reverse=True):
            try:
                asked = wording.read(problem.question)
            except ValueError:
                continue
            steps = tuple(str(asked[f"name{place}"]) for place in range(1, count + 1))
            defined = dict(filter(None, map(self._definition, problem.library)))
            if set(steps) <= set(defined):
                return {"start": asked["start"], "steps": steps, "defined": defined}
        raise ValueError(f"{problem.id}: the library does not define what is asked")

    def _definition(self, text: str) -> tuple[str, Step] | None:
        for kind, wording in self._defines.items():
            try:
                slots = wording.read(text)
            except ValueError:
                continue
            return str(slots["name"]), (kind, int(slots.get("k", 0)))
        return None

    @cached_property
    def _defines(self) -> Mapping[str, Wording]:
        defines = self.content.defines
        return {kind: one_of(texts, where=f"{self.path}: defines.{kind}") for kind, texts in defines.items()}

    @cached_property
    def _asks(self) -> Mapping[int, Wording]:
        return {count: one_of(texts, where=f"{self.path}: asks.{count}") for count, texts in self.content.asks.items()}

    @cached_property
    def _called(self) -> Wording:
        return one_of(self.content.called, where=f"{self.path}: called")


def _shown(result: str) -> bool:
    """Whether a result is one to ask for: a number of a size for the head, a word of some letters."""
    return 0 < int(result) <= _LARGEST if result.lstrip("-").isdecimal() else len(result) >= 2
