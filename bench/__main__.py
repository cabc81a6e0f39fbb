"""Measure what the project promises of its speed, and print it beside the promise.

    make bench                                       # everything; half an hour on two cores
    python -m bench ngram cosines                    # some of it
    python -m bench --candidates 2000 ngram linear   # with fewer synthetic problems

Reads ../shared/canonical where it is there; without it everything runs on the sample and says so.
"""

import argparse
import importlib
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from bench.data import Data
from bench.process import MeasurementError
from bench.table import Line, head

# A module's name can be no keyword: `import_` is the figure `import`.
FIGURES = {path.stem.strip("_"): path.stem for path in sorted((Path(__file__).parent / "figures").glob("[a-z]*.py"))}


def main(arguments: list[str]) -> None:
    """Print a line a figure; exit 1 where one could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed and recall, measured and promised.")
    parser.add_argument("names", nargs="*", metavar="figure", help=f"of {', '.join(FIGURES)} (default: all)")
    parser.add_argument("--candidates", type=int, default=39_000, help="synthetic problems in all (default: 39000)")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(FIGURES):
        parser.error(f"unknown figure '{min(unknown)}'; allowed: {', '.join(FIGURES)}")
    with tempfile.TemporaryDirectory(prefix="pfe-bench-") as folder:
        sys.exit(_print(given.names or list(FIGURES), Path(folder), given.candidates))


def _print(names: list[str], folder: Path, candidates: int) -> int:
    """Measure and print; how many figures could not be measured."""
    print(f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}")
    data = Data.made(folder, candidates)
    print(f"{data.synthetic:,} synthetic problems against {data.canonical:,} canonical ones ({data.kind})\n\n{head()}")
    failed, broken = 0, []
    for name in names:
        start = time.perf_counter()
        try:
            for line in importlib.import_module(f"bench.figures.{FIGURES[name]}").figure(data):
                print(line, flush=True)
                broken += [line.what] if isinstance(line, Line) and line.kept is False else []
        except MeasurementError as error:
            failed += 1
            print(f"{name}: not measured: {error}", flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    print("\nNot kept: " + "; ".join(broken) if broken else "\nEvery promise measured here is kept.")
    return failed


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


if __name__ == "__main__":
    main(sys.argv[1:])
