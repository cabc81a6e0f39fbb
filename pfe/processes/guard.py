"""The functions of a guard: it forks a child, watches it, kills it with all its descendants, and reports.

Example: `attend(child, orders, 60.0, hear)` returns the child's answer and the account "0 0 0.021 0.018": 0 for in time
(1 for late), the child's status as from `os.wait`, and the seconds of wall-clock time and of CPU time of all its
processes.

A child cannot forge its account, as it has no pipe to write it to. Only little of the standard library is imported, so
that a guard without site-packages starts in milliseconds. Some protections exist only on Linux: elsewhere a process
that leaves its child's session survives, and memory has no limit.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False  # `typing` takes longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LONGEST_ANSWER = 1 << 26  # bytes; a million predictions take 8 MB
LONGEST_REASON = 300  # characters
SIZE = 8  # bytes that hold a message's length
SIGKILL = 9
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
_PIECE = 1 << 20  # bytes


def frame(message: bytes) -> bytes:
    """Return a message with its length before it, in `SIZE` bytes."""
    return len(message).to_bytes(SIZE, "little") + message


def write(pipe: int, message: bytes) -> None:
    """Write a message to a pipe.

    Raises:
        BrokenPipeError: the other end is closed.
    """
    rest = memoryview(frame(message))
    while rest:
        rest = rest[os.write(pipe, rest) :]


def read(pipe: int) -> bytes:
    """Return the next message of a pipe, empty if there is none or it is incomplete."""
    return _exactly(pipe, int.from_bytes(_exactly(pipe, SIZE), "little"))


def _exactly(pipe: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (piece := os.read(pipe, min(size - len(data), _PIECE))):
        data += piece
    return bytes(data) if len(data) == size else b""


def set_aside() -> tuple[int, int]:
    """Return copies of standard input and output, and redirect all standard streams to the null device."""
    copies, null = (os.dup(0), os.dup(1)), os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    return copies


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants (Linux only)."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def fork(work: Callable[[int], object], pipes_to_close: Iterable[int] = ()) -> tuple[int, int]:
    """Fork a child that calls `work` and exits; return its process id and the pipe to read from it.

    The child leads a session of its own. On Linux it dies with this process.

    Args:
        work: is called with the other end of the pipe.
        pipes_to_close: the pipes that the child must not have.
    """
    hear, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for pipe in (*pipes_to_close, hear):
                os.close(pipe)
            os.setsid()
            _prctl(PR_SET_PDEATHSIG, SIGKILL)
            work(tell)
        finally:
            os._exit(0)
    os.close(tell)
    return child, hear


def limit(limits: Mapping[str, int]) -> None:
    """Set resource limits of this process by name ("CPU", "AS" …), or the allowed maximum if that is less.

    A process that exceeds its CPU time gets SIGXCPU, and SIGKILL a second later. Limits on memory ("AS", "DATA") are
    set on Linux only.
    """
    for name, most in {"CORE": 0, **limits}.items():
        if name in ("AS", "DATA") and sys.platform != "linux":
            continue
        kind = getattr(resource, f"RLIMIT_{name}")
        allowed, hard = resource.getrlimit(kind)[1], most + (name == "CPU")
        hard = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
        resource.setrlimit(kind, (min(most, hard), hard))


def attend(child: int, orders: int, seconds: float, hear: int | None = None) -> tuple[bytes, str]:
    """Wait until a child answers, ends or runs out of time, or the other end of `orders` is closed; then kill it.

    Args:
        hear: the child's pipe; without one no answer is expected.

    Returns:
        The child's answer, empty if there is none, and the guard's account.
    """
    start = time.monotonic()
    answer, late = _wait_for_answer(child, orders, start + seconds, hear)
    elapsed = time.monotonic() - start
    status, processor = _end(child)
    if hear is not None:
        os.close(hear)
    return answer, f"{late:d} {status} {elapsed!r} {processor!r}"


def describe(error: BaseException) -> str:
    """Return the type and the message of an exception, in at most `LONGEST_REASON` characters."""
    return message(error)[:LONGEST_REASON]


def message(error: BaseException) -> str:
    """Return the type and the message of an exception, of any length."""
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    except BaseException:
        return "an exception that cannot be shown"


def _wait_for_answer(child: int, orders: int, deadline: float, hear: int | None) -> tuple[bytes, bool]:
    """Return a child's answer, and whether its time was up before.

    Processes that it started may keep its pipe open, so the end of the child is watched too if the system supports it.
    """
    child_end = os.pidfd_open(child) if hasattr(os, "pidfd_open") else None
    watch = select.poll()
    watch.register(orders, 0)  # hang-ups only
    for pipe in (child_end, hear):
        if pipe is not None:
            watch.register(pipe, select.POLLIN)
    data = bytearray()
    try:
        while ready := dict(watch.poll(1000 * max(0.0, deadline - time.monotonic()))):
            piece = os.read(hear, _PIECE) if hear in ready and hear is not None else b""
            data += piece
            length = SIZE + int.from_bytes(data[:SIZE], "little")
            if len(data) >= SIZE and (len(data) >= length or length > LONGEST_ANSWER):
                return bytes(data[SIZE:length]) if length <= LONGEST_ANSWER else b"", False
            if not piece:
                return b"", False
        return b"", True
    finally:
        if child_end is not None:
            os.close(child_end)


def _end(child: int) -> tuple[int, float]:
    """Kill a child, its group and all present and adopted children; return its status and their total CPU time."""
    child_status, processor = 0, 0.0
    _kill(os.kill, child)
    _kill(os.killpg, child)
    while True:
        for process in _children():
            _kill(os.kill, process)
        try:
            process, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return child_status, processor
        processor += usage.ru_utime + usage.ru_stime
        if process == child:
            child_status = status


def _kill(kill: Callable[[int, int], None], process: int) -> None:
    try:
        kill(process, SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _children() -> list[int]:
    """Return the children of all our threads, including adopted ones; none if the system does not list them."""
    children: list[int] = []
    try:
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/children") as file:
                children += map(int, file.read().split())
    except OSError:
        return children
    return children


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
