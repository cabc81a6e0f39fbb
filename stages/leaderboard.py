"""Rank the language models as a competition is judged: benchmarks as data sets, both arms and relative lift as aspects.

Reads: metrics/canonical.json, metrics/icr.json, metrics/lift.json, metrics/pfe.json
Writes: metrics/leaderboard.json, report/leaderboard.md

    dvc repro leaderboard
    dvc exp run -S leaderboard.within=equal
"""

import json
from pathlib import Path

from pfe import config
from pfe.files import write_json, write_text
from pfe.judging.judge import judge
from pfe.judging.language_models import model_runs
from pfe.report.leaderboard import page
from pfe.report.verdict import ranking
from pfe.stage import told

READ = ("canonical", "icr", "lift", "pfe")


@told
def main() -> None:
    settings = config.load()
    rules = settings.leaderboard
    metrics = {name: json.loads(Path(f"metrics/{name}.json").read_text()) for name in READ}
    verdict = judge(model_runs(metrics, rules.baseline), rules)
    write_json(Path("metrics/leaderboard.json"), verdict.as_json())
    labels = {name: model.label for name, model in settings.models.items()}
    write_text(Path("report/leaderboard.md"), page(verdict, rules, labels))
    print(ranking(verdict, rules, labels, {}))


if __name__ == "__main__":
    main()
