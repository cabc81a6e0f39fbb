"""Programs, right if they pass the problem's tests.

Example: "```python\\ndef double(n):\\n    return 2 * n\\n```" against "assert double(4) == 8".
"""

import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.sandbox import Limits, run_tests
from pfe.scorers.fences import first_block
from pfe.scorers.outcome import Score

LIMITS = Limits(seconds=10.0)  # the slowest reference program of MBPP (123) takes 2 to 4, on a busy machine 8
_DONE = re.compile(r"^[ \t]*\[DONE\]", re.MULTILINE)
_BEGIN = re.compile(r"^[ \t]*\[BEGIN\][ \t]*\r?\n?", re.MULTILINE)


def score(problem: Problem, output: str, unsafe: bool = False) -> Score:
    """Right if the program, run apart from us, passes every test; wrong where there are none.

    Args:
        unsafe: run also where the program cannot be isolated.

    Raises:
        UserError: this machine cannot run programs safely, and `unsafe` is not set; or a test of the
            problem has no form that could be judged.
    """
    program = read_program(output)
    if not problem.tests:
        return Score(False, program)
    try:
        result = run_tests(program, problem.setup, problem.tests, LIMITS, unsafe)
    except UserError as error:
        raise UserError(f"{problem.id}: {error}") from None
    return Score(result.passed, program, unsafe=result.unsafe)


def score_many(pairs: Iterable[tuple[Problem, str]], unsafe: bool = False) -> list[Score]:
    """`score` of every problem and output, in their order, one program a processor at a time.

    Raises:
        UserError: as in `score`.
    """

    def one(pair: tuple[Problem, str]) -> Score:
        problem, output = pair
        return score(problem, output, unsafe)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(one, pairs))


def read_program(output: str) -> str:
    """The code of an output: between [BEGIN] and [DONE], in the first fenced block, or all of it."""
    text = _DONE.split(output, maxsplit=1)[0]
    text = _BEGIN.split(text, maxsplit=1)[-1]
    block = first_block(text)
    return text if block is None else block
