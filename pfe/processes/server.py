"""The main loop of a guard in `Pool`: it imports the modules that tasks need, and forks a child for each task.

Example: for `Task(partial(run_step, "count", request, 2048), 60.0, {"CPU": 10})` a child calls `run_step`, and the
guard reports its account and the result of the call.

Importing sympy or scikit-learn takes seconds, a fork milliseconds. The guard ends its child and itself as soon as the
other end of its orders is closed.
"""

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Never

from pfe.processes.guard import adopt_orphans, attend, describe, fork, limit, read, set_aside, write

ANSWERED, RAISED = b"=", b"!"  # the first byte of a child's message


@dataclass(frozen=True, eq=False)
class Task:
    """A call of a module's function, whose value is the answer, within `seconds` of wall-clock time.

    `limits` are resource limits, as in `guard.limit`.
    """

    call: Callable[[], bytes]
    seconds: float
    limits: Mapping[str, int] = field(default_factory=dict)


def main(modules: Sequence[str]) -> Never:
    """Import modules, then read orders (pickled tasks) from standard input and report on each, until it ends."""
    orders, reports = set_aside()
    adopt_orphans()
    for module in modules:
        with suppress(Exception):  # the child that needs the module will report the error
            import_module(module)
    while order := read(orders):
        task: Task = pickle.loads(order)
        child, hear = fork(partial(_perform, task), (orders, reports))
        answer, account = attend(child, orders, task.seconds, hear)
        write(reports, f"{account}\n".encode() + answer)
    os._exit(0)


def _perform(task: Task, tell: int) -> None:
    try:
        limit(task.limits)
        message = ANSWERED + task.call()
    except BaseException as error:
        message = RAISED + describe(error).encode(errors="replace")
    write(tell, message)
