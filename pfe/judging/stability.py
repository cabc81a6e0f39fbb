"""How firmly the order of the synthetic track stands: under other ties, without a method, and drawn again.

Example: with methods a, b, c in this order, leaving out c may put b before a, since c no longer stands between them
on some data set: then c's `pairs` is 1 and it changes the winner, though c never was near winning.

Who qualifies is held fixed. Only the order of the others is compared with the whole order when a method is left out.
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

SEED = 2022  # any constant: equal tables have equal verdicts
TAILS = (0.025, 0.975)

Order = Mapping[str, int]  # the place of each method, the best first


@dataclass(frozen=True)
class LeaveOneOut:
    """The order without one method, whether another wins then, and how many pairs of the rest stand otherwise."""

    order: Order
    winner_changes: bool
    pairs: int


@dataclass(frozen=True)
class Bootstrap:
    """A method over the draws: how often it is first (methods that tie share it), and where 95 % of the draws lie.

    `score` is None where a method has none in most of the draws.
    """

    first: float
    place: tuple[int, int]
    score: tuple[float, float] | None


@dataclass(frozen=True)
class Stability:
    """The order under every rule for ties, without each method, and each method over the draws."""

    ties: Mapping[str, Order]
    left_out: Mapping[str, LeaveOneOut]
    redrawn: Mapping[str, Bootstrap]


def stability(runs: AspectValues, summary: Summary, methods: tuple[str, ...], rules: Rules) -> Stability:
    """The stability of the order of `methods`, whose runs and summaries these are."""
    return Stability(
        {ties: order(methods, score_places(scores_of(summary, rules, ties).scores)) for ties in TIES},
        _leave_one_out(summary, methods, rules),
        _bootstrap(runs, methods, rules),
    )


def order(methods: tuple[str, ...], places: Values) -> Order:
    """The methods by place, and by name where they share one."""
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
    """Who stands before whom: −1, 0 or 1, shape (methods, methods)."""
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
