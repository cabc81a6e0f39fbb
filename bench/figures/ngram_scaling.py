"""Time and memory of the n-gram check for 1, 5 and 25 times the candidates, streamed against one index.

The first copy is the candidates themselves. In every further copy each seventh word, at an offset that changes from
copy to copy, is replaced by a word sampled from every fiftieth candidate: the same lengths, other n-grams.
"""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from bench.data import Data, texts
from bench.process import call
from bench.table import BenchLine, summarize

N = 5
BATCH = 8192
SLACK = 1.25


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield three sizes, each measured in a separate process."""
    each = {}
    for times in (1, 5, 25):
        run = call("bench.figures.ngram_scaling", "stream", str(data.folder), str(times))
        total = run.result["candidates"]
        each[times] = run.result["seconds"] / times
        yield summarize(f"n-gram check of {total:,} candidates, streamed", [run.result["seconds"]], "s", run.gigabytes)
    growth = each[25] / each[1]
    yield BenchLine(
        f"  seconds per {data.synthetic:,} candidates at 25×, relative to 1×",
        f"{growth:.2f}", n="1", target=f"≤ {SLACK}", met=growth <= SLACK,
    )  # fmt: skip
    yield "  all copies but the first have every seventh word replaced; indexing and text generation are not timed"


def stream(folder: str, times: str) -> dict[str, Any]:
    """Return the seconds of counting alone, and the number of candidates."""
    from pfe.firewall.tokens import NgramIndex

    index = NgramIndex(texts(folder, "canonical"), N)
    seconds, candidates = 0.0, 0
    for batch in _batches(texts(folder, "synthetic"), int(times)):
        start = time.perf_counter()
        index.containment(index.count(batch))
        seconds += time.perf_counter() - start
        candidates += len(batch)
    return {"seconds": seconds, "candidates": candidates}


def _batches(synthetic: list[str], times: int) -> Iterator[list[str]]:
    words = sorted({word for text in synthetic[::50] for word in text.split()})
    for copy in range(times):
        rng = Random(copy)
        for start in range(0, len(synthetic), BATCH):
            batch = synthetic[start : start + BATCH]
            yield [_replace_words(text, words, copy, rng) for text in batch] if copy else batch


def _replace_words(text: str, words: list[str], copy: int, rng: Random) -> str:
    words_of_text = text.split()
    places = range(copy % 7, len(words_of_text), 7)
    words_of_text[copy % 7 :: 7] = rng.choices(words, k=len(places))
    return " ".join(words_of_text)
