"""The stage `firewall` on all candidates, then rerun with other thresholds: from process start to certificate."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.data import Data
from bench.process import ROOT, ProcessRun, call, run
from bench.table import BenchLine, summarize

THRESHOLDS = ("0.25", "0.2", "0.35")


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield a first run, which uses the vectors in the user's cache, and then one run for each other threshold."""
    unknown = call("bench.figures.rerun", "missing", str(data.folder)).result
    with tempfile.TemporaryDirectory() as folder:
        cache_folder = call("bench.figures.rerun", "cache_without_evidence", folder).result
        _stage(data.folder, "libraries", "0.3", cache_folder)
        first = _stage(data.folder, "firewall", "0.3", cache_folder)
        again = [_stage(data.folder, "firewall", threshold, cache_folder) for threshold in THRESHOLDS]
    vectors = "including embedding" if unknown else "vectors cached"
    yield summarize(f"firewall, first run, {data.pairs}", [first.seconds], "s", first.gigabytes)
    yield f"  all gates of conf/firewall/strict.yaml, no cached evidence; {vectors}"
    peak = max(run.gigabytes for run in again)
    yield summarize("  rerun with another threshold", [run.seconds for run in again], "s", peak, at_most=10)
    yield f"  firewall.threshold={', '.join(THRESHOLDS)} after 0.3; from process start to certificate"


def missing(folder: str) -> bool:
    """Return whether vectors must be computed first."""
    from bench import vectors

    return vectors.missing(folder)


def cache_without_evidence(folder: str) -> str:
    """Create a cache with the user's vectors but without the evidence of earlier screenings; return its folder."""
    from pfe import cache

    vectors, new_cache = cache.folder() / "entries.sqlite", Path(folder) / "cache"
    vectors.parent.mkdir(parents=True, exist_ok=True)
    new_cache.mkdir()
    (new_cache / vectors.name).symlink_to(vectors.resolve())
    return str(new_cache)


def compose(workspace: str, threshold: str) -> None:
    """Write the workspace's params.yaml."""
    from pfe import params

    text = params.written(["scale=full", "icr.screen=report", f"firewall.threshold={threshold}"])
    (Path(workspace) / "params.yaml").write_text(text, encoding="utf-8")


def _stage(workspace: Path, stage: str, threshold: str, cache_folder: str) -> ProcessRun:
    call("bench.figures.rerun", "compose", str(workspace), threshold)
    paths = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    environment = {"PFE_CACHE_DIR": cache_folder, "PYTHONPATH": os.pathsep.join(paths)}
    return run(sys.executable, "-m", f"stages.{stage}", cwd=workspace, **environment)
