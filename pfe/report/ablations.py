"""A table of ablations: the student's validation accuracy for each file of conf/experiment and each seed.

Example, one seed and the mean of three. The columns on the right are cut: the lift in single-hop retrieval, and its
difference from the control with the same seed:
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

from pfe.config.parameter_types import Count, Seed
from pfe.errors import UserError
from pfe.files import read_record
from pfe.report.cells import NONE, decimal, with_interval
from pfe.report.experiments import Experiment
from pfe.report.markdown import markdown
from pfe.scores.proportion import LEVEL, Points, difference, proportion

ARMS = ("bare", "library", "changed", "irrelevant")
_COMPARED = ("bare", "library")  # the arms that a lift needs
_LIFT = ("lift", "lift_low", "lift_high")  # in metrics/lookups.json
CONTROL = "shared_rows"  # the default student under another name; the others are compared with it at the same seed
READING = (
    "The effect of each file of `conf/experiment` on the default student. Arms are percent correct (`changed`: by the "
    "changed library). Lifts, and differences of the single-hop lift from the control, are in points. A mean has "
    f"Student's t interval over its seeds. `{CONTROL}` and `mixed_library` are the same control: the default student "
    "under two names. `pfe experiments --ablations --out metrics/ablations.json` writes the figures."
)
HEAD = ("experiment", "seed", *ARMS, "n", "lift (95 %)", "single-hop lift (95 %)", f"minus `{CONTROL}` (95 %)")


@dataclass(frozen=True)
class Ablation:
    """The validation accuracy of one student in each arm, in percent, on `n` problems.

    `looked_up` is its lift in single-hop retrieval on held-out families, None if that was not measured. `look_ups` is
    the number of these problems, None if it is unknown.
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
        """The unique title of the row."""
        return f"{self.experiment}, seed {self.seed}"

    @property
    def lift(self) -> float:
        """The lift of the library, in points."""
        return self.arms["library"] - self.arms["bare"]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % CI of the lift; it treats the arms as independent, so it is wider than a paired CI."""
        library, bare = (proportion(round(self.n * self.arms[arm] / 100), self.n) for arm in ("library", "bare"))
        _, low, high = difference(library, bare)
        return low, high


def ablations(
    experiments: Iterable[Experiment], look_ups: Callable[[str], int | None] = lambda _: None
) -> list[Ablation]:
    """Return one row for each seed of each validated experiment that has a file in conf/experiment.

    An experiment that changed more than its file counts as a separate variant. If several are alike, the first is used,
    which is the latest in DVC's order. Experiments in `left_out` have no row.

    Args:
        experiments: all experiments.
        look_ups: returns the number of problems in that measurement by the experiment's commit; its metrics lack it.
    """
    found: dict[tuple[str, int], Ablation] = {}
    for one in _validated(experiments):
        if not _missing(one) and (key := (one.variant, one.parameters["seed"])) not in found:
            found[key] = _ablation(one, look_ups)
    return [found[key] for key in sorted(found)]


def left_out(experiments: Iterable[Experiment]) -> Iterator[str]:
    """Yield a line for each validated experiment without a row, which says what it lacks."""
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
    """Read the rows of a file that `pfe experiments --ablations --out` wrote.

    Raises:
        UserError: the file is missing or invalid, or has two rows of the same experiment and seed.
    """
    remedy = f"take it from git again, or delete it and run `pfe experiments --ablations --out {path}`"
    rows = read_record(path, list[Ablation], remedy)
    counts = Counter(row.title for row in rows)
    if twice := [title for title, count in counts.items() if count > 1]:
        raise UserError(f"{path}: {twice[0]}: there is more than one such row; {remedy}")
    return rows


def merged(kept: Iterable[Ablation], made: Iterable[Ablation]) -> list[Ablation]:
    """Return the rows of both; a row in `made` replaces the row in `kept` with the same experiment and seed."""
    by_name = {(one.experiment, one.seed): one for one in (*kept, *made)}
    return [by_name[key] for key in sorted(by_name)]


def section(made: Sequence[Ablation]) -> str:
    """Return the table and how to read it, in Markdown."""
    return f"{READING}\n\n{table(made)}"


def table(made: Iterable[Ablation]) -> str:
    """Return the table in Markdown: one row per seed, then the mean of each experiment with Student's t CI over seeds.

    An experiment with a single seed has no mean. Without rows, return a sentence that says so.
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
    """Return the lift in single-hop retrieval less that of the control with the same seed, in points.

    Return None for the control itself, and if one of the two lifts is missing.
    """
    if one.looked_up is None or one.experiment == CONTROL or one.seed not in control:
        return None
    return one.looked_up.value - control[one.seed]


def _cells(*lifts: Points | None) -> Iterator[str]:
    return (with_interval(lift, "+") for lift in lifts)


def _signed(points: float | None) -> str:
    return NONE if points is None else decimal(points, "+")


def _mean(of_seeds: Sequence[float | None]) -> Points | None:
    """Return the mean over seeds with Student's t CI; None if a seed has no value."""
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
