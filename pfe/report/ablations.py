"""What each file of conf/experiment did to the student, seed by seed, on the problems kept for validation.

Example, of one seed and the mean of three, cut on the right, where look-ups follow, their lift and what it has more
than that of the control of the same seed:
    | experiment | seed | bare | library | changed | irrelevant |   n |           lift (95 %) |
    |:-----------|-----:|-----:|--------:|--------:|-----------:|----:|----------------------:|
    | sft        |    0 | 33.1 |    48.2 |    71.0 |       32.4 | 172 |   +15.1 [+4.7, +25.0] |
    | sft        | mean | 33.0 |    47.9 |    70.2 |       32.9 | 516 |  +14.9 [+12.8, +17.0] |
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import NamedTuple

from pfe.report.cells import NONE, with_interval
from pfe.report.experiments import Experiment
from pfe.report.markdown import markdown
from pfe.scores.proportion import LEVEL, proportion

ARMS = ("bare", "library", "changed", "irrelevant")
_LIFT = ("lift", "lift_low", "lift_high")  # of metrics/lookups.json
CONTROL = "shared_rows"  # the default by another name, which the others are compared with, seed by seed
HEAD = ("experiment", "seed", *ARMS, "n", "lift (95 %)", "look-ups: lift (95 %)", f"beside `{CONTROL}` (95 %)")


class Points(NamedTuple):
    """A lift with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ablation:
    """The accuracy of one student in each arm of the validation, in percent, over `n` problems.

    `looked_up` is its lift in look-ups (`pfe.training.lookups`), None where they were not asked.
    """

    experiment: str
    seed: int
    arms: Mapping[str, float]
    n: int
    looked_up: Points | None = None

    @property
    def lift(self) -> float:
        """Points that the library adds."""
        return self.arms["library"] - self.arms["bare"]

    @property
    def interval(self) -> tuple[float, float]:
        """That of the lift, by Newcombe (1998, Statist. Med. 17:873, method 10).

        It takes the arms for two samples, and so is wider than one that pairs them.
        """
        bare, library = (proportion(round(self.n * self.arms[arm] / 100), self.n) for arm in ("bare", "library"))
        below = math.hypot(library.value - library.low, bare.high - bare.value)
        above = math.hypot(library.high - library.value, bare.value - bare.low)
        return self.lift - below, self.lift + above


def ablations(experiments: Iterable[Experiment]) -> list[Ablation]:
    """Those of the experiments that are of a file of conf/experiment and that were validated, each seed once.

    One that changed more than its file is another one. Of several that are alike it is the first, which is the latest
    as DVC lists them.
    """
    found: dict[tuple[str, int], Ablation] = {}
    for one in experiments:
        shares = one.metrics.get("train", {}).get("validation")
        if one.variant and shares:
            seed = one.parameters["seed"]
            arms = {arm: shares[arm] for arm in ARMS if arm in shares}
            looked_up = one.metrics.get("lookups", {}).get("student", {})
            points = Points(*(looked_up[name] for name in _LIFT)) if looked_up.keys() >= set(_LIFT) else None
            found.setdefault((one.variant, seed), Ablation(one.variant, seed, arms, shares["n"], points))
    return [found[key] for key in sorted(found)]


def merged(kept: Iterable[Ablation], made: Iterable[Ablation]) -> list[Ablation]:
    """Both, where `made` replaces what has its name and seed."""
    by_name = {(one.experiment, one.seed): one for one in (*kept, *made)}
    return [by_name[key] for key in sorted(by_name)]


def table(made: Iterable[Ablation]) -> str:
    """In Markdown: a row a seed, and behind those of an experiment their mean, with Student's interval over seeds."""
    by_name: dict[str, list[Ablation]] = {}
    for one in made:
        by_name.setdefault(one.experiment, []).append(one)
    control = {one.seed: one.looked_up.value for one in by_name.get(CONTROL, []) if one.looked_up}
    rows = [row for seeds in by_name.values() for row in _rows(seeds, control)]
    return markdown(HEAD, rows)


def _rows(seeds: list[Ablation], control: Mapping[int, float]) -> Iterator[list[str]]:
    more = [_more(one, control) for one in seeds]
    for one, beside in zip(seeds, more, strict=True):
        lifts = _cells(Points(one.lift, *one.interval), one.looked_up)
        yield [one.experiment, str(one.seed), *_arms([one]), str(one.n), *lifts, _signed(beside)]
    if len(seeds) > 1:
        looked_up = [one.looked_up.value if one.looked_up else None for one in seeds]
        lifts = _cells(_mean([one.lift for one in seeds]), _mean(looked_up), _mean(more))
        yield [seeds[0].experiment, "mean", *_arms(seeds), str(sum(one.n for one in seeds)), *lifts]


def _more(one: Ablation, control: Mapping[int, float]) -> float | None:
    """Points that look-ups' lift is above the control's of the same seed; None of the control itself."""
    if one.looked_up is None or one.experiment == CONTROL or one.seed not in control:
        return None
    return one.looked_up.value - control[one.seed]


def _cells(*lifts: Points | None) -> Iterator[str]:
    return (with_interval(lift, "+") for lift in lifts)


def _signed(points: float | None) -> str:
    return NONE if points is None else f"{round(points, 1) + 0.0:+.1f}"


def _mean(of_seeds: Sequence[float | None]) -> Points | None:
    """The mean over seeds with Student's interval; None where a seed has nothing."""
    lifts = [lift for lift in of_seeds if lift is not None]
    if len(lifts) < len(of_seeds):
        return None
    mean = fmean(lifts)
    half = _quantile(len(lifts) - 1) * stdev(lifts) / math.sqrt(len(lifts))
    return Points(mean, mean - half, mean + half)


def _arms(seeds: list[Ablation]) -> Iterator[str]:
    for arm in ARMS:
        values = [one.arms[arm] for one in seeds if arm in one.arms]
        yield f"{fmean(values):.1f}" if len(values) == len(seeds) else NONE


def _quantile(freedom: int) -> float:
    from scipy.stats import t

    return float(t.ppf((1 + LEVEL) / 2, freedom))
