"""Lines of the result table: name, median, range and n of a measurement, its target, and whether the target is met.

Example:
    n-gram check, index and query                    1.62 s    1.55–1.80     5  0.61 GB  ≤ 2 s    yes
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_WIDTHS = (62, 12, 15, 8, 9, 12, 4)
_HEAD = ("figure", "median", "range", "n", "peak", "target", "met")


@dataclass(frozen=True)
class BenchLine:
    """A measured figure; `values` are the single measurements, in the unit of `value`."""

    name: str
    value: str
    spread: str = ""
    n: str = ""
    peak: str = ""
    target: str = ""
    met: bool | None = None
    values: tuple[float, ...] = ()

    def __str__(self) -> str:
        met = {None: "", True: "yes", False: "NO"}[self.met]
        return columns((self.name, self.value, self.spread, self.n, self.peak, self.target, met), _WIDTHS)


def head() -> str:
    """Return the header above the lines."""
    return columns(_HEAD, _WIDTHS) + "\n" + "─" * (sum(_WIDTHS) + 2 * len(_WIDTHS))


def columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return cells in columns, the first left-aligned, the others right-aligned; a long cell moves its neighbours."""
    first, *rest = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]).rstrip()


def summarize(
    name: str,
    values: Sequence[float],
    unit: str,
    peak: float | None = None,
    at_most: float | None = None,
    at_least: float | None = None,
) -> BenchLine:
    """Return the median of some measurements, compared with its target; `peak` is in GB."""
    median = statistics.median(values)
    target, met = "", None
    if at_most is not None:
        target, met = f"≤ {at_most:g} {unit}", median <= at_most
    if at_least is not None:
        target, met = f"≥ {at_least:g} {unit}", median >= at_least
    spread = f"{min(values):.3g}–{max(values):.3g}" if len(values) > 1 else ""
    memory = f"{peak:.2f} GB" if peak is not None else ""
    return BenchLine(name, f"{median:.3g} {unit}", spread, f"{len(values):,}", memory, target, met, tuple(values))
