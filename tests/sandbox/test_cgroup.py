"""Control groups: where one may be created, and that a program runs in it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pfe.sandbox.cgroup import above, delegated, group
from pfe.sandbox.process import ProgramEnded, SandboxLimits
from pfe.sandbox.programs import evaluate, run_tests
from pfe.sandbox.workplace import PREFIX

# Pages so far apart that each needs tables of its own, which no limit of the process counts.
TABLES = """
import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
def tables(n):
    for i in range(n):
        place, size = ctypes.c_void_p((1 << 44) + (i << 30)), ctypes.c_size_t(4096)
        ctypes.memset(libc.mmap(place, size, 3, 0x100022, -1, ctypes.c_long(0)), 1, 1)
    return n
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "user.slice/app.slice/one.scope").mkdir(parents=True)
    (tmp_path / "cgroup.controllers").write_text("memory pids")
    return tmp_path


def test_the_groups_above_are_looked_at_from_the_nearest_on(root: Path) -> None:
    slices = root / "user.slice"
    expected = [slices / "app.slice/one.scope", slices / "app.slice", slices, root]
    membership = "4:memory:/old\n0::/user.slice/app.slice/one.scope\n"
    assert list(above(membership, (root / "nowhere", root))) == expected
    assert list(above("0::/\n", (root,))) == [root]
    assert list(above("4:memory:/old\n", (root,))) == []


def test_a_group_has_limits_and_goes(root: Path) -> None:
    with group(root, "one", 1 << 20, 5) as join:
        assert Path(join) == root / "one/cgroup.procs"
        assert [(root / "one" / name).read_text() for name in ("memory.max", "pids.max")] == [str(1 << 20), "5"]
        for file in (root / "one").iterdir():
            file.unlink()  # which are no files of their own in a real one
    assert not (root / "one").exists()


def test_a_program_joins_the_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    joined = tmp_path / "cgroup.procs"
    joined.touch()

    @contextlib.contextmanager
    def given(*_: object) -> Iterator[str]:
        yield str(joined)

    monkeypatch.setattr("pfe.sandbox.process.group", given)
    assert run_tests("", "", []).passed
    assert joined.read_text() == "0"


def test_without_a_group_a_program_runs_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pfe.sandbox.process.delegated", lambda: None)
    assert run_tests("", "", []).passed


def test_a_group_counts_what_no_other_limit_counts() -> None:
    parent = delegated()
    if parent is None:
        pytest.skip("no control group (version 2, memory and pids) can be created here: its limits are not tested")
    limits = SandboxLimits(seconds=20, memory_mb=256)
    assert evaluate(TABLES, "tables(1000)", limits) == 1000
    with pytest.raises(ProgramEnded, match="killed by signal 9"):
        evaluate(TABLES, "tables(40_000)", limits)
    assert list(parent.glob(f"{PREFIX}*")) == []
