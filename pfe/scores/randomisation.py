"""Whether a difference is more than luck, and how large it may be: one test by clusters, and the interval it leaves.

Example: the second of two arms alone is right on 12 problems, the first alone on 2. Were both the same, each of these
14 would be as likely the other way round. `flip_test` gives p = 0.0127 and an interval that leaves out 0.

The test flips the sign of the difference of each cluster as a whole, since problems on one passage are right or wrong
together (Fisher 1935, The Design of Experiments, 21). A total as far as the observed one counts by half (mid-p;
Lancaster 1961, J. Am. Stat. Assoc. 56:223). The interval holds every difference that the same test does not
reject, so p < 0.05 where it leaves out 0, and nowhere else. Such an interval has the quantiles of the means of random
subsets for its limits (Hartigan 1969, J. Am. Stat. Assoc. 64:1303). Few problems give few sums: each counts the sums
that are as far as the observed one by half (mid-p; Lancaster 1961, J. Am. Stat. Assoc. 56:223), and two imagined
clusters are added, one for each side, as Bonett and Price (2012, J. Educ. Behav. Stat. 37:479) add them for single
problems. `scipy.stats.permutation_test` has no interval, and no clusters of several sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.05
DRAWS = 20_000
STEPS = 2**16, 2**21  # of the lattice on which totals that are no whole numbers are counted: usual, and at most
FINE = 4  # steps of the smallest total
OPEN = 1e-6  # how far from 0 a limit stands that the test puts beside 0, in the unit of the difference
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Clustered:
    """Differences by cluster, of which Σ totals / Σ sizes is the mean.

    `totals` and `sizes` have the shape (clusters,); `imagined` has the shape (2, 2): total and size of the two imagined
    clusters. `least` and `most` are the smallest and the largest mean there can be.
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
    """The two-sided mid-p of a mean that is 0, and the interval at 95 % of the means that are not rejected."""

    low: float
    high: float
    p: float


def mean_of(samples: Sequence[Clustered]) -> Clustered:
    """Return the clusters of the mean of several means, each counting the same.

    The imagined clusters are those of the smallest sample, so that no mean shows what so few problems cannot.
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
    """Test that the mean is 0, and return the means that the test leaves.

    The p is exact where totals are whole numbers; the limits come from `DRAWS` draws of the signs.
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
    """Return the two-sided mid-p of the sum of `totals`, shape (clusters,), were the sign of each as likely the other.

    The law of the sum is the inverse Fourier transform of Π cos(tθ), in which equal totals are one power. Totals that
    are no whole numbers are rounded to a fine lattice; sums within its rounding errors of the observed one are ties.
    """
    if not totals.any():
        return 1.0
    steps, scale = _on_lattice(totals[totals != 0])
    tie = round(
        3 * sqrt(float(np.sum((steps - scale * totals[totals != 0]) ** 2)))
    )  # errors of three standard deviations
    sizes, times = np.unique(np.abs(steps), return_counts=True)
    reach = int(sizes @ times)
    observed = min(reach, round(scale * abs(float(totals.sum()))))
    angles = 2 * np.pi * np.arange(reach + 1) / (2 * reach + 1)
    characteristic = np.ones(reach + 1)
    for size, count in zip(sizes, times, strict=True):
        characteristic *= np.cos(size * angles) ** count
    law = np.fft.irfft(characteristic, 2 * reach + 1)[: reach + 1]  # of the sums from 0; it is even
    if observed <= tie:
        return 1.0
    far, near = law[observed + tie + 1 :].sum(), law[observed - tie : observed + tie + 1].sum()
    return float(np.clip(2 * far + near, np.finfo(float).eps, 1.0))


def _on_lattice(totals: Values) -> tuple[NDArray[np.int64], float]:
    """Return totals, none of them 0, in steps of a lattice, and how many steps there are to one."""
    whole = np.rint(totals).astype(np.int64)
    if np.allclose(whole, totals, rtol=0, atol=1e-9):
        divisor = int(np.gcd.reduce(whole))
        return whole // divisor, 1 / divisor
    sizes = np.abs(totals)
    scale = min(max(STEPS[0] / sizes.sum(), FINE / sizes.min()), STEPS[1] / sizes.sum())
    return np.rint(totals * scale).astype(np.int64), float(scale)


def _limits(totals: Values, sizes: Values, rng: np.random.Generator) -> tuple[float, float]:
    """Return the means that are not rejected at 5 %.

    A mean m is rejected by the sums of signs · (totals − m · sizes) that are nearer to 0 than the one without flips. A
    draw with the sums A and B of totals and sizes is as far as that one for all m between (T − A) / (S − B) and
    (T + A) / (S + B), which lie on both sides of the mean T / S.
    """
    kinds, times = np.unique(np.stack([totals, sizes], axis=1), axis=0, return_counts=True)
    signs = 2 * rng.binomial(times, 0.5, size=(DRAWS, len(times))) - times
    flipped_total, flipped_size = (signs @ kinds).T
    total, size = times @ kinds
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [_rounded(total + side * flipped_total) / _rounded(size + side * flipped_size) for side in (-1, 1)]
    below, above = np.minimum(*ends), np.maximum(*ends)
    same = np.isnan(below) | np.isnan(above)  # no cluster flipped, or all: as far for every m, a tie that counts half
    below[same], above[same] = total / size, total / size
    below[np.flatnonzero(same)[::2]], above[np.flatnonzero(same)[::2]] = -np.inf, np.inf
    return (
        float(np.quantile(below, ALPHA, method="inverted_cdf")),
        float(np.quantile(above, 1 - ALPHA, method="inverted_cdf")),
    )


def _rounded(values: Values) -> Values:
    """Return sums without the errors of floats, so that the difference of equal ones is 0, and no negative 0."""
    return np.round(values, 9) + 0.0
