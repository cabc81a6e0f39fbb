"""Progress bars, shown after two seconds and only on a terminal.

Example:
    with progress(len(jobs), "compete", "run") as done:
        runs = run_all(jobs, done)      # which calls done(1) as each ends

    for kind in tracked(kinds, "calibrate", "attack"): ...

Work that ends within two seconds shows no bar, and neither does output to a log or pipe. A bar disappears at the end.
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
    """Show a progress bar on stderr inside the block; yield a function to call with the number of newly done items.

    Args:
        total: the number of items.
        what: the label in front of the bar, such as the name of a stage.
        unit: the unit of the items, in the singular.
    """
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=what, unit=unit, file=sys.stderr, delay=float("inf"), leave=False, **_size()) as bar:

        def show() -> None:
            bar.delay = 0
            bar.refresh()

        # tqdm's own delay also waits for the first update, and the first of nine shards may take a minute.
        timer = threading.Timer(QUIET_SECONDS, show)
        timer.daemon = True
        timer.start()
        try:
            yield bar.update
        finally:
            timer.cancel()
            timer.join()


def _size() -> dict[str, Any]:
    """Return tqdm's size options: follow the terminal, or 24 lines of 80 columns if it reports no size, as some do."""
    columns, lines = os.get_terminal_size(sys.stderr.fileno())
    return {"dynamic_ncols": True} if columns and lines else {"ncols": 80, "nrows": 24}


def tracked(items: Sequence[T], what: str, unit: str) -> Iterator[T]:
    """Yield the items one by one with a progress bar; each counts when the next is asked for (see `progress`)."""
    with progress(len(items), what, unit) as done:
        for item in items:
            yield item
            done(1)
