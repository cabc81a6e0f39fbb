"""Screen the method libraries against the sealed problems: none may give one of them away.

Reads: data/canonical (sealed), pfe/icr/libraries
Writes: data/libraries.json: lines, leaks and their places, by library

    dvc repro libraries
    dvc exp run -S icr.screen=report     # for libraries of your own that you know to leak: said, not refused
"""

import sys
from pathlib import Path

from pfe import config
from pfe.errors import UserError
from pfe.files import write_json
from pfe.icr.contexts import LIBRARIES
from pfe.leakage.excerpts import excerpts, lines
from pfe.leakage.libraries import leaks, report, warning
from pfe.screening.sealed import sealed_reference
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    names = sorted(path.name for path in LIBRARIES.iterdir())  # all of them: any may stand in a placebo
    parts = [part for name in names for part in excerpts(name)]
    leaking = leaks(parts, sealed_reference(settings.firewall), settings.firewall)
    for leak in leaking:
        print(warning(leak), file=sys.stderr)
    if leaking and settings.icr.screen == "refuse":
        raise UserError(
            f"{len(leaking)} places in the method libraries give sealed problems away, the first in "
            f"pfe/icr/libraries/{leaking[0].library}:{leaking[0].line}; write other examples there, or set "
            "icr.screen=report to go on with a lift that may be a leak"
        )
    counts = {name: lines(name) for name in names}
    write_json(Path("data/libraries.json"), report(counts, leaking))
    print(f"{sum(counts.values()):,} lines of {len(names)} libraries screened, {len(leaking)} leaks")


if __name__ == "__main__":
    run(main)
