"""A forest plot of changes: one panel for canonical, ICR and lift of each model, with one line per benchmark.

Example: the line "gsm1k" of the panel "student: lift" is a dot at +8.0 points on its CI from −2.0 to +18.0. It is grey,
because the change is not significant.
"""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pfe.report.review import TITLES
from pfe.report.svg import ACCENT, INK, OTHERS, as_svg
from pfe.scores.comparison import Contrast, ModelComparison

TITLE = "What changed, in points with 95 % CIs"
LINE = 0.24  # inches


def svg(models: Mapping[str, ModelComparison]) -> str:
    """Return the plot as SVG text, byte-identical for identical figures."""
    return as_svg(lambda: draw(models), TITLE)


def draw(models: Mapping[str, ModelComparison]) -> Figure:
    """Return the plot as a figure with one row of panels per model, or with a message if there is no model."""
    if not models:
        figure = Figure(figsize=(10, 1))
        figure.text(0.5, 0.5, "no model has other answers on both sides", ha="center")
        return figure
    heights = [0.7 + LINE * (len(one.benchmarks) + 1) for one in models.values()]
    figure = Figure(figsize=(10, sum(heights) + 0.4), layout="constrained")
    panels = figure.subplots(len(models), len(TITLES), squeeze=False, height_ratios=heights, sharex=True)
    for row, (model, comparison) in zip(panels, models.items(), strict=True):
        lines = {"mean": comparison.means} | {
            name: one.contrasts for name, one in reversed(list(comparison.benchmarks.items()))
        }
        for axes, kind in zip(row, TITLES, strict=True):
            contrasts = {name: by_kind.get(kind) for name, by_kind in lines.items()}
            _panel(axes, f"{model}: {TITLES[kind]}", contrasts, is_first=kind == next(iter(TITLES)))
    figure.supxlabel("points, with 95 % CIs; filled where significant (Holm)", fontsize=9)
    return figure


def _panel(axes: Axes, title: str, contrasts: Mapping[str, Contrast | None], is_first: bool) -> None:
    axes.axvline(0, color=INK, linewidth=0.8)
    for place, contrast in enumerate(contrasts.values()):
        if contrast is None:
            continue
        color = ACCENT if contrast.significant else OTHERS
        axes.plot([contrast.low, contrast.high], [place, place], color=color, linewidth=2, solid_capstyle="round")
        axes.plot(
            [contrast.value], [place], "o", markersize=6, markeredgecolor=color if contrast.significant else INK,
            color=color if contrast.significant else "white",
        )  # fmt: skip
    axes.axhline(0.5, color=OTHERS, linewidth=0.8, linestyle=":")
    axes.set_ylim(-0.6, len(contrasts) - 0.4)
    axes.set_yticks(range(len(contrasts)), list(contrasts) if is_first else [""] * len(contrasts))
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", color=ACCENT)
    axes.tick_params(labelbottom=True)
