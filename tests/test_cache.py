"""Entries that stay what they were: among threads and processes, on damaged, full and read-only disks."""

import multiprocessing
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.cache import Cache, work_folder

ENTRIES = {bytes([number]) * 32: f"value {number}".encode() * 20 for number in range(100)}
NOBODY = 65534


def test_what_was_put_is_there_again_in_another_process_s_view(tmp_path: Path) -> None:
    Cache(tmp_path / "c.sqlite").put_many({b"a": b"1", b"b": b"2"})
    assert Cache(tmp_path / "c.sqlite").get_many([b"a", b"b", b"c"]) == {b"a": b"1", b"b": b"2"}


def test_an_entry_is_never_changed(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c.sqlite")
    cache.put_many({b"a": b"1"})
    cache.put_many({b"a": b"2"})
    assert cache.get_many([b"a"]) == {b"a": b"1"}


def test_more_keys_than_one_statement_takes(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c.sqlite")
    entries = {str(i).encode(): b"x" for i in range(3000)}
    cache.put_many(entries)
    assert cache.get_many(list(entries)) == entries


# --- threads and processes -------------------------------------------------------------------------


def test_threads_share_a_cache_and_lose_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c.sqlite")

    def put(number: int) -> bool:
        key = str(number).encode()
        cache.put_many({key: key * 3})
        return cache.get_many([key]) == {key: key * 3}

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(put, range(500)))
    keys = [str(number).encode() for number in range(500)]
    assert Cache(tmp_path / "c.sqlite").get_many(keys) == {key: key * 3 for key in keys}


def _fill(path: Path, mark: bytes) -> None:
    for i in range(20):
        Cache(path).put_many({mark + str(i).encode(): mark})


def test_processes_make_and_fill_a_cache_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    context = multiprocessing.get_context("forkserver")
    workers = [context.Process(target=_fill, args=(path, mark)) for mark in (b"x", b"y", b"z")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not any(worker.exitcode for worker in workers)
    keys = [mark + str(i).encode() for mark in (b"x", b"y", b"z") for i in range(20)]
    assert len(Cache(path).get_many(keys)) == 60


def test_a_fork_has_a_connection_of_its_own(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c.sqlite")
    cache.put_many({b"a": b"1"})
    child = multiprocessing.get_context("fork").Process(target=cache.put_many, args=({b"b": b"2"},))
    child.start()
    child.join()
    cache.put_many({b"c": b"3"})
    assert cache.get_many([b"a", b"b", b"c"]) == {b"a": b"1", b"b": b"2", b"c": b"3"}


# --- damage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE kept SET value = CAST(replace(value, '1', '2') AS BLOB)",
        "UPDATE kept SET value = substr(value, 1, 10)",
        "UPDATE kept SET value = NULL",
        "UPDATE kept SET value = 17",
        "UPDATE kept SET checksum = NULL",
        "UPDATE kept SET (value, checksum) = (SELECT value, checksum FROM kept WHERE key = x'62')",
    ],
)
def test_a_damaged_entry_is_missing_and_makes_room_for_a_sound_one(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    Cache(path).put_many({b"a": b"value 1 of many", b"b": b"value 21"})
    with sqlite3.connect(path) as database:
        database.execute(f"{damage} WHERE key = x'61'")
    cache = Cache(path)
    assert cache.get_many([b"a", b"b"]) == {b"b": b"value 21"}
    cache.put_many({b"a": b"new", b"b": b"other"})
    assert Cache(path).get_many([b"a", b"b"]) == {b"a": b"new", b"b": b"value 21"}


COMMAND = """
import sys
from pathlib import Path
from pfe.cache import Cache
for path in map(Path, sys.argv[1:]):
    for _ in range(2):  # an entry that is read twice is one
        Cache(path).get_many([b"a", b"b", b"c"])
"""


def test_damaged_entries_are_counted_in_one_line_at_the_end_of_the_process(tmp_path: Path) -> None:
    first, second, sound = (tmp_path / f"{name}.sqlite" for name in ("first", "second", "sound"))
    for path, damage in ((first, "key < x'63'"), (second, "key = x'61'"), (sound, "FALSE")):
        Cache(path).put_many({b"a": b"1", b"b": b"2", b"c": b"3"})
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE kept SET value = x'00' WHERE {damage}")
    run = [sys.executable, "-c", COMMAND]
    ended = subprocess.run([*run, first, second, sound], capture_output=True, text=True, check=True)
    assert ended.stderr == (
        f"WARNING: damaged cache entries were computed again: 2 in {first}, 1 in {second}; "
        "if this happens often, check the disk\n"
    )
    assert not subprocess.run([*run, sound], capture_output=True, text=True, check=True).stderr


def test_entries_of_an_older_format_are_missing_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE entry (key BLOB PRIMARY KEY, value BLOB)")
        database.execute("INSERT INTO entry VALUES (x'61', x'62')")
    cache = Cache(path)
    assert cache.get_many([b"a"]) == {}
    cache.put_many({b"a": b"1"})
    assert Cache(path).get_many([b"a"]) == {b"a": b"1"}
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT value FROM entry").fetchall() == [(b"b",)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a cache with `ENTRIES`."""
    path = tmp_path_factory.mktemp("sound") / "c.sqlite"
    Cache(path).put_many(ENTRIES)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@settings(max_examples=40)
@given(st.data())
def test_whatever_happens_to_the_file_no_wrong_value_comes_of_it(sound: bytes, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["flipped", "cut", "zeroed", "grown"]))
    place = data.draw(st.integers(0, len(sound) - 1))
    content = bytearray(sound)
    if kind == "flipped":
        content[place] ^= data.draw(st.integers(1, 255))
    elif kind == "cut":
        del content[place:]
    elif kind == "zeroed":
        content[place : place + 700] = bytes(len(content[place : place + 700]))
    else:
        content[place:place] = b"x" * 100
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "c.sqlite"
        path.write_bytes(content)
        cache = Cache(path)
        known = cache.get_many(list(ENTRIES))
        assert known == {key: ENTRIES[key] for key in known}
        cache.put_many(ENTRIES)
        assert Cache(path).get_many(list(ENTRIES)) == ENTRIES


@pytest.mark.parametrize("content", [b"cut short" * 100, b"SQLite format 3\0" + b"\xff" * 5000, "other tables"])
def test_a_file_that_is_no_cache_is_moved_aside_and_both_paths_are_said(
    content: bytes | str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.sqlite"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE kept (something TEXT)")
    cache = Cache(path)
    aside = min(tmp_path.glob("c.sqlite.damaged-*"))
    assert content == "other tables" or aside.read_bytes() == content
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"WARNING: {path} is damaged (")
    assert f"it was moved to {aside}, and 0 sound entries of it to a new {path}" in line
    assert "delete" not in line
    cache.put_many({b"a": b"1"})
    assert Cache(path).get_many([b"a"]) == {b"a": b"1"}


