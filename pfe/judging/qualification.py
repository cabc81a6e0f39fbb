"""Qualification: who is better than the linear baseline.

Example: against a baseline with R² 0.5 and 0.6 on two data sets, a method with 0.9 and 0.55 has the mean margin
0.175 and qualifies by the mean; by every data set it does not (margin −0.05).
Source: JUDGING, "Qualification Stage", which asks for a "better Test R2 Score" without saying over data sets how.
"""

import numpy as np
from scipy.stats import rankdata

from pfe.config import Rules
from pfe.errors import UserError, nearest
from pfe.judging.aspects import accuracy_by
from pfe.judging.rounding import MEANS, half_up
from pfe.judging.table import RunTable, Values


def margins(table: RunTable, rules: Rules) -> Values | None:
    """How far each method is above the baseline, shape (methods,); who is above 0 qualifies. None: all qualify.

    R² is summarised over the repetitions and then rounded, so that what counts as equal does not qualify. A failed or
    missing run is the worst that can be, whatever `rules.missing`: leaving it out would let a method qualify by the
    data sets that it chose.

    Raises:
        UserError: the baseline has no runs here.
        UserError: a run failed, and the rules take that for an error.
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
    """R² by data set and method; −inf where a run failed (the mean) or most did (the median)."""
    r2 = table.columns["r2"]
    good = table.ok & np.isfinite(r2)
    table.allow_failures(good, rules)
    values = np.where(table.expected, np.where(good, r2, -np.inf), np.nan)
    average = np.nanmean if rules.repetitions == "mean" else np.nanmedian
    return accuracy_by(rules, average(np.sort(values, axis=-1), axis=-1))


def _above(values: Values, baseline: Values) -> Values:
    """The difference; 0 where both are −inf."""
    differences = np.zeros(np.broadcast(values, baseline).shape)
    np.subtract(values, baseline, out=differences, where=values != baseline)
    return half_up(differences, MEANS)
