"""The figures of one model over all benchmarks: Holm-adjusted p-values, and averages.

Example: PFE-Lift +6.2 points [+5.1, +7.3] over 10 benchmarks and 36,000 problems.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import numpy as np

from pfe.scores.benchmark import CONTROLS, BenchmarkScore
from pfe.scores.claims import content_helps
from pfe.scores.paired import Difference
from pfe.scores.proportion import Estimate
from pfe.scores.randomisation import ALPHA, Flipped, flip_test, mean_of
from pfe.scores.sample import generator, interval

Accuracy = Literal["canonical", "icr"]
Name = TypeVar("Name")


class Counted(Estimate, Protocol):
    """An estimate from n problems."""

    @property
    def n(self) -> int: ...


@dataclass(frozen=True)
class Average:
    """A mean over benchmarks of equal weight, with the number of benchmarks and their total number of problems.

    The 95 % CI treats the benchmarks as fixed: it says nothing about other benchmarks.
    """

    value: float
    benchmarks: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Averages:
    """PFE-Canonical, PFE-ICR, PFE-Lift and PFE-Content-Lift of one model; None if no benchmark has the figure.

    `relative_lift` is PFE-Lift in percent of the possible gain, 100 − PFE-Canonical.
    """

    canonical: Average | None = None
    icr: Average | None = None
    lift: Average | None = None
    content_lift: Average | None = None

    @property
    def relative_lift(self) -> float | None:
        """SPEC's relative lift, computed from the averages; None without a lift or if canonical is 100 %."""
        if self.lift is None or self.canonical is None or self.canonical.value == 100:
            return None
        return 100 * self.lift.value / (100 - self.canonical.value)

    @property
    def content_helps(self) -> bool:
        """Whether the content of the libraries helps on average, by the rule in `pfe.scores.claims`."""
        return content_helps(self.lift, self.content_lift)


@dataclass(frozen=True)
class Standing:
    """The comparisons that the verdict on a student needs in addition to its lift.

    All differences are means over benchmarks, in points. `canonical` and `icr` are the student's accuracies less those
    of its untrained twin, a model of the same size, on the same problems. `over_tutor` is the student's ICR accuracy
    less that of its best tutor; None if no tutor was examined. `is_screened` is whether the training data excluded
    everything that SPEC's checks reject.
    """

    canonical: Average
    icr: Average
    over_tutor: Average | None
    is_screened: bool


@dataclass(frozen=True)
class ModelScore:
    """All figures of one model: its scores by benchmark, with p adjusted over benchmarks, and their averages.

    Only the student has a `standing`, and only if its untrained twin was examined too.
    """

    benchmarks: Mapping[str, BenchmarkScore]
    averages: Averages
    standing: Standing | None = None


def score_model(scores: Mapping[str, BenchmarkScore], not_averaged: Collection[str] = ()) -> ModelScore:
    """Return the figures of one model from its scores by benchmark.

    Args:
        scores: of the benchmarks on which the model was examined.
        not_averaged: benchmarks that are excluded from the averages.
    """
    return ModelScore(adjusted(scores), averages({name: by for name, by in scores.items() if name not in not_averaged}))


def adjusted(scores: Mapping[str, BenchmarkScore]) -> dict[str, BenchmarkScore]:
    """Return the scores with `holm_p`: p adjusted over all lifts, and separately over all content lifts.

    Source: Holm 1979, Scand. J. Stat. 6:65.
    """
    lifts = {name: score.lift for name, score in scores.items() if score.lift}
    contents = {name: score.content_lift for name, score in scores.items() if score.content_lift}
    by_lift, by_content = (holm({name: one.p for name, one in found.items()}) for found in (lifts, contents))
    return {
        name: replace(
            score,
            lift=replace(lifts[name], holm_p=by_lift[name]) if name in lifts else None,
            content_lift=replace(contents[name], holm_p=by_content[name]) if name in contents else None,
        )
        for name, score in scores.items()
    }


