"""Decide which tutor teaches which set, by each tutor's accuracy on problems that none of them was trained on.

Reads: data/corpus, data/models/tutors
Writes: data/ensemble.json, empty without tutors

    dvc repro ensemble
    dvc exp run -S student=scratch -S 'embedded=[wide,deep]' -S student.gkd.steps=200 -S student.gkd.ensemble=route
"""

from pathlib import Path

from pfe import config
from pfe.files import read_record, write_record
from pfe.models.identity import weights_of
from pfe.stage import reports_mistakes, run
from pfe.training.embedded import NOBODY, Teaching, teaching
from pfe.training.files import read_corpus
from pfe.training.record import Training


@reports_mistakes
def main() -> None:
    settings = config.load()
    made = _settled(settings) if settings.embedded else NOBODY
    write_record(Path("data/ensemble.json"), made)
    for line in made.lines():
        print(line)


def _settled(settings: config.Config) -> Teaching:
    folders = {name: Path(config.TUTORS) / name for name in settings.embedded}
    trained = {name: read_record(folder / "training/figures.json", Training) for name, folder in folders.items()}
    files = {name: weights_of(str(folder), None) for name, folder in folders.items()}
    measured = {name: training.validation for name, training in trained.items()}
    sets = sorted(set(read_corpus(Path("data/corpus"))["set"]))
    return teaching(files, measured, sets, settings.student.gkd)


if __name__ == "__main__":
    run(main)
