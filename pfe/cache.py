"""The content-addressed, append-only cache for expensive calls.

Example: `Cache.default().put_many({sha256(b"a text").digest(): vector.tobytes()})`

It lies outside the workspace, in `PFE_CACHE_DIR` or the user's cache folder, so that DVC's experiments share it. It
never decides a result: if it is emptied, everything is computed again. It never stops a run either: if it cannot be
read or written, the run goes on without it and warns once. Damaged entries are computed again, and counted in one
warning at the end of the process.
"""

import atexit
import fcntl
import os
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import IO, TypeVar

from pfe.errors import UserError
from pfe.terminal import is_utf8

T = TypeVar("T")
_BATCH = 500
_PATIENCE = 60.0  # seconds that a process waits for another one's write
_SHORT_PATIENCE = 1.0  # the same, after one such wait has failed
_LONGEST_WORK = 900.0  # seconds that one process waits for a value that another one computes
_MOST_WAITING = 1 << 28  # bytes of entries that wait in memory while the disk is full
_TABLE = "CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB, checksum BLOB)"
_GET = "SELECT key, value, checksum FROM kept WHERE key IN ({})"
_ALL = "SELECT key, value, checksum FROM kept NOT INDEXED ORDER BY rowid {}"
# An existing key keeps its value, unless that is damaged.
_PUT = (
    "INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
    "SET value = excluded.value, checksum = excluded.checksum WHERE NOT sound(key, value, kept.checksum)"
)
# SQLite's error codes for a damaged database, or for one with other tables than ours.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR)
_TROUBLE = (sqlite3.Error, UnicodeError, OverflowError)  # the last two if the error message is damaged as well
_warned: set[Path] = set()
_damaged: dict[Path, set[object]] = {}  # the keys of damaged entries
_locks: dict[tuple[Path, bytes], threading.Lock] = {}


def folder() -> Path:
    """Return the folder of all caches: `PFE_CACHE_DIR`, or `pfe` in the user's cache folder.

    Raises:
        UserError: its path is not UTF-8.
    """
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    path = os.path.expanduser(os.environ.get("PFE_CACHE_DIR") or os.path.join(home, "pfe"))
    if not is_utf8(path):
        raise UserError(f"the cache folder '{path}' is not UTF-8; set PFE_CACHE_DIR to another folder")
    return Path(path)


def work_folder(name: str) -> Path:
    """Return a writable folder in the cache; if the cache is not writable, warn once and return a temporary folder."""
    path = folder() / name
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        _warn(path, error.strerror or str(error))
        path = Path(tempfile.mkdtemp(prefix="pfe-"))
        atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