def holm(values: Mapping[Name, float]) -> dict[Name, float]:
    """Return p-values adjusted for their number by Holm's step-down procedure."""
    from statsmodels.stats.multitest import multipletests

    if not values:
        return {}
    return {name: float(p) for name, p in zip(values, multipletests([*values.values()], ALPHA, "holm")[1], strict=True)}


def averages(scores: Mapping[str, BenchmarkScore]) -> Averages:
    """Return the averages over the benchmarks on which a model was examined."""
    return Averages(
        _mean_accuracy(scores, "canonical"),
        _mean_accuracy(scores, "icr"),
        _mean_lift(scores),
        _mean_content_lift(scores),
    )


def _mean_accuracy(scores: Mapping[str, BenchmarkScore], arm: Accuracy) -> Average | None:
    """Return the mean accuracy of an arm, with a CI from a cluster bootstrap that is stratified by benchmark.

    Resamples of a benchmark at 0 or 100 % are all equal, so the limits of its own CI widen the CI of the mean.
    """
    estimates = {name: score.arms[arm] for name, score in scores.items() if arm in score.arms}
    if not estimates:
        return None
    draws = {name: scores[name].draws[arm] for name in estimates}
    low, high = interval(np.mean(list(draws.values()), axis=0))
    certain = [estimate for name, estimate in estimates.items() if np.ptp(draws[name]) == 0]
    return _average([*estimates.values()], low, high, certain)


def _mean_lift(scores: Mapping[str, BenchmarkScore]) -> Average | None:
    """Return the mean lift, with the CI of one randomisation test over the clusters of all benchmarks."""
    found = [score for score in scores.values() if score.lift]
    if not found:
        return None
    lifts = [score.lift for score in found if score.lift]
    mean, test = _mean_gain(found, "canonical")
    return Average(mean, len(lifts), sum(lift.n for lift in lifts), test.low, test.high)


def _mean_content_lift(scores: Mapping[str, BenchmarkScore]) -> Average | None:
    """Return the mean content lift.

    The mean of the smaller differences is at most the smaller of the mean differences. So the upper limit of its CI is
    the smallest upper limit of the mean differences from each control. The upper limit for a control is the higher of
    two: that of the test over all clusters, and that from the benchmarks' own limits, which account for the variance
    between placebo texts. The lower limit combines the benchmarks' own lower limits.
    """
    found = [score for score in scores.values() if score.content_lift]
    estimates = [score.content_lift for score in found if score.content_lift]
    if not estimates:
        return None
    value = sum(one.value for one in estimates) / len(estimates)
    whole = _average(estimates, value, value, estimates)
    shared = [arm for arm in CONTROLS if all(arm in score.gains for score in found)]
    highs = [max(_mean_gain(found, arm)[1].high, _high([score.icr_minus[arm] for score in found])) for arm in shared]
    return replace(whole, high=max(value, min(highs, default=whole.high)))


def _high(differences: Sequence[Difference]) -> float:
    """Return the upper limit of a mean of differences, computed from the upper limit of each difference."""
    value = sum(one.value for one in differences) / len(differences)
    return _average(differences, value, value, differences).high


def _mean_gain(scores: Sequence[BenchmarkScore], arm: str) -> tuple[float, Flipped]:
    """Return ICR less an arm, averaged over benchmarks, and its test.

    The number of benchmarks seeds the random signs.
    """
    mean = mean_of([score.gains[arm] for score in scores])
    return mean.value, flip_test(mean, generator(f"{arm}:{len(scores)}"))


def _average(estimates: Sequence[Counted], low: float, high: float, wider: Sequence[Estimate]) -> Average:
    """Return the mean of estimates with the CI from `low` to `high`, widened by the CIs of the estimates in `wider`.

    The distances of the limits from the values are added in squares, as variances are (MOVER; Zou and Donner 2008,
    Stat. Med. 27:1693).
    """
    count = len(estimates)
    value = sum(one.value for one in estimates) / count
    below = math.hypot(value - low, *((one.value - one.low) / count for one in wider))
    above = math.hypot(high - value, *((one.high - one.value) / count for one in wider))
    return Average(value, count, sum(one.n for one in estimates), value - below, value + above)
