"""The ROC plot of the firewall's gates, report/plots/roc.svg: recall on known contamination, and false positives.

Example: the point (0.9, 63) on the curve "dilution" is a threshold that finds 63 % of the attacked
problems and rejects 0.9 % of the clean ones; the dot is the threshold in use.

Each gate has its own panel, because the curves of good gates coincide. The other gates are drawn there in grey.
"""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pfe.calibration.record import Rates
from pfe.report.svg import ACCENT, OTHERS, as_svg

COLUMNS = 4
TITLE = "Recall and false positives of every gate"
Line = tuple[list[float], list[float]]  # false positives, recall
TICKS = (0, 0.1, 1, 10, 100)  # percent of clean text; most gates reject well below one


def svg(curves: Mapping[str, Sequence[Rates]], in_use: Mapping[str, Rates]) -> str:
    """Return the plot as SVG text, byte-identical for identical figures.

    Args:
        curves: the rates of each gate with a variable threshold, at every threshold.
        in_use: the rates of each gate at the threshold in use; a gate that is missing here gets no dot.
    """
    return as_svg(lambda: draw(curves, in_use), TITLE)


def draw(curves: Mapping[str, Sequence[Rates]], in_use: Mapping[str, Rates]) -> Figure:
    """Return the plot as a figure with one panel per gate, or with a message if there is no curve."""
    lines = {gate: line for gate, rates in curves.items() if (line := _line(rates))}
    if not lines:
        figure = Figure(figsize=(10, 1))
        figure.text(0.5, 0.5, "no gate has a threshold to vary", ha="center")
        return figure
    rows = -(-len(lines) // COLUMNS)
    figure = Figure(figsize=(10, 2.5 * rows + 0.4), layout="constrained")
    panels = list(figure.subplots(rows, COLUMNS, squeeze=False, sharey=True).flat)
    for panel in panels[len(lines) :]:
        panel.set_visible(False)
    for panel, gate in zip(panels, lines, strict=False):
        _panel(panel, gate, lines, in_use.get(gate))
    figure.supxlabel("false positives, % of clean text", fontsize=9)
    figure.supylabel("recall, % of attacked problems", fontsize=9)
    return figure


def _line(rates: Sequence[Rates]) -> Line | None:
    """Return false positives and recall from the highest threshold down, without duplicate points.

    Return None if nothing was measured.
    """
    points = dict.fromkeys(
        (rate.false_positives, rate.recall)
        for rate in sorted(rates, key=lambda rate: -rate.threshold)
        if rate.false_positives is not None and rate.recall is not None
    )
    return ([x for x, _ in points], [y for _, y in points]) if points else None


def _panel(axes: Axes, gate: str, lines: Mapping[str, Line], in_use: Rates | None) -> None:
    for other, line in lines.items():
        if other != gate:
            axes.plot(*line, color=OTHERS, linewidth=0.8, clip_on=False)
    axes.plot(*lines[gate], color=ACCENT, linewidth=2, clip_on=False, zorder=4)
    if in_use and in_use.recall is not None and in_use.false_positives is not None:
        x, y = in_use.false_positives, in_use.recall
        axes.plot([x], [y], "o", color=ACCENT, markeredgecolor="white", markersize=8, clip_on=False, zorder=5)
        caption = f"above {in_use.threshold:g}: {y:.1f} % at {x:.1f} %"
        axes.text(0, 1.04, caption, transform=axes.transAxes, fontsize=8)
    axes.set_title(gate, loc="left", fontsize=10, fontweight="bold", color=ACCENT, pad=18)
    axes.set_xscale("symlog", linthresh=TICKS[1], linscale=0.5)
    axes.set_xlim(0, 100)
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 100)
    axes.tick_params(labelleft=True)