class Cache:
    """Bytes by key in one SQLite file; the value of a key never changes.

    Writes are transactions: a killed run leaves whole entries or none. Every value has a checksum, and a damaged
    value counts as missing. A file that is damaged as a whole is moved aside, never deleted, and its undamaged
    entries are saved. Several threads can share a cache, and any number of processes a file.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.RLock()
        self._database: sqlite3.Connection | None = None
        self._process, self._broken = os.getpid(), False
        self._waiting: dict[bytes, bytes] = {}
        self._doors: IO[bytes] | None = None
        self._attempt(lambda database: None)

    @classmethod
    def default(cls) -> "Cache":
        """Return the cache in `PFE_CACHE_DIR`, or in the user's cache folder."""
        return cls(folder() / "entries.sqlite")

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values of those `keys` that are known and undamaged."""
        with self._lock:
            parts = [keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]
            entries: dict[bytes, bytes] = {}
            for part in parts:
                entries |= self._attempt(lambda database, part=part: self._read(database, part)) or {}  # type: ignore[misc]
            return entries | {key: self._waiting[key] for key in keys if key in self._waiting and key not in entries}

    def put_many(self, entries: Mapping[bytes, bytes]) -> None:
        """Add entries, all or none; an existing key keeps its value.

        Entries that cannot be written wait in memory, where `get_many` finds them, until a later call can write.
        """
        with self._lock:
            self._waiting = {**entries, **self._waiting}
            if self._attempt(lambda database: _write(database, self._waiting)):
                self._waiting = {}
            size = sum(map(len, self._waiting.values()))
            while size > _MOST_WAITING:
                size -= len(self._waiting.popitem()[1])

    @contextmanager
    def alone(self, key: bytes) -> Iterator[None]:
        """Lock a key: no other thread or process is in this block with the same key of the same file.

        Other processes are not locked out if the file system has no locks or cannot be written, or after a long wait.
        """
        with self._lock:
            lock = _locks.setdefault((self._path, key), threading.Lock())
            if self._doors is None:
                with suppress(OSError):
                    self._doors = self._path.with_name(f"{self._path.name}.doors").open("ab")
        with lock, _byte_lock(self._doors, int.from_bytes(key[:7], "big")):
            yield

    def _read(self, database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        entries: dict[bytes, bytes] = {}
        for key, value, checksum in database.execute(_GET.format(",".join("?" * len(keys))), keys):
            if _sound(key, value, checksum):
                entries[key] = value
            else:
                note_damage(self._path, key)
        return entries

    def _attempt(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Return the result of an action on the database; None if the database does not allow it."""
        for _ in range(2):
            try:
                database = self._open()
                return None if database is None else action(database)
            except _TROUBLE as error:
                code = _code(error)
                if code in _DAMAGED and self._renew(error):
                    continue
                _warn(self._path, str(error))
                if code == sqlite3.SQLITE_BUSY and self._database:
                    self._database.execute(f"PRAGMA busy_timeout = {_SHORT_PATIENCE * 1000:.0f}")
                self._broken = self._broken or self._database is None
                return None
        return None

    def _open(self) -> sqlite3.Connection | None:
        """Return the connection of this process; None if none can be opened."""
        if self._process != os.getpid():  # a fork must not use the connection that it inherited
            self._database, self._process = None, os.getpid()
        if self._database is None and not self._broken:
            self._database = _connect(self._path)
        return self._database

    def _renew(self, error: Exception) -> bool:
        """Move a damaged file aside, unless another process already did; return whether there is a sound file now."""
        with suppress(sqlite3.Error):
            if self._database:
                self._database.close()
        self._database = None
        try:
            with _file_lock(self._path.with_name(f"{self._path.name}.lock")):
                if not _is_sound(self._path):
                    aside = _move_aside(self._path)
                    saved = _save_sound(aside, self._path)
                    print(
                        f"WARNING: {self._path} is damaged ({error}); it was moved to {aside}, and "
                        f"{saved:,} sound entries of it to a new {self._path}",
                        file=sys.stderr,
                    )
        except (OSError, *_TROUBLE):
            return False
        return True


def note_damage(path: Path, key: object) -> None:
    """Count a damaged entry of a cache for the warning at the end of this process."""
    if not _damaged:
        atexit.register(_report_damage, os.getpid())
    _damaged.setdefault(path, set()).add(key)


def _report_damage(process: int) -> None:
    if process == os.getpid():  # not in a fork
        counts = ", ".join(f"{len(keys):,} in {path}" for path, keys in _damaged.items())
        with suppress(OSError):
            print(
                f"WARNING: damaged cache entries were computed again: {counts}; if this happens often, check the disk",
                file=sys.stderr,
            )


