"""Experiments beside each other as a plot and a table: a line an experiment, a panel a figure.

Example: of the experiments threshold_020, threshold_025, … the panel "rejected" has a dot at 31 for the first, at 23
for the second, and a dashed line at 11, where the commit is that they began from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pfe.report.cells import NONE
from pfe.report.markdown import plain
from pfe.report.svg import ACCENT, INK, OTHERS, as_svg

COLUMNS, LINE = 4, 0.24  # panels beside each other; inches of a line
# What is drawn, as far as an experiment has it: how the panel is called.
PANELS = {
    "canonical": "PFE-Canonical, %",
    "icr": "PFE-ICR, %",
    "lift": "PFE-Lift, points",
    "validation": "lift in validation, points",
    "accepted": "accepted",
    "rejected": "rejected",
    "recall": "recall, %",
    "false_alarms": "false alarms, %",
}
TABLE = ("accepted", "rejected", "recall", "false_alarms")


class Point(NamedTuple):
    """A figure, with its interval where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Line:
    """An experiment by its label, and its figures by the names of `PANELS`; `is_base` is what others began from."""

    label: str
    figures: Mapping[str, Point]
    is_base: bool = False


def table(lines: Sequence[Line]) -> str:
    """What the firewall of each let through and rejected, for the screen."""
    rows = [[line.label, *(_number(line.figures.get(name)) for name in TABLE)] for line in lines]
    return plain(["firewall", *(PANELS[name] for name in TABLE)], rows)


def svg(lines: Sequence[Line]) -> str:
    """The plot as SVG text, the same byte for byte for the same figures."""
    return as_svg(lambda: draw(lines), "Experiments")


def draw(lines: Sequence[Line]) -> Figure:
    """The plot as a figure; a line of words where no experiment has any figure."""
    names = [name for name in PANELS if any(name in line.figures for line in lines)]
    if not names:
        figure = Figure(figsize=(10, 1))
        figure.text(0.5, 0.5, "no experiment has a figure to draw", ha="center")
        return figure
    rows = -(-len(names) // COLUMNS)
    figure = Figure(figsize=(11, rows * (0.8 + LINE * len(lines)) + 0.3), layout="constrained")
    panels = list(figure.subplots(rows, COLUMNS, squeeze=False).flat)
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    for place, (axes, name) in enumerate(zip(panels, names, strict=False)):
        _panel(axes, name, lines, with_labels=place % COLUMNS == 0)
    figure.supxlabel("hollow: as the commit it began from; bars: 95 % intervals", fontsize=8)
    return figure


def _panel(axes: Axes, name: str, lines: Sequence[Line], with_labels: bool) -> None:
    base = next((line.figures[name].value for line in lines if line.is_base and name in line.figures), None)
    if base is not None:
        axes.axvline(base, color=OTHERS, linewidth=1, linestyle="--", zorder=1)
    for place, line in enumerate(reversed(lines)):
        point = line.figures.get(name)
        if point is None:
            continue
        is_other = point.value != base
        if point.low is not None and point.high is not None:
            axes.plot([point.low, point.high], [place, place], color=OTHERS, linewidth=2, zorder=2)
        axes.plot(
            [point.value], [place], "o", markersize=6, zorder=3,
            color=ACCENT if is_other else "white", markeredgecolor=ACCENT if is_other else INK,
        )  # fmt: skip
    axes.set_ylim(-0.6, len(lines) - 0.4)
    labels = [line.label for line in reversed(lines)] if with_labels else [""] * len(lines)
    axes.set_yticks(range(len(lines)), labels)
    axes.margins(x=0.1)
    axes.set_title(PANELS[name], loc="left", fontsize=9, fontweight="bold", color=ACCENT)


def _number(point: Point | None) -> str:
    return NONE if point is None else f"{point.value:z,.1f}".removesuffix(".0")
