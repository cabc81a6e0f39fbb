"""Rows of the corpus: one library, or none, and the lessons behind it.

Example: {"library": "[LIBRARY] …", "library_loss": True, "prompts": ["Question: …\\nAnswer:", …], "completions": …}

A trainer that shares what lessons share reads a row as it is, any other `plain` examples of it. Loss is for
completions, and for a library where `library_loss` says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pfe.problem import Record


@dataclass(frozen=True)
class CorpusRow(Record):
    """One library and the lessons behind it, column by column; `tutors` are joined by spaces."""

    set: str
    arm: str
    library: str
    library_loss: bool
    problem_ids: tuple[str, ...]
    kinds: tuple[str, ...]
    tutors: tuple[str, ...]
    prompts: tuple[str, ...]
    completions: tuple[str, ...]


def plain(row: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """A row, as `datasets` has it, as prompts and completions for a trainer that shares nothing.

    A library that takes a loss is a completion of its own.
    """
    library = str(row["library"])
    if row["library_loss"]:
        yield {"prompt": "", "completion": library}
    prompts, completions = row["prompts"], row["completions"]
    assert isinstance(prompts, Sequence)
    assert isinstance(completions, Sequence)
    for prompt, completion in zip(prompts, completions, strict=True):
        yield {"prompt": f"{library}{prompt}", "completion": completion}


def characters(made: Iterable[CorpusRow]) -> dict[str, int]:
    """How many characters are libraries, prompts and completions, each text counted as often as a row has it."""
    counts = {"libraries": 0, "prompts": 0, "completions": 0}
    for row in made:
        counts["libraries"] += len(row.library)
        counts["prompts"] += sum(map(len, row.prompts))
        counts["completions"] += sum(map(len, row.completions))
    return counts
