"""Formatting of figures in table cells.

Example: `with_interval(Proportion(46.2, 13, 28.8, 64.5))` is "46.2 [28.8, 64.5]".
"""

from pfe.scores.proportion import Estimate

NONE = "–"


def decimal(value: float, sign: str = "", places: int = 1) -> str:
    """Return a value with `places` decimals, without a negative zero; `sign="+"` adds a plus sign."""
    return f"{value:{sign}z.{places}f}"


def with_interval(figure: Estimate | None, sign: str = "", places: int = 1) -> str:
    """Return a figure with its CI, formatted by `decimal`; a dash if there is none."""
    if figure is None:
        return NONE
    value, low, high = (decimal(end, sign, places) for end in (figure.value, figure.low, figure.high))
    return f"{value} [{low}, {high}]"
