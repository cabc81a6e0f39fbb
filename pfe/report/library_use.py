"""The table cells that report how a model uses the library on problems that need it.

Example: `cells(use)` is ["63.4 [58.8, 67.8]", "38.9 …", "33.1 …", "72.8 [68.1, 77.1] of 372", "+24.5 …"] by `HEADS`.
"""

from pfe.report.cells import NONE, with_interval
from pfe.scores.proportion import Proportion
from pfe.training.figures import LibraryUse

HEADS = ("with library", "zero-shot", "placebo", "follows a changed library", "lift")
FOLLOWING = (
    "With a changed library in context, an answer counts if it is that library's or the original library's. The share "
    "of the former is given, and the number of answers that count. A model that does not read reaches half by chance, "
    "and one that copies any value reaches all of them if the context holds only the changed library's answer. So the "
    "share shows reading only beside a lift."
)


def cells(use: LibraryUse) -> list[str]:
    """Return the accuracies of the arms in percent and the lift in points, in the order of `HEADS`."""
    arms = map(with_interval, (use.library, use.bare, use.irrelevant))
    return [*arms, _of_answers(use.changed), with_interval(use.lift, "+")]


def _of_answers(share: Proportion | None) -> str:
    return f"{with_interval(share)} of {share.n:,}" if share else NONE
