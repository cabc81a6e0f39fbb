"""A pool of guards that run tasks in parallel, for conversations that supply the tasks.

Example: `with Pool(2, ["sympy"]) as pool: dict(pool.run([conversation]))`, where a conversation is a generator that
yields tasks, receives a `Report` on each, and returns its result.
"""

import os
import pickle
import select
import subprocess
import sys
import time
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from pfe.processes.guard import LONGEST_ANSWER
from pfe.processes.pipes import Silence, receive, send
from pfe.processes.report import Report, report
from pfe.processes.server import ANSWERED, RAISED, Task

START = "import sys; from pfe.processes.server import main; main(sys.argv[1:])"
GRACE = 120.0  # seconds in addition to a task's for a guard to start and to report, on a busy machine
PARTING = 5.0  # seconds for a guard to kill its child
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA", "JULIA", "RAYON")
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in LIBRARIES}  # libraries read these variables when they are loaded
T = TypeVar("T")
Conversation = Generator[Task, Report, T]


class Pool:
    """A pool of `workers` guards, each with `modules` imported and one thread; they end with the `with` block."""

    def __init__(self, workers: int, modules: Sequence[str]) -> None:
        self._workers, self._modules = workers, modules

    def __enter__(self) -> Self:
        self._guards = [_Guard(self._modules) for _ in range(self._workers)]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for guard in self._guards:
            guard.close()

    def run(self, conversations: Iterable[Conversation[T]]) -> Iterator[tuple[int, T]]:
        """Run all conversations to their end; yield the index and the result of each as it ends.

        Raises:
            RuntimeError: a guard cannot start.
        """
        waiting, idle = iter(enumerate(conversations)), list(self._guards)
        busy: dict[_Guard, tuple[int, Conversation[T]]] = {}
        while True:
            while idle and (following := next(waiting, None)):
                place, conversation = following
                try:
                    idle[-1].send(next(conversation))
                    busy[idle.pop()] = following
                except StopIteration as end:
                    yield place, end.value
            if not busy:
                return
            for guard in _ready(busy):
                place, conversation = busy[guard]
                try:
                    guard.send(conversation.send(guard.report()))
                except StopIteration as end:
                    del busy[guard]
                    idle.append(guard)
                    yield place, end.value


class _Guard:
    """A process that runs `server.main`, with its current task. It is restarted if it has died."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules
        self._start()

    def send(self, task: Task) -> None:
        """Give it a task; it must have none."""
        self._task, order = task, pickle.dumps(task)
        try:
            send(self._orders.fileno(), order, time.monotonic() + GRACE)
        except Silence:  # it was killed while it was idle
            self._restart()
            send(self._orders.fileno(), order, time.monotonic() + GRACE)
        self._sent_at = time.monotonic()
        self.deadline = self._sent_at + task.seconds + GRACE

    def report(self) -> Report:
        """Return its report, once `_ready` lists it; without one, restart it and report that its child was killed."""
        try:
            account, _, message = receive(self.reports.fileno(), self.deadline, 2 * LONGEST_ANSWER).partition(b"\n")
        except Silence:
            self._restart()
            return Report("killed", "its guard fell silent", time.monotonic() - self._sent_at)
        kind, answer = message[:1], message[1:]
        result = report(account.decode(), kind, self._task.seconds, self._task.limits.get("CPU"))
        if kind == RAISED:
            return replace(result, end="raised", detail=answer.decode(errors="replace"), answer=b"")
        return replace(result, answer=answer if kind == ANSWERED else message)

    def close(self) -> None:
        """End its child and itself."""
        self._orders.close()
        try:
            self._process.wait(PARTING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.reports.close()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, *self._modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={
                **os.environ,
                **ONE_THREAD,
                "PYTHONHASHSEED": "0",  # sympy depends on the order of sets
                "PYTHONPATH": os.pathsep.join(place or os.getcwd() for place in sys.path),
            },
            start_new_session=True,  # only this process handles Ctrl-C
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders, self.reports = self._process.stdin, self._process.stdout

    def _restart(self) -> None:
        self.close()
        if self._process.returncode > 0:
            raise RuntimeError(f"`{sys.executable} -c '{START}'` ended with status {self._process.returncode}")
        self._start()


def _ready(guards: Collection[_Guard]) -> list[_Guard]:
    """Wait until some of the guards, each of which has a task, report, die or run out of time; return these."""
    watch = select.poll()
    for guard in guards:
        watch.register(guard.reports.fileno(), select.POLLIN)
    remaining = min(guard.deadline for guard in guards) - time.monotonic()
    reporting = {pipe for pipe, _ in watch.poll(1000 * max(0.0, remaining))}
    return [guard for guard in guards if guard.reports.fileno() in reporting or guard.deadline <= time.monotonic()]
