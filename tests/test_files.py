"""Files and folders that are replaced: whole or not at all, through errors and kills, and never those of the user."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.files import new_folder, read_record, replacing, replacing_folder, replacing_together, write_json, write_record


def test_an_error_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(TypeError), replacing(path) as temporary, temporary.open("w") as file:
        file.write(b"half")  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_old_folder_and_nothing_beside(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "whole").touch()
    with pytest.raises(FileNotFoundError), replacing_folder(folder) as temporary:
        (temporary / "no such folder" / "half").touch()
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "whole"]


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    for name in ("first", "second"):
        with replacing_folder(folder) as temporary:
            (temporary / name).touch()
    assert [path.name for path in folder.iterdir()] == ["second"]


@pytest.mark.parametrize("made", range(3))
def test_files_and_folders_are_replaced_together_or_not_at_all(tmp_path: Path, made: int) -> None:
    (tmp_path / "a").mkdir()
    for name in ("a/old", "b.json", "c.csv"):
        (tmp_path / name).write_text("old")
    before = sorted(tmp_path.rglob("*"))
    outputs = [tmp_path / name for name in ("a", "b.json", "c.csv")]

    def write(paths: list[Path]) -> None:
        for path in paths:
            (path / "new" if path.is_dir() else path).write_text("new")

    with pytest.raises(IndexError), replacing_together(*outputs) as beside:
        write([*beside[:made], [][0]])
    assert sorted(tmp_path.rglob("*")) == before
    assert {path.read_text() for path in before if path.is_file()} == {"old"}
    with replacing_together(*outputs) as beside:
        write(beside)
    assert [path.read_text() for path in sorted(tmp_path.rglob("*")) if path.is_file()] == ["new"] * 3
    assert not (tmp_path / "a/old").exists()


def test_equal_values_are_equal_bytes(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": 2})
    write_json(tmp_path / "b.json", {"a": 2, "b": 1})
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_number_that_is_none_is_no_json(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", {"x": float("nan")})
    assert not list(tmp_path.iterdir())


@dataclass(frozen=True)
class Measure:
    """What a stage could write."""

    value: float
    by_name: Mapping[str, tuple[int, ...]]


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    records = [Measure(0.1 + 0.2, {"a": (1, 2)}), Measure(1.0, {})]
    write_record(tmp_path / "one.json", records[0])
    write_record(tmp_path / "all.json", records, list[Measure])
    assert read_record(tmp_path / "one.json", Measure) == records[0]
    assert read_record(tmp_path / "all.json", list[Measure]) == records


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no such file; run `dvc repro`"),
        (b"", "not what PFE writes there"),
        (b"[1]", "not what PFE writes there"),
        (b"\xff", "not what PFE writes there"),
        (b'{"value": "x", "by_name": {}}', r"\(value: Input should be a valid number"),
        (b'{"value": 1.0}', r"\(by_name: .*\); run `dvc repro`"),
    ],
)
def test_what_is_no_record_is_named(content: bytes | None, words: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "one.json").write_bytes(content)
    with pytest.raises(UserError, match=rf"one\.json: .*{words}"):
        read_record(tmp_path / "one.json", Measure)


def test_what_is_no_record_is_told_with_the_remedy_of_whoever_reads_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"one\.json: no such file; ask again$"):
        read_record(tmp_path / "one.json", Measure, "ask again")
    (tmp_path / "one.json").write_text("[]")
    with pytest.raises(UserError, match=r"one\.json: not what PFE writes there \(.*\); ask again$"):
        read_record(tmp_path / "one.json", Measure, "ask again")


def dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_what_dead_processes_left_is_cleaned_and_nothing_else(tmp_path: Path) -> None:
    host = socket.gethostname().replace(".", "-")
    gone, living = dead(), os.getppid()
    left = [f".out.{gone}.tmp", f".out.{gone}.{host}.tmp", f".a.json.{gone}.tmp", f".a.json.{gone}.{host}.tmp"]
    others = [
        f".out.{living}.tmp", f".out.{living}.{host}.tmp", f".out.{gone}.elsewhere.tmp", f".other.{gone}.tmp",
        f".out.{gone}.tmp.bak", f"out.{gone}.tmp", ".out.tmp", ".out.x.tmp", f".a.json.{gone}.elsewhere.tmp",
    ]  # fmt: skip
    for name in (*left, *others):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").touch()
    with replacing_folder(tmp_path / "out") as folder:
        (folder / "whole").touch()
    write_json(tmp_path / "a.json", 1)
    assert {path.name for path in tmp_path.iterdir()} == {*others, "out", "a.json"}
    assert all((tmp_path / name / "half").exists() for name in others)


KILLED = """
import os, signal, sys
from pathlib import Path
from pfe import files
kill = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "between":
    replace, calls = os.replace, []
    files.os.replace = lambda *paths: kill() if calls else (calls.append(1), replace(*paths))
