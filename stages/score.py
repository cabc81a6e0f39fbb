"""Score all predictions: accuracy of every arm, lifts with CIs and tests, averages, the student compared with its base.

Reads: data/predictions, data/canonical (sealed)
Writes: data/scores/<model>/<benchmark>.parquet (the scorer's result for each answer), data/scores/<model>.json (all
    figures), data/plots/scores.json, metrics/{canonical,icr,lift,pfe}.json (the values that DVC shows)

    dvc repro score
    dvc metrics diff
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed
from pfe.config import Config
from pfe.files import replacing_together, write_json, write_record
from pfe.problem import Prediction, Problem, ScoredPrediction
from pfe.scores.metrics import PlotRow, metrics, rows
from pfe.scores.model import ModelScore, score_model
from pfe.scores.progress import with_standing
from pfe.scores.scored import score_answers
from pfe.stage import reports_mistakes, run

METRICS = [Path(f"metrics/{name}.json") for name in ("canonical", "icr", "lift", "pfe")]


@reports_mistakes
def main() -> None:
    settings = config.load()
    sealed = {benchmark: read_sealed(benchmark) for benchmark in settings.benchmark}
    with replacing_together(Path("data/scores"), Path("data/plots/scores.json"), *METRICS) as (folder, plot, *files):
        scores = {model: _score(model, settings, sealed, folder / model) for model in settings.models}
        scores = with_standing(
            scores, partial(_answers, folder), settings.seed,
            is_screened=settings.firewall.is_spec, tutors=settings.examined_tutors, not_averaged=settings.not_averaged,
        )  # fmt: skip
        for model, score in scores.items():
            write_record(folder / f"{model}.json", score)
        write_record(plot, list(rows(scores, settings.titles, settings.labels)), list[PlotRow])
        points = metrics(scores)
        for path, file in zip(METRICS, files, strict=True):
            write_json(file, points[path.stem])


def _score(model: str, settings: Config, sealed: Mapping[str, list[Problem]], folder: Path) -> ModelScore:
    scores = {}
    for name in settings.benchmark:
        predictions = Prediction.read(Path("data/predictions") / model / f"{name}.parquet")
        answers, score = score_answers(model, name, predictions, sealed[name], settings)
        ScoredPrediction.write(answers, folder / f"{name}.parquet")
        if score:
            scores[name] = score
            accuracies = (f"{arm} {accuracy.value:.1f} %" for arm, accuracy in score.arms.items())
            print(f"{model:<10} {name:<14} {'  '.join(accuracies)}", flush=True)
    return score_model(scores, settings.not_averaged)


def _answers(folder: Path, model: str, benchmark: str) -> list[ScoredPrediction]:
    return ScoredPrediction.read(folder / model / f"{benchmark}.parquet")


if __name__ == "__main__":
    run(main)
