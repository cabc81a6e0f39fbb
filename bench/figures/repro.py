"""The whole experiment in a fresh clone with an empty cache, then again with nothing changed."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.data import Data
from bench.process import ROOT, run
from bench.table import BenchLine, summarize


def figure(data: Data) -> Iterator[BenchLine]:
    """`dvc repro` on the sample, twice."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "pfe"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        fresh = {"PFE_CACHE_DIR": str(Path(folder) / "cache"), "PYTHONPATH": str(clone)}
        first = run("dvc", "repro", cwd=clone, **fresh)
        second = run("dvc", "repro", cwd=clone, **fresh)
    yield summarize("dvc repro, sample, fresh clone of HEAD", [first.seconds / 60], "min", first.gigabytes, at_most=15)
    yield summarize("  again with nothing changed", [second.seconds], "s", second.gigabytes)
