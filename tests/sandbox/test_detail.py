"""The detail of a result is short whatever a program does, and says how much is missing."""

import re

import pytest

from pfe.firewall.behaviour import Behaviour
from pfe.problem import Problem
from pfe.sandbox.detail import LONGEST, describe, shortened
from pfe.sandbox.process import ProgramEnded, Result
from pfe.sandbox.programs import evaluate, run_tests

LONG = "x" * 450_000
FORGE = (
    "import os\ndef forge(text):\n    answer = text.encode()\n    for pipe in range(64):\n"
    "        try: os.write(pipe, len(answer).to_bytes(8, 'little') + answer)\n        except OSError: pass\n"
    "    os._exit(0)\n"
)


def noted(detail: str) -> bool:
    return re.search(r" \[… [\d,]+ characters cut …\] ", detail) is not None


@pytest.mark.parametrize(
    ("program", "test"),
    [
        (f"raise ValueError({LONG!r})", ""),
        ("raise ValueError('x' * 2_000_000)", ""),
        ("def f(n): raise type('x' * 450_000, (Exception,), {})", "assert f(1) == 1"),
        ("def f(n): return 'x' * 450_000", "assert {'a': 1}[f(1)] == 1"),
        (f"{FORGE}def f(n): forge('=[\"opaque\", \"' + 'x' * 450_000 + '\", true]')", "assert f(1) == 1"),
        (f"{FORGE}def f(n): forge('!' + 'x' * 450_000)", "assert f(1) == 1"),
        (f"{FORGE}def f(n): forge('=[\"' + 'x' * 450_000 + '\"]')", "assert f(1) == 1"),
        (f"def f(n): return {{}}[{LONG!r}]", "assert f(1) == 1"),
    ],
)
def test_however_a_detail_arises_it_is_short(program: str, test: str) -> None:
    result = run_tests(program, "", [test] if test else [])
    assert not result.passed
    assert len(result.detail) <= LONGEST
    assert noted(result.detail)


def test_the_expression_that_is_evaluated_may_fail_at_length() -> None:
    with pytest.raises(ProgramEnded) as ended:
        evaluate("", f"{{}}[{LONG!r}]")
    assert len(str(ended.value)) < LONGEST + 20
    assert noted(str(ended.value))


def test_a_forged_reason_of_the_firewall_is_short() -> None:
    canonical = Problem("c", "", "code", "", "def f(n): return n", tests=("assert f(1) == 1",))
    reply = "'=[\"tuple\", \"broken\", \"' + 'x' * 450_000 + '\"]'"
    program = f"{FORGE}def f(n): forge({reply})\nforge({reply})"
    candidate = Problem("d", "", "code", "", program, tests=("assert f(1) == 1",))
    (match,) = Behaviour([canonical], None, 1).find([candidate])
    assert 0 < len(match.error) <= LONGEST
    assert noted(match.error)


@pytest.mark.parametrize("length", [0, 1, LONGEST - 1, LONGEST, LONGEST + 1, 10 * LONGEST, 10**7])
def test_both_ends_are_kept_and_the_rest_is_counted(length: int) -> None:
    text = "".join(chr(97 + n % 26) for n in range(length))
    short = shortened(text)
    assert len(short) <= LONGEST
    if length <= LONGEST:
        assert short == text
    else:
        start, cut, end = re.split(r" \[… ([\d,]+) characters cut …\] ", short)
        assert text.startswith(start)
        assert text.endswith(end)
        assert len(start) + len(end) + int(cut.replace(",", "")) == length
    assert shortened(short) == short
    assert Result(False, "failed", text).detail == short


def test_an_error_that_cannot_be_shown_is_described() -> None:
    assert run_tests("def f(n): return 10 ** 4000", "", ["assert {1: 2}[f(1) * f(1)] == 1"]).reason == "failed"
    assert describe(KeyError(10**5000)) == "an exception that cannot be shown"
    assert describe(ValueError()) == "ValueError"
