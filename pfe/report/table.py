"""The table, in SPEC's reporting format.

Example:
    Benchmark: GSM1K
    ────────────────────────────────────────────────────────────────
    Model                 Canonical    ICR      Lift   Rel.Lift   Lift, 95 %        n
    ────────────────────────────────────────────────────────────────
    Ours (trained)           72.3%    86.1%   +13.8%     49.8%   [+11.2, +16.4]   1250
"""

from collections.abc import Sequence
from dataclasses import dataclass

_HEAD = f"{'Model':<20} {'Canonical':>10} {'ICR':>8} {'Lift':>9} {'Rel.Lift':>10}   {'Lift, 95 %':<17} {'n':>6}"


@dataclass(frozen=True)
class Line:
    """One model's line; percentages and points, None where there is no figure."""

    model: str
    canonical: float | None
    icr: float | None = None
    lift: float | None = None
    relative: float | None = None
    interval: tuple[float, float] | None = None
    n: int | None = None


def table(title: str, lines: Sequence[Line]) -> str:
    """The table of one benchmark, or of the averages."""
    rule = "─" * len(_HEAD)
    return "\n".join([title, rule, _HEAD, rule, *(_line(line) for line in lines), rule])


def _line(line: Line) -> str:
    interval = f"[{line.interval[0]:+.1f}, {line.interval[1]:+.1f}]" if line.interval else "–"
    count = f"{line.n}" if line.n is not None else "–"
    return (
        f"{line.model:<20} {_percent(line.canonical):>10} {_percent(line.icr):>8} {_percent(line.lift, '+'):>9} "
        f"{_percent(line.relative):>10}   {interval:<17} {count:>6}"
    )


def _percent(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}.1f}%"
