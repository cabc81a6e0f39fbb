"""Measure speed, memory and recall, and print each figure next to its target.

    make bench                                       # everything; half an hour on two cores
    python -m bench ngram cosines                    # selected figures
    python -m bench --candidates 2000 ngram linear   # with fewer synthetic problems

Reads ../shared/canonical if it exists; otherwise everything runs on the sample, as the output states.
Writes metrics/bench.json: the figures of this run, and the earlier results of all other figures. With fewer synthetic
problems than the default nothing is written, because such figures are not comparable.
"""

import argparse
import ast
import importlib
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from bench.data import Data
from bench.process import ROOT, MeasurementError, processor
from bench.table import BenchLine, head
from pfe.files import write_json
from pfe.stage import reports_mistakes

CANDIDATES = 39_000  # synthetic problems: the sum of SPEC's target sizes
# A module's name cannot be a keyword, so the figure `import` is in `import_`.
FIGURES = {path.stem.strip("_"): path.stem for path in sorted((Path(__file__).parent / "figures").glob("[a-z]*.py"))}


@reports_mistakes
def main(arguments: list[str]) -> bool:
    """Measure the figures and print their lines; return whether all could be measured."""
    width = max(map(len, FIGURES))
    every = "".join(f"\n  {name:<{width}} {_description(module)}" for name, module in FIGURES.items())
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=f"Measure speed, memory and recall against their targets:{every}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="figure", help="names of figures (default: all, half an hour)")
    parser.add_argument(
        "--candidates",
        type=_at_least_one,
        default=CANDIDATES,
        help=f"number of synthetic problems (default: {CANDIDATES}); with fewer, nothing is written",
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(FIGURES):
        parser.error(f"unknown figure '{min(unknown)}'; allowed: {', '.join(FIGURES)}")
    with tempfile.TemporaryDirectory(prefix="pfe-bench-") as folder:
        return not _print(options.names or list(FIGURES), Path(folder), options.candidates)


def _description(module: str) -> str:
    """Return the description of a figure, which is the first line of its module."""
    text = (Path(__file__).parent / f"figures/{module}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of problems; use an integer of at least 1")
    return int(text)


def _print(names: list[str], folder: Path, candidates: int) -> int:
    """Measure and print the figures; return how many could not be measured."""
    machine = f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    data = Data.create(folder, candidates)
    print(f"{data.synthetic:,} synthetic problems against {data.canonical:,} canonical ones ({data.kind})\n\n{head()}")
    failures, missed = 0, []
    for name in names:
        start, lines = time.perf_counter(), []
        try:
            for line in importlib.import_module(f"bench.figures.{FIGURES[name]}").figure(data):
                print(line, flush=True)
                lines += [line] if isinstance(line, BenchLine) else []
            missed += [line.name for line in lines if line.met is False]
            if candidates >= CANDIDATES and lines:
                _save(name, machine, lines)
        except MeasurementError as error:
            failures += 1
            print(f"{name}: not measured: {error}", flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    print("\nTargets missed: " + "; ".join(missed) if missed else "\nAll measured targets are met.")
    return failures


def _save(name: str, machine: str, lines: list[BenchLine]) -> None:
    """Write the lines of one figure to metrics/bench.json, replacing its earlier ones."""
    path = ROOT / "metrics/bench.json"
    earlier = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    figures = {line.name.strip(): asdict(line) for line in _with_full_names(lines)}
    write_json(path, earlier | {name: {"machine": machine, "figures": figures}})


def _with_full_names(lines: list[BenchLine]) -> Iterator[BenchLine]:
    """Yield the lines; an indented name gets the last unindented one as a prefix, so that names are unique."""
    heading = ""
    for line in lines:
        indented = line.name.startswith(" ")
        heading = heading if indented else line.name
        yield replace(line, name=f"{heading}: {line.name.strip()}" if indented else line.name)


if __name__ == "__main__":
    main(sys.argv[1:])
