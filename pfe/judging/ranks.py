"""Places, ranks and their harmonic mean.

Example: the accuracies 0.9, 0.8, 0.8, 0.5 of N = 4 methods have the dense places 1, 2, 2, 3 from the top. With the
lowest rank 1, their ranks are N − place + 1 = 4, 3, 3, 2. A method with the ranks 4 and 2 scores
2 / (1/4 + 1/2) = 2.67.
Source: JUDGING, "Judging Criteria for the Synthetic Track"; the places are those of `scipy.stats.rankdata`.

Ties by confidence intervals: a method beats those whose value is below the lower end of its own interval. This is an
interval order (Fishburn 1970, J. Math. Psych. 7:144). Not being beaten is no equivalence relation, so the four places
are defined by the order:
    min: one more than the number of methods that beat it;
    max: the number of methods that it does not beat;
    average: the mean of min and max;
    dense: the length of the longest chain that ends with the method, each method in it beaten by the one before.
The dense places are computed in groups: the unplaced methods that no other unplaced method beats share the next place.
If every lower end equals its value, all these are the places of equal values.

A chain shrinks if one of its methods fails, so a failure lowers no other method. If a group were formed only by the
best value and its lower end, a failure could lower other methods, and by more than it costs the method that failed.
"""

from typing import Literal

import numpy as np

from pfe.judging.table import Flags, Values

Ties = Literal["dense", "min", "max", "average"]
TIES: tuple[Ties, ...] = ("dense", "min", "max", "average")


def places(values: Values, ties: Ties, lows: Values | None = None) -> Values:
    """Return the place of each value along the last axis, 1 for the highest; NaN if the value is NaN.

    Args:
        values: shape (…, methods); −inf is a failure, which every value beats.
        ties: the place of tied values.
        lows: the lower ends of the values' confidence intervals, of the same shape; None if only equal values tie.
    """
    result = _equal_places(values, ties) if lows is None else _interval_places(values, lows, ties)
    result[np.isnan(values)] = np.nan
    return result


def ranks(values: Values, ties: Ties, lowest: int, lows: Values | None = None) -> Values:
    """Return methods − place + lowest; higher is better, and `lowest` is the rank of the last possible place."""
    result: Values = values.shape[-1] + lowest - places(values, ties, lows)
    return result


def harmonic_mean(ranks: Values) -> Values:
    """Return the harmonic mean along the first axis, ignoring NaN; 0 if a rank is 0, NaN if there is no rank."""
    valid = ~np.isnan(ranks)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: Values = valid.sum(axis=0) / np.where(valid, 1 / ranks, 0).sum(axis=0)
    return mean


def mean(values: Values) -> Values:
    """Return the mean along the first axis, ignoring NaN; NaN if there is no value."""
    valid = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Values = np.where(valid, values, 0).sum(axis=0) / valid.sum(axis=0)
    return means


def _equal_places(values: Values, ties: Ties) -> Values:
    order = np.argsort(-values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    opens = np.ones(values.shape, bool)
    opens[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    result = np.empty(values.shape)
    np.put_along_axis(result, order, _ordered_places(opens, ties), axis=-1)
    return result


def _ordered_places(opens: Flags, ties: Ties) -> Values:
    """Return the places of sorted values; `opens` marks the values that differ from the one before."""
    if ties == "dense":
        return np.cumsum(opens, axis=-1, dtype=np.float64)
    count = opens.shape[-1]
    number = np.arange(1.0, count + 1)
    first: Values = np.maximum.accumulate(np.where(opens, number, 0), axis=-1)
    if ties == "min":
        return first
    closes = np.ones(opens.shape, bool)
    closes[..., :-1] = opens[..., 1:]
    last = np.minimum.accumulate(np.where(closes, number, count)[..., ::-1], axis=-1)[..., ::-1]
    return last if ties == "max" else (first + last) / 2


def _interval_places(values: Values, lows: Values, ties: Ties) -> Values:
    if ties == "dense":
        return _chains(values, lows)
    beats = lows[..., :, None] > values[..., None, :]
    first = 1.0 + beats.sum(axis=-2)
    last = (~np.isnan(values)).sum(axis=-1, keepdims=True) - beats.sum(axis=-1).astype(np.float64)
    result: Values = first if ties == "min" else last if ties == "max" else (first + last) / 2
    return result


def _chains(values: Values, lows: Values) -> Values:
    result = np.zeros(values.shape)
    remaining = ~np.isnan(values)
    place = 0
    while remaining.any():
        place += 1
        bar = np.where(remaining, lows, -np.inf).max(axis=-1, keepdims=True)
        group = remaining & (values >= bar)
        result[group] = place
        remaining &= ~group
    return result
