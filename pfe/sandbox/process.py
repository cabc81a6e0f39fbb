"""A program in a process apart from us, which answers one question at a time.

Example: `talked(lambda program: program.evaluate("test 1", "2 * 4", {}), Limits(), unsafe=False)` is `(8, False)`.

What is asked is all that the process ever sees, what it answers is read as a literal, and an answer
to no question ends it.
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
from pathlib import Path
from typing import Any, Literal, TypeVar

from pfe.errors import UserError
from pfe.sandbox.answers import value
from pfe.sandbox.workplace import workplace

T = TypeVar("T")
Reason = Literal["passed", "failed", "timeout", "memory", "error"]
INSIDE = Path(__file__).parent
START = "import sys; sys.path.insert(0, sys.argv[1]); from inside import main; del sys.path[0]; main()"  # from bytecode
LONGEST_ANSWER = 1 << 20  # bytes
LONGEST_REPORT = 4096  # bytes
GRACE = 5.0  # seconds that starting and ending may take on a busy machine
REMEDY = (
    "allow user namespaces (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container: "
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined), or set evaluate.unsafe_code=true "
    "to run them without protection"
)


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
    where the process died of something else; `detail` says where and of what. `unsafe` marks a program
    that was run without isolation."""

    passed: bool
    reason: Reason
    detail: str
    unsafe: bool = False


class Ended(Exception):  # noqa: N818
    """A program did not answer; `result` says why."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"{result.reason}: {result.detail}")
        self.result = result


class Program:
    """The pipes to the process of a program, used until the deadline (of the monotonic clock)."""

    def __init__(self, questions: int, replies: int, deadline: float) -> None:
        os.set_blocking(questions, False)
        self._questions, self._replies, self._deadline = questions, replies, deadline

    def execute(self, name: str, source: str) -> None:
        """Run statements in the program's module; errors call them by `name`.

        Raises:
            Ended: they raised, or ended the process.
        """
        self._asked("exec", name, source, {})

    def evaluate(self, name: str, source: str, given: Mapping[str, Any]) -> Any:
        """The value of an expression, as a literal; names in `given` stand before the module's.

        Raises:
            Ended: as in `execute`, or what came is no answer.
            TypeError: a value in `given` is no literal.
        """
        return self._asked("eval", name, source, given)

    def send(self, message: bytes) -> None:
        """Write a message after four bytes that hold its length.

        Raises:
            Ended: nobody reads it.
        """
        rest = memoryview(len(message).to_bytes(4, "little") + message)
        while rest:
            if not self._ready(self._questions, select.POLLOUT):
                raise Ended(_SILENCE)
            try:
                rest = rest[os.write(self._questions, rest) :]
            except BrokenPipeError:
                raise Ended(_SILENCE) from None

    def _asked(self, kind: str, name: str, source: str, given: Mapping[str, Any]) -> Any:
        try:
            question = marshal.dumps((kind, name, source, dict(given)))
        except ValueError:
            raise TypeError("what is no literal cannot be given back to the program") from None
        if _poll(self._replies, select.POLLIN, 0) and self._read(1):
            raise Ended(Result(False, "failed", f"{name}: the program answered before it was asked"))
        self.send(question)
        size = int.from_bytes(self._read(4), "little")
        if size > LONGEST_ANSWER:
            raise Ended(Result(False, "failed", f"{name}: the answer is longer than {LONGEST_ANSWER} bytes"))
        reply = self._read(size).decode(errors="replace")
        if reply == "M":
            raise Ended(Result(False, "memory", name))
        if reply.startswith("!"):
            raise Ended(Result(False, "failed", f"{name}: {reply[1:400]}"))
        try:
            return value(reply.removeprefix("="))
        except ValueError as error:
            raise Ended(Result(False, "failed", f"{name}: {str(error)[:300]}")) from None

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            chunk = os.read(self._replies, size - len(data)) if self._ready(self._replies, select.POLLIN) else b""
            if not chunk:
                raise Ended(_SILENCE)
            data += chunk
        return bytes(data)

    def _ready(self, pipe: int, event: int) -> bool:
        return _poll(pipe, event, max(0.0, self._deadline - time.monotonic()))


def talked(talk: Callable[[Program], T], limits: Limits, unsafe: bool) -> tuple[T, bool]:
    """What came of talking to a fresh process, and whether it was run without isolation.

    The process sees no environment, no standard input, no site-packages and, of the machine, only
    Python and the system's libraries; strings hash the same in every run. Nothing of it is left
    afterwards.

    Args:
        unsafe: go on also where the process cannot be isolated.

    Raises:
        Ended: the program did not answer.
        UserError: the process cannot be isolated on this machine, and `unsafe` is not set.
    """
    if sys.platform != "linux":
        raise UserError(f"programs of models are run on Linux only, not on {sys.platform}; use a Linux machine")
    deadline = time.monotonic() + 2 * limits.seconds + GRACE
    order = marshal.dumps((limits.seconds, limits.memory_mb, limits.files_mb, unsafe))
    found: T | Ended
    with workplace() as place, _started(place) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            program = Program(process.stdin.fileno(), process.stdout.fileno(), deadline)
            program.send(order)
            found = talk(program)
        except Ended as ended:
            found = ended
        finally:
            report = _end(process)
    trouble, _, ending = report.partition("\n")
    if ending == "refused":
        raise UserError(f"programs of models cannot be run safely here: {trouble}; {REMEDY}")
    if isinstance(found, Ended):
        result = _told(ending) if found.result is _SILENCE else found.result
        raise Ended(replace(result, unsafe=bool(trouble)))
    return found, bool(trouble)


def _started(place: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-S", "-c", START, str(INSIDE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=place,
        env={"PYTHONHASHSEED": "0", "TZ": "UTC"},
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> str:
    """Hang up, so that the guard ends the program; what the guard reports."""
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.close()
    pipe, report = process.stderr.fileno(), b""
    while len(report) < LONGEST_REPORT and _poll(pipe, select.POLLIN, GRACE) and (chunk := os.read(pipe, 1024)):
        report += chunk
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return report.decode(errors="replace")


def _told(ending: str) -> Result:
    """Why a program fell silent, by its guard's account."""
    how, _, what = ending.partition(": ")
    if how == "timeout":
        return Result(False, "timeout", what)
    if how == "exit":
        return Result(False, "failed", "exited before the tests were through")
    return Result(False, "error", f"killed by signal {what}" if what else "its guard was killed")


def _poll(pipe: int, event: int, seconds: float) -> bool:
    """Whether a pipe is ready, or at its end, within some seconds."""
    watch = select.poll()
    watch.register(pipe, event)
    return bool(watch.poll(1000 * seconds))


_SILENCE = Result(False, "error", "no answer")
