"""Judge a competition of symbolic-regression methods from its table of runs: who qualified, who won, how firmly.

    pfe judge data/competition/measured.parquet
    pfe judge runs.csv --rules srbench2023 --baseline lasso -S resamples=200
    pfe judge runs.csv -S 'aspects=[accuracy,simplicity]'    # the default rules, for a table without a property
    pfe judge runs.csv --expert ranking.yaml

A row of the table (CSV, TSV, JSON lines, Parquet, Arrow) is a run. The default rules need the columns

    method, dataset, repetition    which run it is; repetitions are numbered
    status                         ok, or how it failed: crashed, timeout, nan, unparsed, mistranslated
    r2                             on the test points
    components                     of the model (or the counts `parsed` and `simplified`, of which the rules name one)
    property                       what the data set was made to ask for, empty where it asks nothing

srbench2023 needs no property. The column track (qualification, synthetic or real_world) may be left out, then all are
synthetic; an expert is shown the column model. docs/judging.md has the rules.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    runs: Annotated[Path, typer.Argument(help="the file with the table")],
    rules: Annotated[str, typer.Option(help="a member of conf/rules")] = "srbench2022",
    baseline: Annotated[str | None, typer.Option(help="the method that others qualify against, not ranked")] = None,
    expert: Annotated[Path | None, typer.Option(help="the file of an expert's ranking")] = None,
    changes: Annotated[list[str] | None, typer.Option("-S", metavar="KEY=VALUE", help="another rule")] = None,
) -> None:
    """Print the ranking, who qualified, and how firm the order is."""
    from pfe.api import judge
    from pfe.terminal import plain

    print(plain(str(judge(runs, rules, baseline=baseline, expert=expert, overrides=changes or ()))))
    print("\nScores and ranks are higher for better, places lower.")
