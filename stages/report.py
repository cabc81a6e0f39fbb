"""Print the table, write the report and draw its plot.

Reads: metrics/*.json, metrics/firewall_roc.csv, data/certificate.json (ids and figures, no problem)
Writes: report/report.md, report/plots/roc.svg

    dvc repro report
"""

import csv
from dataclasses import fields
from pathlib import Path

from pfe import config
from pfe.files import read_json, replacing_together, write_text
from pfe.report.firewall import curves, in_use
from pfe.report.page import Metrics, alarm_lines, page, student_verdict, tables
from pfe.report.roc import svg
from pfe.stage import run, told
from pfe.terminal import plain

FILES = {f.name: f"metrics/{f.name}.json" for f in fields(Metrics)} | {"certificate": "data/certificate.json"}

KEYS = {
    "firewall": ("sets", "total"),
    "firewall_calibration": ("attacks", "clean"),
    "certificate": ("counts", "thresholds", "highest_accepted"),
    "train": ("parameters", "lessons", "steps", "first_loss", "loss"),
}


@told
def main() -> None:
    settings = config.load()
    metrics = Metrics(**{name: read_json(Path(path), *KEYS.get(name, ())) for name, path in FILES.items()})
    with Path("metrics/firewall_roc.csv").open(newline="") as file:
        measured = curves(csv.DictReader(file))
    used = in_use(metrics.firewall_calibration, metrics.certificate["thresholds"])
    benchmarks = {name: benchmark.title for name, benchmark in settings.benchmark.items()}
    models = {name: model.label for name, model in settings.models.items()}
    untrained = [name for name, model in settings.models.items() if name == "base" or model.kind == "chance"]
    with replacing_together(Path("report/plots/roc.svg"), Path("report/report.md")) as (plot, whole):
        write_text(plot, svg(measured, used))
        write_text(whole, page(metrics, benchmarks, models, untrained))
    print(plain(tables(metrics, benchmarks, models)))
    for line in alarm_lines(metrics, models, untrained):
        print(plain(f"\n{line}"))
    print(f"\n{student_verdict(metrics)}\nreport/report.md holds all of it.")


if __name__ == "__main__":
    run(main)
