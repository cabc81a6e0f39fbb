"""Which processes a test has started, among those that other tests of the same worker left."""

from contextlib import suppress

import psutil


def children_running(module: str) -> list[psutil.Process]:
    """The children of this process, and theirs, that run a module; none that has ended and waits to be collected."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # a zombie, too
            if module in child.cmdline():
                found.append(child)
    return found
