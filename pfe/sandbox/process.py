"""An untrusted program in a separate process, which answers one question at a time.

Example: `converse(lambda program: program.evaluate("test 1", "2 * 4", {}), SandboxLimits(), unsafe=False)` is
`(8, False)`.

The process sees only the questions. Its answers are parsed as literals, and an unsolicited answer ends it.
"""

import marshal
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any, Literal, TypeVar

from pfe.errors import UserError
from pfe.fingerprint import ROOT
from pfe.processes.pipes import Silence, ready, receive, send
from pfe.processes.report import report
from pfe.sandbox.answers import value
from pfe.sandbox.cgroup import delegated, group
from pfe.sandbox.detail import shortened
from pfe.sandbox.workplace import workplace

T = TypeVar("T")
Reason = Literal["passed", "failed", "timeout", "memory", "error"]
# Imported from bytecode; `pfe` itself, whose imports take longer than all the rest, is replaced by an empty package.
START = (
    "import sys, types; pfe = sys.modules['pfe'] = types.ModuleType('pfe'); pfe.__path__ = [sys.argv[1] + '/pfe']; "
    "from pfe.sandbox.sandboxed import main; main()"
)
MIB = 1 << 20
LONGEST_ANSWER = 1 << 20  # bytes
LONGEST_REPORT = 4096  # bytes
RESOURCES = {"NOFILE": 64, "NPROC": 256, "SIGPENDING": 64, "MEMLOCK": 0}  # NPROC counts threads
KERNEL_MB = 64  # MiB that the kernel may need for a program, where a control group counts it
GRACE = 5.0  # seconds that starting and ending may take on a busy machine
REMEDY = (
    "allow user namespaces (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container: "
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined), or set evaluate.unsafe_code=true "
    "to run them without protection"
)


@dataclass(frozen=True)
class SandboxLimits:
    """The resource limits of a program.

    `seconds` is CPU time, rounded up to whole seconds; the limit on wall-clock time is twice `seconds`. Allocations
    beyond `memory_mb` MiB of address space fail. A program may write up to `files_mb` MiB of files, which are deleted
    at its end.
    """

    seconds: float = 5.0
    memory_mb: int = 512
    files_mb: int = 16


@dataclass(frozen=True)
class Result:
    """The result of a program. `reason` is "failed" if the program, the setup or a test raised or exited, "error" if
    the process died of another cause; `detail` says where and why, shortened. `unsafe` marks a program that was run
    without isolation."""

    passed: bool
    reason: Reason
    detail: str
    unsafe: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", shortened(self.detail))