with files.replacing_folder(Path(sys.argv[1])) as folder:
    (folder / "new").touch()
    if sys.argv[2] == "before":
        kill()
if sys.argv[2] == "never":
    print(*os.listdir(sys.argv[1]))
"""


@pytest.mark.parametrize("moment", ["before", "between"])
def test_a_kill_at_any_moment_leaves_a_folder_and_the_next_start_cleans_up(tmp_path: Path, moment: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "old").touch()
    command = [sys.executable, "-c", KILLED, str(folder)]
    assert subprocess.run([*command, moment], check=False).returncode < 0
    assert len(list(tmp_path.glob(".out.*.tmp"))) == (1 if moment == "before" else 2)
    with pytest.raises(RuntimeError), replacing_folder(folder):
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert [path.name for path in folder.iterdir()] == ["old"]
    done = subprocess.run([*command, "never"], check=True, capture_output=True, text=True)
    assert done.stdout == "new\n"


@pytest.mark.parametrize("climbing", ["out/..", "..", "a/../..", "../canonical"])
def test_a_folder_that_climbs_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, climbing: str) -> None:
    (tmp_path / "work/a").mkdir(parents=True)
    (tmp_path / "work/out").mkdir()
    (tmp_path / "canonical").mkdir()
    (tmp_path / "canonical/precious").touch()
    monkeypatch.chdir(tmp_path / "work")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError, match="give a folder of its own"), replacing_folder(Path(climbing)):
        raise AssertionError("begun")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("place", [".", "", "/"])
def test_the_folder_we_work_in_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (Path(place), tmp_path, tmp_path.parent):
        with pytest.raises(UserError, match="give a folder of its own"), replacing_folder(path):
            raise AssertionError("begun")
    assert tmp_path.is_dir()


def test_nothing_that_is_there_is_replaced_where_a_new_place_is_wanted(tmp_path: Path) -> None:
    folder, empty = tmp_path / "folder", tmp_path / "empty"
    for path in (folder, empty):
        path.mkdir()
    for name in ("a", "b", "c", "d"):
        (folder / name).touch()
    (tmp_path / "link").symlink_to(empty)
    refusals = {"folder": " (a, b, c, …)", "folder/a": "", "link": "", "folder/../folder": " (a, b, c, …)"}
    for name, what in refusals.items():
        message = f"{tmp_path / name}: is there already{what}, and is not replaced; give another place: --out OTHER"
        with pytest.raises(UserError, match=re.escape(message)), new_folder(tmp_path / name, "--out"):
            raise AssertionError("begun")
    with new_folder(empty, "--out") as temporary:
        (temporary / "ours").write_text("1")
    with pytest.raises(UserError, match="is there already"), new_folder(tmp_path / "new", "--out"):
        shutil.copytree(folder, tmp_path / "new")  # somebody else's, made meanwhile
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "folder", "link", "new"]
    assert [len(list(path.iterdir())) for path in (folder, tmp_path / "new")] == [4, 4]


@pytest.mark.parametrize("place", ["/proc/out", "/proc/out/deep", "file/out", "x" * 300, "file", "link"])
def test_a_place_that_cannot_be_written_is_told_before_any_work(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(UserError, match=r"cannot be written|is no folder"), replacing_folder(tmp_path / place):
        raise AssertionError("begun")
    if place not in ("file", "link"):
        with pytest.raises(UserError, match="cannot be written"), replacing(tmp_path / place):
            raise AssertionError("begun")
    with pytest.raises(UserError, match="cannot be written"):
        write_json(tmp_path, 1)
