"""Semantic similarity: the highest cosine between a candidate's embedding and any canonical one.

Example: "Tom has 3 apples and buys 4" and "After buying 4 apples, Tom, who had 3, …" share hardly
a 5-gram and have a cosine of 0.9.
Source: SPEC, "Check 2: Semantic Similarity".

The search is exact: a blocked matrix product over all pairs, without an approximate index. A text of several chunks is
as near as its nearest chunk. Vectors come from the fastest available arithmetic; cosines within `MARGIN` of a threshold
are recomputed in single precision (`nearest_exactly`, `cosines`). In mode "exact" all vectors are in single precision,
and sums are exact: the same texts give the same bits, whatever they are compared with.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfe.embedding.encoder import Chunks, Encoder
from pfe.embedding.vectors import Mode
from pfe.firewall.matches import Floats, Ints, Matches, best

Cosines = NDArray[Any]  # float32, in mode "exact" float64
STEP = np.float32(2.0**-23)  # resolution of components in exact sums: a sum of 384 products fits in 53 bits
MARGIN = 0.005  # larger than any change of a cosine that was observed with fast arithmetic
ROWS = 256  # rows of one matrix product, to keep its result small
PAIRS = 100_000  # chunk pairs of one step


class MeaningIndex:
    """The vectors of the canonical texts; candidates must have vectors of the same `mode`."""

    def __init__(self, texts: Sequence[str], encoder: Encoder, mode: Mode = "fast") -> None:
        self._texts, self.encoder, self.mode = texts, encoder, mode
        self._chunks = self.chunks(texts)
        self._owners, self._starts = self._chunks.owners, self._chunks.starts

    def chunks(self, texts: Sequence[str]) -> Chunks:
        """Return the vectors of some texts, for `nearest` and `cosines`."""
        return self._chunks_of(texts, self.mode)

    def _chunks_of(self, texts: Sequence[str], mode: Mode) -> Chunks:
        chunks = self.encoder.chunks(texts, mode)
        if mode != "exact":
            return chunks
        return Chunks(np.round(chunks.vectors / STEP) * STEP, chunks.counts)

    def nearest(self, candidates: Chunks) -> Matches:
        """Return, for every candidate, the canonical texts with the highest and the second-highest cosine."""
        if not len(self._texts):
            return Matches.none(len(candidates.counts))
        parts = [_top_two(cosines, self._owners, self._starts) for cosines in self._products(candidates)]
        return Matches.joined(parts)

    def nearest_exactly(self, texts: Sequence[str], threshold: float) -> Matches:
        """Return `nearest` in single precision, for texts whose cosine is near `threshold`.

        A canonical text is embedded again if its fast cosine is above a limit less two margins. The limit is the
        threshold, or the highest cosine of the candidate if that is lower.
        """
        candidates = self._chunks_of(texts, "exact")
        rows, columns = [], []
        place = 0
        for cosines in self._products(candidates):
            highest = np.maximum.reduceat(cosines, self._starts, axis=1)
            near = highest > np.minimum(threshold, highest.max(axis=1, keepdims=True)) - 2 * MARGIN
            row, column = np.nonzero(near)
            rows.append(row + place)
            columns.append(column)
            place += len(highest)
        pairs = np.concatenate(rows), np.concatenate(columns)
        return best(len(texts), *pairs, self._exactly(candidates, *pairs).clip(min=1e-9))

    def cosines(
        self, texts: Sequence[str], candidates: Chunks, rows: Ints, columns: Ints, threshold: float | Floats
    ) -> Floats:
        """Return the cosines of pairs, shape (p,), in single precision near `threshold`, which is (p,) or a number."""
        cosines = _pair_cosines(candidates, self._chunks, rows, columns)
        near = np.flatnonzero(np.abs(cosines - threshold) < MARGIN)
        if len(near):
            distinct, place = np.unique(rows[near], return_inverse=True)
            exact = self._chunks_of([texts[row] for row in distinct], "exact")
            cosines[near] = self._exactly(exact, place, columns[near])
        return cosines

    def _exactly(self, candidates: Chunks, rows: Ints, columns: Ints) -> Floats:
        distinct, place = np.unique(columns, return_inverse=True)
        canonical = self._chunks_of([self._texts[column] for column in distinct], "exact")
        return _pair_cosines(candidates, canonical, rows, place)

    def _summed(self, chunks: Chunks) -> Cosines:
        """Return the vectors in the precision in which their products are summed."""
        return chunks.vectors.astype(np.float64) if self.mode == "exact" else chunks.vectors

    def _products(self, candidates: Chunks) -> Iterator[Cosines]:
        """Yield blocks of cosines (some candidates, canonical chunks), each the highest over a candidate's chunks."""
        ours, theirs = self._summed(candidates), self._summed(self._chunks)
        ends = candidates.starts + candidates.counts
        cuts = [0]
        while cuts[-1] < len(ends):
            room = candidates.starts[cuts[-1]] + ROWS
            cuts.append(max(cuts[-1] + 1, int(np.searchsorted(ends, room, side="right"))))

        def product(block: int) -> Cosines:
            first, last = cuts[block], cuts[block + 1]
            start = candidates.starts[first]
            cosines: Cosines = ours[start : ends[last - 1]] @ theirs.T
            if len(cosines) == last - first:
                return cosines
            return np.maximum.reduceat(cosines, candidates.starts[first:last] - start, axis=0)

        return map(product, range(len(cuts) - 1))


def _top_two(cosines: Cosines, owners: Ints, starts: Ints) -> Matches:
    """Return the best two canonical texts of each row of (rows, canonical chunks); overwrites `cosines`."""
    rows = np.arange(len(cosines))
    place = cosines.argmax(axis=1)
    first, score = owners[place], cosines[rows, place].astype(float)
    ends = np.append(starts[1:], len(owners))
    for row, text in enumerate(first):
        cosines[row, starts[text] : ends[text]] = -2.0
    place = cosines.argmax(axis=1)
    second, runner_up_score = owners[place], cosines[rows, place].astype(float)
    alone = runner_up_score < -1.5
    zeros = np.zeros(len(rows), np.int64)
    return Matches(
        first, score, np.where(alone, -1, second), np.where(alone, 0.0, runner_up_score), zeros, zeros
    )  # fmt: skip


def _pair_cosines(candidates: Chunks, canonical: Chunks, rows: Ints, columns: Ints) -> Floats:
    """Return the cosine of each pair of texts: the highest among their chunks."""
    cosines = np.empty(len(rows))
    width = candidates.counts[rows] * canonical.counts[columns]
    cuts = [*np.flatnonzero(np.diff(np.cumsum(width) // PAIRS, prepend=-1)).tolist(), len(rows)]
    for first, last in pairwise(cuts):
        k = width[first:last]
        starts = np.cumsum(k) - k
        pair = np.repeat(np.arange(first, last), k)
        within = np.arange(len(pair)) - np.repeat(starts, k)
        theirs = canonical.counts[columns[pair]]
        a = candidates.vectors[candidates.starts[rows[pair]] + within // theirs]
        b = canonical.vectors[canonical.starts[columns[pair]] + within % theirs]
        cosines[first:last] = np.maximum.reduceat(np.einsum("ij,ij->i", a, b, dtype=np.float64), starts)
    return cosines