def _code(error: Exception) -> int:
    """Return SQLite's primary code of an error, without the extended bits."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


def _warn(path: Path, why: str) -> None:
    if path not in _warned:
        _warned.add(path)
        print(
            f"WARNING: nothing can be kept in {path} ({why}); going on without: what is computed now will be computed, "
            "or paid for, again. Make it writable, with room on its disk, or set PFE_CACHE_DIR to another folder",
            file=sys.stderr,
        )


def _connect(path: Path) -> sqlite3.Connection:
    """Return a connection to the file for reading and writing; if that fails, for reading only."""
    try:
        with suppress(OSError):  # SQLite reports the same error, with a code
            path.parent.mkdir(parents=True, exist_ok=True)
        database = _connection(str(path))
        if database.execute("PRAGMA journal_mode").fetchone() != (b"wal",):
            _patiently(lambda: database.execute("PRAGMA journal_mode = WAL"))
        _patiently(lambda: database.execute(_TABLE))
        database.execute("SELECT key, value, checksum FROM kept LIMIT 0")
    except sqlite3.OperationalError as error:
        if _code(error) in _DAMAGED or not path.exists():
            raise
        database = _connection(f"{path.resolve().as_uri()}?immutable=1")
        database.execute("SELECT key, value, checksum FROM kept LIMIT 0")
    return database


def _connection(name: str) -> sqlite3.Connection:
    database = sqlite3.connect(name, timeout=_PATIENCE, isolation_level=None, check_same_thread=False, uri=True)
    database.text_factory = bytes
    database.create_function("sound", 3, _sound, deterministic=True)
    return database


def _patiently(action: Callable[[], object]) -> None:
    """Repeat an action while the database is busy: SQLite does not wait if several processes create a file at once."""
    for _ in range(int(_PATIENCE / 0.05)):
        try:
            action()
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(0.05)
    action()


def _write(database: sqlite3.Connection, entries: Mapping[bytes, bytes]) -> bool:
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.executemany(_PUT, [(key, value, _checksum(key, value)) for key, value in entries.items()])
    return True


def _checksum(key: bytes, value: bytes) -> bytes:
    """Return a hash of key and value, so that no value is mistaken for another key's."""
    return blake2b(len(key).to_bytes(8, "little") + key + value, digest_size=16).digest()


def _sound(key: object, value: object, checksum: object) -> bool:
    return isinstance(key, bytes) and isinstance(value, bytes) and checksum == _checksum(key, value)


def _is_sound(path: Path) -> bool:
    try:
        with closing(_connect(path)) as database:
            return bool(database.execute("PRAGMA integrity_check(1)").fetchone() == (b"ok",))
    except _TROUBLE:
        return False


@contextmanager
def _byte_lock(file: IO[bytes] | None, place: int) -> Iterator[None]:
    """Hold a lock among processes on one byte of a file; the file may be shorter than that."""
    is_locked = file is not None and _lock_byte(file, place)
    try:
        yield
    finally:
        if file is not None and is_locked:
            with suppress(OSError):
                fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


def _lock_byte(file: IO[bytes], place: int) -> bool:
    for _ in range(int(_LONGEST_WORK / 0.1)):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            return True
        except (BlockingIOError, PermissionError):
            time.sleep(0.1)
        except OSError:
            return False
    return False


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _move_aside(path: Path) -> Path:
    """Rename a file, and the files that SQLite keeps next to it, to an unused name."""
    stem = f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    names = (stem if not number else f"{stem}-{number}" for number in range(1000))
    aside = next(place for name in names if not (place := path.with_name(name)).exists())
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{suffix}", f"{aside}{suffix}")
    return aside


def _save_sound(damaged: Path, path: Path) -> int:
    """Copy the undamaged entries of a damaged file into a new one; return how many the new file has."""
    rows = _readable(damaged)
    with closing(_connect(path)) as database:
        while batch := list(islice(rows, _BATCH)):
            _write(database, {key: value for key, value, checksum in batch if _sound(key, value, checksum)})
        return int(database.execute("SELECT COUNT(*) FROM kept").fetchone()[0])


def _readable(damaged: Path) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the rows that come before the first damage in a file, then those after the last."""
    for order in ("ASC", "DESC"):
        with suppress(*_TROUBLE), closing(_connection(f"{damaged.resolve().as_uri()}?mode=ro")) as database:
            yield from database.execute(_ALL.format(order))
            return
