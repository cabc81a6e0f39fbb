"""Run every method on every data set of the competition, with the number of repetitions that it asks for.

Reads: competition.path, if real data sets are named
Writes: data/competition/runs.parquet

    dvc repro compete
    dvc exp run -S competition=full -S 'method=[linear,operon]'
"""

from collections import Counter
from pathlib import Path

from pfe import config
from pfe.cache import Cache, folder
from pfe.processes.cores import cores
from pfe.progress import progress
from pfe.stage import reports_mistakes, run
from pfe.symreg.competition.catalog import datasets_by_track
from pfe.symreg.competition.record import Run, failures
from pfe.symreg.competition.runner import Job, RunLimits, run_all


@reports_mistakes
def main() -> None:
    settings = config.load()
    competition = settings.competition
    jobs = [
        Job(track, name, method, dataset, repetition)
        for track, dataset in datasets_by_track(competition, settings.seed, print)
        for repetition in range(min(competition.repetitions, dataset.draws or competition.repetitions))
        for name, method in settings.methods.items()
    ]
    cache = Cache(folder() / "runs.sqlite")
    with progress(len(jobs), "compete", "run") as done:
        limits = RunLimits(competition.seconds, competition.memory)
        runs = run_all(jobs, settings.seed, limits, competition.workers or cores(), cache, done)
    Run.write(runs, Path("data/competition/runs.parquet"))
    for name in settings.methods:
        seconds = sum(run.seconds for run in runs if run.method == name)
        ended = Counter(run.status for run in runs if run.method == name)
        counts = ", ".join(f"{count:,} {status}" for status, count in ended.most_common())
        print(f"{name:<12} {counts}; {seconds:,.0f} s")
    for failure in failures(runs):
        print(f"{failure.method}: {failure.in_words()}")


if __name__ == "__main__":
    run(main)
