"""Methods run apart from us: a guard is a warm process that takes one task at a time.

Example: after `guard.send(task)`, when `ready([guard])` names it, `guard.receive()` is
`Report("answered", "", 0.02, answer)`. Whatever a method does, a report comes.
"""

import json
import os
import pickle
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from pfe.competition.inside import Task, frame, write
from pfe.errors import UserError

START = "import sys; from pfe.competition.inside import main; main(sys.argv[1:])"
GRACE = 60.0  # seconds beyond a task's own that a guard may take to start and to report, on a busy machine
PARTING = 5.0  # seconds that a guard may take to end what it runs
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA", "JULIA", "RAYON")
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in LIBRARIES}  # they read it when they are loaded


@dataclass(frozen=True)
class Report:
    """How a task ended, after how many seconds by the clock and of all its processes' processor time.

    `answer` is what the method's process said, to be checked.
    """

    end: Literal["answered", "timeout", "died"]
    detail: str
    seconds: float
    answer: bytes = b""
    processor: float = 0.0


class Guard:
    """A process that has imported `modules`, runs tasks in children of its own, and ends all that they start.

    When it is gone it is started anew. Closed, or orphaned, it ends what it runs, and itself.
    """

    def __init__(self, modules: Sequence[str]) -> None:
        if sys.platform != "linux":
            raise UserError(f"methods are run on Linux only, not on {sys.platform}; use a Linux machine")
        self._modules = tuple(modules)
        self._start()

    def send(self, task: Task) -> None:
        """Give a task to a guard that has none."""
        order = pickle.dumps(task)
        try:
            write(self._orders, order)
        except BrokenPipeError:
            self._restart()
            write(self._orders, order)
        self._sent = time.monotonic()
        self.deadline = self._sent + task.seconds + GRACE

    def receive(self) -> Report:
        """The report of a guard that `ready` names; "died" where there is none, and the guard is started anew."""
        message = frame(self.reports) if select.select([self.reports], [], [], 0)[0] else b""
        if not message:
            self._restart()
            return Report("died", "its guard fell silent", time.monotonic() - self._sent)
        told, _, answer = message.partition(b"\n")
        return Report(**json.loads(told), answer=answer)

    def close(self) -> None:
        """End what it runs, and itself."""
        with suppress(OSError):
            os.close(self._orders)
        try:
            self._process.wait(PARTING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self.reports)

    def _start(self) -> None:
        hear, self._orders = os.pipe()
        self.reports, tell = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, *self._modules],
            stdin=hear,
            stdout=tell,
            env={
                **os.environ,
                **ONE_THREAD,
                "PYTHONHASHSEED": "0",
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
            start_new_session=True,  # a Ctrl-C is ours to deal with
        )
        os.close(hear)
        os.close(tell)

    def _restart(self) -> None:
        self.close()
        self._start()


def ready(guards: Iterable[Guard]) -> list[Guard]:
    """Wait until some of the guards, each of which has a task, report, are gone or are out of time; which."""
    waiting = list(guards)
    left = min(guard.deadline for guard in waiting) - time.monotonic()
    watch = select.poll()
    for guard in waiting:
        watch.register(guard.reports, select.POLLIN)
    heard = {pipe for pipe, _ in watch.poll(1000 * max(0.0, left))}
    return [guard for guard in waiting if guard.reports in heard or guard.deadline <= time.monotonic()]
