"""Measure the firewall: recall on known contamination, false alarms on known clean text.

Reads: data/canonical (sealed), the files named in conf/calibration
Writes: metrics/firewall_calibration.json, metrics/firewall_roc.csv (aggregates only)

    dvc repro calibrate
    dvc exp run -S calibration=known && dvc metrics diff
"""

import csv
from pathlib import Path

from pfe import config
from pfe.calibration.recall import figures, known_samples, made_samples, roc
from pfe.canonical.seal import read_sealed
from pfe.files import replacing_together, write_json
from pfe.stage import run, told


@told
def main() -> None:
    settings = config.load()
    canonical = [problem for name in sorted(settings.benchmark) for problem in read_sealed(name)]
    rules, how = settings.firewall, settings.calibration
    samples = [*made_samples(canonical, rules, how.per_kind, settings.seed), *known_samples(how, rules)]
    found = figures(samples, rules)
    outputs = Path("metrics/firewall_calibration.json"), Path("metrics/firewall_roc.csv")
    with replacing_together(*outputs) as (measured, curve):
        write_json(measured, found)
        with curve.open("w", newline="") as file:
            writer = csv.DictWriter(file, ["gate", "threshold", "recall", "false_positives"])
            writer.writeheader()
            writer.writerows(roc(samples, rules))
    for kind, own in found["attacks"].items():
        print(f"attack {kind:<14} {own['caught']['value']:5.1f} % caught of {own['caught']['n']}")
    for name, own in found["clean"].items():
        print(f"clean  {name:<14} {own['flagged']['value']:5.1f} % flagged of {own['flagged']['n']}")


if __name__ == "__main__":
    run(main)
