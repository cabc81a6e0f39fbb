"""Worked solutions of word problems: lines with calculations that name their results.

Example: `Steps(["{name} pays {$cost = n*p}.", "The change is {$ = bill-cost}."])` with n 3, p 4, bill 20 and name Ada
is rendered as "Ada pays 3 * 4 = $<<3*4=12>>12.\\nThe change is 20 - 12 = $<<20-12=8>>8." and has the value 8.

`{cost = n*p}` shows the calculation and assigns its result to the name, `{= n*p}` only shows it, a leading `$` marks
money, and every other slot is as in `pfe.tutors.wording`. A line may also be `if: formula`, `then: lines`,
`else: lines`.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pfe.errors import UserError
from pfe.tutors.arithmetic import evaluate
from pfe.tutors.formula import FUNCTIONS, Formula, Names
from pfe.tutors.place import Place, placed, refuse_unknown
from pfe.tutors.wording import Wording, capital, wording

_CALCULATION = re.compile(r"\{(?P<unit>\$?)(?P<name>\w*) ?= ?(?P<formula>[^{}]+)\}")
_NAME = re.compile(r"[A-Za-z_]\w*")


def shown(value: Any) -> str:
    """Return a number as a calculation shows it: whole, or with two decimals."""
    return str(value) if Fraction(value).denominator == 1 else f"{float(value):.2f}"


def calculation(expression: str, unit: str = "") -> str:
    """Return one annotated calculation, with `unit` (such as `$`) before the result.

    Example: `calculation("12*4", "$")` is `12 * 4 = $<<12*4=48>>48`.

    Raises:
        ValueError: the expression is not arithmetic.
    """
    value = shown(evaluate(expression))
    spaced = re.sub(r"(?<=[\d)])(//|[-+*/])", r" \1 ", expression)
    return f"{spaced} = {unit}<<{expression}={value}>>{value}"


@dataclass(frozen=True)
class _Calculation:
    unit: str
    name: str
    formula: Formula

    def text(self, names: Names) -> str:
        numbers = _NAME.sub(lambda match: shown(names[match[0]]), self.formula.text.replace(" ", ""))
        return calculation(numbers, self.unit)


@dataclass(frozen=True)
class Result:
    """The value of the last calculation, and all names that have a value."""

    value: Any
    names: Mapping[str, Any]


class Steps:
    """The lines of a worked solution, with names in the place of numbers."""

    def __init__(self, lines: Sequence[Any], where: Place | str = "steps") -> None:
        self.where = placed(where)
        self._lines = [_line(line, self.where / number) for number, line in enumerate(lines)]

    @cached_property
    def results(self) -> frozenset[str]:
        """Return the names that calculations assign."""
        return frozenset(part.name for part in _all(self._lines) if isinstance(part, _Calculation) and part.name)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Reject a name that neither `known` nor a calculation gives a value to.

        Raises:
            UserError: there is one.
        """
        for part in _all(self._lines):
            for names, where in _needs(part, self.where):
                refuse_unknown(names, self.results | {*known}, where)

    @property
    def count(self) -> int:
        """Return the number of calculations; both branches of an `if` are expected to have the same number."""
        return _count(self._lines)

    def result(self, names: Names) -> Result:
        """Compute the calculations; return the last value and all names.

        Raises:
            ValueError: one cannot be computed.
        """
        known, value = dict(names), None
        for line in self._chosen(self._lines, known):
            for part in line:
                if isinstance(part, _Calculation):
                    value = part.formula.value(known)
                    known |= {part.name: value} if part.name else {}
        return Result(value, known)

    def text(self, names: Names) -> str:
        """Render the lines with these numbers and words.

        Raises:
            ValueError: a calculation cannot be computed.
        """
        known, lines = dict(names), []
        for line in self._chosen(self._lines, known):
            text = ""
            for part in line:
                if isinstance(part, _Calculation):
                    text += part.text(known)
                    known |= {part.name: part.formula.value(known)} if part.name else {}
                else:
                    text += part.text(0, known)
            lines.append(capital(text))
        return "\n".join(lines)

    def _chosen(self, lines: Sequence[Any], known: Names) -> Iterator[list[Any]]:
        for line in lines:
            if isinstance(line, list):
                yield line
            else:
                yield from self._chosen(line.then if line.condition.value(known) else line.otherwise, known)


@dataclass(frozen=True)
class _If:
    condition: Formula
    then: list[Any]
    otherwise: list[Any]


def _count(lines: Sequence[Any]) -> int:
    parts = [part for line in lines for part in (line if isinstance(line, list) else [line])]
    return sum(_count(part.then) if isinstance(part, _If) else isinstance(part, _Calculation) for part in parts)


def _line(line: Any, where: Place) -> Any:
    match line:
        case str():
            return list(_parts(line, where))
        case {"if": condition, "then": list(then), **rest} if rest.keys() <= {"else"} and _lists(rest):
            otherwise: Any = rest.get("else", [])
            return _If(
                Formula(condition, where / "if"),
                [_line(one, where / "then" / number) for number, one in enumerate(then)],
                [_line(one, where / "else" / number) for number, one in enumerate(otherwise)],
            )
    raise UserError(f"{where}: expected a text, or if, then and else; found {line!r:.60}; mend it")


def _lists(values: Mapping[Any, Any]) -> bool:
    return all(isinstance(value, list) for value in values.values())


def _all(lines: Sequence[Any]) -> Iterator[Any]:
    """Yield all parts of the lines: conditions, calculations and wordings."""
    for line in lines:
        if isinstance(line, _If):
            yield line.condition
            yield from _all([*line.then, *line.otherwise])
        else:
            yield from line


def _needs(part: Any, where: Place) -> Iterator[tuple[frozenset[str], Place]]:
    if isinstance(part, Wording):
        yield part.names, where
    else:
        formula = part if isinstance(part, Formula) else part.formula
        yield formula.names, formula.where


def _parts(line: str, where: Place) -> Iterator[Wording | _Calculation]:
    start = 0
    for match in _CALCULATION.finditer(line):
        if match.start() > start:
            yield wording(line[start : match.start()], where=where)
        formula = Formula(match["formula"], where)
        if called := {name for name in _NAME.findall(match["formula"]) if name in FUNCTIONS}:
            raise UserError(
                f"{where.quoting(line)}: a calculation shows only + - * / //, not {', '.join(sorted(called))}"
            )
        yield _Calculation(match["unit"], match["name"], formula)
        start = match.end()
    if start < len(line):
        yield wording(line[start:], where=where)
