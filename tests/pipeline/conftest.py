"""The real `dvc` on a copy of this checkout, with the smallest experiment that goes through every stage.

The experiment is run once for all workers of a run of the tests; each worker has a copy of it.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from filelock import FileLock

from pfe.icr.contexts import blocks
from pfe.tutors.base import base
from tests.conftest import ROOT
from tests.pipeline.warm import warm_python

SMALLEST = (
    "scale=smoke", "benchmark=[gsm1k,arc_easy,mbpp,invented]", "model=[base,student,reference,minilm,chance]",
    "evaluate.limit=4",
    "evaluate.arms=[canonical,icr,placebo]", "icr.orders=1", "calibration.per_kind=4", "student=scratch",
    "student.hidden=32",
    "student.layers=1", "student.heads=2", "student.context=512", "student.vocabulary=512", "student.tokens=3000",
    "benchmark.mbpp.max_tokens=8", "benchmark.gsm1k.max_tokens=8",
    "benchmark.invented.max_tokens=8", "method=[linear,operon,lasso]",
    "competition.synthetic=[made/noise/easy,made/exact_formula/easy]",
    "competition.qualification=[made/qualification/planes]", "competition.repetitions=2", "rules.resamples=20",
)  # fmt: skip

PROBLEMS = 16  # of each benchmark, so that few texts are embedded
METHODS = 4  # paragraphs of each library: the same
CANDIDATES = 12  # of each synthetic set, and a quarter more: the same
BLOCKS, ENTRIES = 6, 20  # blocks left of each file of the base, and one in so many of its other entries: the same

Run = Callable[..., subprocess.CompletedProcess[str]]


def copy_checkout(folder: Path) -> None:
    """Every file that git tracks or would track, in a repository of its own, with few texts of every kind."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / "dvc.lock").unlink(missing_ok=True)
    for benchmark in (folder / "data").rglob("*.jsonl*"):
        packed = benchmark.suffix == ".gz"
        lines = (gzip.decompress(benchmark.read_bytes()) if packed else benchmark.read_bytes()).splitlines(True)
        few = b"".join(lines[:: max(1, len(lines) // PROBLEMS)][:PROBLEMS])
        benchmark.write_bytes(gzip.compress(few) if packed else few)
    smoke = folder / "conf/scale/smoke.yaml"
    smoke.write_text(re.sub(r": 24$", f": {CANDIDATES}", smoke.read_text(), flags=re.M).replace("1.0", "0.25"))
    # The entries of a file of the base have it for their source, so that an id withholds them all.
    written = sorted((folder / "pfe/icr/base").glob("*.txt"))
    _shorten(written, BLOCKS)
    _shorten((folder / "pfe/icr/libraries").glob("*.txt"), METHODS)
    sources = [entry.source for entry in base() if entry.source not in {f"base/{path.name}" for path in written}]
    with (folder / "pfe/icr/base/withheld.ids").open("a", encoding="utf-8") as withheld:
        withheld.writelines(f"{source}\n" for number, source in enumerate(sources) if number % ENTRIES)
    shorten_reference(folder)
    identity = ["-c", "user.name=PFE", "-c", "user.email=pfe@localhost"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "copy"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


def _shorten(texts: Iterable[Path], count: int) -> None:
    for path in texts:
        path.write_text("".join(blocks(path.read_text(encoding="utf-8"))[:count]), encoding="utf-8")


def shorten_reference(folder: Path) -> None:
    """The reference that the copy brings along reads no more than the smallest student does."""
    pointer, store = folder / "data/models/reference.dvc", folder / ".dvc/reference/files/md5"
    recorded = yaml.safe_load(pointer.read_text())
    (out,) = recorded["outs"]
    files = json.loads((store / out["md5"][:2] / out["md5"][2:]).read_text())
    (config,) = (file for file in files if file["relpath"] == "config.json")
    content = (store / config["md5"][:2] / config["md5"][2:]).read_text()
    shorter = re.sub(r'"max_position_embeddings": \d+', '"max_position_embeddings": 512', content)
    config["md5"] = _stored(store, shorter.encode())
    out["size"] += len(shorter) - len(content)
    out["md5"] = _stored(store, json.dumps(files).encode(), ".dir")
    pointer.write_text(yaml.safe_dump(recorded, sort_keys=False))


def _stored(store: Path, content: bytes, suffix: str = "") -> str:
    """The name under which a remote of DVC finds a content."""
    name = f"{hashlib.md5(content, usedforsecurity=False).hexdigest()}{suffix}"
    place = store / name[:2] / name[2:]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return name


def runner(folder: Path, *first: Path) -> Run:
    """Run a command in a folder with this interpreter's tools, and others before them; what it prints comes back."""

    def run(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(map(str, [*first, Path(sys.executable).parent, os.environ["PATH"]]))
        identity = {"GIT_AUTHOR_NAME": "PFE", "GIT_AUTHOR_EMAIL": "pfe@localhost",
                    "GIT_COMMITTER_NAME": "PFE", "GIT_COMMITTER_EMAIL": "pfe@localhost"}  # fmt: skip
        # A pytest that a command runs is no worker of ours.
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHONPATH", "PYTEST_"))}
        done = subprocess.run(
            command, cwd=folder, env=environment | identity | {"PATH": path}, capture_output=True, text=True
        )
        if check and done.returncode:
            pytest.fail(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
        return done

    return run


def ran(printed: str) -> set[str]:
    """The stages that ran, by what `dvc` printed, without the one that always does."""
    lines = (line for line in printed.splitlines() if line.startswith("Running stage"))
    return {line.split("'")[1] for line in lines} - {"code"}


def wait_for_queue(run: Run, polls: int) -> str:
    """Work off what is queued, looking every two seconds; what DVC says of it in the end."""
    run("dvc", "queue", "start", "--jobs", "1")
    for _ in range(polls):
        told = run("dvc", "queue", "status").stdout
        if not re.search("Queued|Running", told):
            break
        time.sleep(2)
    return told


def overrides(*more: str) -> list[str]:
    """`-S` for every override of the smallest experiment and `more`."""
    by_key = {override.partition("=")[0]: override for override in (*SMALLEST, *more)}
    return [part for override in by_key.values() for part in ("-S", override)]


@pytest.fixture(scope="session")
def binaries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of programs that start at once: `python`, `pfe` and `dvc`."""
    with warm_python(tmp_path_factory.mktemp("warm")) as folder:
        yield folder


class Experiment(NamedTuple):
    """An experiment that was run: its folder, a runner of commands there, and what the first run printed."""

    folder: Path
    run: Run
    printed: str


@pytest.fixture(scope="session")
def first_run(tmp_path_factory: pytest.TempPathFactory, binaries: Path) -> tuple[Path, str]:
    """The folder of the smallest experiment after its first run, which no test may change, and what it printed."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, printed = base / "experiment", base / "experiment.txt"
    with FileLock(base / "experiment.lock"):
        if not printed.is_file():
            shutil.rmtree(folder, ignore_errors=True)  # of a worker whose run failed
            copy_checkout(folder)
            run = runner(folder, binaries)
            output = run("dvc", "exp", "run", *overrides()).stdout
            run("git", "add", "-A")
            run("git", "commit", "-q", "-m", "first run")
            printed.write_text(output, encoding="utf-8")
    return folder, printed.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def experiment(first_run: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory, binaries: Path) -> Experiment:
    """A copy of the smallest experiment for the tests of a worker: a test that changes it must restore it."""
    folder, printed = first_run
    copied = shutil.copytree(folder, tmp_path_factory.mktemp("worker") / "experiment", symlinks=True)
    return Experiment(copied, runner(copied, binaries), printed)
