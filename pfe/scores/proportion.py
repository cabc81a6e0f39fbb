"""Proportions in percent with Wilson's CI, and the difference of two independent proportions with Newcombe's CI.

Example: 7 correct of 10 are 70 % [39.7, 89.2]; 56 of 70 are 20.0 points [5.2, 33.4] more than 48 of other 80.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

LEVEL = 0.95


class Estimate(Protocol):
    """A figure with its 95 % CI: a percentage, or a difference in points."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True)
class Proportion:
    """A share of n in percent, with Wilson's CI (Wilson 1927, J. Am. Stat. Assoc. 22:209)."""

    value: float
    n: int
    low: float
    high: float


class Points(NamedTuple):
    """A difference in percentage points with its 95 % CI."""

    value: float
    low: float
    high: float


def accuracy(right: Sequence[bool]) -> Proportion:
    """Return the share of correct answers; there must be at least one answer."""
    return proportion(sum(right), len(right))


def proportion(count: int, n: int, level: float = LEVEL) -> Proportion:
    """Return the share of `count` in `n` > 0 with Wilson's CI at `level`.

    The CI is SciPy's, which gives limits of exactly 0 and 100 for none and all. Those of statsmodels have a rounding
    error that would count as above chance.
    """
    from scipy.stats import binomtest

    interval = binomtest(count, n).proportion_ci(level, method="wilson")
    return Proportion(100 * count / n, n, 100 * float(interval.low), 100 * float(interval.high))


def difference(first: Proportion, second: Proportion) -> Points:
    """Return the first share less the second, for independent samples, with a CI from the Wilson CIs of both.

    For answers to the same problems this CI is wider than the paired one (`pfe.scores.paired`).
    Source: Newcombe 1998, Stat. Med. 17:873, method 10.
    """
    value = first.value - second.value
    below = math.hypot(first.value - first.low, second.high - second.value)
    above = math.hypot(first.high - first.value, second.value - second.low)
    return Points(value, value - below, value + above)
