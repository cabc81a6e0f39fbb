"""The top of the page: the averages of each model, and one sentence that needs no statistics.

Example: "With a method library in context, Ours answers 13.8 more of every 100 problems correctly than without it (95 %
confidence interval 11.2 to 16.4 more), and the library's content helps: a placebo library helps less."
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from pfe.report.html.render import signed
from pfe.scores.model import Average, Averages, ModelScore
from pfe.scores.paired import POWER
from pfe.scores.progress import STUDENT, holds_zero
from pfe.scores.randomisation import ALPHA

FIGURES = {
    "canonical": "PFE-Canonical", "icr": "PFE-ICR", "lift": "PFE-Lift", "content_lift": "Content lift",
}  # fmt: skip


@dataclass(frozen=True)
class HeadlineRow:
    """One model's averages by the keys of `FIGURES`, and its smallest detectable average lift."""

    label: str
    figures: Mapping[str, Average | None]
    visible: float | None


def headline(scores: Mapping[str, ModelScore], labels: Mapping[str, str]) -> list[HeadlineRow]:
    """Return one row for each model that was examined, in the order of `labels`."""
    return [
        HeadlineRow(label, {key: getattr(means, key) for key in FIGURES}, visible_lift(means.lift))
        for name, label in labels.items()
        if (means := scores[name].averages) != Averages()
    ]


def visible_lift(lift: Average | None) -> float | None:
    """Return the smallest average lift, in points, that is detectable at 5 % two-sided with a power of 0.8.

    It is (z(1 − α/2) + z(power)) standard errors (Bloom 1995, Eval. Rev. 19:547). The standard error is derived from
    the width of the CI under a normal distribution.
    """
    if lift is None:
        return None
    normal = NormalDist()
    level = normal.inv_cdf(1 - ALPHA / 2)
    return (lift.high - lift.low) / (2 * level) * (level + normal.inv_cdf(POWER))


def verdict(scores: Mapping[str, ModelScore], labels: Mapping[str, str]) -> str:
    """Return one sentence on the student or, without a lift of the student, on the first model with a lift."""
    names = [STUDENT, *labels] if STUDENT in labels else list(labels)
    lifted = [name for name in names if scores[name].averages.lift]
    if not lifted:
        return "No model was examined both with and without a method library, so its use is unknown."
    name = lifted[0]
    means = scores[name].averages
    return _sentence(labels[name], means)


def smallest(scores: Mapping[str, ModelScore], titles: Mapping[str, str]) -> list[tuple[str, int, float | None]]:
    """Return title, number of problems and smallest detectable lift of each benchmark, the largest over the models."""
    rows = []
    for name, title in titles.items():
        lifts = [one.lift for model in scores.values() if (one := model.benchmarks.get(name)) and one.lift]
        if lifts:
            visible = [lift.detectable for lift in lifts if lift.detectable is not None]
            rows.append((title, lifts[0].n, max(visible, default=None)))
    return rows


def _sentence(label: str, means: Averages) -> str:
    lift = means.lift
    assert lift is not None
    if holds_zero(lift):
        return (
            f"These {lift.n:,} problems do not show whether a method library helps {label}: its accuracy changes by "
            f"{signed(lift.value)} points, and the 95 % confidence interval, {signed(lift.low)} to "
            f"{signed(lift.high)}, includes 0."
        )
    many, direction = (lift.value, "more") if lift.value > 0 else (-lift.value, "fewer")
    ends: Sequence[float] = sorted((abs(lift.low), abs(lift.high)))
    return (
        f"With a method library in context, {label} answers {many:.1f} {direction} of every 100 problems correctly "
        f"than without it (95 % confidence interval {ends[0]:.1f} to {ends[1]:.1f} {direction})"
        f"{_content(means) if lift.value > 0 else '.'}"
    )


def _content(means: Averages) -> str:
    if means.content_lift is None:
        return "."
    if means.content_helps:
        return ", and the library's content helps: a placebo library helps less."
    return ", but a placebo library may help as much."
