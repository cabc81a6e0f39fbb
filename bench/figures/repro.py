"""The whole experiment in a fresh clone with an empty cache, stage by stage, then rerun without changes."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.data import Data
from bench.process import ROOT, run
from bench.table import BenchLine, summarize
from pfe.run_times import times


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield the times of two runs of `dvc repro` on the sample, and of each stage of the first."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "pfe"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        fresh = {"PFE_CACHE_DIR": str(Path(folder) / "cache"), "PYTHONPATH": str(clone)}
        first = run("dvc", "repro", cwd=clone, **fresh)
        stages = times(clone / "data/times")
        second = run("dvc", "repro", cwd=clone, **fresh)
    yield summarize("dvc repro, sample, fresh clone of HEAD", [first.seconds / 60], "min", first.gigabytes, at_most=15)
    for name, stage in stages.items():
        yield summarize(f"  stage {name}", [stage.wall], "s", stage.memory * 2**20 / 1e9)
    yield summarize("  rerun without changes", [second.seconds], "s", second.gigabytes)
