"""Measure the firewall: recall on known contamination, false alarms on known clean text.

Reads: data/canonical (sealed), the files named in conf/calibration
Writes: data/calibration.json, data/plots/roc.json (aggregates only)

    dvc repro calibrate
    dvc exp run -S calibration=known && dvc metrics diff
"""

from pathlib import Path

from pfe import config
from pfe.calibration.recall import canonical_samples, known_samples, measured, roc
from pfe.calibration.record import Rates
from pfe.canonical.seal import read_sealed
from pfe.files import replacing_together, write_record
from pfe.stage import run, told


@told
def main() -> None:
    settings = config.load()
    canonical = [problem for name in sorted(settings.benchmark) for problem in read_sealed(name)]
    rules, how = settings.firewall, settings.calibration
    samples = [*canonical_samples(canonical, rules, how.per_kind, settings.seed), *known_samples(how, rules)]
    shares = measured(samples, rules)
    with replacing_together(Path("data/calibration.json"), Path("data/plots/roc.json")) as (figures, curves):
        write_record(figures, shares)
        write_record(curves, roc(samples, rules), list[Rates])
    for kind, own in shares.attacks.items():
        print(f"attack {kind:<14} {own.rejected.value:5.1f} % caught of {own.rejected.n}")
    for name, own in shares.clean.items():
        print(f"clean  {name:<14} {own.rejected.value:5.1f} % flagged of {own.rejected.n}")


if __name__ == "__main__":
    run(main)
