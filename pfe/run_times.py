"""Run times of the stages of an experiment on this machine.

Example: after `dvc repro score`, data/times/score.json is
    {"ended": "2026-11-24T05:20:11+00:00", "memory": 412.5, "processor": 41.2, "wall": 22.0}

These files are not outputs of a stage, since no two runs take equally long: neither DVC nor git tracks them. They
describe the last run on this machine, even if DVC has since taken the outputs of another run from its cache.
"""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, unquote

from pfe.files import read_record, write_json

FOLDER = Path("data/times")
_MIB = 1024**2 if sys.platform == "darwin" else 1024  # in units of ru_maxrss: bytes on macOS, KiB elsewhere


@dataclass(frozen=True)
class RunTime:
    """Wall-clock and CPU seconds (child processes included), MiB of the largest process, and the end time."""

    wall: float
    processor: float
    memory: float
    ended: str


@contextmanager
def recorded(stage: str, folder: Path = FOLDER) -> Iterator[None]:
    """Write the run time of the block, unless it fails.

    Args:
        stage: its name, including the part after the @ for one of several.
    """
    began = time.monotonic()
    yield
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    took = RunTime(
        wall=round(time.monotonic() - began, 2),
        processor=round(own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime, 2),
        memory=round(max(own.ru_maxrss, children.ru_maxrss) / _MIB, 1),
        ended=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / f"{quote(stage, safe='@')}.json", asdict(took))


def times(folder: Path = FOLDER) -> dict[str, RunTime]:
    """Return the recorded run times by stage, in the order of their ends."""
    read = {unquote(path.stem): read_record(path, RunTime) for path in folder.glob("*.json")}
    return dict(sorted(read.items(), key=lambda one: one[1].ended))
