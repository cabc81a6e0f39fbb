"""Print the table, write the report and draw its plot; summarise the firewall for DVC.

Reads: data/scores, data/calibration.json, data/plots/roc.json, data/firewall.json, data/certificate.json,
    data/quality.json, data/answer_keys/agreement.json, data/training/figures.json, data/lookups.json (ids and figures,
    no problem)
Writes: report/report.md, report/plots/roc.svg, metrics/firewall.json

    dvc repro report
"""

from pathlib import Path

from pfe import config
from pfe.calibration.record import Rates, RejectionShares
from pfe.files import read_record, replacing_together, write_json, write_text
from pfe.problem import ScoredPrediction
from pfe.quality.record import Qualities
from pfe.report.firewall import curves, metrics
from pfe.report.page import ReportData, alarm_lines, page, tables, untrained
from pfe.report.roc import svg
from pfe.report.student import student_verdict
from pfe.scores.model import ModelScore
from pfe.scores.outcomes import Outcome, outcomes
from pfe.screening.record import Claim, Summary
from pfe.stage import reports_mistakes, run
from pfe.terminal import plain
from pfe.training.figures import LookUps
from pfe.training.record import Training
from pfe.tutors.agreement import Agreement

OUTPUTS = Path("metrics/firewall.json"), Path("report/plots/roc.svg"), Path("report/report.md")


@reports_mistakes
def main() -> None:
    settings = config.load()
    experiment = ReportData(
        scores={name: read_record(Path("data/scores") / f"{name}.json", ModelScore) for name in settings.models},
        screened=read_record(Path("data/firewall.json"), Summary),
        measured=read_record(Path("data/calibration.json"), RejectionShares),
        claim=read_record(Path("data/certificate.json"), Claim),
        agreements=read_record(Path("data/answer_keys/agreement.json"), dict[str, Agreement]),
        training=read_record(Path("data/training/figures.json"), Training),
        quality=read_record(Path("data/quality.json"), Qualities),
        benchmarks=settings.titles,
        models=settings.labels,
        outcomes={name: _outcomes(Path("data/scores") / name) for name in settings.models},
        lookups=read_record(Path("data/lookups.json"), dict[str, LookUps]),
        untrained=untrained(settings.models, settings.student),
    )
    rates = curves(read_record(Path("data/plots/roc.json"), list[Rates]))
    in_use = experiment.measured.in_use(experiment.claim.thresholds)
    with replacing_together(*OUTPUTS) as (figures, plot, report):
        write_json(figures, metrics(experiment.screened, experiment.measured))
        write_text(plot, svg(rates, in_use))
        write_text(report, page(experiment))
    print(plain(tables(experiment.scores, experiment.benchmarks, experiment.models)))
    for line in alarm_lines(experiment):
        print(plain(f"\n{line}"))
    print(f"\n{student_verdict(experiment.scores)}\nreport/report.md holds all of it.")


def _outcomes(folder: Path) -> dict[str, dict[str, Outcome]]:
    """Return the effect of the library on each problem of a model, by benchmark and id."""
    return {path.stem: outcomes(ScoredPrediction.stream(path)) for path in sorted(folder.glob("*.parquet"))}


if __name__ == "__main__":
    run(main)
