"""The n-gram check of all candidates: index the canonical texts, count shared n-grams, find the nearest text."""

import time
from collections.abc import Iterator

from bench.data import Data, texts
from bench.process import call
from bench.table import BenchLine, summarize

N = 5


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield the time and memory of five checks, each in a fresh process."""
    runs = [call("bench.figures.ngram", "check", str(data.folder)) for _ in range(5)]
    index, query = ([run.result[part] for run in runs] for part in ("index", "query"))
    both = [sum(parts) for parts in zip(index, query, strict=True)]
    peak = max(run.gigabytes for run in runs)
    yield summarize(f"n-gram check, {data.pairs}", both, "s", peak, at_most=2)
    yield summarize("  indexing the canonical texts", index, "s")
    yield summarize("  querying the candidates", query, "s")
    yield summarize(
        "  peak memory of the process, including the texts", [run.gigabytes for run in runs], "GB", at_most=1
    )


def check(folder: str) -> dict[str, float]:
    """Return the seconds of the two parts, with the texts in memory."""
    from pfe.firewall.tokens import NgramIndex

    canonical, synthetic = texts(folder, "canonical"), texts(folder, "synthetic")
    start = time.perf_counter()
    index = NgramIndex(canonical, N)
    indexed = time.perf_counter()
    index.containment(index.count(synthetic))
    return {"index": indexed - start, "query": time.perf_counter() - indexed}
