"""The synthetic track: ranks by aspect on each data set, their harmonic mean, and the mean over data sets.

Example: on one data set a method has the ranks 4, 2 and 4 in accuracy, simplicity and property. Their harmonic mean is
3 / (1/4 + 1/2 + 1/4) = 3. On another data set it has the ranks 2, 2 and 2, with the mean 2. Its score is 2.5.
Source: JUDGING, "Judging Criteria for the Synthetic Track". The competition of 2023 took one harmonic mean of all
ranks.
"""

from dataclasses import dataclass

import numpy as np

from pfe.config import Rules
from pfe.judging.ranks import Ties, harmonic_mean, mean, ranks
from pfe.judging.rounding import MEANS, half_up
from pfe.judging.summary import Summary
from pfe.judging.table import Values


@dataclass(frozen=True)
class Scores:
    """The score of each method, its mean rank in each aspect, and its score on each data set; NaN if it has none.

    Shapes: (methods,), (aspects, methods), (data sets, methods).
    """

    scores: Values
    ranks: Values
    by_dataset: Values


def scores_of(summary: Summary, rules: Rules, ties: Ties | None = None) -> Scores:
    """Return the scores of methods from their summaries; `ties` replaces the rules' own setting.

    An aspect of a data set in which no method has a number is left out, and so is a data set on which every method
    failed. If such an aspect were ranked, the shared rank would carry no information but would count in a mean of all
    ranks. The only method with numbers on a data set could also gain by failing, because the data set would then be
    left out.
    """
    ranked = ranks(summary.values, ties or rules.ties, rules.lowest, summary.lows)
    ranked[~np.isfinite(summary.values).any(axis=2)] = np.nan
    by_dataset = harmonic_mean(ranked)
    at_once = rules.combine == "all_ranks"
    scores = harmonic_mean(ranked.reshape(-1, ranked.shape[-1])) if at_once else mean(by_dataset)
    return Scores(half_up(scores, MEANS), mean(ranked.swapaxes(0, 1)), by_dataset)


def score_places(scores: Values) -> Values:
    """Return the place of each score, 1 for the highest; ties share the best place, a missing score comes last."""
    floored = np.where(np.isnan(scores), -np.inf, scores)
    places: Values = 1.0 + (floored[..., None, :] > floored[..., :, None]).sum(axis=-1)
    return places
