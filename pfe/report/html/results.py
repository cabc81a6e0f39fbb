"""The first part of the page: the headline, SPEC's table, and the plots of the scores.

Example: `results(scores, titles, labels).content["verdict"]` is the sentence at the top.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pfe.report.html import charts
from pfe.report.html.headline import FIGURES, headline, smallest, verdict
from pfe.report.html.prose import html
from pfe.report.html.render import points, share
from pfe.report.skills import against_world
from pfe.report.student import student_verdict
from pfe.report.table import p_value
from pfe.report.warnings import warnings
from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import ModelScore
from pfe.scores.paired import RelativeLift
from pfe.scores.progress import progress
from pfe.scores.proportion import Estimate

COLUMNS = (
    "Benchmark", "Model", "Canonical, %", "ICR, %", "Lift, points", "Rel. lift, %", "Holm p", "Content lift", "n",
    "Smallest lift",
)  # fmt: skip
PLOTS = {
    "forest": ("Lift by benchmark.", "To the right of the line the library helps. Also shown: ICR minus two controls."),
    "outcomes": (
        "Effect of the library.",
        "Shares correct in both arms, fixed, broken, incorrect in both.",
    ),
    "arms": ("Canonical against ICR.", "Above the diagonal a model is better with the library."),
    "skills": ("Problems that need their library.", "Accuracy by skill and by what was in context."),
    "spans": ("Accuracy by number of statements.", "With the library in context, by skill; the bars are 95 % CIs."),
}


@dataclass(frozen=True)
class Part:
    """One part of the page: the variables of its template (`content`) and the data of its scripts (`islands`)."""

    content: Mapping[str, Any]
    islands: Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell of a sortable table: its text, and its sort key ("" comes last)."""

    text: str
    value: str = ""


def results(scores: Mapping[str, ModelScore], titles: Mapping[str, str], labels: Mapping[str, str]) -> Part:
    """Return the first part of the page.

    Args:
        scores: by model.
        titles: of the benchmarks, by name.
        labels: of the models, by name.
    """
    specs = {
        "forest": charts.forest(scores, titles, labels),
        "outcomes": charts.outcomes(scores, titles, labels),
        "arms": charts.arms(scores, titles, labels),
        "skills": charts.skills(scores, titles, labels),
        "spans": charts.spans(scores, titles, labels),
    }
    drawn = {name: spec for name, spec in specs.items() if spec is not None}
    content = {
        "verdict": verdict(scores, labels),
        "student_verdict": html(student_verdict(scores)) if progress(scores) else None,
        "figures": FIGURES,
        "headline": headline(scores, labels),
        "smallest": smallest(scores, titles),
        "columns": COLUMNS,
        "lines": list(_lines(scores, titles, labels)),
        "warnings": warnings(scores, titles, labels),
        "plots": [(name, *PLOTS[name]) for name in drawn],
        "against_world": _against_world(scores, titles, labels),
        "plotted": [label for name, label in labels.items() if _is_plotted(scores[name])],
    }
    return Part(content, {"specs": drawn})


def _against_world(
    scores: Mapping[str, ModelScore], titles: Mapping[str, str], labels: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return pairs of "model, benchmark" and a sentence on answers with a library that contradicts the real world."""
    return [
        (f"{label}, {title}", text)
        for name, title in titles.items()
        for model, label in labels.items()
        if (score := scores[model].benchmarks.get(name)) and (text := against_world(score))
    ]


def _is_plotted(score: ModelScore) -> bool:
    return any(one.lift for one in score.benchmarks.values())


def _lines(
    scores: Mapping[str, ModelScore], titles: Mapping[str, str], labels: Mapping[str, str]
) -> Iterator[list[Cell]]:
    for name, title in titles.items():
        for model, label in labels.items():
            if score := scores[model].benchmarks.get(name):
                yield [Cell(title), Cell(label, label), *_figures(score)]


def _figures(score: BenchmarkScore) -> Iterator[Cell]:
    lift = score.lift
    yield _estimate(score.arms.get("canonical"), share)
    yield _estimate(score.arms.get("icr"), share)
    yield _estimate(lift, points)
    relative = lift.relative if lift else None
    yield Cell(_relative(relative), str(relative.value)) if relative else Cell("–")
    p = lift.holm_p if lift else None
    yield Cell(p_value(p), "" if p is None else str(p))
    content = _estimate(score.content_lift, points)
    yield Cell(f"{content.text} *", content.value) if score.content_helps else content
    arm = score.arms.get("canonical") or score.arms.get("icr")
    yield Cell(f"{arm.n:,}", str(arm.n)) if arm else Cell("–")
    visible = lift.detectable if lift else None
    yield Cell("–") if visible is None else Cell(f"{visible:.1f}", str(visible))


def _relative(lift: RelativeLift) -> str:
    """Return the relative lift in percent with its CI, marked with "~" if it is unstable."""
    return f"{'~' if lift.unstable else ''}{share(lift)}".replace("-", "−")


def _estimate(figure: Estimate | None, write: Any) -> Cell:
    return Cell(write(figure), str(figure.value)) if figure else Cell("–")
