"""Two models on the same problems: what the second answers more, bare, behind the library, and in lift.

Example: `compare(ours, theirs, seed=0)["lift"]` is `Contrast(value=8.0, n=50, low=-2.0, high=18.0, …)` where
the first model's lift on these 50 problems is 4.0 points and the second's 12.0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pfe.errors import UserError
from pfe.problem import ScoredPrediction
from pfe.scores.sample import Counts, Values, interval, resampled, share_right, shared

# What is compared: the weight of the accuracy of each model (0 or 1) in each arm.
CONTRASTS: Mapping[str, Mapping[tuple[int, str], int]] = {
    "canonical": {(0, "canonical"): -1, (1, "canonical"): 1},
    "icr": {(0, "icr"): -1, (1, "icr"): 1},
    "lift": {(0, "canonical"): 1, (0, "icr"): -1, (1, "canonical"): -1, (1, "icr"): 1},
}


@dataclass(frozen=True)
class Contrast:
    """The second model less the first, in points, over n problems (or a mean over benchmarks that hold n).

    The interval at 95 % is the cluster bootstrap's; `draws` are its resamples, shape (resamples,).
    """

    value: float
    n: int
    low: float
    high: float
    draws: Values = field(repr=False, compare=False)


def compare(first: Sequence[ScoredPrediction], second: Sequence[ScoredPrediction], seed: int) -> dict[str, Contrast]:
    """The contrasts of two models on one benchmark by name, without those for which an arm is missing.

    Only problems that both answered in all arms of a contrast count, in the library's first order.

    Raises:
        UserError: they were asked different prompts about a problem of the same id.
    """
    ours, theirs = _prompts(first), _prompts(second)
    if changed := [id for id, arm in ours.keys() & theirs.keys() if ours[id, arm] != theirs[id, arm]]:
        raise UserError(
            f"{len(changed):,} problems were put to the two in other words, {min(changed)} the first; ask both again"
        )
    clusters = {row.problem_id: row.group for row in (*first, *second)}
    marks: dict[tuple[int, str], dict[str, bool]] = {}
    for model, rows in enumerate((first, second)):
        for row in rows:
            if row.order == 0:
                marks.setdefault((model, row.arm), {})[row.problem_id] = row.correct
    contrasts = {}
    for name, weights in CONTRASTS.items():
        sample = shared([marks.get(arm, {}) for arm in weights], clusters)
        if sample is not None:

            def statistic(counts: Counts, weights: Sequence[int] = tuple(weights.values())) -> Values:
                shares = [weight * share_right(counts, place) for place, weight in enumerate(weights)]
                total: Values = np.sum(shares, axis=0)
                return total

            draws = statistic(resampled(sample, statistic, f"{seed}:{first[0].benchmark}:{name}"))
            contrasts[name] = Contrast(float(statistic(sample.total)), sample.n, *interval(draws), draws)
    return contrasts


def _prompts(rows: Sequence[ScoredPrediction]) -> dict[tuple[str, str], tuple[str, str]]:
    """The template and library of each problem in each arm that is compared, as hashes."""
    return {
        (row.problem_id, row.arm): (row.template_sha256, row.library_sha256)
        for row in rows
        if row.arm in ("canonical", "icr")
    }


def mean(contrasts: Sequence[Contrast]) -> Contrast:
    """The mean over benchmarks, of which there must be one; each counts the same, and none is drawn anew."""
    draws: Values = np.mean([contrast.draws for contrast in contrasts], axis=0)
    value = sum(contrast.value for contrast in contrasts) / len(contrasts)
    return Contrast(value, sum(contrast.n for contrast in contrasts), *interval(draws), draws)
