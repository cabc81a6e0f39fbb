"""What the metrics files hold, each `{model: {benchmark: figures}}`, the averages `{model: figures}`.

Example: `files(scores)["lift"]["student"]["arc_easy"]["value"]` is the student's lift on ARC-Easy in points.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import averages

Scores = Mapping[str, BenchmarkScore]
PLAIN = ("canonical", "icr")  # arms with a file of their own


def files(scores: Mapping[str, Scores]) -> dict[str, dict[str, Any]]:
    """The content of metrics/<name>.json by name.

    Args:
        scores: by model and benchmark, adjusted by `pfe.scores.model.adjusted`.
    """
    means = {model: averages(by) for model, by in scores.items()}
    return {
        "canonical": _each(scores, lambda score: _arm(score, "canonical")),
        "icr": _each(scores, lambda score: _arm(score, "icr")),
        "lift": _each(scores, lambda score: asdict(score.lift) if score.lift else None),
        "arms": _each(scores, _arms),
        "pfe": {model: asdict(mean) for model, mean in means.items() if mean},
    }


def _each(
    scores: Mapping[str, Scores], figures: Callable[[BenchmarkScore], dict[str, Any] | None]
) -> dict[str, dict[str, Any]]:
    """Figures by model and benchmark, without benchmarks that have none."""
    return {
        model: {name: found for name, score in by.items() if (found := figures(score)) is not None}
        for model, by in scores.items()
    }


def _arm(score: BenchmarkScore, arm: str) -> dict[str, Any] | None:
    return asdict(score.arms[arm]) if arm in score.arms else None


def _arms(score: BenchmarkScore) -> dict[str, Any]:
    return {
        "accuracy": {arm: asdict(own) for arm, own in score.arms.items() if arm not in PLAIN},
        "answers": {arm: asdict(own) for arm, own in score.answers.items()},
        "content_lift": asdict(score.content_lift) if score.content_lift else None,
        "icr_minus": {arm: asdict(own) for arm, own in score.icr_minus.items()},
        "orders": asdict(score.orders) if score.orders else None,
    }
