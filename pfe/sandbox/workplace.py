"""A temporary folder for one program, that never outlives us for long.

Example: `with workplace() as place: …` is an empty folder such as /tmp/pfe-sandbox-k2x81f.

Who works in a folder holds a lock on it, which ends with the process however that ends. So a folder
without a lock is left over, and goes when the next process begins.
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
YOUNG = 60.0  # seconds in which a folder may not have its lock yet


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
    """Delete what killed processes of this user left, once in the life of this process."""
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
