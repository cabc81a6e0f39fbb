"""Ask one model every benchmark in every arm, and record its answers unscored.

Reads: data/canonical (sealed), pfe/icr/libraries, the model; data/base.parquet for the arm `retrieved`
Writes: data/predictions/<model>/<benchmark>.parquet

    dvc repro evaluate@student
    dvc exp run -S 'model=[base,student,llama3_8b]' -S evaluate.limit=100
"""

import time
from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed, read_shots
from pfe.evaluation.runner import examinations, summary
from pfe.files import replacing_folder
from pfe.icr.retrieval import BASE, Entry
from pfe.models.load import examinee
from pfe.problem import Prediction
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main(name: str) -> None:
    settings = config.load()
    model = config.chosen(name, settings.models, "model")
    sealed = {benchmark: read_sealed(benchmark) for benchmark in settings.benchmark}
    candidate = examinee(name, model, settings.seed)
    with_shots = settings.benchmark if "reference" in settings.evaluate.arms else ()
    solved = {benchmark: read_shots(benchmark) for benchmark in with_shots}
    entries = Entry.read(BASE) if "retrieved" in settings.evaluate.arms else []
    with replacing_folder(Path("data/predictions") / name) as folder:
        start = time.monotonic()
        for benchmark, predictions in examinations(candidate, name, settings, sealed, solved, entries):
            Prediction.write(predictions, folder / f"{benchmark}.parquet")
            print(f"{name:<10} {benchmark:<14} {summary(predictions, time.monotonic() - start)}", flush=True)
            start = time.monotonic()


if __name__ == "__main__":
    run(main, "model")
