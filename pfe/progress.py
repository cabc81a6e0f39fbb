"""Progress for whoever waits: what is done of how much, from the third second on, on a terminal alone.

Example:
    with progress(len(jobs), "compete", "run") as done:
        runs = run_all(jobs, done)      # which calls done(1) as each ends

    for kind in tracked(kinds, "calibrate", "attack"): ...

What ends within two seconds shows nothing, a log and a pipe get nothing, and what was shown is gone when it is done.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

QUIET_SECONDS = 2.0
T = TypeVar("T")


@contextmanager
def progress(total: int, what: str, unit: str) -> Iterator[Callable[[int], object]]:
    """A bar on the standard error as long as the context lasts; what it gives is called with how many more are done.

    Args:
        total: how many there will be.
        what: stands in front of the bar, such as the name of a stage.
        unit: of what is counted, in the singular.
    """
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=what, unit=unit, file=sys.stderr, delay=float("inf"), leave=False, **_size()) as bar:

        def show() -> None:
            bar.delay = 0
            bar.refresh()

        # tqdm's own delay would wait for the first update too, and the first of nine shards may take a minute.
        timer = threading.Timer(QUIET_SECONDS, show)
        timer.daemon = True
        timer.start()
        try:
            yield bar.update
        finally:
            timer.cancel()
            timer.join()


def _size() -> dict[str, Any]:
    """That of the terminal, as it is anew each time; 24 lines of 80 columns where it does not say, as some do not."""
    columns, lines = os.get_terminal_size(sys.stderr.fileno())
    return {"dynamic_ncols": True} if columns and lines else {"ncols": 80, "nrows": 24}


def tracked(items: Sequence[T], what: str, unit: str) -> Iterator[T]:
    """The items one by one, each counted when the next is asked for; see `progress`."""
    with progress(len(items), what, unit) as done:
        for item in items:
            yield item
            done(1)
