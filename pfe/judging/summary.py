"""The summary of a method's repetitions on a data set as one value, for the runs themselves or for bootstrap resamples.

Example: the accuracies 0.9, 0.8 and a failed run (−inf) have the mean −inf and the median 0.8.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pfe.config import Rules
from pfe.judging.aspects import ACCURACY, R2_DECIMALS, AspectValues
from pfe.judging.rounding import MEANS, half_up
from pfe.judging.table import Values

PREPARED = 128  # precomputed resamples of the repetitions; each method and data set takes one of them at random

Picks = NDArray[np.int64]  # indices of the runs of a cell in each resample: (resamples, runs)


@dataclass(frozen=True)
class Summary:
    """One value per aspect, data set and method, in this shape; −inf is a failure, NaN no score.

    `lows` holds the lower ends of the values' confidence intervals; None if only equal values tie.
    """

    values: Values
    lows: Values | None

    def of(self, methods: NDArray[np.int64]) -> "Summary":
        """Return the summary of some of the methods."""
        return Summary(self.values[..., methods], None if self.lows is None else self.lows[..., methods])


def summary(runs: AspectValues, rules: Rules) -> Summary:
    """Return the summary of the runs themselves. Means that differ only by float noise become equal."""
    summaries = _summaries(runs, rules, {count: np.arange(count)[None] for count in runs.expected})
    return _split(summaries[:, :, 0], runs)


def bootstrap(runs: AspectValues, rules: Rules, resamples: int, rng: np.random.Generator) -> Iterator[Summary]:
    """Yield summaries of resamples: data sets and the repetitions of each method on them are drawn with replacement."""
    picks = {count: rng.integers(count, size=(PREPARED, count)) for count in sorted(set(runs.expected))}
    samples = _summaries(runs, rules, picks)
    datasets, methods, _, rows = samples.shape
    flat = samples.reshape(-1, rows)
    for _ in range(resamples):
        cells = rng.integers(datasets, size=(datasets, 1)) * methods + np.arange(methods)
        yield _split(flat.take(cells * PREPARED + rng.integers(PREPARED, size=cells.shape), axis=0), runs)


def _split(summaries: Values, runs: AspectValues) -> Summary:
    rows = np.ascontiguousarray(np.moveaxis(summaries, -1, 0))
    if runs.lows is None:
        return Summary(rows, None)
    values, lows = np.split(rows, 2)
    return Summary(values, np.minimum(lows, values))  # a low above its value, even by rounding, would define no order


def _summaries(runs: AspectValues, rules: Rules, picks: dict[int, Picks]) -> Values:
    """Return summaries of resamples, shape (data sets, methods, resamples, aspects and then their lows)."""
    stacked = _sorted(runs.values if runs.lows is None else np.concatenate([runs.values, runs.lows]))
    summarise = _means if rules.repetitions == "mean" else _medians
    accuracy_rows = [row for row, aspect in enumerate(rules.aspects) if aspect == ACCURACY]
    rows, datasets, methods, _ = stacked.shape
    summaries = np.empty((datasets, methods, len(next(iter(picks.values()))), rows))
    for dataset, count in enumerate(runs.expected):
        values = half_up(summarise(stacked[:, dataset, :, :count], picks[count]), MEANS)
        if rules.rounding == "summary":
            values[accuracy_rows] = half_up(values[accuracy_rows], R2_DECIMALS)
        summaries[dataset] = np.moveaxis(values, 0, -1)
    return summaries


def _sorted(runs: Values) -> Values:
    """Return each cell's runs sorted by value, those that do not count last: the order of repetitions cannot matter."""
    order = np.lexsort(runs[::-1], axis=-1)
    return np.take_along_axis(runs, order[None], axis=-1)


def _means(runs: Values, picks: Picks) -> Values:
    """Return means over resamples, (…, runs) -> (…, resamples); −inf with a failed run, NaN if no run counts."""
    times = np.zeros(picks.shape[::-1])
    np.add.at(times, (picks, np.arange(len(picks))[:, None]), 1)
    finite = np.isfinite(runs)
    with np.errstate(over="ignore", invalid="ignore"):
        means: Values = (np.where(finite, runs, 0) @ times) / ((~np.isnan(runs)).astype(float) @ times)
    if not finite.all():
        means[np.isneginf(runs).astype(float) @ times > 0] = -np.inf
    return means


def _medians(runs: Values, picks: Picks) -> Values:
    """Return medians over resamples, (…, runs) -> (…, resamples); NaN if no run counts."""
    samples = np.sort(runs[..., picks], axis=-1)
    count = (~np.isnan(samples)).sum(axis=-1, keepdims=True)
    low = np.take_along_axis(samples, np.maximum(count - 1, 0) // 2, axis=-1)
    high = np.take_along_axis(samples, np.minimum(count // 2, samples.shape[-1] - 1), axis=-1)
    medians: Values = (low / 2 + high / 2)[..., 0]
    return medians
