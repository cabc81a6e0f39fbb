"""Attacks that rewrite a program and adapt its tests, under a question that says nothing about the task.

Example, attack "renamed_program": "def area(w, h): return w * h" becomes "def task_0(item_0, item_1): return item_0 *
item_1".
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from pfe.calibration.attack import Attack, Donors
from pfe.calibration.rewriting import names_of, renamed, rewritten
from pfe.problem import Problem
from pfe.scorers.python import UNREADABLE

_SAYS_NOTHING = "Write the function that the given examples call for."


def _program(rewrite: Callable[[str, Mapping[str, str]], str]) -> Attack:
    """Return an attack that rewrites the program and adapts its tests, under a question that says nothing."""

    def change(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
        names = names_of(problem.answer) if problem.domain == "code" else {}
        if not names:
            return None
        swap = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b(?=\(|=(?!=))")
        tests = tuple(swap.sub(lambda name: names[name.group()], test) for test in problem.tests)
        try:
            program = rewrite(problem.answer, names)
        except UNREADABLE:
            return None
        return replace(problem, context="", question=_SAYS_NOTHING, answer=program, solution="", tests=tests)

    return change


ATTACKS: Mapping[str, Attack] = {"renamed_program": _program(renamed), "rewritten_program": _program(rewritten)}
