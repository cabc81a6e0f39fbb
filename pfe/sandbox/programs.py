"""Testing of programs that a model wrote, in a separate process that never sees the expected values.

Example: `run_tests("def double(n):\\n    return 2 * n", "", ["assert double(4) == 8"])` is
`Result(passed=True, reason="passed", detail="")`; with `n + n + 1` it is `Result(False, "failed",
"test 1: AssertionError")`. The program is asked for `double(4)` and never sees the 8.
"""

from collections.abc import Sequence
from typing import Any

from pfe.sandbox.assertions import read
from pfe.sandbox.process import Program, ProgramEnded, Result, SandboxLimits, converse

DEFAULT_LIMITS = SandboxLimits()


def run_tests(
    program: str, setup: str, tests: Sequence[str], limits: SandboxLimits = DEFAULT_LIMITS, unsafe: bool = False
) -> Result:
    """Run the program, then the setup, in one module of a fresh process, then check the tests.

    Args:
        tests: assertions such as `assert double(4) == 8`; if there are none, running without an error passes.
        unsafe: run even if the process cannot be isolated.

    Raises:
        UserError: the process cannot be isolated on this machine, and `unsafe` is not set; or a test
            has a form that cannot be judged on this side (see `assertions.py`).
    """
    checks = [read(test, setup) for test in tests]

    def talk(process: Program) -> None:
        process.execute("program", program)
        process.execute("setup", setup)
        for number, check in enumerate(checks, 1):
            check.run(f"test {number}", process)

    try:
        _, unprotected = converse(talk, limits, unsafe)
    except ProgramEnded as error:
        return error.result
    return Result(True, "passed", "", unprotected)


def evaluate(program: str, expression: str, limits: SandboxLimits = DEFAULT_LIMITS, unsafe: bool = False) -> Any:
    """Run a program and return the value of an expression; a value that is no literal becomes `answers.Opaque`.

    Raises:
        ProgramEnded: there is no answer; its `result` says why.
        UserError: the process cannot be isolated on this machine, and `unsafe` is not set.
    """

    def talk(process: Program) -> Any:
        process.execute("program", program)
        return process.evaluate("expression", expression, {})

    return converse(talk, limits, unsafe)[0]
