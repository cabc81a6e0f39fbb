"""Programs as outputs: what is run, in what order scores come back, and what is marked."""

import os
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.scorers.outcome import Score
from pfe.scorers.program import score, score_many
from tests.sandbox.machines import lacking

DOUBLE = "def double(n):\n    return 2 * n\n"
TESTS = ("assert double(4) == 8", "assert double(0) == 0")


def problem(tests: tuple[str, ...] = TESTS, setup: str = "") -> Problem:
    return Problem("mbpp/367", "mbpp", "code", "Write a function", DOUBLE, tests=tests, setup=setup)


def test_many_are_scored_in_their_order() -> None:
    outputs = [DOUBLE, "def double(n): return n", "while", f"```python\n{DOUBLE}```", "def double(n): return n + n"]
    scores = score_many((problem(), output) for output in outputs)
    assert [one.correct for one in scores] == [True, False, False, True, True]
    assert scores == [score(problem(), output) for output in outputs]


def test_the_setup_runs_after_the_solution() -> None:
    assert score(problem(("assert double(five) == 10",), "five = double(2) + 1"), DOUBLE).correct


def test_a_test_that_cannot_be_judged_names_its_problem() -> None:
    with pytest.raises(UserError, match=r"^mbpp/367: test"):
        score_many([(problem(("double(4)",)), DOUBLE)] * 3)


def test_a_score_had_without_isolation_is_marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lacking('"unshare", NAMESPACES', tmp_path, monkeypatch)
    assert score(problem(), DOUBLE, unsafe=True) == Score(True, DOUBLE, unsafe=True)
    with pytest.raises(UserError, match="mbpp/367: programs of models cannot be run safely here"):
        score(problem(), DOUBLE)


def test_hundreds_of_open_files_do_not_matter() -> None:
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(800)]
    try:
        assert score(problem(), DOUBLE).correct
    finally:
        for number in held:
            os.close(number)
