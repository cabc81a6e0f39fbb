"""Compare two revisions of the experiment, or two models, on the problems that both answered.

    pfe compare HEAD~1                                   # a revision and the workspace
    pfe compare main seed-1                              # two; experiments have their names from `dvc exp show`
    pfe compare main seed-1 --model student --format json
    pfe compare main HEAD --format markdown --plot report/plots/review.svg
    pfe compare base student                             # models of the current experiment
    pfe compare pfe-eval-mine pfe-eval-theirs            # folders that `pfe eval` wrote

A name is a model or a folder if it has answers, otherwise a git revision or an experiment (`refs/heads/base` is a
branch that has a model's name). Differences are second minus first, in points, with 95 % confidence intervals and
p-values adjusted over all figures of a model. For revisions, parameters, firewall, corpus and metrics are compared
too. If answers are not in DVC's cache, the scores in metrics/ are compared instead, and the output says how to get the
answers. See `docs/review.md`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from pfe.report.review import Review


def main(
    first: Annotated[str, typer.Argument(help="a revision or experiment; a model; a folder that pfe eval wrote")],
    second: Annotated[str, typer.Argument(help="the other one (default: the workspace, for a revision)")] = "",
    model: Annotated[list[str] | None, typer.Option(help="only this model of the revisions; repeatable")] = None,
    format: Annotated[Literal["terminal", "markdown", "json"], typer.Option(help="output format")] = "terminal",
    plot: Annotated[Path | None, typer.Option(help="also draw a plot: a file that ends in .svg")] = None,
    seed: Annotated[int, typer.Option(help="random seed of the permutation tests")] = 0,
) -> None:
    """Print the changes."""
    import json

    from pfe.files import write_text
    from pfe.report.review import figures, page, terminal
    from pfe.report.revision_review import review_revisions
    from pfe.scored_answers import has_answers
    from pfe.terminal import plain

    if plot:
        check_plot(plot)
    places = [place for place in (first, second) if place]
    are_models = any(map(has_answers, places))
    review = _models(places, model, seed) if are_models else review_revisions(first, second, model or (), seed)
    if plot:
        from pfe.report.forest import svg

        write_text(plot, svg(review.models))
    if format == "json":
        print(json.dumps(figures(review)))
    else:
        print(plain(terminal(review) if format == "terminal" else page(review, plot.as_posix() if plot else "")))


def check_plot(path: Path) -> None:
    """Check that the plot can be drawn and written to a file of that name.

    Raises:
        UserError: it cannot.
    """
    from pfe.errors import UserError
    from pfe.extras import need

    need("--plot", "matplotlib")
    if path.suffix != ".svg":
        raise UserError(f"--plot {path}: the plot is SVG; give a name that ends in .svg")


def _models(places: Sequence[str], chosen: Sequence[str] | None, seed: int) -> "Review":
    """Return two models by the folders of their answers."""
    from pfe.errors import UserError
    from pfe.report.review import Review
    from pfe.revisions import marks
    from pfe.scored_answers import ScoredAnswers
    from pfe.scores.comparison import compare_benchmark, compare_model

    if len(places) == 1:
        raise UserError(f"{places[0]} is one model; name another: `pfe compare {places[0]} OTHER`")
    if chosen:
        raise UserError(f"--model: {' and '.join(places)} are models themselves; leave it out")
    sides = ours, theirs = [ScoredAnswers.find(place) for place in places]
    benchmarks = {}
    for name in sorted(ours.files.keys() & theirs.files.keys()):
        rows = [marks(side.files[name].read_bytes(), f"{side.files[name]}") for side in sides]
        one = compare_benchmark(rows[0], rows[1], f"{seed}:{name}")
        if one.reworded:
            raise UserError(
                f"{max(one.reworded.values()):,} problems of {name} were put to {places[0]} and {places[1]} in other "
                "words; ask both again"
            )
        benchmarks[name] = one
    # As far as the parameters of the first are there: without, every benchmark is averaged.
    comparison = compare_model(benchmarks, ours.settings.not_averaged if ours.params.is_file() else frozenset())
    if not comparison.benchmarks:
        raise UserError(f"{' and '.join(places)} have no problem in common; examine both on the same benchmarks")
    before, after = (f"{'folder' if side.is_folder else 'model'} {side.place}" for side in sides)
    return Review(before, after, "difference", {f"{places[1]} less {places[0]}": comparison})
