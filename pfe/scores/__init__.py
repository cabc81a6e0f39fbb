"""SPEC's metrics with their uncertainty: accuracy, lift and content lift, with CIs, tests and averages.

Example: 72.3 % canonical and 86.1 % ICR are a lift of +13.8 points and a relative lift of 49.8 %.

All figures are percentages (0-100) or percentage points, unrounded; only p-values are between 0 and 1.
`docs/statistics.md` has the formulas.
"""

from pfe.scores.proportion import Proportion, accuracy

__all__ = ["Proportion", "accuracy"]
