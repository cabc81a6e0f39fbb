"""Score all predictions: accuracy of every arm, lift, content lift, their intervals and tests, and their averages.

Reads: data/predictions
Writes: metrics/canonical.json, metrics/icr.json, metrics/lift.json, metrics/arms.json, metrics/pfe.json

    dvc repro score
    dvc metrics diff
"""

from pathlib import Path

from pfe import config
from pfe.files import replacing_together, write_json
from pfe.problem import Prediction
from pfe.scores.benchmark import BenchmarkScore, score_benchmark
from pfe.scores.metrics import files
from pfe.scores.model import adjusted
from pfe.stage import run, told


@told
def main() -> None:
    settings = config.load()
    scores = {model: _scores(model, list(settings.benchmark), settings.seed) for model in settings.models}
    found = files(scores)
    with replacing_together(*(Path("metrics") / f"{name}.json" for name in found)) as paths:
        for path, figures in zip(paths, found.values(), strict=True):
            write_json(path, figures)


def _scores(model: str, benchmarks: list[str], seed: int) -> dict[str, BenchmarkScore]:
    folder = Path("data/predictions") / model
    found = {name: score_benchmark(Prediction.read(folder / f"{name}.parquet"), seed) for name in benchmarks}
    return adjusted({name: score for name, score in found.items() if score is not None})


if __name__ == "__main__":
    run(main)
