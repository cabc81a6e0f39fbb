"""A row of a file, before and after its conversion to a problem.

Example: line 3 of mine.csv is `Entry(3, {"question": "What is 2 + 2?", "answer": "4"})`, and as a problem
`Placed(3, Problem("mine.csv:3", "mine", "math", "What is 2 + 2?", "4"))`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pfe.problem import Problem

Columns = Mapping[str, Any]


class Entry(NamedTuple):
    """The columns of a row as the file has them, or the reason why they cannot be read (`trouble`).

    `place` is the line number, from 1, in JSON lines and CSV, and the row number, from 0, in the other formats.
    """

    place: int
    columns: Columns
    trouble: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A row that cannot become a Problem, with the reason. It must be rejected, never left out."""

    id: str
    why: str


class Placed(NamedTuple):
    """A row as a problem, and its place in the file."""

    place: int
    problem: Problem | Unreadable
