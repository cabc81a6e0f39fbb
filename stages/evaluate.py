"""Examine one model on every benchmark, in every arm: what it answers, and nothing judged.

Reads: data/canonical (sealed), pfe/icr/libraries, the model
Writes: data/predictions/<model>/<benchmark>.parquet

    dvc repro evaluate@student
    dvc exp run -S 'model=[base,student,llama3_8b]' -S evaluate.limit=100
"""

import time
from collections import Counter
from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed, read_shots
from pfe.evaluation.runner import drawn, examine, settled
from pfe.files import replacing_folder
from pfe.models.load import examinee
from pfe.problem import Prediction
from pfe.stage import run, told


@told
def main(name: str) -> None:
    settings = config.load()
    model = config.chosen(name, settings.models, "model")
    sealed = {benchmark: read_sealed(benchmark) for benchmark in settings.benchmark}
    candidate = examinee(name, model, settings.seed)

    def predictions_of(benchmark: str) -> list[Prediction]:
        problems = drawn(sealed[benchmark], settings.evaluate.limit, settings.seed)
        shots = (read_shots(benchmark) or sealed[benchmark]) if "reference" in settings.evaluate.arms else []
        return examine(candidate, name, benchmark, settings, problems, shots)

    with replacing_folder(Path("data/predictions") / name) as folder:
        start = time.monotonic()
        for benchmark, predictions in settled(list(settings.benchmark), candidate, predictions_of):
            Prediction.write(predictions, folder / f"{benchmark}.parquet")
            print(f"{name:<10} {benchmark:<14} {_summary(predictions, time.monotonic() - start)}", flush=True)
            start = time.monotonic()


def _summary(predictions: list[Prediction], seconds: float) -> str:
    if not predictions:
        return "not examined: it chooses, and this benchmark wants text"
    stops = Counter(prediction.stop for prediction in predictions)
    counts = {
        "cut at the token limit": stops["length"],
        "longer than the window": stops["too_long"],
        "without their beginning, which the window did not hold": stops["cut"],
        "not answered": stops["none"],
        "behind a shortened library": sum(prediction.dropped > 0 for prediction in predictions),
    }
    audits = [prediction.difference for prediction in predictions if prediction.difference is not None]
    notes = "".join(f", {count:,} {words}" for words, count in counts.items() if count)
    rate = f"{len(predictions):,} answers in {seconds:.0f} s ({len(predictions) / max(seconds, 1e-9):.1f}/s)"
    if audits:
        notes += f", {len(audits):,} also computed alone, within {max(audits):.0e} nats"
    return rate + notes


if __name__ == "__main__":
    run(main, "model")
