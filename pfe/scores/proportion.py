"""A share of problems in percent, with Wilson's interval, and the difference of two such shares with Newcombe's.

Example: 7 right of 10 are 70 % [39.7, 89.2]; 56 of 70 are 20.0 points [5.2, 33.4] more than 48 of other 80.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

LEVEL = 0.95


class Estimate(Protocol):
    """Any figure with its interval at 95 %: a percentage, or a difference in points."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True)
class Proportion:
    """A share of n in percent, with Wilson's interval (Wilson 1927, J. Am. Stat. Assoc. 22:209)."""

    value: float
    n: int
    low: float
    high: float


class Points(NamedTuple):
    """A difference in percentage points with its interval at 95 %."""

    value: float
    low: float
    high: float


def accuracy(right: Sequence[bool]) -> Proportion:
    """The share of right answers; there must be one answer at least."""
    return proportion(sum(right), len(right))


def proportion(count: int, n: int, level: float = LEVEL) -> Proportion:
    """The share of `count` in `n` > 0 with an interval at `level`.

    It is SciPy's: bounds of exactly 0 and 100 where there are none or all, which statsmodels computes with a
    rounding error that would count as more than chance.
    """
    from scipy.stats import binomtest

    interval = binomtest(count, n).proportion_ci(level, method="wilson")
    return Proportion(100 * count / n, n, 100 * float(interval.low), 100 * float(interval.high))


def difference(first: Proportion, second: Proportion) -> Points:
    """The first share less the second, of two independent samples, with the interval that Wilson's of both make.

    Of two answers to the same problems it is wider than an interval that pairs them (`pfe.scores.paired`).
    Source: Newcombe 1998, Stat. Med. 17:873, method 10.
    """
    value = first.value - second.value
    below = math.hypot(first.value - first.low, second.high - second.value)
    above = math.hypot(first.high - first.value, second.value - second.low)
    return Points(value, value - below, value + above)
