"""Equivalence of a formula to the true one, up to a constant offset or a constant factor.

Example: for the truth `x1 + x1*x2` these are equivalent: `3 + x1*(x2 + 1)` (offset 3) and `-2*x1*(x2 + 1)` (factor −2);
`3 - 2*x1*(x2 + 1)` is not.

The criterion is SRBench's "symbolic solution" (La Cava et al. 2021, arXiv:2107.14351): the difference is constant, or
the ratio is constant and not 0. A constant model is never equivalent to a true formula that varies.
"""

from collections.abc import Callable, Sequence

import numpy as np
import sympy

from pfe.symreg.expressions.numeric import Values
from pfe.symreg.expressions.parser import Expression
from pfe.symreg.expressions.symbolic import Tree, is_real

TOLERANCE = 1e-3
"""The largest deviation of a numerical equivalence, in standard deviations of the truth.

Constants fitted to noise-free data are off by 1e-4 or less. An approximator may come below 1e-3 in the training range
(R² > 0.999999), but not in the range widened by half.
"""
HOPELESS = 1e-2  # above this deviation no symbolic comparison is tried; rounding errors alone stay far below it

POINTS = 2000
FEWEST = 500  # points at which both formulas are finite; with fewer, there is no result
WIDENED = 1.5
SHARE = 0.99  # share of the points that must agree; near a pole, or within a protected function's guard, a few do not


def deviation(model: Expression, truth: Expression, ranges: Sequence[tuple[float, float]]) -> float | None:
    """Return how far a model is from truth + constant or from constant · truth, whichever is nearer.

    This is the 99 % quantile of the absolute difference over random points of the widened ranges, in standard
    deviations of the truth (clipped to its middle 98 %, because of poles). None if too few points are finite, or the
    truth is constant.

    Args:
        ranges: lowest and highest value of each column.
    """
    points = _points(ranges)
    predicted, expected = model.predict(points), truth.predict(points)
    finite_truth = np.isfinite(expected)
    finite = finite_truth & np.isfinite(predicted)
    if finite.sum() < max(FEWEST, SHARE * finite_truth.sum()):
        return None
    predicted, expected = predicted[finite], expected[finite]
    spread = float(np.std(np.clip(expected, *np.quantile(expected, (1 - SHARE, SHARE)))))
    if not spread:
        return None
    with np.errstate(all="ignore"):
        factor = np.median(predicted / expected)
        shifted, scaled = predicted - np.median(predicted - expected), predicted / factor
        nearest = np.nanmin([np.quantile(np.abs(candidate - expected), SHARE) for candidate in (shifted, scaled)])
    return float(nearest) / spread


def constant_difference(model: Tree, truth: Tree) -> bool:
    """Return whether model − truth is found to be a constant; the trees have exact numbers."""
    return _constant(model - truth, (sympy.expand, _logs_apart, sympy.cancel, sympy.simplify)) is not None


def constant_ratio(model: Tree, truth: Tree) -> bool:
    """Return whether model / truth is found to be a constant other than 0; the trees have exact numbers."""
    ratio = _constant(model / truth, (sympy.cancel, sympy.simplify))
    return ratio is not None and ratio != 0


def _points(ranges: Sequence[tuple[float, float]]) -> Values:
    low, high = np.array(ranges, dtype=np.float64).reshape(-1, 2).T
    margin = (high - low) * (WIDENED - 1) / 2
    return np.random.default_rng(0).uniform(low - margin, high + margin, (POINTS, len(low)))


def _constant(tree: Tree, steps: Sequence[Callable[[Tree], Tree]]) -> Tree | None:
    """Return the real constant that one of the steps reduces a tree to; None if there is none."""
    for step in (lambda same: same, *steps):
        changed = step(tree)
        if not changed.free_symbols:
            return changed if is_real(changed) else None
    return None


def _logs_apart(tree: Tree) -> Tree:
    """Return a tree with log(a·bⁿ) as log|a| + n·log|b|, which is the same wherever log(a·bⁿ) is real."""

    def split(argument: Tree) -> Tree:
        powers = [factor.as_base_exp() for factor in sympy.Mul.make_args(sympy.factor(argument))]
        return sympy.Add(*(exponent * sympy.log(sympy.Abs(base)) for base, exponent in powers))

    return sympy.expand(tree.replace(sympy.log, split))
