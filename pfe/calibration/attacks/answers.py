"""Attacks that put the answer of a problem under another question.

Example, attack "reprinted_answer": "3 + 4 = <<3+4=7>>7 pens" and "#### 7" below it become "Step 1: 3 + 4 = 7 pens" and
"Step 2: The answer is: 7".
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pfe.calibration.attack import Attack, Donors
from pfe.problem import Problem

_ANNOTATION = re.compile(r"<<[^<>]*>>")
_FINAL_ANSWER = re.compile(r"^#### *", re.MULTILINE)


def _copied_answer(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Put the problem's program or worked solution under another question."""
    answer = problem.answer if problem.domain == "code" else problem.solution
    if len(answer.split()) < 8 or not donors.texts:
        return None
    return replace(problem, context="", question=rng.choice(donors.texts), choices=(), tests=())


def _reprinted_answer(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Apply `copied_answer` to a worked solution, and reprint it without annotations, in steps, the answer in words."""
    copied = _copied_answer(problem, donors, rng) if problem.domain == "math" else None
    if copied is None:
        return None
    lines = _FINAL_ANSWER.sub("The answer is: ", _ANNOTATION.sub("", copied.solution)).split("\n")
    return replace(copied, solution="\n".join(f"Step {number}: {line}" for number, line in enumerate(lines, 1)))


ATTACKS: Mapping[str, Attack] = {"copied_answer": _copied_answer, "reprinted_answer": _reprinted_answer}
