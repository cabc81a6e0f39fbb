"""The real-world track: one model a method and data set, for an expert to trust or not.

Example: of a method's ten models on a data set the one with R² 0.9312 is shown, with accuracy 0.931 and, for its
14 components, simplicity −1.6. Ranked 1st and 3rd of four by trust, on two data sets, the method's score is
(4 + 2) / 2 = 3.
Source: JUDGING, "Judging Criteria for the Real-World Track"; the harmonic mean of accuracy, simplicity and trust is
how the competition of 2022 was run in the end.
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
from pfe.judging.table import Flags, Table, Values

ASPECTS = ("accuracy", "simplicity", "trust")


@dataclass(frozen=True)
class Representative:
    """The run that stands for a method on a data set."""

    repetition: int
    accuracy: float
    simplicity: float
    components: int
    model: str


Representatives = Mapping[str, Mapping[str, Representative]]  # by data set and method; without those that failed


def representatives(table: Table, rules: Rules, components: str) -> Representatives:
    """The run with the best accuracy, or with the one nearest the median; of equals the one with fewest components,
    then the first.

    A failed run has no model to show. Under `missing: worst` it counts in the median, so that it cannot lift it.

    Raises:
        UserError: a run failed, and the rules take that for an error.
    """
    reached = accuracy_by(rules, table.columns["r2"])
    simple = simplicity_by(rules, table.columns[components])
    good = table.expected & table.ok & np.isfinite(reached) & ~np.isnan(simple)
    failed = table.expected & ~good
    table.allow(failed, rules)
    found: dict[str, dict[str, Representative]] = {}
    for dataset, name in enumerate(table.datasets):
        found[name] = {}
        for method, label in enumerate(table.methods):
            at = (dataset, method)
            runs = np.flatnonzero(good[at])
            distance = _distance(reached[at], good[at], table.expected[at], rules)
            if not len(runs) or not np.isfinite(distance[runs]).all():
                continue
            run = min(runs, key=lambda run: (distance[run], table.columns[components][*at, run], run))
            found[name][label] = Representative(
                table.repetitions[run],
                float(reached[*at, run]),
                float(simple[*at, run]),
                int(table.columns[components][*at, run]),
                str(table.models[*at, run]),
            )
    return found


def trusted(table: Table, shown: Representatives, expert: Expert, known: tuple[str, ...], rules: Rules) -> Scores:
    """Scores by the expert's trust, or with accuracy and simplicity beside it; whoever shows no model is last.

    Args:
        known: the methods that the expert may name besides those of the table.

    Raises:
        UserError: the expert's data sets or methods are not those of the table.
    """
    expert.see_datasets(table.datasets)
    values = np.full((len(ASPECTS), len(table.datasets), len(table.methods)), -np.inf)
    for dataset, name in enumerate(table.datasets):
        judged = [method for method in table.methods if method in shown[name]]
        models = [shown[name][method] for method in judged]
        at = [table.methods.index(method) for method in judged]
        values[0, dataset, at] = [model.accuracy for model in models]
        values[1, dataset, at] = [model.simplicity for model in models]
        values[2, dataset, at] = expert.marks(name, known, judged)
    ranked = ranks(values, rules.ties, rules.lowest)
    deciding = harmonic_mean(ranked) if rules.real_world == "harmonic" else ranked[-1]
    return Scores(half_up(mean(deciding), MEANS), mean(ranked.swapaxes(0, 1)), deciding)


def _distance(reached: Values, good: Flags, expected: Flags, rules: Rules) -> Values:
    """How far each run of a cell is from the one looked for; infinite where there is none such."""
    if rules.representative == "best" or not good.any():
        return -reached
    counted = np.where(good, reached, -np.inf)[expected] if rules.missing == "worst" else reached[good]
    return np.abs(reached - np.median(counted))
