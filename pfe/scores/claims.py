"""Whether a library's content is shown to help: the one rule for tables, page and data frames.

Example: a lift of +0.2 points [−1.9, +2.3] beside a content lift of +2.8 [+0.6, +5.0] is no claim. ICR is above the
placebo there and not above the problem without a library: the placebo hurts.
"""

from typing import Protocol

from pfe.scores.proportion import Estimate
from pfe.scores.randomisation import ALPHA


class Adjusted(Estimate, Protocol):
    """A difference with its p adjusted over the benchmarks; None where that was not done."""

    @property
    def holm_p(self) -> float | None: ...


def content_helps(lift: Estimate | None, content_lift: Estimate | None) -> bool:
    """Return whether lift and content lift are both above 0 by their intervals; not where one of them is missing."""
    return lift is not None and content_lift is not None and lift.low > 0 and content_lift.low > 0


def content_helps_on_benchmark(lift: Adjusted | None, content_lift: Adjusted | None) -> bool:
    """Return whether both are also above 0 among all benchmarks of a model, by p adjusted after Holm."""
    adjusted = [one.holm_p for one in (lift, content_lift) if one is not None]
    return content_helps(lift, content_lift) and all(p is not None and p < ALPHA for p in adjusted)
