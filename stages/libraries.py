"""Screen the method libraries of the arms, and the base of the arm `retrieved`, against the sealed problems.

Reads: data/canonical (sealed), pfe/icr/libraries, pfe/icr/base; the procedural families, for solved problems
Writes: data/libraries.json: lines, leaks and their places, by library; data/base.parquet: the entries of the base,
    if the arm is chosen

    dvc repro libraries
    dvc exp run -S icr.screen=report     # for your own libraries with known leaks: reported, not refused
    dvc exp run -S 'evaluate.arms=[canonical,icr,retrieved]'
"""

import sys
from pathlib import Path

from pfe import config
from pfe.errors import UserError
from pfe.evaluation.arms import libraries_in_context
from pfe.files import replacing_together, write_json
from pfe.icr.retrieval import BASE, Entry
from pfe.leakage.excerpts import entry_excerpts, entry_lines, excerpts, lines
from pfe.leakage.libraries import leaks, remedy, report, warning, withheld_sources
from pfe.screening.sealed import sealed_reference
from pfe.stage import reports_mistakes, run
from pfe.tutors.base import base


@reports_mistakes
def main() -> None:
    settings = config.load()
    names = libraries_in_context(settings.benchmark.values(), settings.evaluate.arms)
    entries = base() if "retrieved" in settings.evaluate.arms else []
    parts = [part for name in names for part in excerpts(name)]
    parts += [part for entry in entries for part in entry_excerpts(entry)]
    leaking = leaks(parts, sealed_reference(settings.firewall), settings.firewall)
    for leak in leaking:
        print(warning(leak), file=sys.stderr)
    withheld = withheld_sources(entries, leaking) if settings.icr.screen == "refuse" else []
    entries = [entry for entry in entries if entry.source not in withheld]
    leaking = [leak for leak in leaking if leak.library not in withheld]
    if leaking and settings.icr.screen == "refuse":
        raise UserError(
            f"{len(leaking)} places in the method libraries give sealed problems away, the first in "
            f"{remedy(leaking[0])}, or set icr.screen=report to go on with a lift that may be a leak"
        )
    counts = {name: lines(name) for name in names} | entry_lines(entries)
    with replacing_together(Path("data/libraries.json"), BASE) as (figures, kept):
        write_json(figures, report(counts, leaking, withheld))
        Entry.write(entries, kept)
    beside = f" and {len(entries):,} entries of the base, {len(withheld)} withheld," if entries else ""
    print(f"{sum(counts.values()):,} lines of {len(names)} libraries{beside} screened, {len(leaking)} leaks")


if __name__ == "__main__":
    run(main)
