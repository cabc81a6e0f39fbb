"""Programs of models: what passes, what does not, and what they cannot do to the machine."""

import gzip
import json
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pfe import sandbox
from pfe.errors import UserError
from pfe.sandbox import Limits, Result, run_tests

MBPP = Path(__file__).resolve().parents[3] / "shared" / "canonical" / "mbpp" / "test.jsonl.gz"
try:  # patch releases of Python 3.11 differ in what they raise
    compile("\0", "", "exec")
except (SyntaxError, ValueError) as error:
    NUL_ERROR = type(error).__name__
SHORT = Limits(seconds=1)
DOUBLE = "def double(n):\n    return 2 * n\n"
TESTS = ("assert double(4) == 8", "assert double(0) == 0")


def test_a_right_program_passes() -> None:
    assert run_tests(DOUBLE, "", TESTS) == Result(True, "passed", "")


def test_program_setup_and_tests_run_in_that_order_in_one_module() -> None:
    program = "class Node:\n    pass\ndef value(node): return node.n"
    assert run_tests(program, "root = Node()\nroot.n = 3", ["assert value(root) == 3"]).passed


def test_dataclasses_and_threads_work() -> None:
    program = (
        "from __future__ import annotations\nimport threading\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    n: int\ndef f():\n    got = []\n"
        "    t = threading.Thread(target=lambda: got.append(P(1)))\n    t.start(); t.join()\n    return got"
    )
    assert run_tests(program, "", ["assert f() == [P(1)]"]) == Result(True, "passed", "")


@pytest.mark.parametrize(
    ("program", "reason", "detail"),
    [
        ("def double(n): return n + 4", "failed", "test 2: AssertionError"),
        ("double = 1 / 0", "failed", "program: ZeroDivisionError: division by zero"),
        ("def double(n", "failed", "program: SyntaxError: '(' was never closed (<program>, line 1)"),
        ("a\0b", "failed", f"program: {NUL_ERROR}: source code string cannot contain null bytes"),
        ("'\ud800'", "failed", "program: UnicodeEncodeError"),
        ("", "failed", "test 1: NameError: name 'double' is not defined"),
        ("input()", "failed", "program: EOFError"),
        ("import ctypes; ctypes.string_at(0)", "error", "killed by signal 11"),
        ("x = bytearray(10 ** 10)", "memory", "program"),
        ("x = []\nwhile True: x.append('a' * 10 ** 6)", "memory", "program"),
    ],
)
def test_a_wrong_program_fails_with_a_reason(program: str, reason: str, detail: str) -> None:
    result = run_tests(program, "", TESTS, Limits(seconds=10))
    assert (result.passed, result.reason) == (False, reason)
    assert result.detail.startswith(detail)


@pytest.mark.parametrize("program", ["while True: pass", "import time\ntime.sleep(60)"])
def test_an_endless_program_is_stopped(program: str) -> None:
    result = run_tests(program, "", TESTS, SHORT)
    assert (result.passed, result.reason) == (False, "timeout")


@pytest.mark.parametrize(
    "program",
    [
        "import sys\nsys.exit(0)",
        "import os\nos._exit(0)",
        "import os\ndef double(n): os._exit(0)",
        "def double(n): raise SystemExit",
        "print('passed')\nimport os\nos._exit(0)",
        "import os\nfor pipe in range(3, 60):\n    try: os.write(pipe, b'passed' * 20000)\n    except OSError: pass",
        "import builtins\nbuiltins.exec = builtins.compile = lambda *a: None\nimport os\nos.read = lambda *a: b''",
        "import os\nos.kill(0, 9)",
        "import os\nos.abort()",
    ],
)
def test_a_verdict_is_not_to_be_had_by_exiting_or_printing(program: str) -> None:
    assert not run_tests(program, "", TESTS, SHORT).passed


@pytest.mark.parametrize(
    "attempt",
    [
        "while True: os.fork()",
        "subprocess.run(['true'])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.kill(os.getppid() or 1 << 21, 9)",
        "os.kill(-1, 9)\nraise OSError",
        "ctypes.CDLL(None, use_errno=True).unshare(0x10000000) and (_ for _ in ()).throw(OSError)",
    ],
)
def test_no_process_is_started_or_harmed(attempt: str) -> None:
    program = f"import ctypes, os, subprocess\ntry:\n    {attempt.replace(chr(10), chr(10) + '    ')}\n"
    program += "    refused = False\nexcept OSError:\n    refused = True\n"
    assert run_tests(program, "", ["assert refused"], SHORT) == Result(True, "passed", "")


