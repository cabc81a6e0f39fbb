"""Measure what the project promises of its speed, and print it beside the promise.

    make bench                   # everything
    python -m bench import ngram # some of it

Reads ../shared/canonical where it is there; without it the n-gram check runs on the sample and says so.
"""

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Run:
    """One finished process: wall seconds, peak memory in GB, and what it printed."""

    seconds: float
    gigabytes: float
    printed: str


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    measured: str
    promised: str


def run(*command: str, cwd: Path = ROOT, **environment: str) -> Run:
    """Run a command; wall time by the clock, peak memory by the kernel's account of its largest process."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=os.environ | environment, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        output.seek(0)
        printed = output.read()
    if status:
        sys.exit(f"bench: {' '.join(command)} failed:\n{printed[-2000:]}")
    return Run(seconds, usage.ru_maxrss / 1e6, printed.strip())


def _python(code: str, repeats: int) -> list[Run]:
    return [run(sys.executable, "-c", code) for _ in range(repeats)]


def _spread(values: list[float], unit: str) -> str:
    return f"{statistics.median(values):.2f} {unit} ({min(values):.2f}-{max(values):.2f}, n={len(values)})"


def imports() -> Figure:
    """`import pfe`, less what starting Python costs."""
    code = (
        "import sys, time; t = time.perf_counter(); import pfe, pfe.config, pfe.problem; "
        "print(time.perf_counter() - t); assert 'torch' not in sys.modules"
    )
    runs = _python(code, repeats=7)
    spread = _spread([float(done.printed) for done in runs], "s")
    return Figure("import pfe, its configuration and records, without torch", spread, "≤ 0.3 s")


def ngram() -> Figure:
    """The n-gram check of the full synthetic corpus against the canonical problems."""
    runs = [run(sys.executable, "-m", "bench.ngram") for _ in range(3)]
    *_, pairs = runs[0].printed.splitlines()[-1].split(";")
    seconds = [float(done.printed.splitlines()[-1].split(";")[0]) for done in runs]
    peak = max(done.gigabytes for done in runs)
    return Figure(f"n-gram check, {pairs}", f"{_spread(seconds, 's')}, {peak:.2f} GB", "≤ 60 s, ≤ 4 GB")


def repro() -> Figure:
    """The whole experiment in a fresh clone with an empty cache, then again with nothing changed."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "pfe"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        fresh = {"PFE_CACHE_DIR": str(Path(folder) / "cache")}
        first = run("dvc", "repro", cwd=clone, **fresh)
        second = run("dvc", "repro", cwd=clone, **fresh)
        shutil.copy(clone / "report/report.md", Path(tempfile.gettempdir()) / "pfe-report.md")
    measured = f"{first.seconds / 60:.1f} min; again {second.seconds:.1f} s (n=1)"
    return Figure("dvc repro on the sample, fresh clone of HEAD", measured, "≤ 15 min; seconds")


FIGURES: dict[str, Callable[[], Figure]] = {"import": imports, "ngram": ngram, "repro": repro}


def main(names: list[str]) -> None:
    """Print one line a figure."""
    unknown = set(names) - set(FIGURES)
    if unknown:
        sys.exit(f"bench: unknown figure '{min(unknown)}'; allowed: {', '.join(FIGURES)}")
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name in names or FIGURES:
        figure = FIGURES[name]()
        print(f"{figure.what}\n    measured {figure.measured}\n    promised {figure.promised}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
