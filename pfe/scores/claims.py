"""The rule for claiming that a library's content helps, shared by tables, page and data frames.

Example: a lift of +0.2 points [−1.9, +2.3] with a content lift of +2.8 [+0.6, +5.0] does not support the claim. ICR is
above the placebo there but not above zero-shot: the placebo hurts.
"""

from typing import Protocol

from pfe.scores.proportion import Estimate
from pfe.scores.randomisation import ALPHA


class Adjusted(Estimate, Protocol):
    """A difference with its p adjusted over the benchmarks; None if it was not adjusted."""

    @property
    def holm_p(self) -> float | None: ...


def content_helps(lift: Estimate | None, content_lift: Estimate | None) -> bool:
    """Return whether the CIs of lift and content lift are both above 0; False if one of them is missing."""
    return lift is not None and content_lift is not None and lift.low > 0 and content_lift.low > 0


def content_helps_on_benchmark(lift: Adjusted | None, content_lift: Adjusted | None) -> bool:
    """Return whether `content_helps` is true and both Holm-adjusted p-values are significant."""
    adjusted = [one.holm_p for one in (lift, content_lift) if one is not None]
    return content_helps(lift, content_lift) and all(p is not None and p < ALPHA for p in adjusted)
