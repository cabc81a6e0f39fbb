"""Programs per second in the sandbox: the reference programs of MBPP with their tests, on two cores."""

import os
import time
from collections.abc import Iterator

from bench.data import Data, canonical
from bench.process import MeasurementError, call
from bench.table import BenchLine, summarize

CORES = 2


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield the rate of all programs in three runs, each in a fresh process.

    Raises:
        MeasurementError: a reference program fails its tests.
    """
    runs = [call("bench.figures.sandbox", "rate", str(data.folder)) for _ in range(3)]
    programs, passed = runs[0].result["programs"], min(run.result["passed"] for run in runs)
    if passed < programs:
        raise MeasurementError(f"{programs - passed} of {programs} reference programs fail their tests")
    what = f"programs in the sandbox, {programs:,} on {CORES} cores"
    yield summarize(what, [run.result["rate"] for run in runs], "/s", at_least=20)


def rate(folder: str) -> dict[str, float]:
    """Return the number of programs, how many pass, and how many run per second of wall-clock time."""
    from pfe.scorers.program import score_many

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    pairs = [(problem, problem.answer) for problem in canonical(folder) if problem.domain == "code"]
    start = time.perf_counter()
    scores = score_many(pairs)
    seconds = time.perf_counter() - start
    return {"programs": len(pairs), "passed": sum(score.correct for score in scores), "rate": len(pairs) / seconds}
