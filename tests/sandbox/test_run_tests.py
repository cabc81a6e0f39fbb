"""Programs of models: what passes, what does not and why, and what is left behind."""

import contextlib
import gzip
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.sandbox.process import ProgramEnded, Result, SandboxLimits
from pfe.sandbox.programs import evaluate, run_tests
from tests.conftest import SHARED
from tests.sandbox.machines import lacking

MBPP = SHARED / "canonical" / "mbpp" / "test.jsonl.gz"
try:  # patch releases of Python 3.11 differ in what they raise
    compile("\0", "", "exec")
except (SyntaxError, ValueError) as error:
    NUL_ERROR = type(error).__name__
SHORT = SandboxLimits(seconds=1)
DOUBLE = "def double(n):\n    return 2 * n\n"
TESTS = ("assert double(4) == 8", "assert double(0) == 0")


def test_a_right_program_passes() -> None:
    assert run_tests(DOUBLE, "", TESTS) == Result(True, "passed", "")


def test_without_tests_running_through_passes() -> None:
    assert run_tests(DOUBLE, "", []).passed
    assert run_tests("raise ValueError", "", []).detail == "program: ValueError"


def test_program_setup_and_tests_run_in_that_order_in_one_module() -> None:
    program = "class Node:\n    pass\ndef value(node): return node.n"
    assert run_tests(program, "root = Node()\nroot.n = 3", ["assert value(root) == 3"]).passed


def test_what_a_program_changes_stays_changed_for_the_next_question() -> None:
    program = "seen = []\ndef see(n):\n    seen.append(n)\n    return seen"
    tests = ["assert see(1) == [1]", "assert see(2) == [1, 2]", "assert all(see(n)[-1] == n for n in (5, 6))"]
    assert run_tests(program, "", tests).passed


def test_dataclasses_and_threads_work() -> None:
    program = (
        "from __future__ import annotations\nimport threading\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    n: int\ndef f():\n    got = []\n"
        "    t = threading.Thread(target=lambda: got.append(P(1)))\n    t.start(); t.join()\n    return got"
    )
    assert run_tests(program, "", ["assert f()[0].n == 1"]) == Result(True, "passed", "")


def test_the_standard_library_works() -> None:
    program = (
        "import asyncio, collections, datetime, hashlib, heapq, itertools, json, random, sqlite3, ssl, tempfile\n"
        "async def one(): return 1\ndef f():\n    with tempfile.TemporaryFile() as file: file.write(b'x')\n"
        "    return asyncio.run(one()), json.loads('[2]'), sqlite3.connect(':memory:').execute('select 3').fetchone()"
    )
    assert run_tests(program, "", ["assert f() == (1, [2], (3,))"]) == Result(True, "passed", "")


@pytest.mark.parametrize(
    ("program", "reason", "detail"),
    [
        ("def double(n): return n + 4", "failed", "test 2: AssertionError"),
        ("def double(n): yield 8", "failed", "test 1: AssertionError (double(4) is no literal but a generator)"),
        ("def double(n): return 8 / n", "failed", "test 1: AssertionError"),
        (
            "def double(n): return 8 // (4 - n)",
            "failed",
            "test 1: ZeroDivisionError: integer division or modulo by zero",
        ),
        ("double = 1 / 0", "failed", "program: ZeroDivisionError: division by zero"),
        ("def double(n", "failed", "program: SyntaxError: '(' was never closed (<program>, line 1)"),
        ("a\0b", "failed", f"program: {NUL_ERROR}: source code string cannot contain null bytes"),
        ("'\ud800'", "failed", "program: UnicodeEncodeError"),
        ("", "failed", "test 1: NameError: name 'double' is not defined"),
        ("input()", "failed", "program: EOFError"),
        ("import ctypes; ctypes.string_at(0)", "error", "killed by signal 11"),
        ("x = bytearray(10 ** 10)", "memory", "program"),
        ("x = []\nwhile True: x.append('a' * 10 ** 6)", "memory", "program"),
        ("def double(n): return 'a' * 2_000_000", "failed", "test 1: the answer is longer than"),
        ("def double(n): return double(n)", "failed", "test 1: RecursionError"),
    ],
)
def test_a_wrong_program_fails_with_a_reason(program: str, reason: str, detail: str) -> None:
    result = run_tests(program, "", TESTS, SandboxLimits(seconds=10))
    assert (result.passed, result.reason) == (False, reason)
    assert result.detail.startswith(detail)


