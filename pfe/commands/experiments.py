"""Compare experiments in a table: changed parameters, PFE-Canonical, -ICR and -Lift, accepted problems, verdict.

    pfe experiments                 # experiments based on the last commit
    pfe experiments --commits 5     # on the last five commits
    pfe experiments --model base    # figures of another model than the student
    pfe experiments --ablations     # validation of conf/experiment by arm and seed, in Markdown
    pfe experiments --ablations --out metrics/ablations.json  # also add them to the file that the page reads
    pfe experiments --plot sweep.svg  # a plot, with what each firewall accepted and rejected

`dvc exp show` has every parameter, `dvc metrics diff HEAD <experiment>` every metric of one experiment, and
`pfe compare HEAD <experiment>` which differences are significant.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dvc.repo.experiments.serialize import ExpState

    from pfe.report.ablations import Ablation
    from pfe.report.experiments import Experiment, Values
    from pfe.report.sweep import Line, Point

_NONE = "no file of conf/experiment was validated, as far back as --commits looks"
_TRY = "try one: dvc exp run lookups -S experiment=NAME -S seed=SEED"
_KEPT = "; add --out metrics/ablations.json for those that are kept there"


def main(
    commits: Annotated[int, typer.Option(min=1, help="number of commits to go back")] = 1,
    model: Annotated[str | None, typer.Option(help="model whose figures are shown (default: student)")] = None,
    by_ablation: Annotated[
        bool, typer.Option("--ablations", help="validation of each file of conf/experiment, by seed")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="with --ablations: merge into this file; equal entries are replaced"),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="also draw a plot: a file that ends in .svg")] = None,
) -> None:
    """Print the table."""
    from pfe.commands.compare import check_plot
    from pfe.errors import UserError, nearest
    from pfe.extras import need
    from pfe.files import write_text
    from pfe.report import ablations
    from pfe.report.experiments import experiments, table
    from pfe.terminal import plain

    need("pfe experiments", "dvc")
    if out and not by_ablation:
        raise UserError(f"--out {out}: only ablations are kept; add --ablations")
    if plot:
        check_plot(plot)
    if out:
        _check_out(out)
    kept = ablations.read(out) if out and out.exists() else []
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    try:
        with Repo() as repo:
            old = _outdated("")
            states = repo.experiments.show(num=commits)
    except DvcException as error:
        raise UserError(f"{error}; run it in the folder of an experiment, which is a repository of git") from None
    _say_what_is_unreadable(states)
    old |= _outdated("")  # metrics were read between the two: a stage that ended or began meanwhile is old by one
    listing = list(experiments(states, cache(_composed), lambda sha: _outdated(sha) if sha else old))
    known = {name for experiment in listing for name in experiment.metrics.get("pfe", {})}
    if model and known and model not in known:
        raise UserError(f"--model {model}: not examined in any of them; {nearest(model, known)}")
    shown = model or "student"
    if not by_ablation:
        print(plain(table(listing, shown)))
    else:
        _print_ablations(listing, kept, out)
    if plot:
        from pfe.report import sweep

        lines = list(_lines(listing, shown))
        print(plain(f"\n{sweep.table(lines)}"))
        write_text(plot, sweep.svg(lines))


def _say_what_is_unreadable(states: "Iterable[ExpState]") -> None:
    """Print a NOTE for each commit and experiment whose figures DVC cannot read."""
    for commit in states:
        revisions = (commit, *(revision for group in commit.experiments or () for revision in group.revs))
        for state in revisions:
            if state.error:
                _note(f"{state.name or state.rev[:9]}: no figures; {' '.join(state.error.msg.split())}")


def _check_out(path: Path) -> None:
    """Check that ablations can be written to a path; a missing folder is a typing error that would lose the rows.

    Raises:
        UserError: they cannot be written.
    """
    from pfe.errors import UserError

    if path.is_dir():
        raise UserError(f"--out {path}: a folder; give a file, such as {path / 'ablations.json'}")
    if not path.parent.is_dir():
        raise UserError(f"--out {path}: {path.parent} is no folder; give a file in one, such as metrics/{path.name}")


def _print_ablations(listing: "Sequence[Experiment]", kept: "Sequence[Ablation]", out: Path | None) -> None:
    """Print the ablations of the listing and of a file, and write all of them to the file."""
    from pfe.errors import UserError
    from pfe.files import write_record
    from pfe.report import ablations
    from pfe.terminal import plain

    for line in (*ablations.left_out(listing), *_of_no_file(kept)):
        _note(line)
    made = ablations.ablations(listing, _look_ups) if out else ablations.ablations(listing)
    if not made and not kept:
        raise UserError(f"{_NONE}; {_TRY}{'' if out else _KEPT}")
    rows = ablations.merged(kept, made)
    print(plain(ablations.table(rows)))
    if ablations.CONTROL not in {row.experiment for row in rows}:
        _note(f"nothing is compared: {ablations.CONTROL}, the control, is not among them")
    if not made:
        _note(f"nothing is added to {out}: {_NONE}; {_TRY}")
    elif out:
        write_record(out, rows, list[ablations.Ablation])


def _of_no_file(kept: "Sequence[Ablation]") -> Iterator[str]:
    from pfe.config.loading import conf_folder

    folder = conf_folder() / "experiment"
    for name in sorted({one.experiment.partition(", ")[0] for one in kept}):
        if not (folder / f"{name}.yaml").is_file():
            yield f"{name} is no file of conf/experiment; its rows are kept as they are"


def _look_ups(sha: str) -> int | None:
    """Return how many problems the student of a commit was asked; None if no cache or record has the number."""
    from pfe.errors import UserError
    from pfe.revisions import Revision
    from pfe.training.figures import LookUps

    try:
        made = Revision.find(sha).record("data/lookups.json", dict[str, LookUps]) or {}
    except UserError as error:
        _note(f"the number of single-hop retrieval problems is not kept: {error}")
        return None
    return made["student"].whole.n if "student" in made else None


def _note(text: str) -> None:
    import sys

    from pfe.terminal import plain

    print(plain(f"NOTE: {text}"), file=sys.stderr)


def _composed(experiment: str) -> "Values | None":
    """Return the parameters by path that conf/ composes to, with or without an experiment file; None if it fails."""
    import yaml

    from pfe.errors import UserError
    from pfe.params import written
    from pfe.revisions import flat

    try:
        text = written([f"experiment={experiment}"] if experiment else [])
    except UserError:
        return None
    return dict(flat(yaml.safe_load(text)))


def _outdated(sha: str) -> set[str]:
    """Return the outputs of a commit or the workspace that its stages did not write; none if its lock file is unusable.

    Raises:
        UserError: the workspace's lock file is damaged.
    """
    from pfe.errors import UserError
    from pfe.lock import stages_of
    from pfe.report.current import outdated, parameters_of
    from pfe.revisions import Revision

    revision = Revision.find(sha)
    lock, parameters = revision.read("dvc.lock"), parameters_of(revision.read("params.yaml") or b"")
    if lock is None or parameters is None:
        return set()
    try:
        return outdated(stages_of(lock, Path("dvc.lock")), parameters)
    except UserError:
        if not sha:
            raise
        return set()


def _lines(listing: "Sequence[Experiment]", model: str) -> "Iterator[Line]":
    """Return the finished commits and experiments, by their files: a partial run does not write all metrics."""
    from pfe.errors import UserError
    from pfe.report.sweep import Line

    for experiment in listing:
        if experiment.sha:
            try:
                yield Line(experiment.label, dict(_figures(experiment, model)), is_base=not experiment.begun)
            except UserError as error:
                _note(f"{experiment.label} is not drawn: {error}")


def _figures(experiment: "Experiment", model: str) -> "Iterator[tuple[str, Point]]":
    from pfe.calibration.record import RejectionShares
    from pfe.report.ablations import ablations
    from pfe.report.sweep import Point
    from pfe.revisions import Revision
    from pfe.scores.model import ModelScore
    from pfe.screening.record import Summary

    revision = Revision.find(experiment.sha)
    if scores := revision.record(f"data/scores/{model}.json", ModelScore):
        for name in ("canonical", "icr", "lift"):
            if average := getattr(scores.averages, name):
                yield name, Point(average.value, average.low, average.high)
    for one in ablations([experiment]):
        yield "validation", Point(one.lift, *one.interval)
    if screened := revision.record("data/firewall.json", Summary):
        yield "accepted", Point(screened.total.accepted)
        yield "rejected", Point(sum(screened.total.rejected.values()))
    if measured := revision.record("data/calibration.json", RejectionShares):
        for name, share in (("recall", measured.recall), ("false_alarms", measured.false_positives)):
            if share is not None:
                yield name, Point(share)
