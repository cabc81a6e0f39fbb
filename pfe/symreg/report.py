"""The report of the competition, report/competition.md: ranking, its stability, and the best models.

Example: the line of operon in the ranking ends "0.972  18.4  2 timeout": its mean R² and mean component count over
the data sets, and the runs that failed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pfe.config import Rules
from pfe.judging.verdict import Verdict
from pfe.report.markdown import markdown
from pfe.report.verdict import baseline, firmness, heading, number, qualification, ranking, real_world
from pfe.symreg.competition.record import TRACKS, MeasuredRun, failures
from pfe.symreg.plots import Place, Point

PLOTS = {
    "pareto": "Accuracy and size: the line joins the methods that no other beats in both.",
    "critical_difference": "Mean rank of the data sets' scores; methods that a bar joins do not differ significantly.",
    "rank_stability": "Places over resamples of repetitions and data sets, and under the other rules for ties.",
}
LONGEST = 160  # most characters of a model that are shown


@dataclass(frozen=True)
class MethodAverage:
    """A method's means over data sets, and its failed runs by status.

    The means include successful runs only, and are None if there is none.
    """

    r2: float | None
    components: float | None
    failed: Mapping[str, int]


Averages = Mapping[str, MethodAverage]  # by method


def averages(runs: Sequence[MeasuredRun], rules: Rules) -> Averages:
    """Return the averages of each method on the synthetic track; each data set has the same weight."""
    means = {}
    for method in dict.fromkeys(run.method for run in runs):
        trials = [run for run in runs if (run.track, run.method) == ("synthetic", method)]
        good = pd.DataFrame(
            [(run.dataset, run.r2, getattr(run, rules.components)) for run in trials if run.status == "ok"],
            columns=["dataset", "r2", "components"],
        )
        overall = good.groupby("dataset").mean().mean()
        r2, components = (None if pd.isna(value) else float(value) for value in overall)
        means[method] = MethodAverage(r2, components, Counter(run.status for run in trials if run.status != "ok"))
    return means


def table(verdict: Verdict, means: Averages, rules: Rules, labels: Mapping[str, str]) -> str:
    """Return the ranking as text."""
    failed_runs = {
        name: ", ".join(f"{count} {status}" for status, count in sorted(average.failed.items())) or "–"
        for name, average in means.items()
    }
    further = {
        "R²": {name: number(average.r2, 3) for name, average in means.items()},
        "Components": {name: number(average.components, 1) for name, average in means.items()},
        "Failed runs": failed_runs,
    }
    return ranking(verdict, rules, labels, further)


def page(
    verdict: Verdict, runs: Sequence[MeasuredRun], means: Averages, rules: Rules, labels: Mapping[str, str]
) -> str:
    """Return the whole report in Markdown."""
    parts = [
        "# The competition",
        _entries(runs),
        "## Ranking",
        f"```\n{table(verdict, means, rules, labels)}\n```",
        "Score: harmonic mean of the ranks in each aspect; a higher rank is better. How it is judged, and what the "
        f"rules leave open, stands in `docs/judging.md`. {baseline(verdict, rules, labels)}".rstrip(),
        *(f"![{alt}](plots/{name}.svg)\n\n{alt}" for name, alt in PLOTS.items()),
        *_failures(runs, labels),
        _counting(runs),
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


def points(means: Averages, labels: Mapping[str, str]) -> list[Point]:
    """Return accuracy and size of each method that has both."""
    return [
        Point(labels[name], average.r2, average.components)
        for name, average in means.items()
        if average.r2 is not None and average.components is not None
    ]


def places(verdict: Verdict, labels: Mapping[str, str]) -> list[Place]:
    """Return the place of each ranked method, with its CI over resamples and its places under all tie rules."""
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


def _entries(runs: Sequence[MeasuredRun]) -> str:
    lines = []
    for track in TRACKS:
        trials = [run for run in runs if run.track == track]
        methods, datasets = {run.method for run in trials}, {run.dataset for run in trials}
        if trials:
            lines.append(f"- {heading(track)}: {len(methods)} methods, {len(datasets)} data sets, {len(trials):,} runs")
    return "\n".join(lines)


def _failures(runs: Sequence[MeasuredRun], labels: Mapping[str, str]) -> list[str]:
    rows = [[labels[failure.method], _quoted(failure.in_words())] for failure in failures(runs)]
    return ["## Failed runs", markdown(["Method", "Runs, and why most of them"], rows, left=(0, 1))] if rows else []


def _counting(runs: Sequence[MeasuredRun]) -> str:
    ended = Counter((run.counted, run.simplification) for run in runs if run.status == "ok")
    shorter = ended["simplified", "simplified"]
    longer = ended["parsed", "simplified"]
    unsimplified = ended["parsed", "timeout"] + ended["parsed", "failed"]
    return (
        f"Components of {shorter:,} models are counted after simplifying. Simplifying made {longer:,} longer and did "
        f"not end for {unsimplified:,}: those are counted as reported."
    )


def _quoted(text: str) -> str:
    """Return untrusted text as inline code for a table cell, so that it is not parsed as Markdown."""
    return f"`{text.replace('`', chr(39))}`"


def _datasets(runs: Sequence[MeasuredRun], rules: Rules, labels: Mapping[str, str]) -> list[str]:
    cells: dict[tuple[str, str, str], list[MeasuredRun]] = {}
    for run in runs:
        cell = cells.setdefault((run.track, run.dataset, run.method), [])
        if run.status == "ok":
            cell.append(run)
    tables = []
    for track in TRACKS:
        datasets = dict.fromkeys(dataset for key, dataset, _ in cells if key == track)
        rows = [[name, *(_cell(cells.get((track, name, m), []), rules) for m in labels)] for name in datasets]
        if rows:
            tables.append(markdown([heading(track), *labels.values()], rows))
    return tables


def _cell(runs: Sequence[MeasuredRun], rules: Rules) -> str:
    columns = (
        [run.r2 for run in runs],
        [getattr(run, rules.components) for run in runs],
        [run.property for run in runs],
    )
    means = [pd.Series(column, dtype=float).mean() for column in columns]
    figures = [number(mean, decimals) for mean, decimals in zip(means, (3, 0, 2), strict=True) if not pd.isna(mean)]
    return " · ".join(figures) or "–"


def _real_world(verdict: Verdict, labels: Mapping[str, str]) -> list[str]:
    if not verdict.representatives:
        return []
    waiting = (
        "No expert has ranked these models yet: write the ranking into the file `competition.expert`, and judge again."
    )
    parts = ["## Real-world track", real_world(verdict, labels) or waiting]
    for dataset, by_method in verdict.representatives.items():
        models = [
            [labels[name], f"{run.accuracy:z.3f}", str(run.components), _quoted(_short(run.model))]
            for name, run in by_method.items()
        ]
        parts += [f"### {dataset}", markdown(["Method", "R²", "Components", "Model"], models, left=(0, 3))]
    return parts


def _short(model: str) -> str:
    return model if len(model) <= LONGEST else f"{model[: LONGEST - 1]}…"
