"""report/competition.md: who won, by how much, how firmly, and with what models.

Example: the line of operon in the ranking ends "0.972  18.4  2 timeout": its mean R² and mean component count over
the data sets, and the runs that failed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pfe.competition.record import TRACKS, MeasuredRun, failures
from pfe.config import Rules
from pfe.judging.verdict import Verdict
from pfe.report.competition_plots import Place, Point
from pfe.report.markdown import markdown
from pfe.report.verdict import baseline, firmness, number, qualification, ranking, worded

PLOTS = {
    "pareto": "Accuracy and size: the line joins the methods that no other beats in both.",
    "critical_difference": "Mean rank of the data sets' scores; methods that a bar joins are not told apart.",
    "rank_stability": "Places over resamples of repetitions and data sets, and under the other rules for ties.",
}
LONGEST = 160  # characters of a model that is shown


@dataclass(frozen=True)
class Average:
    """A method's means over data sets of the runs that ended well, None where none did; failed runs by status."""

    r2: float | None
    components: float | None
    failed: Mapping[str, int]


Averages = Mapping[str, Average]  # by method


def averages(runs: Sequence[MeasuredRun], rules: Rules) -> Averages:
    """What every method reached on the synthetic track; each data set counts once."""
    found = {}
    for method in dict.fromkeys(run.method for run in runs):
        own = [run for run in runs if (run.track, run.method) == ("synthetic", method)]
        good = pd.DataFrame(
            [(run.dataset, run.r2, getattr(run, rules.components)) for run in own if run.status == "ok"],
            columns=["dataset", "r2", "components"],
        )
        means = good.groupby("dataset").mean().mean()
        r2, components = (None if pd.isna(value) else float(value) for value in means)
        found[method] = Average(r2, components, Counter(run.status for run in own if run.status != "ok"))
    return found


def table(verdict: Verdict, reached: Averages, rules: Rules, labels: Mapping[str, str]) -> str:
    """The ranking as text."""
    failed = {
        name: ", ".join(f"{count} {status}" for status, count in sorted(own.failed.items())) or "–"
        for name, own in reached.items()
    }
    further = {
        "R²": {name: number(own.r2, 3) for name, own in reached.items()},
        "Components": {name: number(own.components, 1) for name, own in reached.items()},
        "Failed runs": failed,
    }
    return ranking(verdict, rules, labels, further)


def page(
    verdict: Verdict, runs: Sequence[MeasuredRun], reached: Averages, rules: Rules, labels: Mapping[str, str]
) -> str:
    """The whole report in Markdown."""
    parts = [
        "# The competition",
        _entered(runs),
        "## Ranking",
        f"```\n{table(verdict, reached, rules, labels)}\n```",
        "Score: harmonic mean of the ranks in each aspect; a higher rank is better. How it is judged, and what the "
        f"rules leave open, stands in `docs/judging.md`. {baseline(verdict, rules, labels)}".rstrip(),
        *(f"![{alt}](plots/{name}.svg)\n\n{alt}" for name, alt in PLOTS.items()),
        *_failures(runs, labels),
        _counted(runs),
        "## Qualification",
        qualification(verdict, rules, labels),
        "## How firm the order is",
        firmness(verdict, labels),
        "## Data sets",
        "Mean R² · mean components · mean property, of the runs that ended well.",
        *_datasets(runs, rules, labels),
        *_real_world(verdict, labels),
    ]
    return "\n\n".join(parts) + "\n"


def points(reached: Averages, labels: Mapping[str, str]) -> list[Point]:
    """Accuracy and size of every method that has both."""
    return [
        Point(labels[name], own.r2, own.components)
        for name, own in reached.items()
        if own.r2 is not None and own.components is not None
    ]


