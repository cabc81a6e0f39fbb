"""The one content-addressed, append-only cache for expensive calls.

Example: `Cache.default().put_many({sha256(b"a text").digest(): vector.tobytes()})`

It lives outside the workspace, in `PFE_CACHE_DIR` or the user's cache folder, so that DVC's
experiments share it. It never decides a result: emptied, everything is computed again.
"""

import os
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pfe.errors import UserError

_BATCH = 500


def folder() -> Path:
    """Where caches are: `PFE_CACHE_DIR`, or the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("PFE_CACHE_DIR") or Path(home) / "pfe")


class Cache:
    """Bytes by key, in one SQLite file; what is under a key is never changed.

    Writes are transactions: a killed run leaves whole entries or none.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, value BLOB)")
        except sqlite3.DatabaseError as error:
            raise UserError(f"{path}: not a usable cache ({error}); delete it or set PFE_CACHE_DIR") from None
        except OSError as error:
            raise UserError(f"{path.parent}: cannot be made ({error.strerror}); set PFE_CACHE_DIR") from None

    @classmethod
    def default(cls) -> "Cache":
        """The cache in `PFE_CACHE_DIR`, or in the user's cache folder."""
        return cls(folder() / "entries.sqlite")

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is known of `keys`; the others are left out."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _BATCH):
            part = keys[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            found.update(self._database.execute(f"SELECT key, value FROM entry WHERE key IN ({marks})", part))
        return found

    def put_many(self, entries: Mapping[bytes, bytes]) -> None:
        """Add entries, all or none; a key that is there keeps its value."""
        try:
            with self._database:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany("INSERT OR IGNORE INTO entry VALUES (?, ?)", entries.items())
        except sqlite3.OperationalError as error:
            print(f"WARNING: the cache takes no entries ({error}); going on without", file=sys.stderr)
