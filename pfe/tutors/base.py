"""The base that the arm `retrieved` searches: what is written in `pfe/icr/base`, and solved synthetic problems.

Example, a solved problem as a model reads it:
    Example: Of the 240 snow globes in his collection, Hector sells a tenth to Emeka. How many has he left?
    → Hector parts with 240 / 10 = 24 snow globes. That leaves 240 - 24 = 216.

Solved problems are drawn anew from the procedural families, so that none is stored twice. Those of an own seed: no
problem of the corpus is among them.
"""

import re
from collections.abc import Mapping

from pfe.icr.entries import FOLDER, written
from pfe.icr.retrieval import Entry
from pfe.problem import Problem
from pfe.tutors.generate import candidates

SEED = 1_000_003  # of no experiment
DRAWS: Mapping[str, int] = {"gsm1k_synth": 400, "mbpp_synth": 200}  # solved problems of each set
_ANNOTATION = re.compile(r"<<[^<>]*>>")


def base() -> list[Entry]:
    """Every entry, without the solved problems that `withheld.ids` names: those give a published problem away.

    Raises:
        UserError: a file of the base is malformed.
    """
    withheld = set((FOLDER / "withheld.ids").read_text(encoding="utf-8").split())
    drawn = (problem for set, count in DRAWS.items() for problem in candidates(set, count, SEED))
    return [*written(), *(solved(problem) for problem in drawn if problem.id not in withheld)]


def solved(problem: Problem) -> Entry:
    """A solved problem as an entry: found by its question, shown with its solution, or its test and its program."""
    if problem.domain == "code":
        program = "\n".join(f"    {line}" for line in problem.answer.splitlines())
        text = f"Task: {problem.question}\nTest: {problem.tests[0]}\nSolution:\n{program}"
    else:
        steps, _, _ = _ANNOTATION.sub("", problem.solution).partition("\n#### ")
        text = f"Example: {problem.question}\n→ {' '.join(steps.splitlines())}"
    return Entry(problem.domain, problem.id, 1, problem.question, text)
