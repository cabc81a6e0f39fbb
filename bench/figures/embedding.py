"""Embedding with an empty cache, compared with plain sentence-transformers: alternating runs on the same texts.

Ours embeds a long text to its end; plain sentence-transformers truncates it after 256 word pieces.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bench.data import Data, settings, texts
from bench.process import call
from bench.table import BenchLine, summarize

ROUNDS = 3
SIZE = 600  # texts per round from each side
WARM_UP = 64


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield the texts per second of both, and the largest error of a cosine in fast arithmetic."""
    with tempfile.TemporaryDirectory() as folder:
        run = call("bench.figures.embedding", "compare", str(data.folder), PFE_CACHE_DIR=folder)
    result = run.result
    ours, plain = result["ours"], result["plain"]
    ratios = [a / b for a, b in zip(ours, plain, strict=True)]
    yield summarize(f"embedding, {result['backend']}, empty cache", ours, "texts/s", run.gigabytes)
    yield summarize("  plain SentenceTransformer.encode, same texts", plain, "texts/s")
    yield summarize("  ratio per round", ratios, "×", at_least=2.5)
    yield BenchLine(
        "  largest difference of a cosine from single precision",
        f"{result['difference']:.1e}",
        n=f"{result['pairs']:,}",
    )
    yield f"  {result['size']:,} texts per round, half canonical and half synthetic; model loaded and warmed up"


def compare(folder: str) -> dict[str, Any]:
    """Return the rates of both in texts per second, per round, on texts that neither has embedded before."""
    from sentence_transformers import SentenceTransformer

    from pfe.embedding.backends import fastest
    from pfe.embedding.encoder import Encoder, model_path

    semantic = settings().firewall.semantic
    warm, *rounds = _samples(folder)
    encoder = Encoder(semantic.model, pinned=semantic.sha256 or "")
    plain = SentenceTransformer(model_path(semantic.model), device="cpu", trust_remote_code=False)

    def ours(sample: Sequence[str]) -> float:
        os.environ["TOKENIZERS_PARALLELISM"] = "false"  # as in the firewall
        return _rate(lambda: encoder.chunks(sample, "fast"), sample)

    def theirs(sample: Sequence[str]) -> float:
        os.environ["TOKENIZERS_PARALLELISM"] = "true"  # the default
        return _rate(lambda: plain.encode(list(sample), normalize_embeddings=True), sample)

    ours(warm), theirs(warm)
    rates = [(ours(sample), theirs(sample)) for sample in rounds]
    fast, single = (encoder.chunks(rounds[0], mode).vectors for mode in ("fast", "single"))
    return {
        "ours": [rate for rate, _ in rates],
        "plain": [rate for _, rate in rates],
        "backend": " ".join(fastest()),
        "size": statistics.mode(map(len, rounds)),
        "difference": float(abs(fast @ fast.T - single @ single.T).max()),
        "pairs": len(fast) * (len(fast) - 1) // 2,
    }


def _samples(folder: str) -> list[list[str]]:
    """Return a warm-up sample and `ROUNDS` samples that share no text."""
    sides = [sorted(set(texts(folder, name))) for name in ("canonical", "synthetic")]
    for side in sides:
        Random(0).shuffle(side)
    size = min(SIZE, *((len(side) - WARM_UP) // ROUNDS for side in sides))
    cuts = [WARM_UP + size * place for place in range(ROUNDS + 1)]
    samples = [[text for side in sides for text in side[a:b]] for a, b in zip([0, *cuts], cuts, strict=False)]
    for sample in samples:
        Random(1).shuffle(sample)
    return samples


def _rate(embed: Any, sample: Sequence[str]) -> float:
    start = time.perf_counter()
    embed()
    return len(sample) / (time.perf_counter() - start)
