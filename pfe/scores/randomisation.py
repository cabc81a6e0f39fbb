"""A sign-flip permutation test by clusters for a mean difference, and the CI that inverts this test.

Example: 12 problems are correct in the second of two arms only, 2 in the first only. If the arms did not differ, each
of these 14 would be equally likely to go the other way. `flip_test` gives p = 0.0127 and a CI that excludes 0.

The test flips the sign of each cluster's difference as a whole, because problems on one passage tend to be correct or
incorrect together (Fisher 1935, The Design of Experiments, 21). A total as far from 0 as the observed one counts half
(mid-p; Lancaster 1961, J. Am. Stat. Assoc. 56:223). The CI contains every difference that the same test does not
reject, so it excludes 0 if and only if p < 0.05. Its limits are quantiles of the means of random subsets (Hartigan
1969, J. Am. Stat. Assoc. 64:1303). Two imagined clusters are added, one for each side, because few problems give few
distinct sums; Bonett and Price (2012, J. Educ. Behav. Stat. 37:479) add them for single problems.
`scipy.stats.permutation_test` gives no CI and does not support clusters of different sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.05
DRAWS = 20_000
STEPS = 2**16, 2**21  # lattice steps in the sum of the totals if these are not integers: usual number, and maximum
FINE = 4  # lattice steps in the smallest total
OPEN = 1e-6  # least distance of a limit from 0 if the test rejects 0, in the unit of the difference
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Clustered:
    """Differences by cluster; their mean is Σ totals / Σ sizes.

    `totals` and `sizes` have shape (clusters,). `imagined` has shape (2, 2): the total and size of each of the two
    imagined clusters. `least` and `most` are the smallest and largest possible mean.
    """

    totals: Values
    sizes: Values
    imagined: Values
    least: float
    most: float

    @property
    def value(self) -> float:
        return float(_rounded(self.totals.sum() / self.sizes.sum()))


@dataclass(frozen=True)
class Flipped:
    """The two-sided mid-p of the hypothesis that the mean is 0, and the 95 % CI of the means that are not rejected."""

    low: float
    high: float
    p: float


def mean_of(samples: Sequence[Clustered]) -> Clustered:
    """Return the clusters of the equally weighted mean of several means.

    The imagined clusters are those of the sample where they weigh most, usually the smallest one. So the test of the
    mean is as cautious as that of this sample.
    """
    sizes = [one.sizes.sum() for one in samples]
    pairs = list(zip(samples, sizes, strict=True))
    return Clustered(
        np.concatenate([one.totals / size for one, size in pairs]),
        np.concatenate([one.sizes / size for one, size in pairs]),
        max((one.imagined / size for one, size in pairs), key=lambda imagined: float(imagined[0, 0])),
        sum(one.least for one in samples) / len(samples),
        sum(one.most for one in samples) / len(samples),
    )


def flip_test(sample: Clustered, rng: np.random.Generator) -> Flipped:
    """Test whether the mean is 0; return p and the CI of the means that the test does not reject.

    The p is exact if the totals are integers. The limits come from `DRAWS` random draws of the signs.
    """
    totals = np.concatenate([sample.totals, sample.imagined[:, 0]])
    sizes = np.concatenate([sample.sizes, sample.imagined[:, 1]])
    p = sign_flip_p(totals)
    low, high = _limits(totals, sizes, rng)
    low, high = (float(np.clip(limit, sample.least, sample.most)) for limit in (low, high))
    value = sample.value
    low, high = min(low, value), max(high, value)
    if p >= ALPHA:
        return Flipped(min(low, 0.0), max(high, 0.0), p)
    return Flipped(max(low, OPEN), high, p) if value > 0 else Flipped(low, min(high, -OPEN), p)


def sign_flip_p(totals: Values) -> float:
    """Return the two-sided mid-p of the sum of `totals`, shape (clusters,), if each sign is random.

    The distribution of the sum is the inverse Fourier transform of Π cos(tθ) over the totals t, where equal totals
    share one power. Totals that are not integers are rounded to a fine lattice; sums that differ from the observed sum
    by no more than the rounding error count as ties.
    """
    if not totals.any():
        return 1.0
    steps, scale = _on_lattice(totals[totals != 0])
    tie = round(
        3 * sqrt(float(np.sum((steps - scale * totals[totals != 0]) ** 2)))
    )  # three standard deviations of the rounding error
    sizes, times = np.unique(np.abs(steps), return_counts=True)
    reach = int(sizes @ times)
    observed = min(reach, round(scale * abs(float(totals.sum()))))
    angles = 2 * np.pi * np.arange(reach + 1) / (2 * reach + 1)
    characteristic = np.ones(reach + 1)
    for size, count in zip(sizes, times, strict=True):
        characteristic *= np.cos(size * angles) ** count
    law = np.fft.irfft(characteristic, 2 * reach + 1)[: reach + 1]  # probabilities of the sums 0 to reach; symmetric
    if observed <= tie:
        return 1.0
    far, near = law[observed + tie + 1 :].sum(), law[observed - tie : observed + tie + 1].sum()
    return float(np.clip(2 * far + near, np.finfo(float).eps, 1.0))


def _on_lattice(totals: Values) -> tuple[NDArray[np.int64], float]:
    """Return nonzero totals in lattice steps, and the number of steps in a total of 1."""
    whole = np.rint(totals).astype(np.int64)
    if np.allclose(whole, totals, rtol=0, atol=1e-9):
        divisor = int(np.gcd.reduce(whole))
        return whole // divisor, 1 / divisor
    sizes = np.abs(totals)
    scale = min(max(STEPS[0] / sizes.sum(), FINE / sizes.min()), STEPS[1] / sizes.sum())
    return np.rint(totals * scale).astype(np.int64), float(scale)


def _limits(totals: Values, sizes: Values, rng: np.random.Generator) -> tuple[float, float]:
    """Return the smallest and largest mean that the test does not reject at 5 %.

    The test rejects a mean m if few draws of the signs give a sum of signs · (totals − m · sizes) as far from 0 as
    the sum without flips. A draw whose signed totals and sizes sum to A and B is at least as far for all m between
    (T − A) / (S − B) and (T + A) / (S + B), which lie on either side of the mean T / S.
    """
    kinds, times = np.unique(np.stack([totals, sizes], axis=1), axis=0, return_counts=True)
    signs = 2 * rng.binomial(times, 0.5, size=(DRAWS, len(times))) - times
    flipped_total, flipped_size = (signs @ kinds).T
    total, size = times @ kinds
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [_rounded(total + side * flipped_total) / _rounded(size + side * flipped_size) for side in (-1, 1)]
    below, above = np.minimum(*ends), np.maximum(*ends)
    same = np.isnan(below) | np.isnan(above)  # all or no clusters flipped: a tie for every m, so it counts half
    below[same], above[same] = total / size, total / size
    below[np.flatnonzero(same)[::2]], above[np.flatnonzero(same)[::2]] = -np.inf, np.inf
    return (
        float(np.quantile(below, ALPHA, method="inverted_cdf")),
        float(np.quantile(above, 1 - ALPHA, method="inverted_cdf")),
    )


def _rounded(values: Values) -> Values:
    """Return sums rounded to 9 decimals, so that equal sums differ by exactly 0; a negative 0 becomes 0."""
    return np.round(values, 9) + 0.0
