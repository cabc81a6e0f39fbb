"""One model over all benchmarks: tests adjusted for their number, averages, SPEC's verdict.

Example: PFE-Lift +6.2 points [+5.1, +7.3] over 10 benchmarks and 36,000 problems.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.paired import ALPHA
from pfe.scores.sample import interval

Figure = Literal["canonical", "icr", "lift", "content_lift"]


@dataclass(frozen=True)
class Average:
    """A mean over benchmarks, each counting the same, with how many there were and how many problems they hold.

    The interval at 95 % takes the benchmarks as given: it is the bootstrap stratified by benchmark, clusters being
    resampled within each.
    """

    value: float
    benchmarks: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Averages:
    """PFE-Canonical, PFE-ICR, PFE-Lift and PFE-Content-Lift of one model; None where no benchmark has the figure."""

    canonical: Average | None
    icr: Average | None
    lift: Average | None
    content_lift: Average | None


def adjusted(scores: Mapping[str, BenchmarkScore]) -> dict[str, BenchmarkScore]:
    """The scores with `lift.holm_p`: McNemar's p adjusted over all benchmarks that have a lift.

    Source: Holm 1979, Scand. J. Stat. 6:65.
    """
    from statsmodels.stats.multitest import multipletests

    lifts = {name: score.lift for name, score in scores.items() if score.lift}
    if not lifts:
        return dict(scores)
    corrected = multipletests([lift.p for lift in lifts.values()], ALPHA, method="holm")[1]
    found = {name: replace(lift, holm_p=float(p)) for (name, lift), p in zip(lifts.items(), corrected, strict=True)}
    return {name: replace(score, lift=found.get(name)) for name, score in scores.items()}


def averages(scores: Mapping[str, BenchmarkScore]) -> Averages | None:
    """Averages over the benchmarks a model was examined on; None where there are none."""
    if not scores:
        return None
    return Averages(*(average(scores, figure) for figure in ("canonical", "icr", "lift", "content_lift")))


def average(scores: Mapping[str, BenchmarkScore], figure: Figure) -> Average | None:
    """The average of one figure over the benchmarks that have it; None where none has."""
    found = {}
    for name, score in scores.items():
        own = getattr(score, figure) if figure in ("lift", "content_lift") else score.arms.get(figure)
        if own is not None:
            found[name] = own
    if not found:
        return None
    low, high = interval(np.mean([scores[name].draws[figure] for name in found], axis=0))
    value = sum(own.value for own in found.values()) / len(found)
    return Average(value, len(found), sum(own.n for own in found.values()), low, high)


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
