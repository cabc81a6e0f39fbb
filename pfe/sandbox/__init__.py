"""Programs that a model wrote, run apart from us: no network, no processes, no files but their own.

Example: `run_tests("def double(n):\\n    return 2 * n", "", ["assert double(4) == 8"])` is
`Result(passed=True, reason="passed", detail="")`; were it `n + n + 1`, `Result(False, "failed",
"test 1: AssertionError")`.
"""

import marshal
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, get_args

from pfe.errors import UserError

Reason = Literal["passed", "failed", "timeout", "memory", "error"]
INSIDE = Path(__file__).with_name("inside.py")
LONGEST_REPORT = 65_536  # bytes
GRACE = 5.0  # seconds that starting and ending may take on a busy machine


@dataclass(frozen=True)
class Limits:
    """What a program may use.

    `seconds` are of processor time, rounded up to whole ones; by the clock it has twice as long.
    Beyond `memory_mb` MiB of address space allocation fails. Its files go with it, at most
    `files_mb` MiB of them.
    """

    seconds: float = 5.0
    memory_mb: int = 512
    files_mb: int = 16


@dataclass(frozen=True)
class Result:
    """How a program fared. `reason` is "failed" where program, setup or a test raised or exited, "error"
    where the process died of something else; `detail` says where and of what."""

    passed: bool
    reason: Reason
    detail: str


def run_tests(
    program: str, setup: str, tests: Sequence[str], limits: Limits = Limits(), unsafe: bool = False
) -> Result:
    """Run the program, then the setup, then each test, in one module of a fresh process.

    The process sees no environment, no standard input and no site-packages; strings hash the same in
    every run. It passes by handing over a secret that waits in a pipe until the last test is through,
    so neither exiting nor printing passes. A program that goes looking for that pipe, or whose objects
    equal everything, is not caught.

    Args:
        tests: statements such as `assert double(4) == 8`; where there are none, running through passes.
        unsafe: run also where the process cannot be isolated, as with PFE_UNSAFE_SANDBOX=1 in the environment.

    Raises:
        UserError: the process cannot be isolated on this machine, and `unsafe` is not set.
    """
    if sys.platform != "linux":
        raise UserError(f"programs of models are run on Linux only, not on {sys.platform}; use a Linux machine")
    unsafe = unsafe or os.environ.get("PFE_UNSAFE_SANDBOX") == "1"
    report, secret = b"", secrets.token_bytes(16)
    order = marshal.dumps((program, setup, list(tests), limits.seconds, limits.memory_mb, limits.files_mb, unsafe))
    with tempfile.TemporaryDirectory(prefix="pfe-sandbox-", ignore_cleanup_errors=True) as place:
        process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-S", "-B", str(INSIDE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=place,
            env={"PYTHONHASHSEED": "0"},
            start_new_session=True,
        )
        with suppress(BrokenPipeError), process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(len(order).to_bytes(8, "little") + order + secret)
                process.stdin.flush()
                report = _read(process.stdout, time.monotonic() + 2 * limits.seconds + GRACE)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
    return _result(report, secret)


def _read(pipe: IO[bytes], deadline: float) -> bytes:
    """What comes through a pipe until it is closed, too much has come, or the time is up."""
    report = b""
    while len(report) < LONGEST_REPORT:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        chunk = os.read(pipe.fileno(), LONGEST_REPORT) if ready else b""
        if not chunk:
            break
        report += chunk
    return report


def _result(report: bytes, secret: bytes) -> Result:
    """Make sense of a report: what the program's process wrote, NUL, how its guard saw it end."""
    body, end, ending = report.rpartition(b"\0end ")
    how, _, what = ending.decode(errors="replace").partition(": ")
    if how == "refused":
        raise UserError(
            f"programs of models cannot be run safely here: {what}; allow user namespaces (in a container: "
            "--security-opt seccomp=unconfined), or set PFE_UNSAFE_SANDBOX=1 to run them without protection"
        )
    if not end:
        return Result(False, "error", "the process wrote too much, or its guard was killed")
    if how == "exit" and body == secret:
        return Result(True, "passed", "")
    reason, _, detail = body.decode(errors="replace").partition(": ")
    if how == "timeout":
        return Result(False, "timeout", what)
    if how == "exit" and reason in set(get_args(Reason)) - {"passed"}:
        return Result(False, reason, detail)  # type: ignore[arg-type]
    if how == "exit":
        return Result(False, "failed", "exited before the tests were through")
    return Result(False, "error", f"killed by signal {what}")
