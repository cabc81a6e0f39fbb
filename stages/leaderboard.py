"""Rank the language models as a competition is judged: benchmarks as data sets, both arms and relative lift as aspects.

Reads: metrics/canonical.json, metrics/icr.json, metrics/lift.json, metrics/pfe.json
Writes: metrics/leaderboard.json, report/leaderboard.md

    dvc repro leaderboard
    dvc exp run -S leaderboard.within=equal
"""

from pathlib import Path

from pfe import config
from pfe.errors import UserError
from pfe.files import read_json, replacing_together, write_json, write_text
from pfe.judging.judge import judge
from pfe.judging.language_models import model_runs
from pfe.report.leaderboard import page
from pfe.report.verdict import ranking
from pfe.stage import run, told

READ = ("canonical", "icr", "lift", "pfe")


@told
def main() -> None:
    settings = config.load()
    rules = settings.leaderboard
    metrics = {name: read_json(Path(f"metrics/{name}.json"), *_models(name, settings)) for name in READ}
    labels = {config.CHANCE: "Chance"} | {name: model.label for name, model in settings.models.items()}
    if others := metrics["canonical"].keys() - labels.keys():
        raise UserError(f"metrics/canonical.json has models that are not chosen: {', '.join(others)}; run `dvc repro`")
    verdict = judge(model_runs(metrics, rules.baseline), rules)
    with replacing_together(Path("metrics/leaderboard.json"), Path("report/leaderboard.md")) as (figures, whole):
        write_json(figures, verdict.as_json())
        write_text(whole, page(verdict, rules, labels))
    print(ranking(verdict, rules, labels, {}))


def _models(file: str, settings: config.Config) -> list[str]:
    """The models that a file must hold; averages are of those that were examined at all."""
    return [] if file == "pfe" else list(settings.models)


if __name__ == "__main__":
    run(main)
