"""Measuring untrusted formulas: limits end what hangs or explodes, the others are answered, answers are kept."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pfe.cache import Cache
from pfe.expressions import measure as module
from pfe.expressions import pool as pool_module
from pfe.expressions.measure import Limits, Question, measure
from pfe.expressions.pool import Conversation, Pool, Reply
from tests.conftest import ROOT
from tests.expressions.formulas import Formula, formulas

COLUMNS = ("x1", "x2", "x3", "x4", "x5", "x6")
HANGS = "sin(x1)*" + "*".join(f"cos({number}*x{number % 6 + 1} + 1)" for number in range(1, 12))
EXPLODES = "(x1 + x2 + x3 + x4 + x5 + x6)**60/(x1 + x2 + x3 + x4 + x5 + x6 + 1)**60 + 1/x1"


def children() -> list[int]:
    """Those that measure; other tests of the same worker may have left some of their own."""
    found = psutil.Process().children(recursive=True)
    return [child.pid for child in found if "pfe.expressions.child" in child.cmdline()]


def test_a_simplification_that_hangs_ends_by_its_limit_and_the_others_are_answered() -> None:
    questions = [Question(text, COLUMNS) for text in (HANGS, "x1 + x1", HANGS + "+ x2", "x1/x2")]
    hanging, doubled, also, quotient = measure(questions, Limits(seconds=1), None, workers=2)
    assert (hanging.status, hanging.simplified) == ("timeout", hanging.parsed)
    assert hanging.features == COLUMNS
    assert also.status == "timeout"
    assert (doubled.parsed, doubled.simplified, doubled.features) == (3, 3, ("x1",))
    assert quotient.simplified == 5
    assert children() == []


def test_what_takes_too_much_memory_fails_alone() -> None:
    questions = [Question(EXPLODES, COLUMNS), Question("x1 - x2", COLUMNS)]
    exploding, harmless = measure(questions, Limits(seconds=60, memory_mb=24), None, workers=1)
    assert (exploding.status, exploding.reason) == ("failed", "takes more than 24 MB")
    assert exploding.simplified == exploding.parsed
    assert (harmless.status, harmless.simplified) == ("simplified", 5)


def test_long_and_deep_formulas_are_measured() -> None:
    chain = "+".join(f"{number}*x{number % 6 + 1}" for number in range(3000))
    texts = [chain, "(" * 500 + "x1" + ")" * 500, "x2-(" * 3000 + "x1" + ")" * 3000]
    found = measure([Question(text, COLUMNS) for text in texts], Limits(seconds=30), None, workers=1)
    assert [measured.parsed for measured in found] == [1 + 6 * 3, 1, 1]
    assert {measured.status for measured in found} == {"simplified"}


def test_what_is_too_deep_to_simplify_in_time_is_counted_and_takes_no_child_down() -> None:
    deep = Question("sin(" * 200 + "x1" + ")" * 200, COLUMNS)
    nested, harmless = measure([deep, Question("x1", COLUMNS)], Limits(seconds=2), None, workers=1)
    assert (nested.parsed, nested.simplified, nested.features) == (201, 201, ("x1",))
    assert not nested.reason.startswith("ended its process")
    assert harmless.simplified == 1


def test_simplified_components_and_the_columns_that_remain() -> None:
    question = Question("sin(x1)**2 + cos(x1)**2 + x2 - x2 + (x3**2 - 1)/(x3 - 1)", COLUMNS)
    (found,) = measure([question], Limits(), None, workers=1)
    assert (found.parsed, found.simplified, found.features) == (20, 3, ("x3",))


LONGER = ("x1/(x2 + 1) + 1/(x1 + 2)", "1.5*x1/(x1 + 0.3) + 2.1/(x2 + 1.7)", "log(x1)/(x1 + 1) + x2/(x1 - 1)")


def test_a_model_that_simplifying_makes_longer_counts_as_it_was_told() -> None:
    """sympy 1.14 makes 19, 22 and 23 components of these 13, 16 and 16: it joins the fractions."""
    *longer, shorter = measure([Question(text, COLUMNS) for text in (*LONGER, "x1*x2/x2")], Limits(), None, workers=1)
    assert [(one.status, one.parsed, one.simplified, one.counted) for one in longer] == [
        ("simplified", 13, 13, "parsed"),
        ("simplified", 16, 16, "parsed"),
        ("simplified", 16, 16, "parsed"),
    ]
    assert all("components when simplified" in one.reason for one in longer)
    assert (shorter.counted, shorter.simplified) == ("simplified", 1)


@settings(max_examples=2, phases=[Phase.generate])
@given(st.lists(formulas, min_size=30, max_size=30))
def test_no_model_counts_more_than_as_it_was_told(several: list[Formula]) -> None:
    questions = [Question(formula.text, ("x0", "x1", "x2")) for formula in several]
    for measured in measure(questions, Limits(seconds=0.5), None, workers=1):
        assert measured.parsed
        assert measured.simplified
        assert measured.simplified <= measured.parsed
        assert measured.counted == "simplified" or measured.simplified == measured.parsed


def test_processor_time_is_what_ends_a_child_and_not_the_clock() -> None:
    """A child that is stopped for longer than its limit goes on where it was, and answers."""

    def stopped() -> Conversation[list[Reply]]:
        first = yield {"task": "count", "model": "x1", "columns": COLUMNS}
        (pid,) = children()
        psutil.Process(pid).suspend()
        threading.Timer(1.5, psutil.Process(pid).resume).start()
        return [first, (yield {"task": "count", "model": "x1*x2", "columns": COLUMNS})]

    with Pool(1, seconds=0.5, memory_mb=512) as pool:
        ((_, replies),) = pool.run([stopped()])
    assert [reply.status for reply in replies] == ["done", "done"]


def test_what_the_clock_ended_is_told_but_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the patience with a busy machine is half a second."""
    cache, question = Cache(tmp_path / "entries.sqlite"), Question(HANGS, COLUMNS)
    with monkeypatch.context() as patch:
        patch.setattr(pool_module, "PATIENCE", 0.0)
        patch.setattr(pool_module, "MARGIN", 0.5)
        (stalled,) = measure([question], Limits(seconds=1), cache, workers=1)
    assert (stalled.status, "busy machine" in stalled.reason) == ("timeout", True)
    told: list[int] = []
    (found,) = measure([question], Limits(seconds=1), cache, workers=1, done=told.append)
    assert (told, found.status, "processor time" in found.reason) == ([0, 1], "timeout", True)


