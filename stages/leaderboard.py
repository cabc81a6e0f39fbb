"""Rank the language models like competition methods: benchmarks are data sets, both arms and relative lift are aspects.

Reads: data/scores
Writes: data/leaderboard.json, report/leaderboard.md

    dvc repro leaderboard
    dvc exp run -S leaderboard.within=equal
"""

from pathlib import Path

from pfe import config
from pfe.files import read_record, replacing_together, write_record, write_text
from pfe.judging.judge import judge
from pfe.judging.language_models import model_runs
from pfe.report.leaderboard import page
from pfe.report.verdict import ranking
from pfe.scores.model import ModelScore
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    rules = settings.leaderboard
    scores = {name: read_record(Path("data/scores") / f"{name}.json", ModelScore) for name in settings.models}
    labels = {config.CHANCE: "Chance"} | settings.labels
    verdict = judge(model_runs(scores, rules.baseline, settings.not_averaged), rules)
    with replacing_together(Path("data/leaderboard.json"), Path("report/leaderboard.md")) as (record, report):
        write_record(record, verdict)
        write_text(report, page(verdict, rules, labels))
    print(ranking(verdict, rules, labels, {}))


if __name__ == "__main__":
    run(main)
