"""Screen a data set against a benchmark, and write a copy without the contaminated rows.

    pfe check mine.csv --against data/canonical              # exit status 1 if anything is contaminated
    pfe check mine.csv --against sample                      # our own problems, no network needed; or sample/gsm1k
    pfe check mine.csv --against gsm1k --clean rest.csv      # the published benchmark; clean rows, same format
    pfe check owner/data --against FOLDER --out found        # a data set on the hub; findings are saved
    pfe check corpus/ --against FOLDER --column question=body --column answer=label
    pfe check corpus/ --against FOLDER --gates spec -S threshold=0.25 -S engine=ray

Formats: JSON lines, JSON, CSV and TSV (also compressed with gzip or zstd), Parquet, Arrow, folders of these, and
folders saved by `datasets`. If it is interrupted, the next call resumes. The exit status is 0 if all rows passed, 1 if
a row is contaminated or cannot be judged, and 2 if nothing or not everything was compared. Errors never have status 1.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

WORST = 10


def main(
    data: Annotated[list[str], typer.Argument(help="files, folders, or data sets on the hub (owner/name)")],
    against: Annotated[
        str, typer.Option(metavar="BENCH", help="a folder or file of problems, a benchmark's name, or sample")
    ],
    out: Annotated[Path | None, typer.Option(help="a new folder for verdicts and findings, as Parquet")] = None,
    clean: Annotated[Path | None, typer.Option(help="write the clean rows here: a new file or folder")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="ROLE=COLUMN", help="a column's role, such as question=body")
    ] = None,
    gates: Annotated[str, typer.Option(help="a file of conf/firewall, by name")] = "strict",
    leave_out: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="pattern of files without data")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("-S", metavar="KEY=VALUE", help="a setting, such as threshold=0.25")
    ] = None,
) -> bool:
    """Print what was compared, the results and the worst pairs; return whether all rows passed."""
    import shutil
    import sys
    from contextlib import nullcontext

    from pfe.api import check
    from pfe.files import new_folder
    from pfe.rows.files import data_files
    from pfe.rows.hub import local
    from pfe.screening import cleaning, top_matches
    from pfe.screening.checking import write
    from pfe.terminal import plain

    columns, patterns = columns_of(column or ()), leave_out or ()
    paths = [local(name) for name in data]
    _check_apart([path for path in (out, clean) if path], [*paths, Path(against)])
    with new_folder(out, "--out") if out else nullcontext() as folder:
        if clean:
            data_files(paths, patterns)  # that there are any is said before where the rest goes
            cleaning.check_target(paths, clean)
        screened = check(
            paths, against, gates=gates, columns=columns, leave_out=patterns, overrides=changes or ()
        )  # fmt: skip
        if folder:
            write(screened.check, screened.parts, folder)
        filtered = cleaning.filtered_files(screened.parts)
        if clean:
            cleaning.clean(filtered, paths, clean)
    print(screened)
    if pairs := top_matches.worst(screened.parts, WORST):
        width = min(shutil.get_terminal_size((120, 24)).columns, 160)
        print(f"\n{top_matches.render(pairs, screened.check.settings.n, width, sys.stdout.isatty())}\n")
    if out:
        print(plain(f"{out}/verdicts and {out}/findings say which and why: pfe explain --in {out} ID"))
    if clean:
        passed, rows = sum(sum(file.keep) for file in filtered), sum(len(file.keep) for file in filtered)
        print(plain(f"{clean} has the {passed:,} rows that passed, without the other {rows - passed:,}"))
    return not screened.contaminated


def columns_of(options: "Sequence[str]") -> dict[str, str]:
    """Return the roles of columns by name, from values such as `question=body`.

    Raises:
        UserError: the value has another form, or names an unknown role.
    """
    from pfe.errors import UserError, nearest
    from pfe.rows.named import ROLE_NAMES

    columns: dict[str, str] = {}
    for option in options:
        role, sign, name = option.partition("=")
        if not (sign and name):
            raise UserError(f"--column {option}: say what the column is, as in --column question={option.strip('=')}")
        if role not in ROLE_NAMES:
            raise UserError(f"--column {option}: no column is a '{role}'; {nearest(role, ROLE_NAMES)}")
        if columns.setdefault(name, role) != role:
            raise UserError(f"--column {option}: '{name}' is the {columns[name]} already; give each column once")
    return columns


def _check_apart(outs: "Sequence[Path]", sides: "Sequence[Path]") -> None:
    """Check that results neither become candidates of the next run nor overwrite the screened data."""
    from pfe.errors import UserError

    places = [*((path, "what is screened") for path in sides), *((path, "the other results") for path in outs[1:])]
    for out in outs:
        for path, role in places:
            if path != out and (path.exists() or path in outs):
                ours, theirs = out.resolve(), path.resolve()
                if ours.is_relative_to(theirs) or theirs.is_relative_to(ours):
                    raise UserError(f"{out}: the same place as {path} ({role}), or one in the other; give another")
