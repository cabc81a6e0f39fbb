"""Figures as a table's cell says them.

Example: `with_interval(Proportion(46.2, 13, 28.8, 64.5))` is "46.2 [28.8, 64.5]".
"""

from pfe.scores.proportion import Estimate

NONE = "–"


def decimal(value: float, sign: str = "", places: int = 1) -> str:
    """With so many decimals, with `sign="+"` a plus too, and no minus before zero."""
    return f"{value:{sign}z.{places}f}"


def with_interval(figure: Estimate | None, sign: str = "", places: int = 1) -> str:
    """A figure with its interval, each as `decimal` has it; a dash where there is none."""
    if figure is None:
        return NONE
    value, low, high = (decimal(end, sign, places) for end in (figure.value, figure.low, figure.high))
    return f"{value} [{low}, {high}]"
