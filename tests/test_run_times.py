"""What a stage took is kept where it ended well, and read in the order of the ends."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pfe.run_times import RunTime, recorded, times
from tests.conftest import ROOT

BUSY = """
import subprocess, sys
from pfe.run_times import recorded
loop = "import time\\nwhile time.process_time() < .3: pass"
with recorded("evaluate@a/b"):
    exec(loop)
    subprocess.run([sys.executable, "-c", loop])
    held = bytearray(b"x" * 300 * 2**20)
"""


def test_time_and_memory_of_a_stage_and_its_processes_are_kept_under_its_name(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", BUSY], cwd=tmp_path, check=True, env={"PYTHONPATH": str(ROOT)})
    ((name, took),) = times(tmp_path / "data/times").items()
    assert name == "evaluate@a/b"
    assert took.processor >= 0.6
    assert took.memory >= 300
    assert took.wall > 0


def test_what_fails_leaves_the_time_of_before(tmp_path: Path) -> None:
    with recorded("score", tmp_path):
        pass
    before = times(tmp_path)
    with pytest.raises(RuntimeError), recorded("score", tmp_path):
        raise RuntimeError
    assert times(tmp_path) == before


def test_stages_are_told_in_the_order_in_which_they_ended(tmp_path: Path) -> None:
    for stage, minute in (("a", 2), ("c", 1), ("b", 3)):
        took = {"wall": 1.0, "processor": 1.0, "memory": 1.0, "ended": f"2026-01-01T00:0{minute}:00+00:00"}
        (tmp_path / f"{stage}.json").write_text(json.dumps(took))
    assert list(times(tmp_path)) == ["c", "a", "b"]
    assert times(tmp_path)["c"] == RunTime(1.0, 1.0, 1.0, "2026-01-01T00:01:00+00:00")