@pytest.mark.slow
@pytest.mark.parametrize("program", ["while True: pass", "import time\ntime.sleep(60)"])
def test_an_endless_program_is_stopped(program: str) -> None:
    result = run_tests(program, "", TESTS, SHORT)
    assert (result.passed, result.reason) == (False, "timeout")
    result = run_tests(f"def double(n):\n    {program.replace(chr(10), '; ')}", "", TESTS, SHORT)
    assert (result.passed, result.reason) == (False, "timeout")


def test_output_however_long_is_dropped() -> None:
    program = f"import sys\nfor _ in range(2000):\n    print('x' * 10000)\n    sys.stderr.write('y' * 10000)\n{DOUBLE}"
    assert run_tests(program, "", TESTS).passed


def test_a_program_sees_no_environment_and_no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    assert run_tests("import os\ndef f(): return 'SECRET_KEY' in os.environ", "", ["assert f() == False"]).passed
    assert run_tests("import numpy", "", []).detail.startswith("program: ModuleNotFoundError")


def test_strings_hash_the_same_in_every_run() -> None:
    assert evaluate("", "hash('abc')") == evaluate("", "hash('abc')")


def test_large_programs_and_many_tests_come_through() -> None:
    assert run_tests(f"text = {'x' * 300_000!r}\n{DOUBLE}", "", [*TESTS] * 3000, SandboxLimits(seconds=20)).passed


def test_an_expression_is_evaluated_after_the_program() -> None:
    assert evaluate(DOUBLE, "double([1, None, 'a'])") == [1, None, "a"] * 2
    with pytest.raises(ProgramEnded, match="failed: expression: TypeError") as told:
        evaluate(DOUBLE, "double(None)")
    assert told.value.result.reason == "failed"


def open_files() -> set[tuple[str, str]]:
    """Every open descriptor of this process, and what it leads to."""
    folder = Path("/proc/self/fd")
    found = set()
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            found.add((name, os.readlink(folder / name)))
    return found


@pytest.mark.gate
def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    threads, files = set(threading.enumerate()), open_files()
    for program in (DOUBLE, "import os\nos._exit(0)", "while True: pass", "import time\ntime.sleep(99)"):
        run_tests(program, "", TESTS, SHORT)
    # Fewer are no fault: another test's threads may end meanwhile.
    assert (set(threading.enumerate()) - threads, open_files() - files) == (set(), set())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("broken", ['"unshare", NAMESPACES', '"prctl", PR_SET_SECCOMP'])
def test_a_machine_that_cannot_isolate_is_refused_unless_told_otherwise(
    broken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lacking(broken, tmp_path, monkeypatch)
    with pytest.raises(UserError, match=r"evaluate\.unsafe_code=true"):
        run_tests(DOUBLE, "", TESTS)
    assert run_tests(DOUBLE, "", TESTS, unsafe=True) == Result(True, "passed", "", unsafe=True)
    wrong = run_tests("def double(n): return n", "", TESTS, unsafe=True)
    assert (wrong.passed, wrong.unsafe) == (False, True)


def test_what_could_be_isolated_is_not_marked_as_unsafe() -> None:
    assert not run_tests(DOUBLE, "", TESTS, unsafe=True).unsafe


def test_other_systems_than_linux_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(UserError, match="Linux"):
        run_tests(DOUBLE, "", TESTS)


@pytest.mark.slow
def test_the_reference_programs_of_mbpp_pass() -> None:
    if not MBPP.exists():
        pytest.skip(f"{MBPP} is missing: the reference programs are not checked")
    with gzip.open(MBPP, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]

    def result(row: dict[str, list[str]]) -> Result:
        tests = [*row["test_list"], *row["challenge_test_list"]]
        return run_tests(str(row["code"]), str(row["test_setup_code"]), tests, SandboxLimits(seconds=20))

    with ThreadPoolExecutor(2) as pool:
        results = dict(zip((row["task_id"] for row in rows), pool.map(result, rows), strict=True))
    assert {id: result for id, result in results.items() if not result.passed} == {}
    assert len(results) == 500


def test_a_program_starts_without_slow_imports() -> None:
    loaded = evaluate("", "sorted(set(__import__('sys').modules) & {'typing', 're', 'dataclasses', 'pathlib'})")
    assert loaded == []
