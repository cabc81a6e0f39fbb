"""Print the table and write the report.

Reads: metrics/*.json
Writes: report/report.md

    dvc repro report
"""

import json
from dataclasses import fields
from pathlib import Path

from pfe import config
from pfe.files import replacing
from pfe.report.page import Metrics, page, student_verdict, tables
from pfe.stage import told


@told
def main() -> None:
    settings = config.load()
    metrics = Metrics(**{f.name: json.loads(Path(f"metrics/{f.name}.json").read_text()) for f in fields(Metrics)})
    benchmarks = {name: benchmark.title for name, benchmark in settings.benchmark.items()}
    models = {name: model.label for name, model in settings.models.items()}
    with replacing(Path("report/report.md")) as temporary:
        temporary.write_text(page(metrics, benchmarks, models), encoding="utf-8")
    print(tables(metrics, benchmarks, models))
    print(f"\n{student_verdict(metrics)}\nreport/report.md holds all of it.")


if __name__ == "__main__":
    main()
