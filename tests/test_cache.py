import multiprocessing
from pathlib import Path

import pytest

from pfe.cache import Cache
from pfe.errors import UserError


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


def _fill(path: Path, mark: bytes) -> None:
    for i in range(50):
        Cache(path).put_many({mark + str(i).encode(): mark})


def test_two_processes_write_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(path, mark)) for mark in (b"x", b"y")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    keys = [mark + str(i).encode() for mark in (b"x", b"y") for i in range(50)]
    assert len(Cache(path).get_many(keys)) == 100


def test_a_file_that_is_no_cache_is_told(tmp_path: Path) -> None:
    (tmp_path / "c.sqlite").write_bytes(b"cut short" * 100)
    with pytest.raises(UserError, match="not a usable cache"):
        Cache(tmp_path / "c.sqlite")
