"""Plots as SVG text: one look, and the same bytes for the same figures.

Example: `as_svg(lambda: draw(points), "Accuracy and size")`
"""

from collections.abc import Callable
from io import BytesIO

from matplotlib import style
from matplotlib.figure import Figure

ACCENT, OTHERS, INK = "#1f5fa8", "#c9c9c9", "#333333"
# Ids are hashed with a fixed salt, text stays text, nobody's own style comes in.
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
    """The figure that `draw` makes in our style, as SVG text."""
    with style.context(STYLE, after_reset=True):
        buffer = BytesIO()
        metadata = {"Title": title, "Date": None, "Creator": None, "Type": None}
        draw().savefig(buffer, format="svg", metadata=metadata)
    return buffer.getvalue().decode()
