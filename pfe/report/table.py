"""The table of results in SPEC's reporting format, with 95 % CIs in brackets.

Example (the columns Holm p, content lift and n on the right are cut):
    Benchmark: GSM1K
    ────────────────────────────────────────────────────────────────────────────────────────────────
    Model                Canonical            ICR                  Lift                  Rel.Lift
    ────────────────────────────────────────────────────────────────────────────────────────────────
    Ours (trained)        72.3% [69.8, 74.7]   86.1% [84.1, 87.9]  +13.8% [+11.2, +16.4]    49.8%
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pfe.config import Arm
from pfe.report.cells import NONE, decimal
from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import Averages
from pfe.scores.paired import RelativeLift
from pfe.scores.proportion import Estimate

_LABEL = 20  # least width of the column of model labels


@dataclass(frozen=True)
class TableLine:
    """One model's line; a missing figure is None, and `p` is Holm-adjusted."""

    model: str
    canonical: Estimate | None = None
    icr: Estimate | None = None
    lift: Estimate | None = None
    relative: RelativeLift | None = None
    p: float | None = None
    content: Estimate | None = None
    n: int | None = None


def benchmark_line(model: str, score: BenchmarkScore | None) -> TableLine:
    """Return a model's line on a benchmark; without figures if it was not examined there."""
    if score is None:
        return TableLine(model)
    canonical, icr, lift = score.arms.get("canonical"), score.arms.get("icr"), score.lift
    return TableLine(
        model, canonical, icr, lift,
        relative=lift.relative if lift else None,
        p=lift.holm_p if lift else None,
        content=score.content_lift,
        n=arm.n if (arm := canonical or icr) else None,
    )  # fmt: skip


def average_line(model: str, means: Averages) -> TableLine:
    """Return a model's line in the table of averages."""
    n = arm.n if (arm := means.canonical or means.icr) else None
    return TableLine(model, means.canonical, means.icr, means.lift, content=means.content_lift, n=n)


def table(title: str, lines: Sequence[TableLine]) -> str:
    """Return the table of one benchmark, or of the averages."""
    width = max([_LABEL, *(len(line.model) for line in lines)])
    head = (
        f"{'Model':<{width}} {'Canonical':<20} {'ICR':<20} {'Lift':<21} {'Rel.Lift':>8} {'Holm p':>6} "
        f"{'Content lift':<21} {'n':>6}"
    )
    rule = "─" * len(head)
    return "\n".join([title, rule, head, rule, *(_line(line, width) for line in lines), rule])


def other_arms(scores: Mapping[str, BenchmarkScore | None]) -> list[str]:
    """Return a table, as lines, of the accuracies in arms other than canonical and ICR; [] if none was asked.

    `scores` is by model label.
    """
    arms_by_label = {label: score.arms for label, score in scores.items() if score}
    asked = {arm for by_arm in arms_by_label.values() for arm in by_arm} - {"canonical", "icr"}
    arms = [arm for arm in get_args(Arm) if arm in asked]
    if not arms:
        return []
    width = max([_LABEL, *map(len, arms_by_label)])
    lines = [
        f"{label:<{width}} {' '.join(_share(by_arm.get(arm)) for arm in arms)}".rstrip()
        for label, by_arm in arms_by_label.items()
    ]
    head = f"{'Other arms':<{width}} {' '.join(f'{arm.capitalize():<20}' for arm in arms)}".rstrip()
    return [head, *lines, "─" * max(map(len, (head, *lines)))]


def _line(line: TableLine, width: int) -> str:
    count = "–" if line.n is None else f"{line.n}"
    return (
        f"{line.model:<{width}} {_share(line.canonical)} {_share(line.icr)} {_points(line.lift)} "
        f"{_relative(line.relative):>8} {p_value(line.p):>6} {_points(line.content)} {count:>6}"
    )


def p_value(p: float | None) -> str:
    """Return p with three decimals, as in ".012"; "<.001" if it is below 0.001, and a dash if it is None."""
    return "–" if p is None else "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _share(figure: Estimate | None) -> str:
    return _figure(figure, "", 13)


def _points(figure: Estimate | None) -> str:
    return _figure(figure, "+", 14)


def _figure(figure: Estimate | None, sign: str, width: int) -> str:
    """Return a figure in percent, with its CI padded to `width` characters."""
    if figure is None:
        return f"{NONE:>6} {'':<{width}}"
    value, low, high = (_end(end, sign) for end in (figure.value, figure.low, figure.high))
    return f"{f'{value}%':>6} {f'[{low}, {high}]':<{width}}"


def _end(value: float, sign: str) -> str:
    """Return a value with one decimal; with none for signed values of ±100, which would exceed the column's width."""
    return f"{value:+.0f}" if sign and abs(value) >= 99.95 else decimal(value, sign)


def _relative(lift: RelativeLift | None) -> str:
    """Return the relative lift in percent, marked with "~" if it is unstable."""
    return "–" if lift is None else f"{'~' if lift.unstable else ''}{decimal(lift.value)}%"
