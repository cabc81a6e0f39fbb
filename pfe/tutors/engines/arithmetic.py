"""Word problems of one structure: draws, a text, worked steps, and an equation that the answer meets.

Example: a file of this engine, for "Imani stands in a queue of 30 people. 12 of them stand behind her. Which place
from the front is hers?"

    engine: arithmetic
    largest: 90
    draws: |
      people(1)
      total = between(12, 90)
      behind = between(2, total - 2)
    text:
      - "{name} stands in a queue of {total:d} people."
      - "{behind:d} of them stand behind {him}."
      - "Which place from the front is {his}?"
    steps:
      - "In front of the others, with {name} at the end, are {= total-behind} people."
    check: x - 1 + 1 + behind == total

`draws` are lines as in `pfe.tutors.formula`, `text` and `steps` as in `pfe.tutors.wording` and `pfe.tutors.worked`;
`tables` are words and numbers of this family alone. Rows of a table may be written with bars: `lemonade|glass|2`.
What is drawn but not written in the text must follow from what is written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content
from pfe.tutors.family import ContentFamily, Draft, Facts, MathFamily
from pfe.tutors.formula import Draws, Formula
from pfe.tutors.wording import Wording, wording
from pfe.tutors.worked import Steps

_TRIES = 20_000


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """What a file of this engine says."""

    draws: str
    text: list[Any]
    steps: list[Any]
    check: str
    tables: dict[str, Any] = field(default_factory=dict)
    largest: int = 2000
    weight: float = 1.0


def rows(values: Any) -> Any:
    """A table as it is meant: texts with bars are rows of texts and numbers."""
    if isinstance(values, dict):
        return {key: rows(value) for key, value in values.items()}
    if isinstance(values, str) and "|" in values:
        return [int(part) if part.isdecimal() else part for part in values.split("|")]
    return [rows(value) for value in values] if isinstance(values, list) else values


def read_tables(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rows(listed) for name, listed in values.items()}


class Engine(ContentFamily, MathFamily):
    """A family of math word problems, written as content."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = self.content.weight
        self.draws = Draws(self.content.draws, read_tables(self.content.tables), f"{path}: draws")
        self.steps = Steps(self.content.steps, f"{path}: steps")
        self.equation = Formula(self.content.check, f"{path}: check")

    @cached_property
    def wording(self) -> Wording:
        return wording(self.content.text, self.draws.values(), f"{self.path}: text")

    def facts(self, rng: Random) -> Facts:
        for _ in range(_TRIES):
            if (facts := self.draws.draw(rng, {})) is not None:
                return facts
        raise UserError(f"{self.path}: draws: nothing drawn meets what is required; ask for less")

    def write(self, facts: Facts, rng: Random) -> Draft:
        return Draft(self.wording.write(facts, rng))

    def solve(self, facts: Facts) -> str:
        return str(self.steps.result(facts).value)

    def check(self, facts: Facts, answer: str) -> bool:
        return answer.isdecimal() and bool(self.equation.value({"x": int(answer)}, facts, self.draws.tables))

    def solution(self, facts: Facts) -> str:
        return self.steps.text(facts)

    def read(self, problem: Problem) -> Facts:
        return self.draws.complete(self.wording.read(problem.question))

    def candidates(self, problem: Problem) -> Iterable[str]:
        return map(str, range(self.content.largest + 1))