def test_rounding_is_off_by_default_and_deletes_what_is_small() -> None:
    question = Question("1.23456*x1 + 0.0004*x2", COLUMNS)
    (exact,) = measure([question], Limits(), None, workers=1)
    (rounded,) = measure([question], Limits(decimals=3), None, workers=1)
    assert (exact.simplified, exact.features) == (7, ("x1", "x2"))
    assert (rounded.parsed, rounded.simplified, rounded.features) == (7, 3, ("x1",))


def test_what_is_no_real_number_keeps_the_count_of_its_text() -> None:
    found = measure([Question("x1 + 1/(x2 - x2)", COLUMNS)], Limits(), None, workers=1)
    assert [(measured.status, measured.simplified) for measured in found] == [("failed", 11)]


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
        measure(questions, Limits(seconds=1), cache, workers=1, done=interrupted)
    assert (told, children()) == ([0, 1, 1], [])
    told.clear()
    found = measure(questions, Limits(seconds=1), cache, workers=1, done=told.append)
    assert told == [2, 1]

    monkeypatch.setattr(module, "Pool", lambda workers, *given: _NoChildren(workers))
    assert measure(questions, Limits(seconds=1), cache, workers=1) == found
    assert [measured.status for measured in found] == ["simplified", "simplified", "simplified", "timeout"]


class _NoChildren(Pool):
    def __init__(self, workers: int) -> None:
        assert workers == 0
        super().__init__(workers, 0, 0)


def test_other_limits_are_another_question() -> None:
    question = Question("x1", COLUMNS)
    keys = {module._key(question, limits) for limits in (Limits(), Limits(seconds=9), Limits(decimals=3))}
    assert len(keys) == 3


def test_a_child_that_was_killed_while_idle_is_replaced() -> None:
    def killing() -> Conversation[list[Reply]]:
        replies = [(yield {"task": "count", "model": "x1", "columns": COLUMNS})]
        (pid,) = children()
        os.kill(pid, signal.SIGKILL)
        psutil.wait_procs([psutil.Process(pid)], timeout=5)
        return [*replies, (yield {"task": "count", "model": "x1*x2", "columns": COLUMNS})]

    with Pool(1, seconds=30, memory_mb=512) as pool:
        ((_, replies),) = pool.run([killing()])
    assert [reply.value["components"] for reply in replies] == [1, 3]


def test_the_same_questions_have_the_same_answers_in_any_order() -> None:
    texts = ["(x1**2 + 2*x1*x2 + x2**2)/(x1 + x2)", "exp(x1)*exp(x2) + sin(x3)/cos(x3)", "sqrt(x1**2) + abs(x2)*x1"]
    questions = [Question(text, COLUMNS) for text in texts]
    forward = measure(questions, Limits(), None, workers=1)
    assert measure(questions[::-1], Limits(), None, workers=2) == forward[::-1]


def test_a_wrong_truth_and_wrong_ranges_are_refused_before_anything_starts() -> None:
    with pytest.raises(ValueError, match="unknown name 'y'"):
        measure([Question("x1", COLUMNS, "y")], Limits(), None, workers=1)
    with pytest.raises(ValueError, match="1 ranges for the 6 columns"):
        measure([Question("x1", COLUMNS, "x1", ((0.0, 1.0),))], Limits(), None, workers=1)


def used(processes: list[psutil.Process]) -> float:
    """Seconds of CPU."""
    return sum(process.cpu_times().user for process in processes)


def test_an_interrupt_leaves_no_children(tmp_path: Path) -> None:
    """In a process of its own, at Ctrl-C, while two children are at formulas that hang."""
    script = f"""
import signal
from pfe.expressions.measure import Limits, Question, measure
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process started in the background ignores it
questions = [Question({HANGS!r} + f" + {{number}}", {COLUMNS!r}) for number in range(4)]
questions.append(Question("x1", ("x1",)))
measure(questions[::-1], Limits(seconds=100), None, 2, lambda answered: print(answered, flush=True))
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline() for _ in range(2)] == ["0\n", "1\n"]
        started = psutil.Process(parent.pid).children(recursive=True)
        before = used(started)
        while used(started) < before + 1.5:
            time.sleep(0.1)
        parent.send_signal(signal.SIGINT)
        assert parent.wait(30) != 0
    assert len(started) == 2
    assert psutil.wait_procs(started, timeout=10)[1] == []


def test_the_child_speaks_one_line_of_json_a_request() -> None:
    request = {"task": "count", "model": "x1 - x2", "columns": ["x1", "x2"], "seconds": 10}
    told = subprocess.run(
        [sys.executable, "-m", "pfe.expressions.child", "256"],
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert [json.loads(line) for line in told.stdout.splitlines()] == [{}, {"components": 5, "real": True}]
