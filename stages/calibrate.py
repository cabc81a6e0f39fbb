"""Measure the firewall: recall on known contamination, false positives on known clean text.

Reads: data/canonical (sealed), the files named in conf/calibration
Writes: data/calibration.json, data/plots/roc.json (aggregates only)

    dvc repro calibrate
    dvc exp run -S calibration=known && dvc metrics diff
"""

from pathlib import Path

from pfe import config
from pfe.calibration.recall import canonical_samples, known_samples, rejection_shares, roc
from pfe.calibration.record import Rates
from pfe.canonical.seal import read_sealed
from pfe.files import replacing_together, write_record
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    canonical = [problem for name in sorted(settings.benchmark) for problem in read_sealed(name)]
    rules, calibration = settings.firewall, settings.calibration
    samples = [
        *canonical_samples(canonical, rules, calibration.per_kind, settings.seed),
        *known_samples(calibration, rules),
    ]
    measurement = rejection_shares(samples, rules)
    with replacing_together(Path("data/calibration.json"), Path("data/plots/roc.json")) as (figures, curves):
        write_record(figures, measurement)
        write_record(curves, roc(samples, rules), list[Rates])
    for kind, shares in measurement.attacks.items():
        print(f"attack {kind:<14} {shares.rejected.value:5.1f} % caught of {shares.rejected.n}")
    for name, shares in measurement.clean.items():
        print(f"clean  {name:<14} {shares.rejected.value:5.1f} % flagged of {shares.rejected.n}")


if __name__ == "__main__":
    run(main)