class ProgramEnded(Exception):  # noqa: N818
    """A program did not answer, or failed a test; `result` says why."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"{result.reason}: {result.detail}")
        self.result = result


class UnsupportedError(UserError):
    """This system cannot run programs of models, whatever its settings; results that need them are left out."""


class Program:
    """The pipes to the process of a program, used until a deadline (of the monotonic clock)."""

    def __init__(self, questions: int, replies: int, deadline: float) -> None:
        self._questions, self._replies, self._deadline = questions, replies, deadline

    def execute(self, name: str, source: str) -> None:
        """Run statements in the program's module; `name` identifies them in errors.

        Raises:
            ProgramEnded: they raised, ended the process, or took too much time or memory.
        """
        self._ask("exec", name, source, {})

    def evaluate(self, name: str, source: str, bindings: Mapping[str, Any]) -> Any:
        """Return the value of an expression, as a literal; names in `bindings` take precedence over the module's.

        Raises:
            ProgramEnded: as in `execute`, or the answer is invalid.
            TypeError: a value in `bindings` is no literal.
        """
        return self._ask("eval", name, source, bindings)

    def _ask(self, kind: str, name: str, source: str, bindings: Mapping[str, Any]) -> Any:
        try:
            question = marshal.dumps((kind, name, source, dict(bindings)))
        except ValueError:
            raise TypeError("what is no literal cannot be given back to the program") from None
        if ready(self._replies, select.POLLIN) and os.read(self._replies, 1):
            raise ProgramEnded(Result(False, "failed", f"{name}: the program answered before it was asked"))
        try:
            send(self._questions, question, self._deadline)
            reply = receive(self._replies, self._deadline, LONGEST_ANSWER).decode(errors="replace")
            if reply == "M":
                raise ProgramEnded(Result(False, "memory", name))
            if reply.startswith("!"):
                raise ProgramEnded(Result(False, "failed", f"{name}: {reply[1:]}"))
            return value(reply.removeprefix("="))
        except Silence:
            raise ProgramEnded(_SILENCE) from None
        except ValueError as error:
            raise ProgramEnded(Result(False, "failed", f"{name}: {error}")) from None


def converse(talk: Callable[[Program], T], limits: SandboxLimits, unsafe: bool) -> tuple[T, bool]:
    """Return the result of `talk` with a fresh process, and whether the process ran without isolation.

    The process sees no environment, no standard input, no site-packages and, of the machine, only Python and the
    system's libraries; strings hash the same in every run. Nothing remains of it afterwards.

    Args:
        unsafe: continue even if the process cannot be isolated.

    Raises:
        ProgramEnded: the program did not answer.
        UserError: the process cannot be isolated on this machine, and `unsafe` is not set; or, as an
            UnsupportedError, the system is not Linux.
    """
    if sys.platform != "linux":
        raise UnsupportedError(f"programs of models are run on Linux only, not on {sys.platform}; use Linux")
    clock, files = 2 * limits.seconds, limits.files_mb * MIB
    deadline = time.monotonic() + clock + GRACE
    resources = {"CPU": ceil(limits.seconds), "AS": limits.memory_mb * MIB, "FSIZE": files, **RESOURCES}
    memory = (limits.memory_mb + limits.files_mb + KERNEL_MB) * MIB
    outcome: T | ProgramEnded
    with (
        workplace() as place,
        group(delegated(), Path(place).name, memory, RESOURCES["NPROC"]) as join,
        _start(place) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        questions, replies = process.stdin.fileno(), process.stdout.fileno()
        try:
            with suppress(Silence):  # the first question reports it
                send(questions, marshal.dumps((clock, resources, files, join, unsafe)), deadline)
            outcome = talk(Program(questions, replies, deadline))
        except ProgramEnded as error:
            outcome = error
        finally:
            trouble, _, account = _end(process).partition("\n")
    if trouble and not account:
        raise UserError(f"programs of models cannot be run safely here: {trouble}; {REMEDY}")
    if isinstance(outcome, ProgramEnded):
        result = _fate(account, clock, limits.seconds) if outcome.result is _SILENCE else outcome.result
        raise ProgramEnded(replace(result, unsafe=bool(trouble)))
    return outcome, bool(trouble)


def _start(place: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-S", "-c", START, str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=place,
        env={"PYTHONHASHSEED": "0", "TZ": "UTC"},
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> str:
    """Close the pipe, so that the guard ends the program; return the guard's report."""
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.close()
    pipe, words, deadline = process.stderr.fileno(), b"", time.monotonic() + GRACE
    while len(words) < LONGEST_REPORT and ready(pipe, select.POLLIN, deadline) and (piece := os.read(pipe, 1024)):
        words += piece
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return words.decode(errors="replace")


def _fate(account: str, clock: float, processor: float) -> Result:
    """Return why a program stopped answering, from its guard's account."""
    try:
        ending = report(account, b"", clock, processor)
    except ValueError:
        return Result(False, "error", "its guard was killed")
    if ending.end in ("late", "overdrawn"):
        return Result(False, "timeout", ending.detail)
    if ending.end == "exited":
        return Result(False, "failed", "exited before the tests were through")
    return Result(False, "error", ending.detail)


_SILENCE = Result(False, "error", "no answer")
