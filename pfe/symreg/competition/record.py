"""The records of a competition as Parquet tables with one row per run.

Example: a run of operon on the fourth draw of made/noise/easy has the status "ok", R² 0.94 and the model
`(0.31 * (x1 ** 2))`, which has 5 components.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from pfe.problem import Record

Track = Literal["qualification", "synthetic", "real_world"]
LONGEST = 160  # characters of a reason that are shown
TRACKS: tuple[Track, ...] = get_args(Track)
# How a run ended, in this order: with a model; with an exception or a dead process; at its time limit; with predictions
# or an R² that are not finite; with a model that is not an expression; with a model that predicts something else.
Status = Literal["ok", "crashed", "timeout", "nan", "unparsed", "mistranslated"]


@dataclass(frozen=True)
class Attempt(Record):
    """One method on one draw of a data set: how it ended, and R² on the test points if there is one."""

    track: Track
    method: str
    dataset: str
    repetition: int
    status: Status
    r2: float | None


@dataclass(frozen=True)
class Run(Attempt):
    """An attempt with the output of its run.

    `property_r2` is R² on the probe, if the draw has one. `model` is the expression over the columns, empty unless the
    run is ok. `seconds` is wall-clock time. `reason` says why a run failed.
    """

    property_r2: float | None
    model: str
    seconds: float
    reason: str


@dataclass(frozen=True)
class MeasuredRun(Attempt):
    """An attempt with the measures that are judged.

    `parsed` and `simplified` count components; `property` is higher for better. `counted` names the count that
    `simplified` holds: it is `parsed` if simplification made the model longer or did not finish. `simplification` is
    the status of the simplification, and `equivalent` says how the model was found to be equivalent to the truth, or
    that it is not. All three come from `pfe.symreg.expressions.measure.Measurement`. `reason` says why a run failed.
    """

    model: str
    parsed: int | None
    simplified: int | None
    simplification: str | None
    equivalent: str | None
    property: float | None
    counted: str | None = None
    reason: str = ""


@dataclass(frozen=True)
class Failures:
    """The runs of a method with one status: their `count`, the most frequent `reason`, and how many reasons differ."""

    method: str
    status: Status
    count: int
    reason: str
    reasons: int

    def in_words(self) -> str:
        """Return a text such as `3 crashed: ValueError: too few rows, and for 1 other reason`."""
        others = self.reasons - 1
        further = f", and for {others} other reason{'s' * (others > 1)}" if others else ""
        reason = self.reason if len(self.reason) <= LONGEST else f"{self.reason[: LONGEST - 1]}…"
        return f"{self.count:,} {self.status}: {reason}{further}"


def failures(runs: Iterable[Run | MeasuredRun]) -> list[Failures]:
    """Return the failed runs by method and status; methods keep the order of the runs, frequent statuses come first."""
    counts: dict[str, dict[Status, Counter[str]]] = {}
    for run in runs:
        by_status = counts.setdefault(run.method, {})
        if run.status != "ok":
            by_status.setdefault(run.status, Counter())[run.reason] += 1
    return [
        Failures(method, status, reasons.total(), reasons.most_common(1)[0][0], len(reasons))
        for method, by_status in counts.items()
        for status, reasons in sorted(by_status.items(), key=lambda item: -item[1].total())
    ]
