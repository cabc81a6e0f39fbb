"""Judge a competition of symbolic-regression methods from its table of runs: who qualified, who won, how firmly.

    pfe judge data/competition/measured.parquet
    pfe judge runs.csv --rules srbench2023 --baseline lasso -S resamples=200
    pfe judge runs.csv --expert ranking.yaml

The table is CSV or Parquet with the columns method, dataset, repetition, status, r2, components (or the counts that
the rules name), those of the rules' aspects, and perhaps track and model. docs/judging.md has the rules.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import pandas as pd


def main(
    runs: Annotated[Path, typer.Argument(help="*.csv or *.parquet")],
    rules: Annotated[str, typer.Option(help="a member of conf/rules")] = "srbench2022",
    baseline: Annotated[str | None, typer.Option(help="the method that others qualify against")] = None,
    expert: Annotated[Path | None, typer.Option(help="the file of an expert's ranking")] = None,
    changes: Annotated[list[str] | None, typer.Option("-S", metavar="KEY=VALUE", help="another rule")] = None,
) -> None:
    """Print the ranking, who qualified, and how firm the order is."""
    from dataclasses import replace

    from pfe.errors import UserError
    from pfe.judging.expert import read_expert
    from pfe.judging.judge import judge
    from pfe.params import settings_of
    from pfe.report.verdict import firmness, qualification, ranking
    from pfe.terminal import plain

    settings = settings_of([f"rules={rules}", *(f"rules.{change.removeprefix('rules.')}" for change in changes or ())])
    book = replace(settings.rules, baseline=baseline) if baseline else settings.rules
    try:
        verdict = judge(_read_table(runs), book, read_expert(expert) if expert else None)
    except ValueError as error:
        raise UserError(f"{runs}: {error}") from None
    labels = {name: name for name in verdict.candidates}
    parts = (ranking(verdict, book, labels, {}), qualification(verdict, book, labels), firmness(verdict, labels))
    print(plain("\n\n".join(parts)))


def _read_table(path: Path) -> "pd.DataFrame":
    """The table in a file; raises UserError where it is neither CSV nor Parquet, or damaged."""
    import pandas as pd

    from pfe.errors import UserError, nearest

    readers = {".csv": pd.read_csv, ".parquet": pd.read_parquet}
    if path.suffix not in readers:
        raise UserError(f"{path}: not a table by its name; {nearest(path.suffix, readers)}")
    try:
        return readers[path.suffix](path)
    except ValueError as error:
        raise UserError(f"{path}: no table ({error}); save it again as {path.suffix[1:]}") from None
