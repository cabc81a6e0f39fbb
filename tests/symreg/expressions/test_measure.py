"""Measuring untrusted formulas: limits end what hangs or explodes, the others are answered, answers are kept."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pfe.cache import Cache
from pfe.processes.pool import Pool
from pfe.symreg.expressions import measure as module
from pfe.symreg.expressions.measure import Question, StepLimits, measure
from tests.children import children_running
from tests.conftest import ROOT
from tests.symreg.expressions.formulas import Formula, formulas

STEPS = "pfe.symreg.expressions.steps"
COLUMNS = ("x1", "x2", "x3", "x4", "x5", "x6")
HANGS = "sin(x1)*" + "*".join(f"cos({number}*x{number % 6 + 1} + 1)" for number in range(1, 12))
EXPLODES = "(x1 + x2 + x3 + x4 + x5 + x6)**60/(x1 + x2 + x3 + x4 + x5 + x6 + 1)**60 + 1/x1"


@pytest.mark.slow
def test_a_simplification_that_hangs_ends_by_its_limit_and_the_others_are_answered() -> None:
    questions = [Question(text, COLUMNS) for text in (HANGS, "x1 + x1", HANGS + "+ x2", "x1/x2")]
    hanging, doubled, also, quotient = measure(questions, StepLimits(seconds=1), None, workers=2)
    assert (hanging.status, hanging.simplified) == ("timeout", hanging.parsed)
    assert hanging.features == COLUMNS
    assert also.status == "timeout"
    assert (doubled.parsed, doubled.simplified, doubled.features) == (3, 3, ("x1",))
    assert quotient.simplified == 5
    assert children_running(STEPS) == []


@pytest.mark.slow
def test_what_takes_too_much_memory_fails_alone() -> None:
    questions = [Question(EXPLODES, COLUMNS), Question("x1 - x2", COLUMNS)]
    exploding, harmless = measure(questions, StepLimits(seconds=60, memory_mb=24), None, workers=1)
    assert (exploding.status, exploding.reason) == ("failed", "takes more than 24 MB")
    assert exploding.simplified == exploding.parsed
    assert (harmless.status, harmless.simplified) == ("simplified", 5)


@pytest.mark.slow
def test_long_and_deep_formulas_are_measured() -> None:
    chain = "+".join(f"{number}*x{number % 6 + 1}" for number in range(3000))
    texts = [chain, "(" * 500 + "x1" + ")" * 500, "x2-(" * 3000 + "x1" + ")" * 3000]
    found = measure([Question(text, COLUMNS) for text in texts], StepLimits(seconds=30), None, workers=1)
    assert [measured.parsed for measured in found] == [1 + 6 * 3, 1, 1]
    assert {measured.status for measured in found} == {"simplified"}


@pytest.mark.slow
def test_what_is_too_deep_to_simplify_in_time_is_counted_and_takes_no_child_down() -> None:
    deep = Question("sin(" * 200 + "x1" + ")" * 200, COLUMNS)
    nested, harmless = measure([deep, Question("x1", COLUMNS)], StepLimits(seconds=2), None, workers=1)
    assert (nested.parsed, nested.simplified, nested.features) == (201, 201, ("x1",))
    assert not nested.reason.startswith("ended its process")
    assert harmless.simplified == 1


def test_simplified_components_and_the_columns_that_remain() -> None:
    question = Question("sin(x1)**2 + cos(x1)**2 + x2 - x2 + (x3**2 - 1)/(x3 - 1)", COLUMNS)
    (found,) = measure([question], StepLimits(), None, workers=1)
    assert (found.parsed, found.simplified, found.features) == (20, 3, ("x3",))


LONGER = ("x1/(x2 + 1) + 1/(x1 + 2)", "1.5*x1/(x1 + 0.3) + 2.1/(x2 + 1.7)", "log(x1)/(x1 + 1) + x2/(x1 - 1)")


def test_a_model_that_simplifying_makes_longer_counts_as_it_was_told() -> None:
    """sympy 1.14 makes 19, 22 and 23 components of these 13, 16 and 16: it joins the fractions."""
    *longer, shorter = measure(
        [Question(text, COLUMNS) for text in (*LONGER, "x1*x2/x2")], StepLimits(), None, workers=1
    )
    assert [(one.status, one.parsed, one.simplified, one.counted) for one in longer] == [
        ("simplified", 13, 13, "parsed"),
        ("simplified", 16, 16, "parsed"),
        ("simplified", 16, 16, "parsed"),
    ]
    assert all("components when simplified" in one.reason for one in longer)
    assert (shorter.counted, shorter.simplified) == ("simplified", 1)


@pytest.mark.slow
@settings(max_examples=2, phases=[Phase.generate])
@given(st.lists(formulas, min_size=30, max_size=30))
def test_no_model_counts_more_than_as_it_was_told(several: list[Formula]) -> None:
    questions = [Question(formula.text, ("x0", "x1", "x2")) for formula in several]
    for measured in measure(questions, StepLimits(seconds=0.5), None, workers=1):
        assert measured.parsed
        assert measured.simplified
        assert measured.simplified <= measured.parsed
        assert measured.counted == "simplified" or measured.simplified == measured.parsed


@pytest.mark.slow
def test_what_the_clock_ended_is_told_but_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the patience with a busy machine is half a second."""
    cache, question = Cache(tmp_path / "entries.sqlite"), Question(HANGS, COLUMNS)
    with monkeypatch.context() as patch:
        patch.setattr(module, "PATIENCE", 0.0)
        patch.setattr(module, "MARGIN", 0.5)
        (stalled,) = measure([question], StepLimits(seconds=1), cache, workers=1)
    assert (stalled.status, "busy machine" in stalled.reason) == ("timeout", True)
    told: list[int] = []
    (found,) = measure([question], StepLimits(seconds=1), cache, workers=1, done=told.append)
    assert (told, found.status, "processor time" in found.reason) == ([0, 1], "timeout", True)