def test_what_is_sound_in_a_damaged_file_is_saved(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    middle = len(sound) // 2
    path.write_bytes(sound[:middle] + bytes(4096) + sound[middle + 4096 :])
    known = Cache(path).get_many(list(ENTRIES))
    assert known == {key: ENTRIES[key] for key in known}
    assert len(ENTRIES) // 2 < len(known) < len(ENTRIES)


# --- full and read-only disks ----------------------------------------------------------------------


def test_on_a_full_disk_entries_wait_until_there_is_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.sqlite"
    cache = Cache(path)
    cache.put_many({b"a": b"1"})
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name("c.sqlite-wal").stat().st_size, limits[1]))
    try:
        for number in range(20):
            cache.put_many({f"b{number}".encode(): b"2" * 1000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"WARNING: nothing can be kept in {path} (")
    assert "delete" not in line
    keys = [b"a", *(f"b{number}".encode() for number in range(20))]
    assert len(cache.get_many(keys)) == 21
    assert set(Cache(path).get_many(keys)) == {b"a"}
    cache.put_many({b"c": b"3"})
    assert len(Cache(path).get_many([*keys, b"c"])) == 22


@pytest.fixture
def locked_folder() -> Iterator[Path]:
    """A folder with a filled cache that `NOBODY` can read and not write."""
    folder = Path(tempfile.mkdtemp())
    Cache(folder / "entries.sqlite").put_many({b"a": b"1"})
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def _uses(folder: Path, results: Path) -> None:
    """What a run does with a cache, by a user who can only read it."""
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    os.environ["PFE_CACHE_DIR"] = str(folder)
    with results.open("w") as sys.stderr:
        cache = Cache.default()
        for number in range(3):
            cache.put_many({b"b%d" % number: b"2"})
        assert len(cache.get_many([b"a", b"b0", b"b1", b"b2"])) == 4
        (work_folder("screening") / "x").write_text("y")


def test_a_read_only_cache_is_read_and_said_once(locked_folder: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        results = Path(name) / "stderr"
        child = multiprocessing.get_context("fork").Process(target=_uses, args=(locked_folder, results))
        child.start()
        child.join()
        assert child.exitcode == 0
        first, second = results.read_text().splitlines()
    assert first.startswith(f"WARNING: nothing can be kept in {locked_folder}/entries.sqlite (")
    assert second.startswith(f"WARNING: nothing can be kept in {locked_folder}/screening (")


@pytest.mark.parametrize("place", ["/proc/pfe", "/dev/null/pfe", "file"])
def test_a_folder_that_cannot_be_made_is_said_once(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path / place))
    for number in range(3):
        cache = Cache.default()
        cache.put_many({b"a": b"%d" % number})
        assert cache.get_many([b"a", b"b"]) == {b"a": b"%d" % number}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("WARNING: nothing can be kept in ")
    assert work_folder("screening").is_dir()
