"""Examine one model on every benchmark, in every arm.

Reads: data/canonical (sealed), pfe/icr/libraries, the model
Writes: data/predictions/<model>/<benchmark>.parquet

    dvc repro evaluate@student
    dvc exp run -S 'model=[base,student,llama3_8b]' -S evaluate.limit=100
"""

import sys
from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed
from pfe.evaluation.runner import drawn, examine
from pfe.files import replacing_folder
from pfe.models.load import examinee
from pfe.problem import Prediction
from pfe.stage import told


@told
def main(name: str) -> None:
    settings = config.load()
    model = config.chosen(name, settings.models, "model")
    sealed = {benchmark: read_sealed(benchmark) for benchmark in settings.benchmark}
    candidate = examinee(name, model, settings.seed)
    with replacing_folder(Path("data/predictions") / name) as folder:
        for benchmark, how in settings.benchmark.items():
            problems = drawn(sealed[benchmark], settings.evaluate.limit, settings.seed)
            predictions = examine(candidate, name, benchmark, how, problems, settings.evaluate.arms)
            Prediction.write(predictions, folder / f"{benchmark}.parquet")
            print(f"{name:<10} {benchmark:<14} {_summary(predictions)}", flush=True)


def _summary(predictions: list[Prediction]) -> str:
    arms = dict.fromkeys(prediction.arm for prediction in predictions)
    shares = []
    for arm in arms:
        right = [prediction.correct for prediction in predictions if prediction.arm == arm]
        shares.append(f"{arm} {100 * sum(right) / len(right):5.1f} % of {len(right)}")
    return "   ".join(shares) or "not examined: it chooses, and this benchmark wants text"


if __name__ == "__main__":
    main(sys.argv[1])
