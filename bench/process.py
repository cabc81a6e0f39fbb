"""Measurement in a separate process: its duration, its peak memory and its result.

Example: `call("bench.figures.ngram", "check", "/tmp/folder").result` is {"index": 1.1, "query": 0.7}

The process that starts the children must stay small: its memory when it starts a child counts as the child's peak.
"""

import importlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


class MeasurementError(Exception):
    """A measurement ended with an error; the message contains the end of its output."""


@dataclass(frozen=True)
class ProcessRun:
    """A finished process: wall-clock seconds, peak memory in GB, and its output."""

    seconds: float
    gigabytes: float
    printed: str

    @property
    def result(self) -> Any:
        """Return the JSON on the last line."""
        return json.loads(self.printed.splitlines()[-1])


def run(*command: str, cwd: Path = ROOT, **environment: str) -> ProcessRun:
    """Run a command; return its wall-clock time, its output, and the kernel's peak memory of its largest process.

    Raises:
        MeasurementError: the command ended with an error.
    """
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=os.environ | environment, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        output.seek(0)
        printed = output.read().strip()
    if status:
        raise MeasurementError(f"{' '.join(command)}\n{printed[-2000:]}")
    return ProcessRun(seconds, usage.ru_maxrss * 1024 / 1e9, printed)


def call(module: str, function: str, *arguments: str, **environment: str) -> ProcessRun:
    """Call a function of a module in a separate process; its result must be JSON-serialisable."""
    return run(sys.executable, "-m", "bench.process", module, function, *arguments, cwd=ROOT, **environment)


def processor() -> str:
    """Return the name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main(module: str, function: str, *arguments: str) -> None:
    """Run the child's side of `call`."""
    result = getattr(importlib.import_module(module), function)(*arguments)
    print("\n" + json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
