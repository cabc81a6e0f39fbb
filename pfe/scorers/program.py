"""Program scoring: a program is correct if it passes the problem's tests.

Example: "```python\\ndef double(n):\\n    return 2 * n\\n```" against "assert double(4) == 8".
"""

import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.fingerprint import fingerprint
from pfe.problem import Problem
from pfe.processes.cores import cores
from pfe.progress import progress
from pfe.sandbox.process import Result, SandboxLimits
from pfe.sandbox.programs import run_tests
from pfe.scorers.code import read_program
from pfe.scorers.outcome import Score

LIMITS = SandboxLimits(seconds=10.0)  # the slowest reference program of MBPP (123) takes 2 to 4 s, 8 on a busy machine
_PASSED = b"passed"


def score(problem: Problem, output: str, unsafe: bool = False) -> Score:
    """Score the program as correct if it passes every test in the sandbox; incorrect if there are no tests.

    Args:
        unsafe: run the program even if it cannot be isolated.

    Raises:
        UserError: this machine cannot run programs safely, and `unsafe` is not set; or a test of the problem has a form
            that cannot be judged.
    """
    return score_many([(problem, output)], unsafe)[0]


def score_many(pairs: Iterable[tuple[Problem, str]], unsafe: bool = False, cache: Cache | None = None) -> list[Score]:
    """Score every pair of problem and output, in order, with one program per processor at a time.

    Args:
        cache: stores verdicts, except those that depend on the machine (too slow, too large, not isolated).

    Raises:
        UserError: as in `score`.
    """
    programs = [(problem, read_program(output, problem.tests)) for problem, output in pairs]
    keys = [_key(problem, program) for problem, program in programs]
    cached = cache.get_many(keys) if cache else {}

    def score_one(key: bytes, pair: tuple[Problem, str]) -> Score:
        problem, program = pair
        if key in cached or not problem.tests:
            return Score(cached.get(key) == _PASSED, program)
        result = _run(problem, program, unsafe)
        if cache and not result.unsafe and result.reason in ("passed", "failed"):
            cache.put_many({key: _PASSED if result.passed else b""})
        return Score(result.passed, program, unsafe=result.unsafe)

    with ThreadPoolExecutor(cores()) as pool, progress(len(keys), "running programs", "program") as done:
        scores = []
        for result in pool.map(score_one, keys, programs):
            scores.append(result)
            done(1)
        return scores


def _key(problem: Problem, program: str) -> bytes:
    """Return the cache key of a verdict: a hash of the scorer's code and of everything that is run."""
    parts = [str(fingerprint("pfe.scorers.program")), program, problem.setup, *problem.tests]
    return sha256(json.dumps(parts).encode()).digest()


def _run(problem: Problem, program: str, unsafe: bool) -> Result:
    try:
        return run_tests(program, problem.setup, problem.tests, LIMITS, unsafe)
    except UserError as error:
        raise type(error)(f"{problem.id}: {error}") from None
