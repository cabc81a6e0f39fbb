"""The time of `import pfe`, without the time of starting Python."""

import sys
from collections.abc import Iterator

from bench.data import Data
from bench.process import run
from bench.table import BenchLine, summarize

CODE = (
    "import sys, time; t = time.perf_counter(); import pfe, pfe.config, pfe.problem; "
    "print(time.perf_counter() - t); assert 'torch' not in sys.modules"
)


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield the time of seven imports."""
    seconds = [float(run(sys.executable, "-c", CODE).printed) for _ in range(7)]
    yield summarize("import pfe with configuration and records, without torch", seconds, "s", at_most=0.3)
