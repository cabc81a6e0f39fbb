"""What each file of conf/experiment did to the student, seed by seed, on the problems kept for validation.

Example, of one seed and the mean of three, cut on the right, where look-ups follow, their lift and what it has more
than that of the control of the same seed:
    | experiment | seed | bare | library | changed | irrelevant |   n |           lift (95 %) |
    |:-----------|-----:|-----:|--------:|--------:|-----------:|----:|----------------------:|
    | sft        |    0 | 33.1 |    48.2 |    71.0 |       32.4 | 172 |   +15.1 [+4.7, +25.0] |
    | sft        | mean | 33.0 |    47.9 |    70.2 |       32.9 | 516 |  +14.9 [+12.8, +17.0] |
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated, ClassVar

from annotated_types import Ge, Le, MinLen
from pydantic import ConfigDict

from pfe.config.bounded import Count, Seed
from pfe.errors import UserError
from pfe.files import read_record
from pfe.report.cells import NONE, decimal, with_interval
from pfe.report.experiments import Experiment
from pfe.report.markdown import markdown
from pfe.scores.proportion import LEVEL, Points, difference, proportion

ARMS = ("bare", "library", "changed", "irrelevant")
_COMPARED = ("bare", "library")  # without which there is no lift
_LIFT = ("lift", "lift_low", "lift_high")  # of metrics/lookups.json
CONTROL = "shared_rows"  # the default by another name, which the others are compared with, seed by seed
READING = (
    "What each file of `conf/experiment` did to the default student. Arms are percent right (`changed`: as the changed "
    "library has it); lifts, and what look-ups gain beside the control, are percentage points. A mean has Student's t "
    f"interval over its seeds. `{CONTROL}` and `mixed_library` are one and the same control: the default student under "
    "two names. Made by `pfe experiments --ablations --out metrics/ablations.json`."
)
HEAD = ("experiment", "seed", *ARMS, "n", "lift (95 %)", "look-ups: lift (95 %)", f"beside `{CONTROL}` (95 %)")


@dataclass(frozen=True)
class Ablation:
    """The accuracy of one student in each arm of the validation, in percent, over `n` problems.

    `looked_up` is its lift in look-ups (`pfe.training.lookups`), None where they were not asked; `look_ups` is how many
    were, None where nothing says so.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    experiment: Annotated[str, MinLen(1)]
    seed: Seed
    arms: Mapping[str, Annotated[float, Ge(0), Le(100)]]
    n: Count
    looked_up: Points | None = None
    look_ups: Count | None = None

    def __post_init__(self) -> None:
        if missing := [arm for arm in _COMPARED if arm not in self.arms]:
            raise ValueError(f"{self.title}: arms lack {' and '.join(missing)}")
        if unknown := sorted(self.arms.keys() - {*ARMS}):
            raise ValueError(f"{self.title}: unknown arm {unknown[0]}")
        if (lift := self.looked_up) and not -100 <= lift.low <= lift.value <= lift.high <= 100:
            raise ValueError(f"{self.title}: looked_up is a lift in points, then its interval's ends, the lower first")

    @property
    def title(self) -> str:
        """What no other row is called."""
        return f"{self.experiment}, seed {self.seed}"

    @property
    def lift(self) -> float:
        """Points that the library adds."""
        return self.arms["library"] - self.arms["bare"]

    @property
    def interval(self) -> tuple[float, float]:
        """That of the lift, which takes the arms for two samples, and so is wider than one that pairs them."""
        library, bare = (proportion(round(self.n * self.arms[arm] / 100), self.n) for arm in ("library", "bare"))
        _, low, high = difference(library, bare)
        return low, high


def ablations(
    experiments: Iterable[Experiment], look_ups: Callable[[str], int | None] = lambda _: None
) -> list[Ablation]:
    """Those of the experiments that are of a file of conf/experiment and that were validated, each seed once.

    One that changed more than its file is another one. Of several that are alike it is the first, which is the latest
    as DVC lists them. Those that are `left_out` have no row.

    Args:
        look_ups: how many an experiment asked of its student, by its commit; its metrics do not say.
    """
    found: dict[tuple[str, int], Ablation] = {}
    for one in _validated(experiments):
        if not _missing(one) and (key := (one.variant, one.parameters["seed"])) not in found:
            found[key] = _ablation(one, look_ups)
    return [found[key] for key in sorted(found)]


def left_out(experiments: Iterable[Experiment]) -> Iterator[str]:
    """A line for each that was validated and has no row, which says what it lacks."""
    for one in _validated(experiments):
        if missing := _missing(one):
            yield f"experiment {one.name} ({one.variant}) is left out, for it lacks {' and '.join(missing)}"


def _validated(experiments: Iterable[Experiment]) -> Iterator[Experiment]:
    return (one for one in experiments if one.variant and one.metrics.get("train", {}).get("validation"))


def _missing(one: Experiment) -> list[str]:
    shares = one.metrics["train"]["validation"]
    figures = [f"validation.{name} in metrics/train.json" for name in (*_COMPARED, "n") if name not in shares]
    return figures if "seed" in one.parameters else ["seed in params.yaml", *figures]


def _ablation(one: Experiment, look_ups: Callable[[str], int | None]) -> Ablation:
    shares = one.metrics["train"]["validation"]
    arms = {arm: shares[arm] for arm in ARMS if arm in shares}
    figures = one.metrics.get("lookups", {}).get("student", {})
    looked_up = Points(*(figures[name] for name in _LIFT)) if figures.keys() >= {*_LIFT} else None
    asked = look_ups(one.sha) if looked_up else None
    return Ablation(one.variant, one.parameters["seed"], arms, shares["n"], looked_up, asked)


def read(path: Path) -> list[Ablation]:
    """The rows of a file that `pfe experiments --ablations --out` wrote.

    Raises:
        UserError: it is missing, or holds something else.
    """
    remedy = f"take it from git again, or delete it and run `pfe experiments --ablations --out {path}`"
    rows = read_record(path, list[Ablation], remedy)
    counts = Counter(row.title for row in rows)
    if twice := [title for title, count in counts.items() if count > 1]:
        raise UserError(f"{path}: {twice[0]}: there is more than one such row; {remedy}")
    return rows


def merged(kept: Iterable[Ablation], made: Iterable[Ablation]) -> list[Ablation]:
    """Both, where `made` replaces what has its name and seed."""
    by_name = {(one.experiment, one.seed): one for one in (*kept, *made)}
    return [by_name[key] for key in sorted(by_name)]


def section(made: Sequence[Ablation]) -> str:
    """The table and how to read it, in Markdown."""
    return f"{READING}\n\n{table(made)}"


def table(made: Iterable[Ablation]) -> str:
    """In Markdown: a row a seed, and behind those of an experiment their mean, with Student's interval over seeds.

    Where there are none it is a sentence that says so.
    """
    by_name: dict[str, list[Ablation]] = {}
    for one in made:
        by_name.setdefault(one.experiment, []).append(one)
    control = {one.seed: one.looked_up.value for one in by_name.get(CONTROL, []) if one.looked_up}
    rows = [row for seeds in by_name.values() for row in _rows(seeds, control)]
    return markdown(HEAD, rows) if rows else "No file of `conf/experiment` was validated."


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
    return NONE if points is None else decimal(points, "+")


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
