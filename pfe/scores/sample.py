"""The correctness of several arms on the same problems, counted by cluster, and a cluster bootstrap over these counts.

Example: two arms, one passage with three questions: both arms are correct, only the second, neither. That is one
cluster with the counts [1, 0, 1, 1] of the patterns 00, 01, 10, 11, read as binary numbers: bit 0 is the first arm.

The bootstrap resamples whole clusters, because problems on one passage tend to be correct or incorrect together
(Davison and Hinkley 1997, Bootstrap Methods and their Application, 3.8). Clusters with equal counts are
interchangeable, so a resample is one multinomial draw of the number of clusters of each kind. That has the same
distribution as drawing clusters one by one, and its cost grows with the kinds, not with the problems.
`scipy.stats.bootstrap` resamples observations, does not support clusters, and would hold problems × resamples in
memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pfe.scores.proportion import LEVEL
from pfe.scores.randomisation import Clustered, Values

RESAMPLES = 2000
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class ArmSample:
    """The number of problems in each cluster that show each pattern of correct and incorrect arms.

    `counts` has shape (clusters, 2**arms); bit a of a pattern is set if arm a is correct.
    """

    counts: Counts

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def clusters(self) -> int:
        return len(self.counts)

    @property
    def total(self) -> Counts:
        """The number of problems by pattern, shape (2**arms,)."""
        totals: Counts = self.counts.sum(axis=0)
        return totals

    def resampled(self, resamples: int, rng: np.random.Generator) -> Counts:
        """Return bootstrap resamples of `total`, shape (resamples, 2**arms): clusters are drawn with replacement."""
        kinds, times = np.unique(self.counts, axis=0, return_counts=True)
        draws: Counts = rng.multinomial(self.clusters, times / self.clusters, size=resamples) @ kinds
        return draws

    def of_arms(self, *arms: int) -> "ArmSample":
        """Return the sample of some of its arms, in the order given."""
        patterns = np.arange(self.counts.shape[1])
        kept = np.sum([(patterns >> arm & 1) << place for place, arm in enumerate(arms)], axis=0)
        counts = np.zeros((self.clusters, 2 ** len(arms)), np.int64)
        np.add.at(counts.T, kept, self.counts.T)
        return ArmSample(counts)

    def differences(self, weights: Sequence[int], room: int | None = None) -> Clustered:
        """Return Σ weight · accuracy of the arms by cluster, in points.

        In one imagined cluster only the first arm of weight 1 is correct, in the other only the first of weight -1.
        Their size is the square root of the median cluster size, which is the weight of such a cluster if the problems
        on one passage are half alike.

        Args:
            weights: one for each arm, -1 or 1; they sum to 0.
            room: the arm whose incorrect answers are the denominator; None to divide by all problems.
        """
        patterns = np.arange(self.counts.shape[1])
        right = patterns[:, None] >> np.arange(len(weights)) & 1
        gains = 100.0 * right @ np.array(weights)
        whole = np.ones(len(patterns)) if room is None else 1.0 - right[:, room]
        extremes = [1 << weights.index(sign) for sign in (1, -1)]
        size = max(1, round(sqrt(float(np.median(self.counts.sum(axis=1))))))
        imagined = size * np.stack([[100.0, -100.0], whole[extremes]], axis=1)
        most = 100.0 * len(weights) / 2
        return Clustered(self.counts @ gains, self.counts @ whole, imagined, -most, most)


def shared(arms: Sequence[Mapping[str, bool]], clusters: Mapping[str, str]) -> ArmSample | None:
    """Return the sample of the problems that all arms answered; None if there are none.

    Args:
        arms: for each arm, whether each problem is correct, by problem id.
        clusters: the cluster of each problem, by problem id.
    """
    ids = sorted(set(arms[0]).intersection(*arms[1:]))
    if not ids:
        return None
    rows = {name: row for row, name in enumerate(sorted({clusters[id] for id in ids}))}
    counts = np.zeros((len(rows), 2 ** len(arms)), np.int64)
    patterns = [sum(1 << place for place, arm in enumerate(arms) if arm[id]) for id in ids]
    np.add.at(counts, ([rows[clusters[id]] for id in ids], patterns), 1)
    return ArmSample(counts)


def share_right(counts: Counts, arm: int) -> Values:
    """Return the accuracy of an arm in percent from counts by pattern: (..., 2**arms) -> (...)."""
    right = (np.arange(counts.shape[-1]) >> arm & 1).astype(bool)
    share: Values = 100 * counts[..., right].sum(axis=-1) / counts.sum(axis=-1)
    return share


def generator(seed: str) -> np.random.Generator:
    """Return a random generator that is seeded with the hash of a text."""
    return np.random.default_rng(int.from_bytes(sha256(seed.encode()).digest()))


def interval(values: Values) -> tuple[float, float]:
    """Return the 95 % percentile CI of a resampled statistic, ignoring resamples where it is undefined (NaN)."""
    low, high = np.nanquantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