def test_the_network_is_out_of_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        program = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), timeout=1)"
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            pass
        assert run_tests(program, "", [], SHORT).detail.startswith("program: PermissionError")
    ours = os.readlink("/proc/self/ns/net")
    assert run_tests("import os", "", [f"assert os.readlink('/proc/self/ns/net') != {ours!r}"]).passed


def test_only_the_own_directory_can_be_written_and_it_is_gone_afterwards(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("ours")
    result = run_tests(f"open({str(outside)!r}, 'w')", "", [])
    assert result.detail.startswith("program: OSError: [Errno 30] Read-only file system")
    assert outside.read_text() == "ours"
    program = "import os\nopen('own', 'w').write('x')\nhere = os.getcwd()\nprint(here)"
    assert run_tests(program, "", ["assert open('own').read() == 'x'", "assert os.listdir(here) == ['own']"]).passed
    assert run_tests("open('own', 'w').write('x' * 10 ** 9)", "", []).reason in ("failed", "memory")


def test_output_however_long_is_dropped() -> None:
    program = f"import sys\nfor _ in range(2000):\n    print('x' * 10000)\n    sys.stderr.write('y' * 10000)\n{DOUBLE}"
    assert run_tests(program, "", TESTS).passed


def test_a_program_sees_no_environment_and_no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    assert run_tests("import os", "", ["assert 'SECRET_KEY' not in os.environ"]).passed
    assert run_tests("import numpy", "", []).detail.startswith("program: ModuleNotFoundError")


def test_strings_hash_the_same_in_every_run() -> None:
    tests = [f"assert hash('abc') == {value}" for value in _hashes()]
    assert run_tests("", "", tests).passed


def _hashes() -> set[str]:
    found = [run_tests("raise ValueError(hash('abc'))", "", []).detail.rpartition(" ")[2] for _ in range(2)]
    return set(found)


def test_large_programs_and_many_tests_come_through() -> None:
    assert run_tests(f"text = {'x' * 300_000!r}\n{DOUBLE}", "", [*TESTS] * 3000, Limits(seconds=20)).passed


def test_nothing_is_left_behind() -> None:
    before, open_files = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for program in (DOUBLE, "import os\nos._exit(0)", "while True: pass"):
        run_tests(program, "", TESTS, SHORT)
    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == (before, open_files)


def test_a_machine_that_cannot_isolate_is_refused_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = sandbox.INSIDE.read_text().replace('"unshare", NAMESPACES', '"no_such_call", NAMESPACES')
    (tmp_path / "inside.py").write_text(source)
    monkeypatch.setattr(sandbox, "INSIDE", tmp_path / "inside.py")
    with pytest.raises(UserError, match="PFE_UNSAFE_SANDBOX=1"):
        run_tests(DOUBLE, "", TESTS)
    assert run_tests(DOUBLE, "", TESTS, unsafe=True).passed
    monkeypatch.setenv("PFE_UNSAFE_SANDBOX", "1")
    assert run_tests(DOUBLE, "", TESTS).passed
    assert not run_tests("def double(n): return n", "", TESTS).passed


def test_other_systems_than_linux_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(UserError, match="Linux"):
        run_tests(DOUBLE, "", TESTS)


def test_the_reference_programs_of_mbpp_pass() -> None:
    if not MBPP.exists():
        pytest.skip(f"{MBPP} is missing: the reference programs are not checked")
    with gzip.open(MBPP, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]

    def result(row: dict[str, list[str]]) -> Result:
        return run_tests(str(row["code"]), str(row["test_setup_code"]), row["test_list"], Limits(seconds=20))

    with ThreadPoolExecutor(2) as pool:
        results = dict(zip((row["task_id"] for row in rows), pool.map(result, rows), strict=True))
    assert {id: result for id, result in results.items() if not result.passed} == {}
    assert len(results) == 500
