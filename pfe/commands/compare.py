"""Compare two models on the problems that both answered: what the second answers more, bare and behind the library.

    pfe compare pfe-eval-mine pfe-eval-theirs    # folders that `pfe eval` wrote
    pfe compare base student                     # models of the experiment we are in, after `dvc repro score`

Every figure is the second model less the first, in points, with its interval at 95 %; the last row is the mean over
benchmarks.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pfe.problem import ScoredPrediction
    from pfe.scores.comparison import Contrast

SCORES = Path("data/scores")


def main(
    first: Annotated[str, typer.Argument(help="a folder that pfe eval wrote, or a model of the experiment")],
    second: Annotated[str, typer.Argument(help="another")],
    seed: Annotated[int, typer.Option(help="draws the resamples")] = 0,
) -> None:
    """Print the differences by benchmark, and their mean."""
    from pfe.errors import UserError
    from pfe.report.markdown import plain as table
    from pfe.scores.comparison import CONTRASTS, compare, mean
    from pfe.terminal import plain

    ours, theirs = _answers(first), _answers(second)
    both = [name for name in ours if name in theirs]
    contrasts = {name: compare(ours[name], theirs[name], seed) for name in both}
    if not any(contrasts.values()):
        raise UserError(f"{first} and {second} have no problem in common; examine both on the same benchmarks")
    rows = [[name, *_cells(by_name)] for name, by_name in contrasts.items()]
    means = {kind: mean(few) for kind in CONTRASTS if (few := [by[kind] for by in contrasts.values() if kind in by])}
    print(plain(table(["", "canonical", "ICR", "lift", "n"], [*rows, ["mean", *_cells(means)]])))
    print(plain(f"\n{second} less {first}, in points"))


def _cells(contrasts: "dict[str, Contrast]") -> list[str]:
    from pfe.report.table import with_interval
    from pfe.scores.comparison import CONTRASTS

    figures = (with_interval(contrasts.get(kind), "+") for kind in CONTRASTS)
    return [*figures, str(max((contrast.n for contrast in contrasts.values()), default=0))]


def answers_folder(place: str) -> Path:
    """Where the scored answers of a model are, a Parquet file a benchmark.

    Args:
        place: a folder that `pfe eval` wrote, or a model of the experiment we are in.

    Raises:
        UserError: there are none at that place.
    """
    from pfe.errors import UserError, nearest

    folder = next((path for path in (Path(place) / "answers", SCORES / place) if path.is_dir()), None)
    if folder is None:
        models = [path.name for path in SCORES.iterdir() if path.is_dir()] if SCORES.is_dir() else []
        hint = nearest(place, models) if models else "give a folder that `pfe eval` wrote"
        raise UserError(f"{place}: no answers there, nor in {SCORES / place}; {hint}")
    return folder


def _answers(place: str) -> "dict[str, list[ScoredPrediction]]":
    """The scored answers of one model by benchmark, the empty ones left out."""
    from pfe.problem import ScoredPrediction

    folder = answers_folder(place)
    answers = {path.stem: ScoredPrediction.read(path) for path in sorted(folder.glob("*.parquet"))}
    return {name: rows for name, rows in answers.items() if rows}
