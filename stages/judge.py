"""Judge the competition by the rules: qualification, ranking, and the ranking's stability.

Reads: data/competition/measured.parquet, competition.expert
Writes: data/competition/verdict.json, data/plots/pareto.json, metrics/judge.json, report/competition.md,
    report/plots/{pareto,critical_difference,rank_stability}.svg

    dvc repro judge
    dvc exp run -S rules=srbench2023
"""

from pathlib import Path

import pandas as pd

from pfe import config
from pfe.files import replacing_together, write_json, write_record, write_text
from pfe.judging.expert import read_expert
from pfe.judging.judge import judge
from pfe.stage import reports_mistakes, run
from pfe.symreg.competition.record import MeasuredRun
from pfe.symreg.plots import Point, critical_differences, pareto, stability
from pfe.symreg.report import averages, page, places, points, table
from pfe.terminal import plain

PLOTS = Path("report/plots")
OUTPUTS = (
    Path("data/competition/verdict.json"), Path("data/plots/pareto.json"), Path("metrics/judge.json"),
    PLOTS / "pareto.svg", PLOTS / "critical_difference.svg", PLOTS / "rank_stability.svg",
    Path("report/competition.md"),
)  # fmt: skip


@reports_mistakes
def main() -> None:
    settings = config.load()
    rules, expert = settings.rules, read_expert(Path(settings.competition.expert))
    labels = {name: method.label for name, method in settings.methods.items()}
    runs = MeasuredRun.read(Path("data/competition/measured.parquet"))
    verdict = judge(MeasuredRun.table(runs).to_pandas(), rules, expert)
    scores = pd.DataFrame(verdict.scores).rename(columns=labels)
    means = averages(runs, rules)
    plot_points = points(means, labels)
    with replacing_together(*OUTPUTS) as (record, plot_data, figures, front, differences, firmness, report):
        write_record(record, verdict)
        write_record(plot_data, plot_points, list[Point])
        write_json(figures, verdict.metrics())
        write_text(front, pareto(plot_points))
        write_text(differences, critical_differences(scores))
        write_text(firmness, stability(places(verdict, labels)))
        write_text(report, page(verdict, runs, means, rules, labels))
    print(f"{plain(table(verdict, means, rules, labels))}\n\nreport/competition.md holds all of it.")


if __name__ == "__main__":
    run(main)
