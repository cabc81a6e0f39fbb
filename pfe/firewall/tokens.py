"""Containment: how much of one problem's wording stands in another.

Example: "Tom has 3 red apples and 4 pears" against a canonical "… has 3 red apples and 4 …"
shares 2 of its 4 five-grams: containment 0.5.
Source: SPEC, "Check 1: Token-Level Overlap".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Ints = NDArray[np.int64]
_BLOCK = 4096


@dataclass(frozen=True)
class Overlap:
    """The canonical text that holds most of a candidate's n-grams.

    `shared` of the candidate's `total` distinct n-grams stand in canonical text number `index`
    (-1 where none does). A text of fewer than n tokens has no n-grams.
    """

    index: int
    shared: int
    total: int

    @property
    def containment(self) -> float:
        """The share (0-1) of the candidate's n-grams found in that one canonical text."""
        return self.shared / self.total if self.total else 0.0


def tokenize(text: str) -> list[str]:
    """Lower-case runs of word characters, as Python's own `str.lower` and `\\w` define them."""
    return re.findall(r"\w+", text.lower())


def overlaps(candidates: Sequence[str], canonical: Sequence[str], n: int) -> list[Overlap]:
    """For every candidate the canonical text with the highest containment; of equals the first.

    Exact: every shared n-gram of every pair is counted, none is sampled or hashed.
    """
    grams, owners = _ngrams([*candidates, *canonical], n)
    ours = owners < len(candidates)
    known = np.unique(grams[~ours])
    place = np.searchsorted(known, grams).clip(max=max(len(known) - 1, 0))
    shared = (known[place] == grams) if len(known) else np.zeros(len(grams), bool)
    totals = np.bincount(owners[ours], minlength=len(candidates))
    has = _incidence(owners[ours & shared], place[ours & shared], (len(candidates), len(known)))
    holds = _incidence(place[~ours], owners[~ours] - len(candidates), (len(known), len(canonical)))
    found: list[Overlap] = []
    for start in range(0, len(candidates), _BLOCK):
        counts = csr_array(has[start : start + _BLOCK] @ holds)
        found += _best(counts, totals[start : start + _BLOCK])
    return found


def _ngrams(texts: Sequence[str], n: int) -> tuple[Ints, Ints]:
    """The distinct n-grams of every text: ids that are equal exactly where the n-grams are, and their texts."""
    vocabulary: dict[str, int] = {}
    tokens = [[vocabulary.setdefault(token, len(vocabulary)) for token in tokenize(text)] for text in texts]
    lengths = np.array([len(row) for row in tokens], np.int64)
    words = np.fromiter((token for row in tokens for token in row), np.int64, int(lengths.sum()))
    owners = np.repeat(np.arange(len(texts)), lengths)
    grams = words
    for size in range(2, n + 1):
        whole = len(words) - size + 1
        if whole <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        pairs = grams[:whole] * len(vocabulary) + words[size - 1 :]
        grams = np.unique(pairs, return_inverse=True)[1]
    starts = np.arange(len(grams))
    inside = owners[starts] == owners[starts + n - 1]
    distinct = np.unique(owners[starts[inside]] * (len(grams) + 1) + grams[inside])
    return distinct % (len(grams) + 1), distinct // (len(grams) + 1)


def _incidence(rows: Ints, columns: Ints, shape: tuple[int, int]) -> csr_array:
    return csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape)


def _best(counts: csr_array, totals: Ints) -> list[Overlap]:
    """Of every row the highest count and its first column."""
    counts.sort_indices()
    found = []
    for row, total in enumerate(totals.tolist()):
        values = counts.data[counts.indptr[row] : counts.indptr[row + 1]]
        if not len(values):
            found.append(Overlap(-1, 0, total))
            continue
        best = int(values.argmax())
        found.append(Overlap(int(counts.indices[counts.indptr[row] + best]), int(values[best]), total))
    return found
