"""Language models as competitors: benchmarks are the data sets, and both arms and the relative lift are the aspects.

Example: a model that scores 60 % on BoolQ zero-shot and 70 % with the library in context competes on the data set
"boolq" with canonical 60, icr 70 and relative_lift 25, each with its 95 % confidence interval.

To qualify, a model must be above chance: the lower end of the confidence interval of its average over benchmarks must
exceed the chance level of the same benchmarks (`pfe.scores.chance`). The better of the two arms counts, because a model
may answer nothing correctly without a library.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from pfe.config import CHANCE
from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import ModelScore
from pfe.scores.proportion import Estimate

OVERALL = "all benchmarks"
RELATIVE = "relative_lift"
ARMS = ("canonical", "icr")
ASPECTS = (*ARMS, RELATIVE)
SUFFIXES = {"value": "", "low": "_low", "high": "_high"}


def model_runs(scores: Mapping[str, ModelScore], baseline: str, not_averaged: Collection[str] = ()) -> pd.DataFrame:
    """Return the table of runs that `judge` reads.

    An arm in which no model was evaluated is an aspect without numbers. A model that was not evaluated has no rows.

    Args:
        scores: the scores by model.
        baseline: the competitor that others must surpass: chance (`CHANCE`), whose margin is zero whether or not a
            model of that name was evaluated, or one of the models.
        not_averaged: benchmarks that do not count.
    """
    scores = {model: _without(score, not_averaged) for model, score in scores.items()}
    baseline_margins = {} if baseline == CHANCE else _above_chance(scores[baseline], "value")
    best = max(baseline_margins.values(), default=0.0)
    rows = [row for model in scores if model != baseline for row in _rows(model, scores)]
    columns = [f"{aspect}{suffix}" for aspect in ASPECTS for suffix in SUFFIXES.values()]
    runs = pd.DataFrame([*rows, _row(baseline, OVERALL, "qualification") | {"r2": best / 100}])
    return runs.reindex(columns=list(dict.fromkeys([*runs.columns, *columns])))


def _without(score: ModelScore, not_averaged: Collection[str]) -> ModelScore:
    return replace(score, benchmarks={name: by for name, by in score.benchmarks.items() if name not in not_averaged})


def _rows(model: str, scores: Mapping[str, ModelScore]) -> Iterator[dict[str, Any]]:
    for benchmark, score in scores[model].benchmarks.items():
        if set(ARMS) & score.arms.keys():
            yield _row(model, benchmark, "synthetic") | {
                f"{aspect}{suffix}": getattr(figure, bound) if figure else -math.inf
                for aspect in ASPECTS
                if any(_figure(other.benchmarks.get(benchmark), aspect) for other in scores.values())
                for figure in [_figure(score, aspect)]
                for bound, suffix in SUFFIXES.items()
            }
    if margins := _above_chance(scores[model], "low"):
        yield _row(model, OVERALL, "qualification") | {"r2": max(margins.values()) / 100}


def _above_chance(score: ModelScore, bound: str) -> dict[str, float]:
    """Return, by arm, one bound of a model's average over benchmarks minus the chance level there, in points."""
    benchmarks = score.benchmarks.values()
    by_arm = ([benchmark.arms[arm] for benchmark in benchmarks if arm in benchmark.arms] for arm in ARMS)
    first_arm = next(filter(None, by_arm), [])
    chance = sum(benchmark.chance for benchmark in first_arm) / max(len(first_arm), 1)
    averages = {arm: getattr(score.averages, arm) for arm in ARMS}
    return {arm: getattr(average, bound) - chance for arm, average in averages.items() if average}


def _row(model: str, benchmark: str, track: str) -> dict[str, Any]:
    return {"track": track, "method": model, "dataset": benchmark, "repetition": 0, "status": "ok"}


def _figure(score: BenchmarkScore | None, aspect: str) -> Estimate | None:
    """Return a model's figure on a benchmark.

    If nothing was left to gain, the relative lift is replaced by the plain lift, which is then zero or negative.
    """
    if score is None:
        return None
    if aspect != RELATIVE:
        return score.arms.get(aspect)
    return score.lift and (score.lift.relative or score.lift)
