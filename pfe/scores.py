"""SPEC's metrics: canonical accuracy, ICR accuracy, lift, relative lift, and their averages.

Example: 72.3 % canonical and 86.1 % ICR are a lift of +13.8 points and a relative lift of 49.8 %.

All figures are percentages (0-100) or percentage points, unrounded.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.stats import binomtest, norm

from pfe.problem import Prediction

LEVEL = 0.95


@dataclass(frozen=True)
class Accuracy:
    """Share of right answers in percent, with n and Wilson's interval at 95 % (Wilson 1927)."""

    value: float
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Lift:
    """ICR minus canonical in percentage points over n paired problems, with an interval at 95 %.

    `relative` is `relative_lift`.
    """

    value: float
    n: int
    low: float
    high: float
    relative: float | None


@dataclass(frozen=True)
class BenchmarkScore:
    """One model on one benchmark."""

    canonical: Accuracy
    icr: Accuracy | None
    lift: Lift | None


@dataclass(frozen=True)
class Average:
    """A mean over benchmarks, with how many there were and how many problems they hold together.

    The interval at 95 % takes the benchmarks as given: it is the sampling error of their problems.
    """

    value: float
    benchmarks: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Aggregate:
    """PFE-Canonical, PFE-ICR and PFE-Lift of one model."""

    canonical: Average
    icr: Average | None
    lift: Average | None


def relative_lift(canonical: float, lift: float) -> float | None:
    """The share (percent) of what was left to gain that the lift gained: 100 · lift / (100 − canonical).

    None where canonical is 100 %. Source: SPEC, "Primary Metrics", 4.
    """
    return None if canonical >= 100 else 100 * lift / (100 - canonical)


def score_benchmark(predictions: Iterable[Prediction]) -> BenchmarkScore | None:
    """Score one model's predictions on one benchmark; None where there are none."""
    right: dict[str, dict[str, bool]] = {}
    for prediction in predictions:
        right.setdefault(prediction.arm, {})[prediction.problem_id] = prediction.correct
    if "canonical" not in right:
        return None
    canonical = accuracy(list(right["canonical"].values()))
    if "icr" not in right:
        return BenchmarkScore(canonical, None, None)
    paired = [(right["icr"][id], bare) for id, bare in right["canonical"].items() if id in right["icr"]]
    return BenchmarkScore(canonical, accuracy(list(right["icr"].values())), paired_lift(paired))


def accuracy(right: Sequence[bool]) -> Accuracy:
    """Accuracy of one arm."""
    interval = binomtest(sum(right), len(right)).proportion_ci(LEVEL, method="wilson")
    return Accuracy(100 * sum(right) / len(right), len(right), 100 * interval.low, 100 * interval.high)


def paired_lift(pairs: Sequence[tuple[bool, bool]]) -> Lift:
    """Lift of pairs (right in ICR, right in canonical) on the same problem.

    The interval is the adjusted Wald interval for paired proportions of Bonett and Price (2012,
    J. Educ. Behav. Stat. 37:479), which keeps a width where no pair differs.
    """
    n = len(pairs)
    fixed = sum(icr and not bare for icr, bare in pairs)
    broken = sum(bare and not icr for icr, bare in pairs)
    value = 100 * (fixed - broken) / n
    up, down = (fixed + 1) / (n + 2), (broken + 1) / (n + 2)
    half = float(norm.ppf((1 + LEVEL) / 2)) * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    canonical = 100 * sum(bare for _, bare in pairs) / n
    return Lift(value, n, 100 * (up - down - half), 100 * (up - down + half), relative_lift(canonical, value))


def aggregate(scores: Mapping[str, BenchmarkScore]) -> Aggregate | None:
    """Averages over the benchmarks a model was examined on; None where there are none."""
    if not scores:
        return None
    lifts = [score.lift for score in scores.values() if score.lift is not None]
    icrs = [score.icr for score in scores.values() if score.icr is not None]
    return Aggregate(
        canonical=_average([score.canonical for score in scores.values()]),
        icr=_average(icrs) if icrs else None,
        lift=_average(lifts) if lifts else None,
    )


def verdict(lift: float, canonical_gain: float, icr_gain: float) -> Literal["strong", "moderate", "weak"]:
    """SPEC's reading of a student ("What Success Looks Like").

    Args:
        lift: the student's PFE-Lift in points: above 10 is large, from 5 moderate.
        canonical_gain: its PFE-Canonical less that of its untrained twin, in points.
        icr_gain: the same for PFE-ICR. A student worse than its twin is weak, whatever its lift.
    """
    if lift < 5 or canonical_gain < 0 or icr_gain < 0:
        return "weak"
    return "strong" if lift > 10 and canonical_gain > 0 and icr_gain > 0 else "moderate"


def _average(figures: Sequence[Accuracy] | Sequence[Lift]) -> Average:
    value = sum(figure.value for figure in figures) / len(figures)
    widths = [(figure.high - figure.low) / 2 for figure in figures]
    half = math.sqrt(sum(width**2 for width in widths)) / len(figures)
    return Average(value, len(figures), sum(figure.n for figure in figures), value - half, value + half)
