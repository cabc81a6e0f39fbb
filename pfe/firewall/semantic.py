"""Nearness of meaning: the highest cosine between a candidate's embedding and any canonical one.

Source: SPEC, "Check 2: Semantic Similarity".
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1024


@dataclass(frozen=True)
class Nearest:
    """The canonical text nearest in meaning: its number (-1 where there is none) and the cosine."""

    index: int
    cosine: float


def nearest_vectors(candidates: NDArray[np.float32], canonical: NDArray[np.float32]) -> list[Nearest]:
    """For every row of `candidates` (m, d) the row of `canonical` (k, d) with the highest cosine.

    Both hold unit vectors. Exact: a blocked matrix product, no approximate index.
    """
    if not len(canonical):
        return [Nearest(-1, -1.0)] * len(candidates)
    found: list[Nearest] = []
    for start in range(0, len(candidates), _BLOCK):
        cosines = candidates[start : start + _BLOCK] @ canonical.T
        best = cosines.argmax(axis=1)
        found += [Nearest(int(index), float(row[index])) for index, row in zip(best, cosines, strict=True)]
    return found
