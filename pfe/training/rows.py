"""Rows of the training corpus: one library, or none, and the lessons that have it in context.

Example: {"library": "[LIBRARY] …", "library_loss": True, "prompts": ["Question: …\\nAnswer:", …], "completions": …}

`entries` are those of a library that was written for the row's problems. Completions have a loss. A library has one if
`library_loss` is set: it is a text that many problems share.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pfe.problem import Record


@dataclass(frozen=True)
class CorpusRow(Record):
    """One library and the lessons that have it in context, column by column; `tutors` are joined by spaces.

    `skill`, `rung` and `names` are those of its problems (`pfe.problem.Problem`).
    """

    set: str
    arm: str
    library: str
    entries: tuple[str, ...]
    library_loss: bool
    problem_ids: tuple[str, ...]
    tutors: tuple[str, ...]
    prompts: tuple[str, ...]
    completions: tuple[str, ...]
    skill: str = ""
    rung: int = 0
    names: str = ""


def characters(made: Iterable[CorpusRow]) -> dict[str, int]:
    """Count the characters of libraries, prompts and completions, each text as often as it is in a row."""
    counts = {"libraries": 0, "prompts": 0, "completions": 0}
    for row in made:
        counts["libraries"] += len(row.library)
        counts["prompts"] += sum(map(len, row.prompts))
        counts["completions"] += sum(map(len, row.completions))
    return counts
