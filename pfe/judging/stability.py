"""The stability of the synthetic track's order under other tie rules, without single methods, and under the bootstrap.

Example: with methods a, b, c in this order, leaving out c may put b before a, because c no longer ranks between them on
some data set. Then c's `pairs` is 1 and it changes the winner, although c was never near winning.

The set of qualified methods is fixed. If a method is left out, only the order of the others is compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pfe.config import Rules
from pfe.judging.aspects import AspectValues
from pfe.judging.ranks import TIES
from pfe.judging.summary import Summary, bootstrap
from pfe.judging.synthetic import score_places, scores_of
from pfe.judging.table import Values

SEED = 2022  # any constant; with a fixed seed, equal tables have equal verdicts
TAILS = (0.025, 0.975)

Order = Mapping[str, int]  # the place of each method, the best first


@dataclass(frozen=True)
class LeaveOneOut:
    """The order without one method, whether the winner changes, and how many pairs of the others change their order."""

    order: Order
    winner_changes: bool
    pairs: int


@dataclass(frozen=True)
class Bootstrap:
    """A method over the bootstrap resamples: its share of first places (ties share one), and its 95 % intervals.

    `place` and `score` are these intervals. `score` is None if the method has no score in 2.5 % of the resamples or
    more.
    """

    first: float
    place: tuple[int, int]
    score: tuple[float, float] | None


@dataclass(frozen=True)
class Stability:
    """The order under every rule for ties, the order without each method, and the bootstrap results of each method."""

    ties: Mapping[str, Order]
    left_out: Mapping[str, LeaveOneOut]
    redrawn: Mapping[str, Bootstrap]


def stability(runs: AspectValues, summary: Summary, methods: tuple[str, ...], rules: Rules) -> Stability:
    """Return the stability of the order of `methods` from their runs and summaries."""
    return Stability(
        {ties: order(methods, score_places(scores_of(summary, rules, ties).scores)) for ties in TIES},
        _leave_one_out(summary, methods, rules),
        _bootstrap(runs, methods, rules),
    )


def order(methods: tuple[str, ...], places: Values) -> Order:
    """Return the methods with their places, sorted by place and then by name."""
    return {name: int(place) for place, name in sorted(zip(places.tolist(), methods, strict=True))}


def _leave_one_out(summary: Summary, methods: tuple[str, ...], rules: Rules) -> dict[str, LeaveOneOut]:
    if len(methods) < 2:
        return {}
    scores = scores_of(summary, rules).scores
    all_methods = np.arange(len(methods))
    orders = {}
    for out, name in enumerate(methods):
        rest = np.delete(all_methods, out)
        before, after = score_places(scores[rest]), score_places(scores_of(summary.of(rest), rules).scores)
        orders[name] = LeaveOneOut(
            order(tuple(methods[index] for index in rest), after),
            winner_changes=bool(((before == 1) != (after == 1)).any()),
            pairs=int((_signs(before) != _signs(after)).sum()) // 2,
        )
    return orders


def _signs(places: Values) -> NDArray[np.int8]:
    """Return −1, 0 or 1 for each pair of methods, shape (methods, methods); −1 if the row's method is placed first."""
    return np.sign(places[:, None] - places).astype(np.int8)


def _bootstrap(runs: AspectValues, methods: tuple[str, ...], rules: Rules) -> dict[str, Bootstrap]:
    draws = bootstrap(runs, rules, rules.resamples, np.random.default_rng(SEED))
    scores = np.stack([scores_of(sample, rules).scores for sample in draws])
    places = score_places(scores)
    first = places == 1
    shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    place_bounds = np.quantile(places, TAILS, axis=0, method="inverted_cdf").astype(int)
    floored = np.where(np.isnan(scores), -np.inf, scores)
    bounds = np.quantile(floored, TAILS, axis=0, method="inverted_cdf")
    return {
        name: Bootstrap(
            float(shares[at]),
            (int(place_bounds[0, at]), int(place_bounds[1, at])),
            (float(bounds[0, at]), float(bounds[1, at])) if np.isfinite(bounds[:, at]).all() else None,
        )
        for at, name in enumerate(methods)
    }
