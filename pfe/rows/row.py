"""One row of a file, before and after it is read as a problem.

Example: line 3 of mine.csv is `Entry(3, {"question": "What is 2 + 2?", "answer": "4"})`, and as a problem
`Placed(3, Problem("mine.csv:3", "mine", "math", "What is 2 + 2?", "4"))`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pfe.problem import Problem

Columns = Mapping[str, Any]


class Entry(NamedTuple):
    """What a file says in one row, and why it cannot be read where it cannot.

    `place` is its line, from 1, in JSON lines and CSV, and its number, from 0, in the other formats.
    """

    place: int
    columns: Columns
    trouble: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A row of which no Problem can be made, and why; to be rejected, never to be left out."""

    id: str
    why: str


class Placed(NamedTuple):
    """A row as a problem, and where it stands."""

    place: int
    problem: Problem | Unreadable
