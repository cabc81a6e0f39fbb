"""Rows as problems: one table of the shapes that columns come in.

Example: {"messages": [{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "4"}]}, which is
line 1 of a.jsonl, is of the shape "named", and becomes
    Problem("a.jsonl:1", "a", "math", "What is 2 + 2?", "4")

A published benchmark says of which shape it is, and every row must be so. Anybody's row has the columns of `Problem`,
or is known by the names of its columns.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace

from pfe.config import Benchmark
from pfe.errors import UserError, nearest
from pfe.problem import Problem, Variant
from pfe.rows.named import renamed, with_known_names, with_our_columns
from pfe.rows.published import PUBLISHED, Fields
from pfe.rows.row import Columns, Unreadable

LONGEST_ROW = 2_000_000  # characters of all texts of a row; what is longer is no problem but a corpus
MOST_TEXTS = 20_000


def _named(row: Columns) -> Fields:
    return vars(with_our_columns(row) or with_known_names(row))


SHAPES: Mapping[str, Callable[[Columns], Fields]] = {**PUBLISHED, "named": _named}


def check_shapes(benchmarks: Mapping[str, Benchmark]) -> None:
    """Raises UserError where a benchmark says of its rows that they are of a shape that there is not."""
    for name, benchmark in benchmarks.items():
        if benchmark.columns not in SHAPES:
            wrong = f"benchmark.{name}.columns: unknown value '{benchmark.columns}'"
            raise UserError(f"{wrong}; {nearest(benchmark.columns, SHAPES)}")


def read_published(row: Columns, index: int, name: str, benchmark: Benchmark, place: str) -> Problem:
    """The problem that a row of a benchmark is.

    Args:
        index: its place in the split, for benchmarks whose rows carry no id.
        place: file and line, for the error message.

    Raises:
        UserError: a column is missing or holds something else than it should.
    """
    try:
        values = _fields(row, benchmark.columns)
    except ValueError as error:
        raise UserError(f"{place}: malformed {name} row: {error}") from None
    id = values.get("id", "")
    problem = Problem(**values | {"id": f"{name}/{index if id == '' else id}", "set": name, "domain": benchmark.domain})
    if problem.choices and problem.answer not in problem.choices:
        raise UserError(f"{place}: the answer {problem.answer!r} is none of the choices")
    return problem


def read_row(row: Columns, place: str, set: str, columns: Mapping[str, str] | None = None) -> Problem | Unreadable:
    """The problem that anybody's row is.

    Args:
        place: the id of a row that has none.
        set: the set of a row that names none.
        columns: "question", "answer" and so on, by the names of the columns that are to be it.
    """
    try:
        problem = Problem(**_fields(row, "named", columns))
        problem = replace(problem, id=problem.id or place, set=problem.set or set)
        _check(problem)
    except ValueError as error:
        return Unreadable(place, " ".join(str(error).split()))
    return problem


def _fields(row: Columns, shape: str, columns: Mapping[str, str] | None = None) -> Fields:
    """What a row says of the fields of its problem.

    Raises:
        ValueError: a column is missing, or holds something else than it should.
    """
    try:
        return SHAPES[shape](renamed(row, columns) if columns else row)
    except KeyError as error:
        raise ValueError(f"column {error} is missing (columns: {', '.join(row)})") from None
    except RecursionError:
        raise ValueError("nested too deep") from None
    except (TypeError, IndexError, AttributeError) as error:
        raise ValueError(str(error)) from None


def _text(value: object) -> str:
    """A value of a problem as text, with all that a variant says."""
    return "\n".join((*value.library, value.answer, value.otherwise)) if isinstance(value, Variant) else str(value)


def _check(problem: Problem) -> None:
    """Raises ValueError where a text is no text, or there are too many or too long ones."""
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
