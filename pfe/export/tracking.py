"""The contents of a run for W&B and MLflow: parameters, figures, tables, training curves.

Example: `figures(run)["arc_easy/lift"]` is {"value": 6.2, "low": 5.1, "high": 7.3, "n": 2376}, in percent or points.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pfe.export.parquet import shown
from pfe.export.run import Run
from pfe.training.curves import read_curves

TRAINED = "student"
FIGURES = ("value", "low", "high", "n")
ANSWERS = ("problem_id", "arm", "order", "correct", "extracted", "output", "stop", "tokens_in", "tokens_out")


def parameters(run: Run) -> dict[str, Any]:
    """Return the settings that determine the answers, as flat names and values."""
    first = next(iter(run.answers.values()))[0]
    settings = run.settings
    return {
        "model": run.model, "label": run.label, "weights": first.weights, "revision": first.revision,
        "engine": first.engine, "versions": first.versions, "seed": settings.seed,
        "limit": settings.limit_of(run.model), "arms": ",".join(settings.evaluate.arms),
        "benchmarks": ",".join(run.answers), "canonical": settings.canonical.source,
    }  # fmt: skip


def figures(run: Run) -> dict[str, Mapping[str, float]]:
    """Return each accuracy and lift with its 95 % CI and n, by benchmark, and the averages under `pfe/`."""
    estimates: dict[str, Any] = {}
    for name, score in run.score.benchmarks.items():
        estimates |= {f"{name}/{arm}": figure for arm, figure in score.arms.items()}
        estimates |= {f"{name}/lift": score.lift, f"{name}/content_lift": score.content_lift}
    averages = run.score.averages
    names = ("canonical", "icr", "lift", "content_lift")
    estimates |= {f"pfe/{name}": getattr(averages, name) for name in names}
    return {
        name: {part: getattr(estimate, part) for part in FIGURES}
        for name, estimate in estimates.items()
        if estimate is not None
    }


def answers(run: Run, name: str) -> list[list[Any]]:
    """Return the answers to a benchmark as rows of the columns `ANSWERS`, without texts under a restrictive licence."""
    benchmark = run.settings.benchmark[name]
    return [
        [getattr(row, column) for column in ANSWERS] for row in (shown(row, benchmark) for row in run.answers[name])
    ]


def curves(run: Run) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield the training curves by step; nothing if the run is not of the student of the current experiment."""
    if run.examined.place != TRAINED:
        return
    steps: dict[int, dict[str, float]] = {}
    for name, points in read_curves().items():
        for step, value in points:
            steps.setdefault(step, {})[f"training/{name}"] = value
    yield from sorted(steps.items())
