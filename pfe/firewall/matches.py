"""The matches of a gate on a batch: the nearest canonical problem and the runner-up of every candidate.

Example: two of the four 5-grams of candidate 0 occur in canonical problem 7, one in problem 2:
    Matches(index=[7], score=[0.5], runner_up=[2], runner_up_score=[0.25], shared=[2], total=[4])
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Matches:
    """One gate's scores for m candidates; every array has shape (m,).

    `index` and `runner_up` are indexes of canonical problems; -1 if there is none. The score is then 0, except in gates
    that judge a candidate by itself. If a score is a ratio of counts, `shared` and `total` hold them; otherwise both
    are 0.
    """

    index: Ints
    score: Floats
    runner_up: Ints
    runner_up_score: Floats
    shared: Ints
    total: Ints

    @classmethod
    def none(cls, m: int) -> "Matches":
        """Return no match for any of m candidates."""
        nowhere, zeros = np.full(m, -1, np.int64), np.zeros(m, np.int64)
        return cls(nowhere, np.zeros(m), nowhere.copy(), np.zeros(m), zeros, zeros.copy())

    @classmethod
    def certain(cls, indexes: Sequence[int]) -> "Matches":
        """Return score 1 for the candidates that have a match: its index, or -1 for none."""
        matches = cls.none(len(indexes))
        matches.index[:] = indexes
        matches.score[matches.index >= 0] = 1.0
        return matches

    @classmethod
    def joined(cls, parts: Sequence["Matches"]) -> "Matches":
        """Concatenate the matches of several batches."""
        if not parts:
            return cls.none(0)
        return cls(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)))

    def at(self, rows: Ints) -> "Matches":
        """Return the matches of some of the candidates."""
        return Matches(*(getattr(self, f.name)[rows] for f in fields(self)))

    def with_rows(self, rows: Ints, other: "Matches") -> "Matches":
        """Return a copy of these matches, with those of `rows` replaced by the rows of `other`."""
        columns = []
        for f in fields(self):
            column = getattr(self, f.name).copy()
            column[rows] = getattr(other, f.name)
            columns.append(column)
        return Matches(*columns)


def best(
    m: int, rows: Ints, columns: Ints, scores: Floats, shared: Ints | None = None, total: Ints | None = None
) -> Matches:
    """Return the best and the second-best scored pair of every candidate; ties go to the lower canonical index.

    Args:
        m: the number of candidates.
        rows: the candidate of each pair, shape (p,).
        columns: the canonical problem of each pair, shape (p,); no pair occurs twice.
        scores: shape (p,), above 0.
        shared, total: the counts whose ratio is the score, shape (p,).
    """
    order = np.lexsort((columns, -scores, rows))
    rows, columns, scores = rows[order], columns[order], scores[order]
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    second = first + 1
    second = second[(second < len(rows)) & (np.append(rows, -1)[second] == np.append(rows, -2)[second - 1])]
    matches = Matches.none(m)
    matches.index[rows[first]], matches.score[rows[first]] = columns[first], scores[first]
    matches.runner_up[rows[second]], matches.runner_up_score[rows[second]] = columns[second], scores[second]
    if shared is not None and total is not None:
        matches.shared[rows[first]], matches.total[rows[first]] = shared[order][first], total[order][first]
    return matches
