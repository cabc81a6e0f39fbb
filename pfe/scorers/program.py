"""Programs, right if they pass the problem's tests.

Example: "```python\\ndef double(n):\\n    return 2 * n\\n```" against "assert double(4) == 8".
"""

import re

from pfe.problem import Problem
from pfe.sandbox import run_tests
from pfe.scorers.fences import first_block
from pfe.scorers.outcome import Score

_DONE = re.compile(r"^[ \t]*\[DONE\]", re.MULTILINE)
_BEGIN = re.compile(r"^[ \t]*\[BEGIN\][ \t]*\r?\n?", re.MULTILINE)


def score(problem: Problem, output: str) -> Score:
    """Right if the program, run apart from us, passes every test; wrong where there are none.

    Raises:
        UserError: this machine cannot run programs safely.
    """
    program = read_program(output)
    result = run_tests(program, problem.setup, problem.tests)
    return Score(result.passed and bool(problem.tests), program)


def read_program(output: str) -> str:
    """The code of an output: between [BEGIN] and [DONE], in the first fenced block, or all of it."""
    text = _DONE.split(output, maxsplit=1)[0]
    text = _BEGIN.split(text, maxsplit=1)[-1]
    block = first_block(text)
    return text if block is None else block