@pytest.mark.slow
def test_rounding_is_off_by_default_and_deletes_what_is_small() -> None:
    question = Question("1.23456*x1 + 0.0004*x2", COLUMNS)
    (exact,) = measure([question], StepLimits(), None, workers=1)
    (rounded,) = measure([question], StepLimits(decimals=3), None, workers=1)
    assert (exact.simplified, exact.features) == (7, ("x1", "x2"))
    assert (rounded.parsed, rounded.simplified, rounded.features) == (7, 3, ("x1",))


def test_what_is_no_real_number_keeps_the_count_of_its_text() -> None:
    found = measure([Question("x1 + 1/(x2 - x2)", COLUMNS)], StepLimits(), None, workers=1)
    assert [(measured.status, measured.simplified) for measured in found] == [("failed", 11)]


@pytest.mark.slow
def test_answers_are_kept_one_by_one_and_equal_questions_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "entries.sqlite")
    questions = [Question(text, COLUMNS) for text in ("x1", "x1*x2", "x1", HANGS)]
    told: list[int] = []

    def interrupted(answered: int) -> None:
        told.append(answered)
        if sum(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(questions, StepLimits(seconds=1), cache, workers=1, done=interrupted)
    assert (told, children_running(STEPS)) == ([0, 1, 1], [])
    told.clear()
    found = measure(questions, StepLimits(seconds=1), cache, workers=1, done=told.append)
    assert told == [2, 1]

    monkeypatch.setattr(module, "Pool", _NoChildren)
    assert measure(questions, StepLimits(seconds=1), cache, workers=1) == found
    assert [measured.status for measured in found] == ["simplified", "simplified", "simplified", "timeout"]


class _NoChildren(Pool):
    def __init__(self, workers: int, modules: Sequence[str]) -> None:
        assert workers == 0
        super().__init__(workers, modules)


@pytest.mark.slow
def test_other_limits_are_another_question(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "entries.sqlite")
    told: list[int] = []
    for limits in (StepLimits(), StepLimits(seconds=9), StepLimits(decimals=3), StepLimits()):
        measure([Question("x1", COLUMNS)], limits, cache, workers=1, done=told.append)
    assert told == [0, 1, 0, 1, 0, 1, 1]


def test_the_same_questions_have_the_same_answers_in_any_order() -> None:
    texts = ["(x1**2 + 2*x1*x2 + x2**2)/(x1 + x2)", "exp(x1)*exp(x2) + sin(x3)/cos(x3)", "sqrt(x1**2) + abs(x2)*x1"]
    questions = [Question(text, COLUMNS) for text in texts]
    forward = measure(questions, StepLimits(), None, workers=1)
    assert measure(questions[::-1], StepLimits(), None, workers=2) == forward[::-1]


def test_a_wrong_truth_and_wrong_ranges_are_refused_before_anything_starts() -> None:
    with pytest.raises(ValueError, match="unknown name 'y'"):
        measure([Question("x1", COLUMNS, "y")], StepLimits(), None, workers=1)
    with pytest.raises(ValueError, match="1 ranges for the 6 columns"):
        measure([Question("x1", COLUMNS, "x1", ((0.0, 1.0),))], StepLimits(), None, workers=1)


@pytest.mark.slow
def test_an_interrupt_leaves_no_children() -> None:
    """In a process of its own, at Ctrl-C, while two children are at formulas that hang."""
    script = f"""
import signal
from pfe.symreg.expressions.measure import StepLimits, Question, measure
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process started in the background ignores it
questions = [Question({HANGS!r} + f" + {{number}}", {COLUMNS!r}) for number in range(4)]
questions.append(Question("x1", ("x1",)))
measure(questions[::-1], StepLimits(seconds=100), None, 2, lambda answered: print(answered, flush=True))
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline() for _ in range(2)] == ["0\n", "1\n"]
        guards = psutil.Process(parent.pid).children()
        assert len(guards) == 2
        while len(busy := [child for guard in guards for child in guard.children() if child.cpu_times().user > 1]) < 2:
            time.sleep(0.1)
        parent.send_signal(signal.SIGINT)
        assert parent.wait(30) != 0
    assert psutil.wait_procs([*guards, *busy], timeout=10)[1] == []


def test_a_step_replies_in_json() -> None:
    script = """
from pfe.symreg.expressions.steps import run_step
print(run_step("count", {"model": "x1 - x2", "columns": ["x1", "x2"]}, 256).decode())
"""
    reply = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert json.loads(reply.stdout) == {"components": 5, "real": True}
