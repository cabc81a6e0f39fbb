"""One model over all benchmarks: tests adjusted for their number, and averages.

Example: PFE-Lift +6.2 points [+5.1, +7.3] over 10 benchmarks and 36,000 problems.
"""

import math
from collections.abc import Collection, Mapping
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
    resampled within each. Resamples of 0 or 100 % are all the same, so such a benchmark adds the distance to its own
    limits instead, squared, as variances do (MOVER; Zou and Donner 2008, Stat. Med. 27:1693).
    """

    value: float
    benchmarks: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Averages:
    """PFE-Canonical, PFE-ICR, PFE-Lift and PFE-Content-Lift of one model; None where no benchmark has the figure.

    `relative_lift` is the share in percent of what PFE-Canonical left to gain that PFE-Lift gained.
    """

    canonical: Average | None = None
    icr: Average | None = None
    lift: Average | None = None
    content_lift: Average | None = None

    @property
    def relative_lift(self) -> float | None:
        """SPEC's relative lift, of the averages; None at 100 % canonical, and without a lift."""
        if self.lift is None or self.canonical is None or self.canonical.value == 100:
            return None
        return 100 * self.lift.value / (100 - self.canonical.value)


@dataclass(frozen=True)
class OverTwin:
    """What a model answers more than its untrained twin on the same problems, in points: means over benchmarks."""

    canonical: Average
    icr: Average


@dataclass(frozen=True)
class ModelScore:
    """All figures of one model: its scores by benchmark, p adjusted over them, and their averages.

    `over_twin` is of the student, where its twin was examined too.
    """

    benchmarks: Mapping[str, BenchmarkScore]
    averages: Averages
    over_twin: OverTwin | None = None


def score_model(scores: Mapping[str, BenchmarkScore], beside: Collection[str] = ()) -> ModelScore:
    """One model's scores by benchmark, of those on which it was examined, put together.

    Args:
        beside: benchmarks that are not averaged.
    """
    return ModelScore(adjusted(scores), averages({name: by for name, by in scores.items() if name not in beside}))


def adjusted(scores: Mapping[str, BenchmarkScore]) -> dict[str, BenchmarkScore]:
    """The scores with `lift.holm_p`: McNemar's p adjusted over all benchmarks that have a lift.

    Source: Holm 1979, Scand. J. Stat. 6:65.
    """
    from statsmodels.stats.multitest import multipletests

    lifts = {name: score.lift for name, score in scores.items() if score.lift}
    if not lifts:
        return dict(scores)
    holm_p = multipletests([lift.p for lift in lifts.values()], ALPHA, method="holm")[1]
    holm_lifts = {name: replace(lift, holm_p=float(p)) for (name, lift), p in zip(lifts.items(), holm_p, strict=True)}
    return {name: replace(score, lift=holm_lifts.get(name)) for name, score in scores.items()}


def averages(scores: Mapping[str, BenchmarkScore]) -> Averages:
    """Averages over the benchmarks a model was examined on."""
    return Averages(*(average(scores, figure) for figure in ("canonical", "icr", "lift", "content_lift")))


def average(scores: Mapping[str, BenchmarkScore], figure: Figure) -> Average | None:
    """The average of one figure over the benchmarks that have it; None where none has."""
    estimates = {}
    for name, score in scores.items():
        estimate = getattr(score, figure) if figure in ("lift", "content_lift") else score.arms.get(figure)
        if estimate is not None:
            estimates[name] = estimate
    if not estimates:
        return None
    draws = {name: scores[name].draws[figure] for name in estimates}
    low, high = interval(np.mean(list(draws.values()), axis=0))
    count = len(estimates)
    value = sum(estimate.value for estimate in estimates.values()) / count
    certain = [estimate for name, estimate in estimates.items() if np.ptp(draws[name]) == 0]
    below = math.hypot(value - low, *((estimate.value - estimate.low) / count for estimate in certain))
    above = math.hypot(high - value, *((estimate.high - estimate.value) / count for estimate in certain))
    return Average(value, count, sum(estimate.n for estimate in estimates.values()), value - below, value + above)
