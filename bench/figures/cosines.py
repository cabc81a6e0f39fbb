"""All cosines by a blocked matrix product over every pair, with the best and the second-best of every candidate."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from bench.data import Data, texts
from bench.process import call
from bench.table import BenchLine, summarize


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield the time and memory of three products, each in a fresh process."""
    runs = [call("bench.figures.cosines", "product", str(data.folder)) for _ in range(3)]
    result = runs[0].result
    peak = max(run.gigabytes for run in runs)
    what = f"all cosines with best and second-best, {data.pairs}"
    yield summarize(what, [run.result["seconds"] for run in runs], "s", peak, at_most=15)
    yield f"  {result['rows']:,} × {result['columns']:,} vectors of {result['dimensions']}: {result['source']}"


def product(folder: str) -> dict[str, Any]:
    """Return the seconds of `MeaningIndex.nearest` with the vectors in memory, the sizes, and the vectors' source."""
    from bench.vectors import CachedEncoder, missing
    from pfe.firewall.semantic import MeaningIndex

    random = missing(folder)
    encoder: Any = _Random() if random else CachedEncoder.configured()
    canonical, synthetic = texts(folder, "canonical"), texts(folder, "synthetic")
    index, candidates = MeaningIndex(canonical, encoder), encoder.chunks(synthetic, "fast")
    columns = len(encoder.chunks(canonical, "fast").vectors)
    start = time.perf_counter()
    index.nearest(candidates)
    seconds = time.perf_counter() - start
    rows, dimensions = candidates.vectors.shape
    source = "random unit vectors, because the cache lacks some" if random else "sentence vectors from the cache"
    return {"seconds": seconds, "rows": rows, "columns": columns, "dimensions": dimensions, "source": source}


class _Random:
    """An encoder that returns random unit vectors, about as many per text as a real encoder has chunks."""

    def chunks(self, texts: Sequence[str], mode: str) -> Any:
        import numpy as np

        from pfe.embedding.encoder import Chunks

        counts = np.array([1 + len(text) // 1000 for text in texts], np.int64)
        rows = np.random.default_rng(len(texts)).standard_normal((int(counts.sum()), 384), np.float32)
        return Chunks(rows / np.linalg.norm(rows, axis=1, keepdims=True), counts)
