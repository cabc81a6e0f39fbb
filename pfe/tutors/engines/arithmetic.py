"""Word problems of one structure: draws, a text, worked steps, and an equation that the answer satisfies.

Example: a file of this engine, for "Imani stands in a queue of 30 people. 12 of them stand behind her. Which place from
the front is hers?"

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

`draws` are lines as in `pfe.tutors.formula`, `text` and `steps` as in `pfe.tutors.wording` and
`pfe.tutors.worked_solutions`; `tables` defines words and numbers for this family alone. Rows of a table may be written
with bars: `lemonade|glass|2`. A sampled value that is not written in the text must follow from those that are.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pydantic import ConfigDict, PositiveInt
from pydantic.dataclasses import dataclass

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import Filled, Weight, engine_and_rest, read_content
from pfe.tutors.family import ContentFamily, Draft, Facts, MathFamily
from pfe.tutors.formula import Draws, Formula, Names
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Wording, wording
from pfe.tutors.worked_solutions import Steps

_TRIES = 20_000
_TRIALS = 20
Tables = dict[str, Filled[list[Any]] | Filled[dict[str, Any]]]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """The content of a file of this engine."""

    draws: str
    text: Filled[list[Any]]
    steps: Filled[list[Any]]
    check: str
    tables: Tables = field(default_factory=dict)
    largest: PositiveInt = 2000
    weight: Weight = 1.0


def rows(values: Any) -> Any:
    """Return a table with bars parsed: a text with bars becomes a row of texts and numbers."""
    if isinstance(values, dict):
        return {key: rows(value) for key, value in values.items()}
    if isinstance(values, str) and "|" in values:
        return [int(part) if part.isdecimal() else part for part in values.split("|")]
    return [rows(value) for value in values] if isinstance(values, list) else values


def read_tables(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rows(listed) for name, listed in values.items()}


def refuse_unknown_of_check(equation: Formula, known: Collection[str]) -> None:
    """Reject an equation that has an unknown name, or that does not mention `x`.

    Raises:
        UserError: it does.
    """
    refuse_unknown(equation.names, {*known, "x"}, equation.where)
    if "x" not in equation.names:
        raise UserError(f"{equation.where}: says nothing of `x`, the value that the steps come to; write it with `x`")


def check_result(equation: Formula, value: Any, *names: Names) -> None:
    """Reject a file whose equation does not hold for the result of its steps.

    Raises:
        UserError: it does not hold, or cannot be computed.
    """
    try:
        if equation.value({"x": value}, *names):
            return
        reason = f"does not hold where the steps come to {value}"
    except ValueError as error:
        reason = str(error)
    drawn = ", ".join(f"{name} {given}" for name, given in names[0].items() if name in equation.names)
    raise UserError(f"{equation.where}: {reason}{drawn and f' ({drawn})'}; mend `check` or `steps`")


class Engine(ContentFamily, MathFamily):
    """A family of math word problems, written as content."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = self.content.weight
        place = Place(path)
        self.draws = Draws(self.content.draws, read_tables(self.content.tables), place / "draws")
        self.steps = Steps(self.content.steps, place / "steps")
        self.equation = Formula(self.content.check, place / "check")
        if not self.steps.count:
            raise UserError(f"{self.steps.where}: nothing is calculated; show how, as in {{= total-behind}}")
        self._refuse_unknown()

    @cached_property
    def wording(self) -> Wording:
        return wording(self.content.text, self.draws.values(), Place(self.path) / "text", self.draws.targets)

    def _refuse_unknown(self) -> None:
        self.draws.refuse_unknown(())
        self.steps.refuse_unknown(self.draws.targets | self.draws.tables.keys())
        refuse_unknown_of_check(self.equation, self.draws.targets | self.draws.tables.keys())

    def try_out(self) -> None:
        super().try_out()
        for number in range(_TRIALS):
            facts = self.facts(Random(number))
            check_result(self.equation, self.steps.result(facts).value, facts, self.draws.tables)

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

    def solution(self, facts: Facts, draft: Draft) -> str:
        return self.steps.text(facts)

    def read(self, problem: Problem) -> Facts:
        return self.draws.complete(self.wording.read(problem.question))

    def candidates(self, problem: Problem) -> Iterable[str]:
        return map(str, range(self.content.largest + 1))
