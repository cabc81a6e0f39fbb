"""Rows of the corpus: one library, or none, and the lessons behind it.

Example: {"library": "[LIBRARY] …", "library_loss": True, "prompts": ["Question: …\\nAnswer:", …], "completions": …}

`entries` are those of a library that was written for the row's problems. Loss is for completions, and for a library
where `library_loss` says so: it is a text that many problems have.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pfe.problem import Record


@dataclass(frozen=True)
class CorpusRow(Record):
    """One library and the lessons behind it, column by column; `tutors` are joined by spaces.

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
    """How many characters are libraries, prompts and completions, each text counted as often as a row has it."""
    counts = {"libraries": 0, "prompts": 0, "completions": 0}
    for row in made:
        counts["libraries"] += len(row.library)
        counts["prompts"] += sum(map(len, row.prompts))
        counts["completions"] += sum(map(len, row.completions))
    return counts
