"""Shapes (column layouts) of rows, in one table, and the conversion of rows to problems.

Example: {"messages": [{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "4"}]}, which is
line 1 of a.jsonl, has the shape "named" and becomes
    Problem("a.jsonl:1", "a", "math", "What is 2 + 2?", "4")

A published benchmark names its shape, and all its rows must have it. Any other row has the columns of `Problem`, or is
recognised by the names of its columns.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING

from pfe.config import Benchmark
from pfe.errors import UserError, nearest
from pfe.problem import Problem, Variant
from pfe.rows.named import renamed, with_known_names, with_our_columns
from pfe.rows.published import PUBLISHED, Fields
from pfe.rows.row import Columns, Unreadable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LONGEST_ROW = 2_000_000  # characters of all texts of a row; a longer one is a corpus, not a problem
MOST_TEXTS = 20_000


def _named(row: Columns) -> Fields:
    return vars(with_our_columns(row) or with_known_names(row))


SHAPES: Mapping[str, Callable[[Columns], Fields]] = {**PUBLISHED, "named": _named}


def check_shapes(benchmarks: Mapping[str, Benchmark]) -> None:
    """Check that every benchmark names a shape that exists.

    Raises:
        UserError: a shape does not exist.
    """
    for name, benchmark in benchmarks.items():
        if benchmark.columns not in SHAPES:
            wrong = f"benchmark.{name}.columns: unknown value '{benchmark.columns}'"
            raise UserError(f"{wrong}; {nearest(benchmark.columns, SHAPES)}")


def read_published(row: Columns, index: int, name: str, benchmark: Benchmark, place: str) -> Problem:
    """Return the problem of a benchmark's row.

    Args:
        index: the position of the row in the split, used as id if the row has none.
        place: file and line, for the error message.

    Raises:
        UserError: a column is missing or has an invalid value, or the answer is not one of the choices.
    """
    try:
        values = _fields(row, benchmark.columns)
        id = values.get("id", "")
        if not isinstance(id, str | int):
            raise ValueError(f"id: expected text or a number, found {id!r}")
        whole = {"id": f"{name}/{index if id == '' else id}", "set": name, "domain": benchmark.domain}
        problem = _typed(values | whole)
        _check(problem)
    except ValueError as error:
        raise UserError(f"{place}: malformed {name} row: {' '.join(str(error).split())}") from None
    if problem.choices and problem.answer not in problem.choices:
        raise UserError(f"{place}: the answer {problem.answer!r} is none of the choices")
    return problem


def read_row(row: Columns, place: str, set: str, columns: Mapping[str, str] | None = None) -> Problem | Unreadable:
    """Return the problem of a row with any columns, or the reason why it cannot become one.

    Args:
        place: the id of a row that has none.
        set: the set of a row that names none.
        columns: the role ("question", "answer" and so on) of columns, by name.
    """
    try:
        problem = Problem(**_fields(row, "named", columns))
        problem = replace(problem, id=problem.id or place, set=problem.set or set)
        _check(problem)
    except ValueError as error:
        return Unreadable(place, " ".join(str(error).split()))
    return problem


def _fields(row: Columns, shape: str, columns: Mapping[str, str] | None = None) -> Fields:
    """Return the values that a row has for the fields of its problem.

    Raises:
        ValueError: a column is missing, or has an invalid value.
    """
    try:
        return SHAPES[shape](renamed(row, columns) if columns else row)
    except RecursionError:
        raise ValueError("nested too deep") from None
    except UserError as error:
        raise ValueError(str(error)) from None
    except (TypeError, LookupError, AttributeError) as error:
        if shape == "named" and not isinstance(error, KeyError):
            raise ValueError(str(error)) from None
        if isinstance(error, KeyError) and isinstance(error.args[0], str):
            raise ValueError(f"column {error} is missing (columns: {', '.join(row)})") from None
        raise ValueError(f"a value is of another kind than in rows of '{shape}' (columns: {', '.join(row)})") from None


def _typed(values: Fields) -> Problem:
    """Return a problem after checking the types of its fields.

    Raises:
        ValueError: one has another type.
    """
    from pydantic import ValidationError

    try:
        variants = [vars(variant) for variant in values.get("variants", ())]  # instances would not be checked
        return _adapter().validate_python({**values, "variants": variants})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{place}: {first['msg']}, found {first['input']!r:.80}") from None


@cache
def _adapter() -> "TypeAdapter[Problem]":
    from pydantic import TypeAdapter

    return TypeAdapter(Problem)


def _text(value: object) -> str:
    """Return a value of a problem as text, with all texts of a variant."""
    return "\n".join((*value.library, value.answer, value.otherwise)) if isinstance(value, Variant) else str(value)


def _check(problem: Problem) -> None:
    """Check that all texts can be encoded, and are neither too many nor too long.

    Raises:
        ValueError: they are not.
    """
    for name in (field.name for field in fields(problem)):
        value = getattr(problem, name)
        try:
            "".join(map(_text, value if isinstance(value, tuple) else [value])).encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name}: half a surrogate pair") from None
    length = sum(map(len, problem.parts))
    if length > LONGEST_ROW:
        raise ValueError(f"its texts have {length:,} characters, more than {LONGEST_ROW:,}")
    if len(problem.parts) > MOST_TEXTS:
        raise ValueError(f"{len(problem.parts):,} texts in one row, more than {MOST_TEXTS:,}")
