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
from pfe.judging.aspects import Measured
from pfe.judging.ranks import TIES
from pfe.judging.summary import Summary, redrawn
from pfe.judging.synthetic import placed, scored
from pfe.judging.table import Values

SEED = 2022  # any constant: equal tables have equal verdicts
TAILS = (0.025, 0.975)

Order = Mapping[str, int]  # the place of each method, the best first


@dataclass(frozen=True)
class LeftOut:
    """The order without one method, whether another wins then, and how many pairs of the rest stand otherwise."""

    order: Order
    winner_changes: bool
    pairs: int


@dataclass(frozen=True)
class Redrawn:
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
    left_out: Mapping[str, LeftOut]
    redrawn: Mapping[str, Redrawn]


def stability(runs: Measured, summary: Summary, methods: tuple[str, ...], rules: Rules) -> Stability:
    """The stability of the order of `methods`, whose measured runs and summaries these are."""
    return Stability(
        {ties: order(methods, placed(scored(summary, rules, ties).scores)) for ties in TIES},
        _left_out(summary, methods, rules),
        _redrawn(runs, methods, rules),
    )


def order(methods: tuple[str, ...], places: Values) -> Order:
    """The methods by place, and by name where they share one."""
    return {name: int(place) for place, name in sorted(zip(places.tolist(), methods, strict=True))}


def _left_out(summary: Summary, methods: tuple[str, ...], rules: Rules) -> dict[str, LeftOut]:
    if len(methods) < 2:
        return {}
    scores = scored(summary, rules).scores
    everyone = np.arange(len(methods))
    found = {}
    for out, name in enumerate(methods):
        rest = np.delete(everyone, out)
        before, after = placed(scores[rest]), placed(scored(summary.of(rest), rules).scores)
        found[name] = LeftOut(
            order(tuple(methods[index] for index in rest), after),
            winner_changes=bool(((before == 1) != (after == 1)).any()),
            pairs=int((_signs(before) != _signs(after)).sum()) // 2,
        )
    return found


def _signs(places: Values) -> NDArray[np.int8]:
    """Who stands before whom: −1, 0 or 1, shape (methods, methods)."""
    return np.sign(places[:, None] - places).astype(np.int8)


def _redrawn(runs: Measured, methods: tuple[str, ...], rules: Rules) -> dict[str, Redrawn]:
    draws = redrawn(runs, rules, rules.resamples, np.random.default_rng(SEED))
    scores = np.stack([scored(drawn, rules).scores for drawn in draws])
    places = placed(scores)
    first = places == 1
    shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    reached = np.quantile(places, TAILS, axis=0, method="inverted_cdf").astype(int)
    known = np.where(np.isnan(scores), -np.inf, scores)
    bounds = np.quantile(known, TAILS, axis=0, method="inverted_cdf")
    return {
        name: Redrawn(
            float(shares[at]),
            (int(reached[0, at]), int(reached[1, at])),
            (float(bounds[0, at]), float(bounds[1, at])) if np.isfinite(bounds[:, at]).all() else None,
        )
        for at, name in enumerate(methods)
    }
