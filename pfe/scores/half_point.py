"""The context size at which chance-corrected accuracy falls to one half, with its CI.

Example: 20 of 20 correct among 4 statements, 19 among 16 and 6 among 64, where chance is 25 %: the half point is at
5.0 doublings, that is 33 statements.

The model is a psychometric function with a guess rate: accuracy = c + (1 − c) · σ(a − b · log2 size). b ≥ 0 because
reading does not get easier among more statements (Wichmann and Hill 2001, Percept. Psychophys. 63:1293). It is fitted
by penalised maximum likelihood on a grid, which avoids local optima. If all answers are correct, or accuracy equals
chance, unpenalised maximum likelihood has no finite solution. So a, taken at the mean size of the problems, has a
normal prior with a standard deviation of 5 logits, and b a half-normal one of 2.5 logits a doubling. They are about as
wide as the weakly informative priors of Gelman et al. (2008, Ann. Appl. Stat. 2:1360). The CI is that of the profile
penalised likelihood (Heinze and Schemper 2002, Stat. Med. 21:2409).

One more correct answer among the most statements makes the curve higher there and also flatter. So it raises a half
point in the upper half of the ladder, but may lower one near the smallest size by part of a doubling.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from pfe.scores.proportion import LEVEL
from pfe.scores.randomisation import Values

STEP = 0.01  # doublings between neighbouring grid points for the half point within the ladder
BEYOND = 40  # grid points on either side of the ladder
HEIGHT, SLOPE = 5.0, 2.5  # standard deviations of the priors, in logits and logits per doubling
RADII = np.geomspace(0.02, 60, 160)
_TIE, _TINY = 1e-9, 1e-12


@dataclass(frozen=True)
class Mark:
    """One answer: log2 of the number of statements in its context, whether it is correct, and its cluster."""

    doublings: float
    correct: bool
    cluster: str


@dataclass(frozen=True)
class HalfPoint:
    """The half point with its 95 % CI, in doublings; infinite if the curve is above or below one half throughout."""

    value: float
    low: float
    high: float


def half_point(marks: Sequence[Mark], chance: float) -> HalfPoint:
    """Return the half point of some answers, with its 95 % CI.

    Answers of one cluster tend to be correct together. So the CI is widened by the design effect: the variance of the
    half point by clusters over that by answers (Liang and Zeger 1986, Biometrika 73:13), at least 1. The design effect
    is underestimated from few clusters, so with fewer than about ten the CI is too narrow.

    Args:
        marks: at least one.
        chance: the chance accuracy, at least 0 and less than 1.
    """
    sizes = np.array([mark.doublings for mark in marks])
    correct = np.array([mark.correct for mark in marks], float)
    ladder, places = np.unique(sizes, return_inverse=True)
    right, total = np.bincount(places, correct), np.bincount(places)
    middle = float(sizes.mean())
    within = np.arange(ladder[0], ladder[-1] + STEP / 2, STEP) - middle
    angles = np.arctan(within)
    below = np.linspace(-np.pi / 2, angles[0], BEYOND, endpoint=False)
    above = np.linspace(np.pi / 2, angles[-1], BEYOND, endpoint=False)[::-1]
    angles = np.concatenate([below, angles, above])
    heights, slopes = (RADII * np.expand_dims(part(angles), 1) for part in (np.sin, np.cos))
    likelihood = -((heights / HEIGHT) ** 2 + (slopes / SLOPE) ** 2) / 2
    for size, hits, n in zip(ladder - middle, right, total, strict=True):
        logits = heights - slopes * size
        reads = -np.logaddexp(0, -logits)
        fails = np.log1p(-chance) - np.logaddexp(0, logits)
        solves = np.logaddexp(np.log(chance), np.log1p(-chance) + reads) if chance else reads
        likelihood += hits * solves + (n - hits) * fails
    profile = likelihood.max(axis=1)
    best = int(np.flatnonzero(profile >= profile.max() - _TIE)[-1])  # the largest half point among ties
    radius = RADII[likelihood[best].argmax()]
    height, slope = radius * np.sin(angles[best]), radius * np.cos(angles[best])
    effect = _design_effect(sizes - middle, correct, [mark.cluster for mark in marks], height, slope, chance)
    (held,) = np.nonzero(2 * (profile[best] - profile) <= effect * NormalDist().inv_cdf((1 + LEVEL) / 2) ** 2)
    value, low, high = (middle + float(np.tan(angles[place])) for place in (best, held[0], held[-1]))
    return HalfPoint(value, low, high)


def _design_effect(
    sizes: Values, correct: Values, clusters: Sequence[str], height: float, slope: float, chance: float
) -> float:
    """Return the ratio of the variance of the half point by clusters to that by answers, at least 1."""
    names, places = np.unique(np.array(clusters), return_inverse=True)
    if len(names) in (1, len(sizes)):
        return 1.0
    design = np.stack([np.ones_like(sizes), -sizes], axis=1)
    reads = np.clip(1 / (1 + np.exp(-(height - slope * sizes))), _TINY, 1 - _TINY)
    solves = chance + (1 - chance) * reads
    weights = reads / solves  # of the residuals in the score function
    information = (design.T * (weights * (1 - chance) * reads * (1 - reads))) @ design
    inverse = np.linalg.inv(information + np.diag([HEIGHT**-2, SLOPE**-2]))
    influence = design * (weights * (correct - solves))[:, None] @ inverse @ np.array([slope, -height])
    by_cluster = np.bincount(places, influence)
    single = float(influence @ influence)
    return max(1.0, float(by_cluster @ by_cluster) / single * len(names) / (len(names) - 1)) if single else 1.0
