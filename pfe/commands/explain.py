"""Show a rejected problem next to the canonical problems that it matches, with the shared text marked.

    pfe explain ID                      # from data/rejections, written by the stage `firewall`
    pfe explain --in FOUND ID           # from the folder that `--out FOUND` of `pfe check` wrote
    pfe explain --in FOUND 'mine.csv, line 17'

The problem is printed once. Below it each canonical match is printed once, under the gates that rejected the problem
because of it, or nearly did, with scores and thresholds.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    id: Annotated[str, typer.Argument(help="the problem's id, or its file and place as `pfe check` shows them")],
    folder: Annotated[Path | None, typer.Option("--in", help="the folder that `pfe check --out` wrote")] = None,
) -> None:
    """Show every gate that rejected the problem, or nearly did."""
    import sys
    from itertools import groupby

    from pfe.errors import UserError
    from pfe.rows.files import place_of
    from pfe.screening.checking import read_findings
    from pfe.screening.explain import explanation
    from pfe.screening.sealed import rejection
    from pfe.terminal import plain

    if folder:
        filed, n = read_findings(folder, id)
        for (file, place), group in groupby(filed, key=lambda finding: (finding.file, finding.place)):
            print(plain(place_of(Path(file), place)))
            print(explanation([(finding, finding.canonical_text) for finding in group], n, sys.stdout.isatty()))
        return
    if not Path("params.yaml").is_file():
        raise UserError("there is no experiment here; name what `pfe check --out` wrote: pfe explain --in FOLDER ID")
    findings, n = rejection(id)
    if findings:
        print(explanation(findings, n, sys.stdout.isatty()))
    else:
        print(plain(f"{id}: accepted; no gate rejected it, and none came near its threshold"))
