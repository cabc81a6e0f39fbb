"""What a library did for problems that need it, as the cells of a row.

Example: `cells(use)` is ["63.4 [58.8, 67.8]", "38.9 …", "33.1 …", "73.0 …", "+24.5 [+18.1, +31.0]"], below `HEADS`.
"""

from pfe.report.cells import with_interval
from pfe.training.figures import LibraryUse

HEADS = ("library", "bare", "irrelevant", "follow a changed one", "library − bare")


def cells(use: LibraryUse) -> list[str]:
    """The arms in percent, and the lift in points."""
    return [*map(with_interval, (use.library, use.bare, use.irrelevant, use.changed)), with_interval(use.lift, "+")]
