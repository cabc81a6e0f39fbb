"""Compare two revisions of the experiment, or two models, on the problems that both answered.

    pfe compare HEAD~1                                   # a revision, and the workspace
    pfe compare main seed-1                              # two; an experiment has the name that `dvc exp show` gives it
    pfe compare main seed-1 --model student --format json
    pfe compare main HEAD --format markdown --plot report/plots/review.svg
    pfe compare base student                             # models of the experiment we are in
    pfe compare pfe-eval-mine pfe-eval-theirs            # folders that `pfe eval` wrote

Where there are answers of that name, in a folder or of a model, it is that; any other name is a revision of git or an
experiment (`refs/heads/base` is the branch of a model's name). Figures are the second less the first, in points, with
intervals at 95 %, and p adjusted over all figures of a model. Of revisions it also says what their parameters, firewall
and corpus have that is not the same. `docs/review.md` has more.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from pfe.report.corpus_change import Corpus
    from pfe.report.review import Review
    from pfe.revisions import Revision
    from pfe.scores.comparison import ModelComparison


def main(
    first: Annotated[str, typer.Argument(help="a revision or experiment; a model; a folder that pfe eval wrote")],
    second: Annotated[str, typer.Argument(help="another; without, a revision is compared with the workspace")] = "",
    model: Annotated[list[str] | None, typer.Option(help="of revisions this model alone; may be given again")] = None,
    format: Annotated[Literal["terminal", "markdown", "json"], typer.Option(help="for whom")] = "terminal",
    plot: Annotated[Path | None, typer.Option(help="draw it too: a file that ends in .svg")] = None,
    seed: Annotated[int, typer.Option(help="draws the resamples")] = 0,
) -> None:
    """Print what changed."""
    import json

    from pfe.examined import is_examined
    from pfe.files import write_text
    from pfe.report.review import figures, page, terminal
    from pfe.terminal import plain

    if plot:
        check_plot(plot)
    places = [place for place in (first, second) if place]
    are_models = any(map(is_examined, places))
    review = _models(places, model, seed) if are_models else _revisions(first, second, model, seed)
    if plot:
        from pfe.report.forest import svg

        write_text(plot, svg(review.models))
    if format == "json":
        print(json.dumps(figures(review)))
    else:
        print(plain(terminal(review) if format == "terminal" else page(review, plot.as_posix() if plot else "")))


def check_plot(path: Path) -> None:
    """That a plot can be drawn, and into a file of that name.

    Raises:
        UserError: it cannot.
    """
    from pfe.errors import UserError
    from pfe.extras import need

    need("--plot", "matplotlib")
    if path.suffix != ".svg":
        raise UserError(f"--plot {path}: the plot is SVG; give a name that ends in .svg")


def _models(places: Sequence[str], chosen: Sequence[str] | None, seed: int) -> "Review":
    """Two models, by the folders of their answers."""
    from pfe.errors import UserError
    from pfe.examined import Examined
    from pfe.report.review import Review
    from pfe.revisions import marks
    from pfe.scores.comparison import compare_benchmark, compare_model

    if len(places) == 1:
        raise UserError(f"{places[0]} is one model; name another: `pfe compare {places[0]} OTHER`")
    if chosen:
        raise UserError(f"--model: {' and '.join(places)} are models themselves; leave it out")
    sides = ours, theirs = [Examined.find(place) for place in places]
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
    comparison = compare_model(benchmarks, ours.settings.beside if ours.params.is_file() else frozenset())
    if not comparison.benchmarks:
        raise UserError(f"{' and '.join(places)} have no problem in common; examine both on the same benchmarks")
    before, after = (f"{'folder' if side.is_folder else 'model'} {side.place}" for side in sides)
    return Review(before, after, "difference", {f"{places[1]} less {places[0]}": comparison})


def _revisions(first: str, second: str, chosen: Sequence[str] | None, seed: int) -> "Review":
    """Every model of two revisions, or those that are chosen, and what else changed."""
    from pfe.errors import UserError, nearest
    from pfe.report.corpus_change import changes, corpus_change
    from pfe.report.review import Review
    from pfe.revisions import Revision

    before, after = Revision.find(first), Revision.find(second)
    models = sorted({*before.models, *after.models})
    if unknown := [name for name in chosen or () if name not in models]:
        raise UserError(f"--model: '{unknown[0]}' was examined at neither; {nearest(unknown[0], models)}")
    models = [name for name in models if not chosen or name in chosen]
    both = [name for name in models if name in before.models and name in after.models]
    beside = before.beside | after.beside
    compared = {name: _compared(before, after, name, beside, seed) for name in both}
    return Review(
        before.title,
        after.title,
        "change",
        models={name: comparison for name, comparison in compared.items() if comparison},
        same=[name for name, comparison in compared.items() if comparison is None],
        alone={name: (before if name in before.models else after).title for name in models if name not in both},
        parameters=list(changes(before.parameters(), after.parameters())),
        corpus=corpus_change(_corpus(before), _corpus(after)),
        notes=_notes(before, after),
    )


def _compared(
    before: "Revision", after: "Revision", model: str, beside: Collection[str], seed: int
) -> "ModelComparison | None":
    """A model at two revisions; None where all its answers are the same, byte for byte."""
    from pfe.revisions import marks
    from pfe.scores.comparison import compare_benchmark, compare_model

    sides = before, after
    names = [name for name in before.benchmarks(model) if name in after.benchmarks(model)]
    contents = {name: [side.answers(model, name) for side in sides] for name in names}
    if all(then == now for then, now in contents.values()) and before.benchmarks(model) == after.benchmarks(model):
        return None
    benchmarks = {}
    for name, files in contents.items():
        then, now = (marks(file, f"{side.title}: {model}/{name}") for side, file in zip(sides, files, strict=True))
        benchmarks[name] = compare_benchmark(then, now, f"{seed}:{name}")
    return compare_model(benchmarks, beside)


def _corpus(revision: "Revision") -> "Corpus":
    """What it has; of the firewall what its stages wrote, which the metrics of a run of some stages may lack."""
    from pfe.calibration.record import RejectionShares
    from pfe.report.corpus_change import Corpus
    from pfe.report.firewall import metrics
    from pfe.screening.record import Summary

    screened = revision.record("data/firewall.json", Summary)
    measured = revision.record("data/calibration.json", RejectionShares)
    firewall = metrics(screened, measured) if screened and measured else revision.figures("metrics/firewall.json")
    rejected = screened.total.rejected if screened else {}
    return Corpus(revision.accepted(), rejected, firewall, revision.figures("metrics/corpus.json"))


def _notes(before: "Revision", after: "Revision") -> list[str]:
    """That benchmarks hold other problems, which makes a comparison by their ids a weak one."""
    seals = [side.figures("data/canonical/SEAL.json") for side in (before, after)]
    names = sorted(key.removesuffix(".sha256") for key in seals[0].keys() & seals[1].keys() if key.endswith(".sha256"))
    others = [name for name in names if seals[0][f"{name}.sha256"] != seals[1][f"{name}.sha256"]]
    return [f"Other problems were sealed: {', '.join(others)}. Those of the same id are compared."] if others else []
