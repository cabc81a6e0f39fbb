"""Similarity of the problems within a set: the cosine of each to its nearest other problem.

Example: a set of templates with refilled slots has a median of 0.6, where real problems have 0.25.

The vectors are TF-IDF of words; a problem of the same group (its passage, its twin) does not count as another.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pfe.problem import Problem
from pfe.quality.record import Figure
from pfe.quality.texts import groups, vectorizer
from pfe.scores.proportion import Proportion, proportion

DUPLICATE = 0.95  # the cosine from which two problems are near-duplicates
_BLOCK = 250
Vector = np.ndarray[Any, np.dtype[np.float64]]


def nearest(problems: Sequence[Problem], among: Sequence[Problem], text: Callable[[Problem], str]) -> Vector:
    """Return the cosine of each of `problems`, a subset of `among`, to its nearest problem there of another group."""
    place_of = {problem.id: place for place, problem in enumerate(among)}
    rows = np.array([place_of[problem.id] for problem in problems])
    names = {name: number for number, name in enumerate(dict.fromkeys(groups(among)))}
    cluster = np.array([names[name] for name in groups(among)])
    x = vectorizer(1).fit_transform(list(map(text, among)))
    return np.concatenate([*_blocks(x, rows, cluster), np.empty(0)])


def visible(problem: Problem) -> str:
    """Return the text that a reader sees of a problem, without a library, because real problems have none."""
    return problem.text


def whole(problem: Problem) -> str:
    """Return the full text of a problem: the visible text, its own library, the functions on offer."""
    return "\n".join((problem.text, *problem.library, *problem.functions))


def _blocks(x: Any, rows: Any, cluster: Any) -> Iterator[Vector]:
    columns = x.T.tocsr()
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        cosines = (x[block] @ columns).toarray()
        cosines[cluster[block][:, None] == cluster[None, :]] = 0
        yield np.minimum(cosines.max(axis=1), 1.0).astype(np.float64)


def median(values: Sequence[float] | Vector) -> Figure:
    """Return the median of at least one value, with its exact binomial 95 % CI from order statistics."""
    from scipy.stats import binom

    ordered = np.sort(np.asarray(values, dtype=float))
    n = len(ordered)
    below = int(binom.ppf(0.025, n, 0.5))
    low, high = ordered[max(below - 1, 0)], ordered[min(n - below, n - 1)]
    return Figure(float(np.median(ordered)), n, float(low), float(high))


def near_duplicates(cosines: Sequence[float] | Vector) -> Proportion:
    """Return the share of problems whose nearest problem is a near-duplicate."""
    return proportion(int(np.sum(np.asarray(cosines) >= DUPLICATE)), len(cosines))
