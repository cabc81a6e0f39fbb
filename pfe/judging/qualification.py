"""Qualification: the selection of the methods that are better than the linear baseline.

Example: with a baseline of R² 0.5 and 0.6 on two data sets, a method with 0.9 and 0.55 has the mean margin 0.175 and
qualifies by the mean. It does not qualify if it must be better on every data set (margin −0.05).
Source: JUDGING, "Qualification Stage", which requires a "better Test R2 Score" without saying how to combine data sets.
"""

import numpy as np
from scipy.stats import rankdata

from pfe.config import Rules
from pfe.errors import UserError, nearest
from pfe.judging.aspects import accuracy_by
from pfe.judging.rounding import MEANS, half_up
from pfe.judging.table import RunTable, Values


def margins(table: RunTable, rules: Rules) -> Values | None:
    """Return how far each method is above the baseline, shape (methods,), or None if all methods qualify.

    A method with a margin above 0 qualifies. R² is summarised over the repetitions and then rounded, so that values
    that count as equal do not qualify. A failed or missing run has the worst possible value whatever `rules.missing`
    says: leaving it out would let a method qualify on data sets of its choice.

    Raises:
        UserError: the baseline has no runs here, or a run failed and the rules treat that as an error.
    """
    if rules.qualification == "none" or not table.datasets:
        return None
    with_runs = [name for at, name in enumerate(table.methods) if table.ok[:, at].any()]
    if rules.baseline not in with_runs:
        raise UserError(f"rules.baseline: '{rules.baseline}' has no run in qualification; {_hint(rules, with_runs)}")
    at = table.methods.index(rules.baseline)
    accuracies = _accuracies(table, rules)
    if rules.qualification == "mean_rank_difference":
        places: Values = rankdata(accuracies, axis=1)  # from the lowest, ties averaged
        return half_up(np.mean(places - places[:, [at]], axis=0), MEANS)
    baseline = accuracies[:, [at]]
    if rules.qualification == "every":
        smallest: Values = _above(accuracies, baseline).min(axis=0)
        return smallest
    average = np.mean if rules.qualification == "mean" else np.median
    return _above(average(accuracies, axis=0), average(baseline, axis=0))


def _hint(rules: Rules, methods: list[str]) -> str:
    return nearest(rules.baseline, methods) if methods else "run it there, or set rules.qualification to none"


def _accuracies(table: RunTable, rules: Rules) -> Values:
    """Return R² by data set and method; −inf if a run failed (for the mean) or most runs did (for the median)."""
    r2 = table.columns["r2"]
    good = table.ok & np.isfinite(r2)
    table.allow_failures(good, rules)
    values = np.where(table.expected, np.where(good, r2, -np.inf), np.nan)
    average = np.nanmean if rules.repetitions == "mean" else np.nanmedian
    return accuracy_by(rules, average(np.sort(values, axis=-1), axis=-1))


def _above(values: Values, baseline: Values) -> Values:
    """Return the differences; 0 where both are −inf."""
    differences = np.zeros(np.broadcast(values, baseline).shape)
    np.subtract(values, baseline, out=differences, where=values != baseline)
    return half_up(differences, MEANS)
