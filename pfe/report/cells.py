"""Figures as a table's cell says them.

Example: `with_interval(Proportion(46.2, 13, 28.8, 64.5))` is "46.2 [28.8, 64.5]".
"""

from pfe.scores.proportion import Estimate

NONE = "–"


def with_interval(figure: Estimate | None, sign: str = "", places: int = 1) -> str:
    """A figure with so many decimals and its interval; with `sign="+"` a plus too, and a dash where there is none."""
    if figure is None:
        return NONE
    form = f"{sign}.{places}f"
    return f"{figure.value:{form}} [{figure.low:{form}}, {figure.high:{form}}]"
