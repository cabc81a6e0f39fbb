"""Score all predictions: canonical accuracy, ICR accuracy, lift, relative lift, and their averages.

Reads: data/predictions
Writes: metrics/canonical.json, metrics/icr.json, metrics/lift.json, metrics/pfe.json

    dvc repro score
    dvc metrics diff
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from pfe import config
from pfe.files import write_json
from pfe.problem import Prediction
from pfe.scores import BenchmarkScore, aggregate, score_benchmark
from pfe.stage import told


@told
def main() -> None:
    settings = config.load()
    scores = {model: _scores(model, list(settings.benchmark)) for model in settings.models}
    for figure in ("canonical", "icr", "lift"):
        write_json(Path("metrics") / f"{figure}.json", {model: _figures(by, figure) for model, by in scores.items()})
    averages = {model: aggregate(by) for model, by in scores.items()}
    write_json(Path("metrics/pfe.json"), {model: asdict(average) for model, average in averages.items() if average})


def _scores(model: str, benchmarks: list[str]) -> dict[str, BenchmarkScore]:
    folder = Path("data/predictions") / model
    found = {name: score_benchmark(Prediction.read(folder / f"{name}.parquet")) for name in benchmarks}
    return {name: score for name, score in found.items() if score is not None}


def _figures(scores: dict[str, BenchmarkScore], figure: str) -> dict[str, Any]:
    values = {name: getattr(score, figure) for name, score in scores.items()}
    return {name: asdict(value) for name, value in values.items() if value is not None}


if __name__ == "__main__":
    main()
