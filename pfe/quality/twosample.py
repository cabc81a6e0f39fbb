"""Two-sample test: can a simple classifier tell synthetic problems from real ones? An AUC of 0.5 is no, 1 is always.

Example: two halves of one set give an AUC near 0.5, sets without a common word 1.

The classifier is a logistic regression on TF-IDF of word 1- and 2-grams of the text that a reader sees of a problem
(context, question, choices; no library, because real problems have none). Both sides have equally many problems, and
cross-validation has five folds by group. The figure is the mean AUC of the folds; its CI is Newcombe's (2006,
Statistics in Medicine 25:559, method 5), which has a positive width even at 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pfe.problem import Problem
from pfe.quality.record import Figure
from pfe.quality.texts import folds, groups, vectorizer

FEWEST = 20  # groups per side; with fewer, four folds are too few to learn from
GIVEAWAYS = 30
RARE = 2  # texts; an n-gram of a single text does not generalise to others
TYPICAL = 5  # the minimum number of synthetic texts that contain a giveaway
_Z = 1.959964
_NEARLY = 1e-12  # at exactly 0 and 1 the variance is 0, and the CI would have no width


@dataclass(frozen=True)
class TwoSample:
    """The AUC, and the synthetic side's n-grams that give it away most."""

    auc: Figure
    giveaways: tuple[str, ...]


def two_sample(synthetic: Sequence[Problem], real: Sequence[Problem], seed: int) -> TwoSample | None:
    """Return the AUC and giveaways of a classifier of two sides of the same size; None if they have too few groups."""
    from sklearn.metrics import roc_auc_score

    sides = [groups(synthetic), groups(real)]
    if min(len(set(side)) for side in sides) < FEWEST:
        return None
    is_synthetic = np.array([True] * len(synthetic) + [False] * len(real))
    fold = np.concatenate([folds(side, seed) for side in sides])
    vectors = vectorizer(2, RARE)
    x = vectors.fit_transform([problem.text for problem in (*synthetic, *real)])
    aucs = []
    for number in range(fold.max() + 1):
        test = fold == number
        model = _classifier(seed).fit(x[~test], is_synthetic[~test])
        aucs.append(float(roc_auc_score(is_synthetic[test], model.decision_function(x[test]))))
    weights = _classifier(seed).fit(x, is_synthetic).coef_[0]
    names = vectors.get_feature_names_out()
    return TwoSample(
        interval(float(np.mean(aucs)), len(synthetic), len(real)), _giveaways(weights, names, x[is_synthetic])
    )


def interval(auc: float, first: int, second: int) -> Figure:
    """Return an AUC of samples of two sizes, with Newcombe's 95 % CI."""
    from scipy.optimize import brentq

    def beyond(value: float) -> float:
        return (auc - value) ** 2 - _Z**2 * _variance(value, first, second)

    low = brentq(beyond, 0, min(auc, 1 - _NEARLY)) if auc > 0 else 0.0
    high = brentq(beyond, max(auc, _NEARLY), 1) if auc < 1 else 1.0
    return Figure(auc, first + second, low, high)


def _variance(auc: float, first: int, second: int) -> float:
    half = (first + second) / 2 - 1
    spread = 1 + half * (1 - auc) / (2 - auc) + half * auc / (1 + auc)
    return auc * (1 - auc) * spread / (first * second)


def _classifier(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear", random_state=seed)


def _giveaways(weights: Any, names: Any, synthetic: Any) -> tuple[str, ...]:
    """Return the n-grams with the highest weights for synthetic, if they occur in enough synthetic texts."""
    frequent = synthetic.getnnz(axis=0) >= TYPICAL
    order = np.lexsort((names, -weights))
    return tuple(str(names[place]) for place in order if weights[place] > 0 and frequent[place])[:GIVEAWAYS]
