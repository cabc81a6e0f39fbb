"""A temporary folder for one program; a later process deletes it if this one is killed.

Example: `with workplace() as place: …` gives an empty folder such as /tmp/pfe-sandbox-k2x81f.

A process holds a lock on its folder, which is released however the process ends. So a folder without a lock is left
over, and the next process deletes it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

PREFIX = "pfe-sandbox-"
YOUNG = 60.0  # seconds after its last change in which a folder may not have its lock yet


@contextmanager
def workplace() -> Iterator[str]:
    """Yield an empty folder, and delete it at the end."""
    _clean(tempfile.gettempdir())
    folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
    with folder as place:
        lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield place
        finally:
            os.close(lock)


@cache
def _clean(parent: str) -> None:
    """Delete the folders that killed processes of this user left; this is done once per process."""
    for folder in Path(parent).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_left_over(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left_over(folder: Path) -> bool:
    status = folder.lstat()
    if status.st_uid != os.getuid() or time.time() - status.st_mtime < YOUNG:
        return False
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True
