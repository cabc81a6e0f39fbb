"""The base that the arm `retrieved` searches: what `pfe/icr/base` holds, science facts, and solved synthetic problems.

Example, a solved problem as a model reads it:
    Example: Of the 240 snow globes in his collection, Hector sells a tenth to Emeka. How many has he left?
    → Hector parts with 240 / 10 = 24 snow globes. That leaves 240 - 24 = 216.

The facts are those that the families of ARC ask for. Solved problems are drawn anew from the procedural families, so
that none is stored twice, by a seed of their own: no problem of the corpus is among them.
"""

import re
from collections.abc import Iterator, Mapping

from pfe.icr.entries import FOLDER, written
from pfe.icr.retrieval import Entry
from pfe.problem import Problem
from pfe.tutors.facts import facts, sentence
from pfe.tutors.generate import candidates

SCIENCE = "arc_synth"
SEED = 1_000_003  # of no experiment
DRAWS: Mapping[str, int] = {"gsm1k_synth": 200, "mbpp_synth": 150}  # solved problems of each set
_ANNOTATION = re.compile(r"<<[^<>]*>>")


def base() -> list[Entry]:
    """Every entry, without those whose sources `withheld.ids` names: they give a published problem away.

    Raises:
        UserError: a file of the base is malformed.
    """
    withheld = frozenset((FOLDER / "withheld.ids").read_text(encoding="utf-8").splitlines())
    entries = [*written(), *_science(), *(solved(problem) for problem in _drawn())]
    return [entry for entry in entries if entry.source not in withheld]


def solved(problem: Problem) -> Entry:
    """A solved problem as an entry: found by its question, shown with its solution, or its test and its program."""
    if problem.domain == "code":
        program = "\n".join(f"    {line}" for line in problem.answer.splitlines())
        text = f"Task: {problem.question}\nTest: {problem.tests[0]}\nSolution:\n{program}"
    else:
        steps, _, _ = _ANNOTATION.sub("", problem.solution).partition("\n#### ")
        text = f"Example: {problem.question}\n→ {' '.join(steps.splitlines())}"
    return Entry(problem.domain, problem.id, 1, problem.question, text)


def _science() -> Iterator[Entry]:
    for fact in facts(SCIENCE):
        told = sentence(fact)
        yield Entry("science", f"{SCIENCE}/{fact.relation}/{fact.subject}: {fact.object}", 1, told, told)


def _drawn() -> Iterator[Problem]:
    """Of each set as many as `DRAWS` says, none that needs a library."""
    for set, count in DRAWS.items():
        yield from (problem for problem in candidates(set, count, SEED, library_bound=0) if not problem.library)
