"""What a guard does: it forks a child, watches it, ends it with all that it started, and gives account.

Example: `attend(child, orders, 60.0, hear)` is the child's answer and "0 0 0.021 0.018": in time, its status as of
`os.wait`, seconds by the clock, and of processor time of all its processes.

Nothing that a child does reaches an account: it has no pipe to it. Only the standard library is imported, and little
of it, so that a guard without site-packages starts in milliseconds. What only Linux has is done only there: elsewhere
a process that leaves its child's session stays, and memory has no limit.
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
    """A message behind the bytes that hold its length."""
    return len(message).to_bytes(SIZE, "little") + message


def write(pipe: int, message: bytes) -> None:
    """Write a message to a pipe.

    Raises:
        BrokenPipeError: nobody reads it.
    """
    rest = memoryview(frame(message))
    while rest:
        rest = rest[os.write(pipe, rest) :]


def read(pipe: int) -> bytes:
    """The next message of a pipe; empty where there is none or not all of it."""
    return _exactly(pipe, int.from_bytes(_exactly(pipe, SIZE), "little"))


def _exactly(pipe: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (piece := os.read(pipe, min(size - len(data), _PIECE))):
        data += piece
    return bytes(data) if len(data) == size else b""


def set_aside() -> tuple[int, int]:
    """Copies of the standard input and output; the standard ones, and errors, lead nowhere from now on."""
    copies, null = (os.dup(0), os.dup(1)), os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    return copies


def adopt_orphans() -> None:
    """Become the parent of whatever the processes below us leave behind."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def fork(work: Callable[[int], object], pipes_to_close: Iterable[int] = ()) -> tuple[int, int]:
    """Fork a child that does some work and ends; the child, and the pipe on which to hear it.

    It leads a session of its own and dies with us.

    Args:
        work: is given the other end of the pipe.
        pipes_to_close: those that the child shall not have.
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
    """Keep to limits of resources, by their names ("CPU", "AS" …), or to what is allowed, if that is less.

    Who is out of processor time gets SIGXCPU, and SIGKILL a second later.
    """
    for name, most in {"CORE": 0, **limits}.items():
        if name in ("AS", "DATA") and sys.platform != "linux":
            continue
        kind = getattr(resource, f"RLIMIT_{name}")
        allowed, hard = resource.getrlimit(kind)[1], most + (name == "CPU")
        hard = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
        resource.setrlimit(kind, (min(most, hard), hard))


def attend(child: int, orders: int, seconds: float, hear: int | None = None) -> tuple[bytes, str]:
    """Wait until a child has answered, has ended, is out of time, or nobody is at the other end of `orders`; end it.

    Args:
        hear: its pipe; without one no answer is waited for.

    Returns:
        Its answer, empty where there is none, and our account.
    """
    start = time.monotonic()
    answer, late = _wait_for_answer(child, orders, start + seconds, hear)
    elapsed = time.monotonic() - start
    status, processor = _end(child)
    if hear is not None:
        os.close(hear)
    return answer, f"{late:d} {status} {elapsed!r} {processor!r}"


def describe(error: BaseException) -> str:
    """An exception in a few words."""
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")[:LONGEST_REASON]
    except BaseException:
        return "an exception that cannot be shown"


def _wait_for_answer(child: int, orders: int, deadline: float, hear: int | None) -> tuple[bytes, bool]:
    """A child's answer, and whether its time was up before.

    Processes that it started may hold its pipe open, so its own end is watched too, where the system can.
    """
    child_end = os.pidfd_open(child) if hasattr(os, "pidfd_open") else None
    watch = select.poll()
    watch.register(orders, 0)  # hang-ups alone
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
    """Kill a child, its group, and whoever is or becomes a child of ours; its status, and all their processor time."""
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
    """Our children, adopted ones too, of whichever thread; none where the system does not say."""
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
