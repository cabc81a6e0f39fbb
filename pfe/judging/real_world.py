"""The real-world track: one model per method and data set, whose trustworthiness an expert judges.

Example: a method has ten models on a data set, and the one with R² 0.9312 is shown, with accuracy 0.931 and, for its
14 components, simplicity −1.6. A method that is ranked 1st and 3rd of four by trust on two data sets scores
(4 + 2) / 2 = 3.
Source: JUDGING, "Judging Criteria for the Real-World Track"; the competition of 2022 was finally run with the harmonic
mean of accuracy, simplicity and trust.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pfe.config import Rules
from pfe.judging.aspects import accuracy_by, simplicity_by
from pfe.judging.expert import Expert
from pfe.judging.ranks import harmonic_mean, mean, ranks
from pfe.judging.rounding import MEANS, half_up
from pfe.judging.synthetic import Scores
from pfe.judging.table import Flags, RunTable, Values

ASPECTS = ("accuracy", "simplicity", "trust")


@dataclass(frozen=True)
class Representative:
    """The run that represents a method on a data set."""

    repetition: int
    accuracy: float
    simplicity: float
    components: int
    model: str


Representatives = Mapping[str, Mapping[str, Representative]]  # by data set and method, without failed methods


def representatives(table: RunTable, rules: Rules, components: str) -> Representatives:
    """Return, for each data set and method, the run with the best accuracy, or the one nearest the median accuracy.

    Ties go to the run with the fewest components, then to the first run. A failed run has no model to show. Under
    `missing: worst` it counts in the median, so that it cannot raise the median.

    Raises:
        UserError: a run failed, and the rules treat that as an error.
    """
    accuracies = accuracy_by(rules, table.columns["r2"])
    simplicities = simplicity_by(rules, table.columns[components])
    good = table.expected & table.ok & np.isfinite(accuracies) & ~np.isnan(simplicities)
    table.allow_failures(good, rules)
    by_dataset: dict[str, dict[str, Representative]] = {}
    for dataset, name in enumerate(table.datasets):
        by_dataset[name] = {}
        for method, label in enumerate(table.methods):
            cell = (dataset, method)
            runs = np.flatnonzero(good[cell])
            distance = _distance(accuracies[cell], good[cell], table.expected[cell], rules)
            if not len(runs) or not np.isfinite(distance[runs]).all():
                continue
            run = min(runs, key=lambda run: (distance[run], table.columns[components][*cell, run], run))
            by_dataset[name][label] = Representative(
                table.repetitions[run],
                float(accuracies[*cell, run]),
                float(simplicities[*cell, run]),
                int(table.columns[components][*cell, run]),
                str(table.models[*cell, run]),
            )
    return by_dataset


def trust_scores(
    table: RunTable, models: Representatives, expert: Expert, allowed: tuple[str, ...], rules: Rules
) -> Scores:
    """Return scores by the expert's trust, alone or with accuracy and simplicity; a method without a model is last.

    Args:
        allowed: all methods that the expert may name.

    Raises:
        UserError: the expert's data sets or methods are not those of the table.
    """
    expert.see_datasets(table.datasets)
    values = np.full((len(ASPECTS), len(table.datasets), len(table.methods)), -np.inf)
    for dataset, name in enumerate(table.datasets):
        methods = [method for method in table.methods if method in models[name]]
        shown_models = [models[name][method] for method in methods]
        at = [table.methods.index(method) for method in methods]
        values[0, dataset, at] = [model.accuracy for model in shown_models]
        values[1, dataset, at] = [model.simplicity for model in shown_models]
        values[2, dataset, at] = expert.marks(name, allowed, methods)
    ranked = ranks(values, rules.ties, rules.lowest)
    deciding = harmonic_mean(ranked) if rules.real_world == "harmonic" else ranked[-1]
    return Scores(half_up(mean(deciding), MEANS), mean(ranked.swapaxes(0, 1)), deciding)


def _distance(accuracies: Values, good: Flags, expected: Flags, rules: Rules) -> Values:
    """Return a key that is lowest for the run to show: −accuracy, or the distance to the median accuracy.

    The distance is infinite if the median is −inf.
    """
    if rules.representative == "best" or not good.any():
        return -accuracies
    compared = np.where(good, accuracies, -np.inf)[expected] if rules.missing == "worst" else accuracies[good]
    return np.abs(accuracies - np.median(compared))
