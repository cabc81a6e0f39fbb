"""Score all predictions: accuracy of every arm, lift, content lift, their intervals and tests, and their averages.

Reads: data/predictions, data/canonical (sealed)
Writes: data/scores/<model>/<benchmark>.parquet, metrics/canonical.json, metrics/icr.json, metrics/lift.json,
    metrics/arms.json, metrics/pfe.json

    dvc repro score
    dvc metrics diff
"""

from collections.abc import Mapping
from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed
from pfe.config import Config
from pfe.files import replacing_together, write_json
from pfe.problem import Prediction, Problem, ScoredPrediction
from pfe.sandbox.process import UnsupportedError
from pfe.scores.benchmark import BenchmarkScore, score_benchmark
from pfe.scores.metrics import files
from pfe.scores.model import adjusted
from pfe.scores.scored import scored
from pfe.stage import run, told

METRICS = ("arms", "canonical", "icr", "lift", "pfe")


@told
def main() -> None:
    settings = config.load()
    sealed = {benchmark: read_sealed(benchmark) for benchmark in settings.benchmark}
    metrics = [Path("metrics") / f"{name}.json" for name in METRICS]
    with replacing_together(Path("data/scores"), *metrics) as (folder, *paths):
        scores = {model: _scores(model, settings, sealed, folder / model) for model in settings.models}
        figures = files(scores)
        for name, path in zip(METRICS, paths, strict=True):
            write_json(path, figures[name])


def _scores(
    model: str, settings: Config, sealed: Mapping[str, list[Problem]], folder: Path
) -> dict[str, BenchmarkScore]:
    scores = {}
    for name, benchmark in settings.benchmark.items():
        predictions = Prediction.read(Path("data/predictions") / model / f"{name}.parquet")
        try:
            rows = scored(predictions, sealed[name], benchmark, settings.evaluate.unsafe_code)
        except UnsupportedError as error:
            rows = []
            print(f"{model:<10} {name:<14} not scored: {error}", flush=True)
        ScoredPrediction.write(rows, folder / f"{name}.parquet")
        if score := score_benchmark(rows, settings.seed):
            scores[name] = score
            accuracies = (f"{arm} {one.value:.1f} %" for arm, one in score.arms.items())
            print(f"{model:<10} {name:<14} {'  '.join(accuracies)}", flush=True)
    return adjusted(scores)


if __name__ == "__main__":
    run(main)
