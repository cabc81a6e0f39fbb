"""The table cells that report how a model uses the library on problems that need it.

Example: `cells(use)` is ["63.4 [58.8, 67.8]", "38.9 …", "33.1 …", "72.8 [68.1, 77.1] of 372", "+24.5 …"] by `HEADS`.
"""

from pfe.report.cells import NONE, with_interval
from pfe.scores.proportion import Proportion
from pfe.training.figures import LibraryUse

HEADS = ("library", "bare", "irrelevant", "follow a changed one", "library − bare")
FOLLOWING = (
    "Behind a changed library the answers count that are its own or the right library's: the share that is its own "
    "follows it, of so many. Half of them do by chance, without reading, and all may where the library shown holds "
    "the words of its own answer alone: beside no lift the share shows no reading."
)


def cells(use: LibraryUse) -> list[str]:
    """Return the accuracies of the arms in percent and the lift in points, in the order of `HEADS`."""
    arms = map(with_interval, (use.library, use.bare, use.irrelevant))
    return [*arms, _of_answers(use.changed), with_interval(use.lift, "+")]


def _of_answers(share: Proportion | None) -> str:
    return f"{with_interval(share)} of {share.n:,}" if share else NONE
