"""A comparison of experiments as a plot and a table: one line per experiment, one panel per figure.

Example: for the experiments threshold_020, threshold_025, …, the panel "rejected" has a dot at 31 for the first, a dot
at 23 for the second, and a dashed line at 11 for the commit that they began from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pfe.report.cells import NONE
from pfe.report.markdown import plain
from pfe.report.svg import ACCENT, INK, OTHERS, as_svg

COLUMNS, LINE = 4, 0.24  # panels per row; height of a line in inches
# The title of each panel; a panel is drawn if any experiment has the figure.
PANELS = {
    "canonical": "PFE-Canonical, %",
    "icr": "PFE-ICR, %",
    "lift": "PFE-Lift, points",
    "validation": "lift in validation, points",
    "accepted": "accepted",
    "rejected": "rejected",
    "recall": "recall, %",
    "false_alarms": "false positives, %",
}
TABLE = ("accepted", "rejected", "recall", "false_alarms")


class Point(NamedTuple):
    """A figure, with its CI if it has one."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Line:
    """An experiment with its label and its figures by the keys of `PANELS`.

    `is_base` marks the commit that the others began from.
    """

    label: str
    figures: Mapping[str, Point]
    is_base: bool = False


def table(lines: Sequence[Line]) -> str:
    """Return a table of the firewall figures of each experiment, for the terminal."""
    rows = [[line.label, *(_number(line.figures.get(name)) for name in TABLE)] for line in lines]
    return plain(["firewall", *(PANELS[name] for name in TABLE)], rows)


def svg(lines: Sequence[Line]) -> str:
    """Return the plot as SVG text, byte-identical for identical figures."""
    return as_svg(lambda: draw(lines), "Experiments")


def draw(lines: Sequence[Line]) -> Figure:
    """Return the plot as a figure, or with a message if no experiment has any figure."""
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
    figure.supxlabel("hollow: as the commit it began from; bars: 95 % CIs", fontsize=8)
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
