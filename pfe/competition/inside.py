"""What runs in the process of a `Guard`: it has imported what methods need, and forks a child for each task.

Example: for the task of `linear` on 300 points and 100 test points the child answers 100 predictions and the text
`0.1 + 2.0 * x1`; for one that never ends the guard reports "timeout" when its seconds are over.

Importing scikit-learn takes seconds, a fork milliseconds. The guard adopts whatever the child's processes leave behind
(PR_SET_CHILD_SUBREAPER), so that it can end all of them, also those that left the child's group; and it does so
as soon as its orders' pipe is closed. A child answers numbers and text, no pickles, and is never waited for longer.
"""

import contextlib
import ctypes
import json
import os
import pickle
import random
import resource
import select
import signal
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from pfe.competition.methods import built, mistake, tells
from pfe.competition.notation import readings
from pfe.config import Method

MIB = 1024 * 1024
LONGEST_ANSWER = 64 * MIB  # bytes; a million predictions take 8
LONGEST_REASON = 300  # characters
UNKNOWN = "when it is fitted it has no attribute"  # begins what is refused of an entry that only a run could prove
SIZE = 8  # bytes that hold a message's length
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


@dataclass(frozen=True, eq=False)
class Points:
    """What a method may see: x and y of shapes (n, d) and (n,) to fit, and points (·, d) to predict, as many
    arrays of them as there are."""

    columns: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    ask: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, eq=False)
class Task:
    """A method to run within `seconds` by the clock and `memory` MiB; without points its entry is searched for
    mistakes."""

    method: Method
    seed: int
    seconds: float
    memory: int
    points: Points | None


def main(modules: list[str]) -> Never:
    """Import modules, then take orders (pickled tasks) from the standard input and report on each, until it ends.

    A report is a line of JSON, {"end": "answered" | "timeout" | "died", "seconds": …, "processor": …, "detail": …},
    and the answer.
    """
    orders, reports, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for module in modules:
        with contextlib.suppress(Exception):  # the child that needs it will say what is wrong
            import_module(module)
    while order := frame(orders):
        end, detail, spent, answer = _attended(pickle.loads(order), orders, reports)
        told = json.dumps({"end": end, "detail": detail, **spent}).encode()
        write(reports, told + b"\n" + answer)
    os._exit(0)


def frame(source: int) -> bytes:
    """The next message of a pipe, after the bytes that hold its length; empty where there is none or not all of it."""
    return _exactly(source, int.from_bytes(_exactly(source, SIZE), "little"))


def _exactly(source: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (chunk := os.read(source, min(size - len(data), MIB))):
        data += chunk
    return bytes(data) if len(data) == size else b""


def write(target: int, message: bytes) -> None:
    """Write a message to a pipe, after the bytes that hold its length.

    Raises:
        BrokenPipeError: nobody reads it.
    """
    rest = memoryview(len(message).to_bytes(SIZE, "little") + message)
    while rest:
        rest = rest[os.write(target, rest) :]


def _attended(task: Task, orders: int, reports: int) -> tuple[str, str, dict[str, float], bytes]:
    """Fork a child for a task, and end all that is left of it: how it ended, details, its times, its answer."""
    hear, tell = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        for end in (orders, reports, hear):
            os.close(end)
        _become(task, tell)
    os.close(tell)
    answer, late = _heard(child, hear, orders, began + task.seconds)
    seconds = time.monotonic() - began
    os.close(hear)
    status, processor = _cleared(child)
    spent = {"seconds": seconds, "processor": processor}
    if late:
        return "timeout", f"not done within {task.seconds:g} s", spent, b""
    if answer:
        return "answered", "", spent, answer
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "died", f"killed by signal {number} ({signal.strsignal(number)})", spent, b""
    return "died", f"ended without an answer, exit status {os.WEXITSTATUS(status)}", spent, b""


def _heard(child: int, hear: int, orders: int, deadline: float) -> tuple[bytes, bool]:
    """The child's answer, empty where it gives none, and whether its time was up before.

    Processes that it started may hold its pipe open, so its own end is watched too, and so are the orders: when
    their pipe is closed nobody waits for an answer.
    """
    ended = os.pidfd_open(child)
    watch = select.poll()
    watch.register(hear, select.POLLIN)
    watch.register(ended, select.POLLIN)
    watch.register(orders, 0)  # hang-ups alone
    data = bytearray()
    try:
        while ready := dict(watch.poll(1000 * max(0.0, deadline - time.monotonic()))):
            chunk = os.read(hear, MIB) if hear in ready else b""
            data += chunk
            whole = SIZE + int.from_bytes(data[:SIZE], "little")
            if len(data) >= SIZE and (len(data) >= whole or whole > LONGEST_ANSWER):
                return bytes(data[SIZE:whole]) if whole <= LONGEST_ANSWER else b"", False
            if not chunk:
                return b"", False
        return b"", True
    finally:
        os.close(ended)


def _cleared(child: int) -> tuple[int, float]:
    """Kill the child's group, and whoever is or becomes a child of ours; the child's status, and the seconds of
    processor time that all of them took."""
    found, spent = 0, 0.0
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    while True:
        for own in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(own, signal.SIGKILL)
        try:
            ended, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return found, spent
        spent += usage.ru_utime + usage.ru_stime
        if ended == child:
            found = status


def _children() -> list[int]:
    """Our children, adopted ones too, of whichever thread."""
    return [int(word) for file in Path("/proc/self/task").glob("*/children") for word in file.read_text().split()]


def _become(task: Task, tell: int) -> Never:
    """In the child: keep to the limits, do the task, answer, and end without further ado."""
    try:
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (task.memory * MIB, task.memory * MIB))
        message = _answer(task)
    except BaseException as error:
        message = json.dumps({"raised": _told(error)}).encode() + b"\n"
    try:
        write(tell, message)
    finally:
        os._exit(0)


def _answer(task: Task) -> bytes:
    """A line of JSON, {"readings": […], "refused": ""}, and the predictions as float64.

    Of a task without points the readings are empty and what is refused is the entry's mistake.
    """
    random.seed(task.seed)
    np.random.seed(task.seed)  # for methods that draw from the global generators
    texts: tuple[str, ...] = ()
    refused, predictions = "", b""
    if points := task.points:
        regressor = built(task.method, task.seed)
        provable = tells(task.method, regressor)
        regressor.fit(points.x, points.y)
        predictions = b"".join(_predicted(regressor, x) for x in points.ask)
        try:
            texts = readings(regressor, task.method.expression, points.columns)
        except Exception as error:
            unknown = provable is None and not hasattr(regressor, task.method.expression)
            refused = f"{UNKNOWN} '{task.method.expression}'" if unknown else _told(error)
    else:
        refused = mistake(task.method) or ""
    return json.dumps({"readings": texts, "refused": refused}).encode() + b"\n" + predictions


def _predicted(regressor: Any, x: NDArray[np.float64]) -> bytes:
    """The predictions at x, of shape (n, d), as bytes of float64.

    Raises:
        ValueError: they are not n real numbers.
    """
    found = np.asarray(regressor.predict(x))
    if found.shape != (len(x),) or np.iscomplexobj(found):
        raise ValueError(f"predict gave {found.dtype} of shape {found.shape} for {len(x)} points, not as many numbers")
    return found.astype("<f8").tobytes()


def _told(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")[:LONGEST_REASON]
    except BaseException:
        return "an exception that cannot be shown"
