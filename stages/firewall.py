"""Screen the candidates against every sealed canonical problem.

Reads: data/candidates, data/canonical (sealed), data/libraries.json
Writes: data/synthetic/<set>.parquet, data/rejections/<set>.parquet, data/certificate.json, data/firewall.json

    dvc repro firewall
    dvc exp run -S firewall.threshold=0.25 && dvc metrics diff
    pfe explain <id of a rejected problem>
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from pfe import cache, config
from pfe.files import read_record, replacing_together, write_json, write_record
from pfe.firewall.firewall import Finding
from pfe.problem import Problem
from pfe.screening.certificate import certificate
from pfe.screening.files import findings, screen_files
from pfe.screening.outcome import Outcome, summary
from pfe.screening.record import Libraries
from pfe.screening.sealed import FILES, outcomes, sealed_reference
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    reference = sealed_reference(settings.firewall)
    parts = screen_files([FILES["candidates"]], reference, settings.firewall, cache.work_folder("screening"))
    results = outcomes(parts, settings.scale.targets)

    outputs = FILES["synthetic"], FILES["rejections"], Path("data/certificate.json"), Path("data/firewall.json")
    with replacing_together(*outputs) as (accepted, rejected, claims, figures):
        for outcome in results:
            set_parts = [part for part in parts if part.shard.path.stem == outcome.name]
            Problem.write(outcome.accepted, accepted / f"{outcome.name}.parquet")
            Finding.write(findings(set_parts), rejected / f"{outcome.name}.parquet")
        files = {**FILES, "synthetic": accepted, "rejections": rejected}
        write_json(claims, certificate(results, settings.firewall, reference, files))
        write_record(figures, summary(results, read_record(Path("data/libraries.json"), Libraries)))
    _print(results)


def _print(results: Sequence[Outcome]) -> None:
    for outcome in results:
        rejected = len(outcome.candidates) - len(outcome.safe)
        print(f"{outcome.name:<18} {len(outcome.accepted):>6,} accepted, {rejected:>5,} rejected")
        if outcome.short:
            print(
                f"WARNING: {outcome.name} is {outcome.short:,} short of its target of {outcome.target:,}; "
                "raise scale.margin or write more families",
                file=sys.stderr,
            )


if __name__ == "__main__":
    run(main)
