"""Rendering of plots as SVG text, in one style and byte-identical for identical figures.

Example: `as_svg(lambda: draw(points), "Accuracy and size")`
"""

from collections.abc import Callable
from io import BytesIO

from matplotlib import style
from matplotlib.figure import Figure

ACCENT, OTHERS, INK = "#1f5fa8", "#c9c9c9", "#333333"
# A fixed salt makes ids reproducible, and text is not converted to paths.
STYLE = {
    "svg.hashsalt": "pfe",
    "svg.fonttype": "none",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}


def as_svg(draw: Callable[[], Figure], title: str) -> str:
    """Return the figure from `draw`, drawn in `STYLE` regardless of the user's own settings, as SVG text."""
    with style.context(STYLE, after_reset=True):
        buffer = BytesIO()
        metadata = {"Title": title, "Date": None, "Creator": None, "Type": None}
        draw().savefig(buffer, format="svg", metadata=metadata)
    return buffer.getvalue().decode()
