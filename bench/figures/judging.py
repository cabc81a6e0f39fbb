"""Judging of a competition of a hundred methods, and the default competition from an empty cache to its ranking."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.data import Data
from bench.process import ROOT, call, run
from bench.table import BenchLine, summarize

SIZE = (100, 130, 10)  # methods, data sets, repetitions
ROUNDS = 7


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield both times, each from a separate process; the competition runs in a fresh clone with an empty cache."""
    judging = call("bench.figures.judging", "judging_times")
    what = f"judge {SIZE[0]} methods × {SIZE[1]} data sets × {SIZE[2]}, 200 resamples"
    yield summarize(what, judging.result, "s", judging.gigabytes, at_most=2)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "pfe"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        fresh = {"PFE_CACHE_DIR": str(Path(folder) / "cache"), "PYTHONPATH": str(clone)}
        whole = run("dvc", "repro", "judge", cwd=clone, **fresh)
    yield summarize("dvc repro judge, fresh clone of HEAD", [whole.seconds / 60], "min", whole.gigabytes, at_most=5)


def judging_times() -> list[float]:
    """Return the seconds of each round from a table of measured runs to the verdict with its stability."""
    from pfe.config import load
    from pfe.judging.judge import judge
    from tests.judging.tables import synthetic_table

    rules, runs = load(ROOT / "params.yaml").rules, synthetic_table(*SIZE, seed=0)
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        judge(runs, rules)
        seconds.append(time.perf_counter() - start)
    return seconds