def places(verdict: Verdict, labels: Mapping[str, str]) -> list[Place]:
    """Every ranked method's place, over resamples and under all rules for ties."""
    stability = verdict.stability
    if stability is None:
        return []
    return [
        Place(
            labels[name],
            standing.place,
            *stability.redrawn[name].place,
            first=stability.redrawn[name].first,
            others=tuple(order[name] for order in stability.ties.values()),
        )
        for name in verdict.order()
        if (standing := verdict.candidates[name].synthetic)
    ]


def _entered(runs: Sequence[MeasuredRun]) -> str:
    lines = []
    for track in TRACKS:
        own = [run for run in runs if run.track == track]
        methods, datasets = {run.method for run in own}, {run.dataset for run in own}
        if own:
            lines.append(f"- {worded(track)}: {len(methods)} methods, {len(datasets)} data sets, {len(own):,} runs")
    return "\n".join(lines)


def _failures(runs: Sequence[MeasuredRun], labels: Mapping[str, str]) -> list[str]:
    rows = [[labels[failed.method], _quoted(failed.in_words())] for failed in failures(runs)]
    return ["## Failed runs", markdown(["Method", "Runs, and why most of them"], rows, left=(0, 1))] if rows else []


def _counted(runs: Sequence[MeasuredRun]) -> str:
    ended = Counter((run.counted, run.simplification) for run in runs if run.status == "ok")
    shorter = ended["simplified", "simplified"]
    longer = ended["parsed", "simplified"]
    told = ended["parsed", "timeout"] + ended["parsed", "failed"]
    return (
        f"Components of {shorter:,} models are counted after simplifying. Simplifying made {longer:,} longer and did "
        f"not end for {told:,}: those are counted as they were told."
    )


def _quoted(text: str) -> str:
    """A stranger's text in a cell of a table, as code: nothing in it is Markdown."""
    return f"`{text.replace('|', '¦').replace('`', chr(39))}`"


def _datasets(runs: Sequence[MeasuredRun], rules: Rules, labels: Mapping[str, str]) -> list[str]:
    cells: dict[tuple[str, str, str], list[MeasuredRun]] = {}
    for run in runs:
        own = cells.setdefault((run.track, run.dataset, run.method), [])
        if run.status == "ok":
            own.append(run)
    tables = []
    for track in TRACKS:
        datasets = dict.fromkeys(dataset for own, dataset, _ in cells if own == track)
        rows = [[name, *(_cell(cells.get((track, name, one), []), rules) for one in labels)] for name in datasets]
        if rows:
            tables.append(markdown([worded(track), *labels.values()], rows))
    return tables


def _cell(runs: Sequence[MeasuredRun], rules: Rules) -> str:
    columns = (
        [run.r2 for run in runs],
        [getattr(run, rules.components) for run in runs],
        [run.property for run in runs],
    )
    means = [pd.Series(column, dtype=float).mean() for column in columns]
    shown = [number(mean, decimals) for mean, decimals in zip(means, (3, 0, 2), strict=True) if not pd.isna(mean)]
    return " · ".join(shown) or "–"


def _real_world(verdict: Verdict, labels: Mapping[str, str]) -> list[str]:
    if not verdict.representatives:
        return []
    placed = [(one.real_world, name) for name, one in verdict.candidates.items() if one.real_world]
    rows = [
        [str(standing.place), labels[name], number(standing.score, 2)]
        for standing, name in sorted(placed, key=lambda one: (one[0].place, one[1]))
    ]
    waiting = (
        "No expert has ranked these models yet: write the ranking into the file `competition.expert`, and judge again."
    )
    parts = ["## Real-world track", markdown(["Place", "Method", "Score"], rows, left=(1,)) if rows else waiting]
    for dataset, shown in verdict.representatives.items():
        models = [
            [labels[name], f"{one.accuracy:.3f}", str(one.components), _quoted(_short(one.model))]
            for name, one in shown.items()
        ]
        parts += [f"### {dataset}", markdown(["Method", "R²", "Components", "Model"], models, left=(0, 3))]
    return parts


def _short(model: str) -> str:
    return model if len(model) <= LONGEST else f"{model[: LONGEST - 1]}…"
