"""Simplify every model from the competition, count its components and compare it with the ground truth.

Reads: data/competition/runs.parquet, competition.path
Writes: data/competition/measured.parquet

    dvc repro measure
"""

from collections import Counter
from pathlib import Path

from pfe import config
from pfe.cache import Cache, folder
from pfe.processes.cores import cores
from pfe.progress import progress
from pfe.stage import reports_mistakes, run
from pfe.symreg.competition.catalog import datasets_by_track
from pfe.symreg.competition.measuring import measured_runs, questions
from pfe.symreg.competition.record import MeasuredRun, Run
from pfe.symreg.expressions.measure import StepLimits, measure


@reports_mistakes
def main() -> None:
    settings = config.load()
    runs = Run.read(Path("data/competition/runs.parquet"))
    datasets = {dataset.name: dataset for _, dataset in datasets_by_track(settings.competition, settings.seed)}
    models = questions(runs, datasets)
    measuring = settings.competition.measuring
    limits = StepLimits(measuring.seconds, measuring.memory, measuring.decimals)
    cache = Cache(folder() / "measures.sqlite")
    with progress(len(set(models)), "measure", "model") as done:
        measures = measure(models, limits, cache, settings.competition.workers or cores(), done)
    MeasuredRun.write(measured_runs(runs, datasets, measures), Path("data/competition/measured.parquet"))
    statuses = Counter(model.status for model in measures)
    longer = sum(model.status == "simplified" and model.counted == "parsed" for model in measures)
    print(", ".join(f"{count:,} {status}" for status, count in statuses.most_common()))
    print(f"{longer:,} models that simplifying made longer count as they were reported")


if __name__ == "__main__":
    run(main)
