"""Language models as competitors: benchmarks are the data sets, both arms and the relative lift the aspects.

Example: a model that answers 60 % of BoolQ bare and 70 % with the library in front competes on the data set
"boolq" with canonical 60, icr 70 and relative_lift 25, each with its 95 % interval.

To qualify, a model must be above chance: the lower end of its average over benchmarks, in the arm where that is
higher, less what guessing is expected to give on the same benchmarks. A model may know nothing without a library.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from pfe.config import CHANCE

OVERALL = "all benchmarks"
RELATIVE = "relative_lift"
ARMS = ("canonical", "icr")
ASPECTS = (*ARMS, RELATIVE)
SUFFIXES = {"value": "", "low": "_low", "high": "_high"}
Figures = Mapping[str, Mapping[str, Any]]  # by benchmark, or by arm where they are averages


def model_runs(metrics: Mapping[str, Mapping[str, Figures]], baseline: str) -> pd.DataFrame:
    """The table of runs that `judge` reads.

    An arm that no model was examined in is an aspect without numbers; a model that was examined nowhere has no rows.

    Args:
        metrics: what metrics/canonical.json, icr.json, lift.json and pfe.json hold, under these four names.
        baseline: who is to be surpassed: guessing (`CHANCE`), which is zero above itself whether or not a model of
            that name was examined, or one of the models.
    """
    above = {} if baseline == CHANCE else _above_chance(baseline, metrics, "value")
    reached = max(above.values(), default=0.0)
    models = [model for model in metrics["canonical"] if model != baseline]
    rows = [row for model in models for row in _rows(model, metrics)]
    columns = [f"{aspect}{suffix}" for aspect in ASPECTS for suffix in SUFFIXES.values()]
    runs = pd.DataFrame([*rows, _row(baseline, OVERALL, "qualification") | {"r2": reached / 100}])
    return runs.reindex(columns=list(dict.fromkeys([*runs.columns, *columns])))


def _rows(model: str, metrics: Mapping[str, Mapping[str, Figures]]) -> Iterator[dict[str, Any]]:
    examined = [benchmark for arm in ARMS for benchmark in metrics[arm].get(model, {})]
    for benchmark in dict.fromkeys(examined):
        yield _row(model, benchmark, "synthetic") | {
            f"{aspect}{suffix}": figure[key] if figure else -math.inf
            for aspect in ASPECTS
            if any(_figure(other, benchmark, aspect, metrics) for other in metrics["canonical"])
            for figure in [_figure(model, benchmark, aspect, metrics)]
            for key, suffix in SUFFIXES.items()
        }
    if above := _above_chance(model, metrics, "low"):
        yield _row(model, OVERALL, "qualification") | {"r2": max(above.values()) / 100}


def _above_chance(model: str, metrics: Mapping[str, Mapping[str, Figures]], figure: str) -> dict[str, float]:
    """By arm, one figure of a model's average over benchmarks less what guessing is expected to give there."""
    examined = next((own for arm in ARMS if (own := metrics[arm].get(model))), {})
    chance = sum(own["chance"] for own in examined.values()) / max(len(examined), 1)
    averages = metrics["pfe"].get(model, {})
    return {arm: average[figure] - chance for arm in ARMS if (average := averages.get(arm))}


def _row(model: str, benchmark: str, track: str) -> dict[str, Any]:
    return {"track": track, "method": model, "dataset": benchmark, "repetition": 0, "status": "ok"}


def _figure(
    model: str, benchmark: str, aspect: str, metrics: Mapping[str, Mapping[str, Figures]]
) -> Mapping[str, Any] | None:
    """A model's figure on a benchmark; where nothing was left to gain, the plain lift, which is then zero or less."""
    own: Mapping[str, Any] | None = metrics["lift" if aspect == RELATIVE else aspect].get(model, {}).get(benchmark)
    return (own["relative"] or own) if own and aspect == RELATIVE else own
