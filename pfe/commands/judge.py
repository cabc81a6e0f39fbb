"""Rank symbolic-regression methods from a table of runs: qualification, ranking, stability.

    pfe judge data/competition/measured.parquet
    pfe judge runs.csv --rules srbench2023 --baseline lasso -S resamples=200
    pfe judge runs.csv -S 'aspects=[accuracy,simplicity]'    # the default rules, for a table without a property
    pfe judge runs.csv --expert ranking.yaml

Each row of the table (CSV, TSV, JSON lines, Parquet, Arrow) is one run. The default rules need these columns:

    method, dataset, repetition    identify the run; repetitions are numbered
    status                         ok, or the failure: crashed, timeout, nan, unparsed, mistranslated
    r2                             R² on the test points
    components                     of the model (or the counts `parsed` and `simplified`; the rules choose one)
    property                       the property that the data set tests; empty if none

srbench2023 needs no property. Without the column track (qualification, synthetic or real_world) all runs are synthetic.
An expert is shown the column model. docs/judging.md has the rules.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    runs: Annotated[Path, typer.Argument(help="the file with the table")],
    rules: Annotated[str, typer.Option(help="a file of conf/rules, by name")] = "srbench2022",
    baseline: Annotated[str | None, typer.Option(help="the method that the others must beat; not ranked")] = None,
    expert: Annotated[Path | None, typer.Option(help="the file of an expert's ranking")] = None,
    changes: Annotated[list[str] | None, typer.Option("-S", metavar="KEY=VALUE", help="a setting of the rules")] = None,
) -> None:
    """Print the qualified methods, the ranking and its stability."""
    from pfe.api import judge
    from pfe.terminal import plain

    print(plain(str(judge(runs, rules, baseline=baseline, expert=expert, overrides=changes or ()))))
    print("\nScores and ranks are higher for better, places lower.")
