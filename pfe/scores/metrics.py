"""The metrics that DVC shows: the main figures from data/scores, rounded to one decimal.

Example: `metrics({"student": score})["lift"]["student"]["arc_easy"]` is 2.0, and `…["pfe"]["student"]` is
`{"canonical": 20.4, "icr": 19.6, "lift": -0.8, "content_lift": -0.4, "relative_lift": -1.0, "n": 954}`, and
`"span": 9.3` where problems have rungs: PFE-Span in statements.

More decimals would be noise: one problem of a thousand is 0.1 points, and further decimals differ between machines.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import Averages, ModelScore
from pfe.scores.progress import progress
from pfe.scores.proportion import Estimate
from pfe.scores.spans import mean_span

DECIMALS = 1


@dataclass(frozen=True)
class PlotRow:
    """One row of DVC's plots: a model and a benchmark by title, accuracies in percent, and the lift in points."""

    model: str
    benchmark: str
    canonical: float
    icr: float
    lift: float
    low: float
    high: float
    n: int


def metrics(scores: Mapping[str, ModelScore]) -> dict[str, dict[str, Any]]:
    """Return the content of metrics/<name>.json by name.

    `canonical`, `icr` and `lift` hold points by model and benchmark; `pfe` holds averages, span and verdict by model.
    """
    averages: dict[str, dict[str, Any]] = {
        model: _averages(score.averages) | _span(score) for model, score in scores.items()
    }
    if student := progress(scores):
        averages["student"]["verdict"] = student.verdict
    return {
        "canonical": _points(scores, lambda score: score.arms.get("canonical")),
        "icr": _points(scores, lambda score: score.arms.get("icr")),
        "lift": _points(scores, lambda score: score.lift),
        "pfe": {model: figures for model, figures in averages.items() if figures},
    }


def rows(scores: Mapping[str, ModelScore], titles: Mapping[str, str], labels: Mapping[str, str]) -> Iterator[PlotRow]:
    """Yield a plot row for each model in `labels` and benchmark in `titles` that has a lift.

    Args:
        scores: by model.
        titles: of the benchmarks, by name.
        labels: of the models, by name.
    """
    for model, label in labels.items():
        for name, title in titles.items():
            score = scores[model].benchmarks.get(name)
            if score and score.lift:
                canonical, icr, lift = score.arms["canonical"].value, score.arms["icr"].value, score.lift
                yield PlotRow(label, title, canonical, icr, lift.value, lift.low, lift.high, lift.n)


def rounded(value: float) -> float:
    """Return a value rounded to the decimals of a metric, without a negative zero."""
    return round(value, DECIMALS) + 0.0


def _points(
    scores: Mapping[str, ModelScore], figure: Callable[[BenchmarkScore], Estimate | None]
) -> dict[str, dict[str, float]]:
    """Return a figure by model and benchmark, without the benchmarks that lack it."""
    return {
        model: {name: rounded(estimate.value) for name, by in score.benchmarks.items() if (estimate := figure(by))}
        for model, score in scores.items()
    }


def _averages(averages: Averages) -> dict[str, float]:
    names = ("canonical", "icr", "lift", "content_lift")
    figures = {name: rounded(average.value) for name in names if (average := getattr(averages, name)) is not None}
    if averages.relative_lift is not None:
        figures["relative_lift"] = rounded(averages.relative_lift)
    n = averages.canonical or averages.icr
    return figures | ({"n": n.n} if n else {})


def _span(score: ModelScore) -> dict[str, float]:
    """Return PFE-Span over the skills of all benchmarks that have spans; empty if none has."""
    spans = [span for one in score.benchmarks.values() if one.spans for span in one.spans.skills.values()]
    return {"span": rounded(mean_span(spans).value)} if spans else {}
