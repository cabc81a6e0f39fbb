"""The plots of report/competition.md: accuracy against size, critical differences, and the stability of places.

Example: `pareto([Point("operon", 0.998, 21.0), Point("linear", 0.61, 12.5)])` draws two points. Both are on the Pareto
front, because neither is beaten in both accuracy and size.
Source of the critical differences: Demšar 2006, "Statistical Comparisons of Classifiers over Multiple Data Sets",
as implemented in scikit-posthocs (Nemenyi's test after Friedman's).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, MaxNLocator
from scikit_posthocs import critical_difference_diagram, posthoc_nemenyi_friedman

from pfe.report.svg import ACCENT, INK, OTHERS, as_svg

FEWEST = 3  # least number of methods and of data sets for Friedman's test
ALPHA = 0.05


@dataclass(frozen=True)
class Point:
    """A method's mean accuracy (R²) and mean component count over the data sets."""

    method: str
    accuracy: float
    components: float


@dataclass(frozen=True)
class Place:
    """A method's place (1 = best), with its 95 % CI over resamples and its places under other tie rules.

    `first` is the share of resamples in which the method is first, between 0 and 1.
    """

    method: str
    place: float
    low: float
    high: float
    first: float
    others: tuple[float, ...]


def pareto(points: Sequence[Point]) -> str:
    """Return a plot of accuracy against components with the Pareto front, as SVG text."""
    return as_svg(lambda: _pareto(points), "Accuracy and size")


def critical_differences(scores: pd.DataFrame) -> str:
    """Return the critical difference diagram, as SVG text: mean ranks, joined if Nemenyi's test finds no difference.

    Args:
        scores: one row per data set, one column per method, higher is better, no missing values.
    """
    return as_svg(lambda: _critical_differences(scores), "Critical differences")


def stability(places: Sequence[Place]) -> str:
    """Return a plot of each method's place with its CI, and how often it is first, as SVG text."""
    return as_svg(lambda: _stability(places), "How firm the places are")


def front(points: Sequence[Point]) -> list[Point]:
    """Return the Pareto front by increasing size: each point is more accurate than all points that are no larger."""
    ordered = sorted(points, key=lambda point: (point.components, -point.accuracy))
    best, frontier = float("-inf"), []
    for point in ordered:
        if point.accuracy > best:
            best = point.accuracy
            frontier.append(point)
    return frontier


def _pareto(points: Sequence[Point]) -> Figure:
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    if not points:
        return _nothing(figure, axes, "no method gave a model that could be counted")
    frontier = front(points)
    axes.step(
        [point.components for point in frontier], [point.accuracy for point in frontier],
        where="post", color=OTHERS, linewidth=1.2, zorder=1,
    )  # fmt: skip
    for point in points:
        axes.plot(
            [point.components], [point.accuracy], "o", markersize=7, zorder=2,
            color=ACCENT if point in frontier else OTHERS,
        )  # fmt: skip
        axes.annotate(
            point.method, (point.components, point.accuracy), xytext=(5, 6), textcoords="offset points", fontsize=8
        )
    axes.set_xscale("log")
    for which in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        which(LogFormatter(labelOnlyBase=False, minor_thresholds=(2, 0.5)))  # 20 and 30, not 2 × 10¹
    axes.margins(0.15)
    axes.set_xlabel("components of the model (mean over data sets, fewer is simpler)")
    axes.set_ylabel("accuracy (mean R² over data sets)")
    return figure


def _critical_differences(scores: pd.DataFrame) -> Figure:
    figure = Figure(figsize=(7, 1.2 + 0.28 * scores.shape[1]), layout="constrained")
    axes = figure.subplots()
    if min(scores.shape) < FEWEST:
        return _nothing(figure, axes, f"fewer than {FEWEST} methods or data sets: no test")
    # By number, not by name: scikit-posthocs draws in set order, which varies between processes for strings.
    numbered = scores.set_axis(range(scores.shape[1]), axis=1)
    different = posthoc_nemenyi_friedman(numbered).fillna(1.0)  # NaN if all methods are equal on all data sets
    critical_difference_diagram(
        numbered.rank(axis=1, ascending=False).mean(), different, alpha=ALPHA, ax=axes,
        label_fmt_left="#{label}# ({rank:.2g})", label_fmt_right="({rank:.2g}) #{label}#", label_props={"fontsize": 8},
        color_palette=dict.fromkeys(numbered, ACCENT), crossbar_props={"color": INK, "linewidth": 2},
    )  # fmt: skip
    for text in axes.texts:
        text.set_text(re.sub(r"#(\d+)#", lambda match: str(scores.columns[int(match[1])]), text.get_text()))
    axes.set_title("mean rank over data sets, 1 = best; joined: no significant difference (Nemenyi, 5 %)", fontsize=8)
    return figure


def _stability(places: Sequence[Place]) -> Figure:
    figure = Figure(figsize=(7, 1.0 + 0.35 * len(places)), layout="constrained")
    axes = figure.subplots()
    if not places:
        return _nothing(figure, axes, "no method is ranked")
    for row, place in enumerate(places):
        axes.plot([place.low, place.high], [row, row], color=OTHERS, linewidth=5, solid_capstyle="round", zorder=1)
        axes.plot(place.others, [row] * len(place.others), "|", color=INK, markersize=11, zorder=2)
        axes.plot([place.place], [row], "o", color=ACCENT, markersize=7, zorder=3)
        axes.text(
            1.02,
            row,
            f"first in {100 * place.first:.0f} %",
            transform=axes.get_yaxis_transform(),
            va="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(places)), [place.method for place in places])
    axes.invert_yaxis()
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.06, y=0.2)
    axes.set_xlabel("place; grey: 95 % of resamples; strokes: under the other tie rules")
    return figure


def _nothing(figure: Figure, axes: Axes, reason: str) -> Figure:
    axes.set_axis_off()
    axes.text(0.5, 0.5, reason, ha="center", va="center")
    return figure
