"""A table of experiments: the parameters that each changed, and its metrics.

Example (the columns accepted and verdict on the right are cut):
    experiment      changed                    canonical    ICR    lift
    --------------  -----------------------  -----------  -----  ------
    main                                            20.4   19.6    -0.8
    └─ stray-laics  firewall.threshold=0.25         20.9   20.1    -0.8

It is a pure function of the output of `dvc exp show` (`dvc.repo.experiments.serialize.ExpState`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pfe.report.cells import NONE, decimal
from pfe.report.markdown import plain
from pfe.revisions import flat

if TYPE_CHECKING:
    from dvc.repo.experiments.serialize import ExpState

Values = Mapping[str, Any]
WIDTH = 120
HEAD = ("experiment", "changed", "canonical", "ICR", "lift", "accepted", "verdict")
LINES = 5  # most lines of changes per experiment
NAME, FIGURES = 30, 64  # characters per line: most for the name, and the total for columns other than name and changes


@dataclass(frozen=True)
class Experiment:
    """An experiment that was `begun` from a commit, or such a commit, with its changed parameters and metrics by file.

    `sha` is its git commit; it is empty for the workspace. `variant` is its file of conf/experiment, followed by the
    parameters other than the seed that differ from that file. It is empty without such a file, and for commits, because
    the parameters that they started from are unknown.
    """

    name: str
    begun: bool
    changed: tuple[str, ...]
    metrics: Mapping[str, Values]
    parameters: Values = field(default_factory=dict)
    sha: str = ""
    variant: str = ""

    @property
    def label(self) -> str:
        """A short label: its variant and seed, its only change, or its name."""
        if self.variant:
            return ", ".join([self.variant, *(change for change in self.changed if change.startswith("seed="))])
        return _shorten(self.changed[0] if len(self.changed) == 1 else self.name, NAME)

    def figures(self, model: str) -> list[str]:
        """Return the table cells of a model's metrics."""
        averages = self.metrics.get("pfe", {}).get(model, {})
        points = [_number(averages.get(name), sign) for name, sign in (("canonical", ""), ("icr", ""), ("lift", "+"))]
        accepted = self.metrics.get("firewall", {}).get("accepted")
        accepted = "–" if accepted is None else f"{accepted:,}"
        return [*points, accepted, averages.get("verdict", "–")]


def table(experiments: Iterable[Experiment], model: str = "student") -> str:
    """Return a table with one row per experiment, at most `WIDTH` characters wide, and the figures of `model`."""
    listing = list(experiments)
    names = [f"{'└─ ' * experiment.begun}{_shorten(experiment.name, NAME)}" for experiment in listing]
    room = WIDTH - FIGURES - max(map(len, ["experiment", *names]))
    rows = [
        [name, _wrap(", ".join(experiment.changed), room), *experiment.figures(model)]
        for name, experiment in zip(names, listing, strict=True)
    ]
    return plain(HEAD, rows, left=(0, 1, 6))


def experiments(
    states: Iterable["ExpState"],
    composed: Callable[[str], Values | None],
    outdated: Callable[[str], Collection[str]],
) -> Iterator[Experiment]:
    """Yield each commit and the experiments that began from it, in DVC's order.

    Metrics from stages that an experiment did not run again are excluded.

    Args:
        states: the commits, from DVC.
        composed: returns the parameters that conf/ composes to with a file of conf/experiment, or with "" without one,
            by dotted path; None if there is no such file.
        outdated: returns the outdated paths of a commit, or of the workspace for "" (`pfe.report.current`).
    """
    for commit in states:
        before = _parameters(commit)
        name = commit.name or (commit.rev if commit.rev == "workspace" else commit.rev[:7])
        yield Experiment(name, False, (), _metrics(commit, outdated), before, _sha(commit))
        for group in commit.experiments or ():
            revision = group.revs[0]
            state = f" ({group.executor.state})" if group.executor and group.executor.state != "success" else ""
            name = f"{revision.name or revision.rev[:7]}{state}"
            after = _parameters(revision)
            changed = tuple(_changes(before, after))
            variant = _variant(after, changed, composed)
            yield Experiment(name, True, changed, _metrics(revision, outdated), after, _sha(revision), variant)


def _variant(parameters: Values, changed: Iterable[str], composed: Callable[[str], Values | None]) -> str:
    name = parameters.get("experiment")
    if not name:
        return ""
    whole, without = composed(name), composed("")
    if whole is None or without is None:
        differs = changed
    else:
        of_file = {key for key in {*whole, *without} if whole.get(key) != without.get(key)}
        keys = of_file | {change.removeprefix("~").partition("=")[0] for change in changed}
        differs = _changes(*({key: values[key] for key in keys if key in values} for values in (whole, parameters)))
    return ", ".join([name, *(change for change in differs if not change.startswith(("experiment=", "seed=")))])


def _sha(state: "ExpState") -> str:
    return "" if state.rev == "workspace" else state.rev


def _parameters(state: "ExpState") -> Values:
    return dict(flat(state.data.params.get("params.yaml", {}).get("data", {}))) if state.data else {}


def _metrics(state: "ExpState", outdated: Callable[[str], Collection[str]]) -> dict[str, Values]:
    files = state.data.metrics if state.data else {}
    old = outdated(_sha(state)) if files else ()
    return {
        path.removeprefix("metrics/").removesuffix(".json"): file.get("data", {})
        for path, file in files.items()
        if path not in old
    }


def _changes(before: Values, after: Values) -> Iterator[str]:
    for key in sorted({*before, *after}):
        if key in after and before.get(key) != after[key]:
            yield f"{key}={after[key]}"
        elif key not in after and not any(other.startswith(f"{key}.") for other in after):
            yield f"~{key}"


def _shorten(text: str, width: int) -> str:
    """Return the text on one line, truncated to the width."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _wrap(text: str, width: int) -> str:
    """Return the text wrapped to the width, truncated after `LINES` lines."""
    return "\n".join(wrap(text, width, max_lines=LINES, placeholder=" …"))


def _number(value: float | None, sign: str) -> str:
    return NONE if value is None else decimal(value, sign)
