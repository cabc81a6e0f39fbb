"""A comparison of models at two revisions, or of two models, as text, Markdown and JSON; with changes of the corpus.

Example, one model at two revisions (the columns n, Holm p and flipped on the right are cut):
    student: no significant change in 36 tests

    benchmark  canonical          ICR                lift
    ---------  -----------------  -----------------  -----------------
    arc_easy   +2.0 [-4.0, +8.0]  -1.0 [-6.0, +4.0]  -3.0 [-9.0, +3.0]
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pfe.report.cells import NONE, with_interval
from pfe.report.corpus_change import Change, CorpusChange
from pfe.report.markdown import markdown, plain
from pfe.report.table import p_value
from pfe.scores.comparison import CONTRASTS, BenchmarkComparison, Contrast, Flips, ModelComparison
from pfe.scores.endings import Case, Doubt

TITLES = {"canonical": "canonical", "icr": "ICR", "lift": "lift"}
HEAD = ("benchmark", *TITLES.values(), "n", "Holm p", "flipped")
IDS, FOUND, PARAMETERS, FIGURES = 3, 5, 12, 40  # most entries listed: flips of a kind, changes, parameters, figures
READING = (
    "Points, second minus first, on the problems that both answered; brackets are 95 % confidence intervals (CI). "
    "* marks p < .05 in the cluster randomization test, adjusted by Holm over all figures of the model. "
    "Flipped: +correct now −correct before, canonical / ICR."
)
BY_METRICS = (
    "Scores by metrics/, which are in git: points of all problems, unpaired and without CIs, since one side has no "
    "answers"
)
MEAN = "mean"
DOUBTS: Mapping[Case, str] = {
    "thinking": "cut while thinking",
    "unanswered": "empty",
    "truncated": "cut at the limit of tokens",
    "unread": "not read",
    "too_long": "not asked, or without the beginning of the problem",
    "shortened": "asked with a shortened library or none",
}
Table = Callable[[Sequence[str], Sequence[Sequence[str]]], str]


@dataclass(frozen=True)
class Gap:
    """The paths that one side lacks, and how to obtain them."""

    side: str
    paths: Sequence[str]
    remedy: str


@dataclass(frozen=True)
class ScoreChange:
    """The change of a model's committed scores on a benchmark, or of their mean, by figure."""

    model: str
    benchmark: str
    figures: Mapping[str, Change]


@dataclass(frozen=True)
class MetricScores:
    """The models that are compared by committed metrics only, and their changes."""

    models: Sequence[str] = ()
    changes: Sequence[ScoreChange] = ()


@dataclass(frozen=True)
class Review:
    """A comparison of the second side (`after`) with the first (`before`), which are titles.

    `models` holds the models with at least one different answer, `same` those with identical answers, and `alone` those
    that only one side has, with its title. `scores` covers models whose answers a side lacks. `parameters`, `corpus`
    and `metrics` are the other changes of the experiment. `notes` are printed verbatim; `gaps` lists missing files.
    """

    before: str
    after: str
    kind: Literal["change", "difference"]
    models: Mapping[str, ModelComparison]
    same: Sequence[str] = ()
    alone: Mapping[str, str] = field(default_factory=dict)
    parameters: Sequence[Change] = ()
    corpus: CorpusChange | None = None
    notes: Sequence[str] = ()
    scores: MetricScores = MetricScores()
    metrics: Sequence[Change] = ()
    gaps: Sequence[Gap] = ()


def terminal(review: Review) -> str:
    """Return the review as text for the terminal."""
    parts = [*_head(review)]
    for model, comparison in review.models.items():
        parts += [f"{model}: {verdict(review, comparison)}", plain(HEAD, _rows(comparison))]
        parts += [*_doubts(review, comparison), *_reworded(comparison), *_flipped(comparison)]
    return "\n\n".join([*parts, *_rest(review, plain), *([READING] if review.models else [])])


def page(review: Review, plot: str = "") -> str:
    """Return the review in Markdown for a pull request, with a link to the plot at path `plot` if given."""
    parts = ["## What changed", *_head(review)]
    parts += [f"- **{model}**: {verdict(review, comparison)}" for model, comparison in review.models.items()]
    if plot and review.models:
        parts.append(f"![{review.kind.capitalize()} by model and benchmark]({plot})")
    for model, comparison in review.models.items():
        parts += [f"### {model}", markdown(HEAD, _rows(comparison))]
        parts += [*_doubts(review, comparison), *_reworded(comparison), *_folded(_flipped(comparison))]
    return "\n\n".join([*parts, *_rest(review, markdown), *([READING] if review.models else [])])


def figures(review: Review) -> dict[str, Any]:
    """Return the whole review for JSON, including every flipped problem."""
    return {
        "before": review.before,
        "after": review.after,
        "parameters": [vars(change) for change in review.parameters],
        "models": {model: _model_figures(comparison) for model, comparison in review.models.items()},
        "same_answers": list(review.same),
        "one_side_only": dict(review.alone),
        "scores": [
            {
                "model": one.model,
                "benchmark": one.benchmark,
                **{key: _pair(change) for key, change in one.figures.items()},
            }
            for one in review.scores.changes
        ],
        "corpus": None if review.corpus is None else asdict(review.corpus),
        "metrics": [vars(change) for change in review.metrics],
        "not_there": [vars(gap) for gap in review.gaps],
        "notes": list(review.notes),
    }


def verdict(review: Review, comparison: ModelComparison) -> str:
    """Return a phrase with the significant changes by increasing Holm p, or a phrase that there are none."""
    tests = f"{comparison.tests:,} test{'s' if comparison.tests > 1 else ''}"
    found = sorted(comparison.significant, key=lambda one: one[2].holm_p or 0)
    if not comparison.tests:
        return "nothing is claimed, since no figure could be tested"
    if not found:
        return f"no significant {review.kind} in {tests}"
    named = [f"{name} {TITLES[kind]} {with_interval(contrast, '+')}" for name, kind, contrast in found[:FOUND]]
    more = f" and {len(found) - FOUND} more" if len(found) > FOUND else ""
    return f"a significant {review.kind} in {len(found)} of {tests}: {', '.join(named)}{more}"


def _head(review: Review) -> Iterator[str]:
    yield f"{review.after} against {review.before}"
    if review.parameters:
        named = [f"{one.name} {one}" for one in review.parameters[:PARAMETERS]]
        more = f" and {len(review.parameters) - PARAMETERS} more" if len(review.parameters) > PARAMETERS else ""
        yield f"Parameters: {', '.join(named)}{more}."
    yield from review.notes
    for gap in review.gaps:
        yield f"Not there, so not compared, of {gap.side}: {', '.join(gap.paths)}; {gap.remedy}."


def _rows(comparison: ModelComparison) -> list[list[str]]:
    rows = [
        [name, *_cells(one.contrasts), " / ".join(map(_counts, one.flips.values()))]
        for name, one in comparison.benchmarks.items()
    ]
    return [*rows, [MEAN, *_cells(comparison.means), ""]] if comparison.means else rows


def _cells(contrasts: Mapping[str, Contrast]) -> Iterator[str]:
    for kind in CONTRASTS:
        contrast = contrasts.get(kind)
        yield with_interval(contrast, "+") + _mark(contrast)
    yield f"{max((one.n for one in contrasts.values()), default=0):,}"
    values = [one.holm_p for one in contrasts.values() if one.holm_p is not None]
    yield p_value(min(values, default=None))


def _mark(contrast: Contrast | None) -> str:
    if contrast is None:
        return ""
    return " ?" if contrast.doubted else " *" if contrast.significant else ""


def _doubts(review: Review, comparison: ModelComparison) -> list[str]:
    """Return why figures marked “?” support no claim, one line per benchmark, side and arm; [] if there are none."""
    lines = [
        f"- {name}, {title}, {TITLES[arm]}: {', '.join(map(_doubt, found))}"
        for name, one in comparison.benchmarks.items()
        for title, by_arm in zip((review.before, review.after), one.doubts, strict=True)
        for arm, found in by_arm.items()
        if arm in TITLES
    ]
    reason = "Nothing is claimed from figures marked “?”, and no mean has them; of their answers"
    return ["\n".join([f"{reason}:", *lines])] if lines else []


def _doubt(doubt: Doubt) -> str:
    return f"{doubt.count:,} of {doubt.n:,} were {DOUBTS[doubt.case]}"


def _counts(flips: Flips) -> str:
    return f"+{len(flips.gained):,} −{len(flips.lost):,}" if flips.gained or flips.lost else NONE


def _reworded(comparison: ModelComparison) -> list[str]:
    """Return the number of problems with another template or library, which may explain changes; [] if none."""
    places = [
        f"{name}, {TITLES[arm]} ({count:,})"
        for name, one in comparison.benchmarks.items()
        for arm, count in one.reworded.items()
    ]
    return [f"Asked with another template or library: {', '.join(places)}."] if places else []


def _flipped(comparison: ModelComparison) -> list[str]:
    """Return the ids of some flipped problems of each kind; [] if there are none."""
    lines = [line for name, one in comparison.benchmarks.items() for line in _flips(name, one)]
    return ["\n".join(["Flipped (`--format json` names all):", *lines])] if lines else []


def _flips(name: str, one: BenchmarkComparison) -> Iterator[str]:
    for arm, flips in one.flips.items():
        kinds = (("right now", flips.gained), ("wrong now", flips.lost))
        parts = [f"{kind} {_ids(ids)}" for kind, ids in kinds if ids]
        if parts:
            yield f"- {name}, {TITLES[arm]}: {'; '.join(parts)}"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - IDS:,} more" if len(ids) > IDS else ""
    return f"{', '.join(ids[:IDS])}{more}"


def _folded(texts: Sequence[str]) -> list[str]:
    return [f"<details><summary>Flipped problems</summary>\n\n{text}\n\n</details>" for text in texts]


def _rest(review: Review, table: Table) -> Iterator[str]:
    if review.same:
        yield f"No {review.kind}, the same answers byte for byte: {', '.join(review.same)}."
    for model, title in review.alone.items():
        yield f"{model}: only {title} has it."
    yield from _scores(review.scores, table)
    if review.corpus is not None:
        yield from _corpus(review.corpus, table)
    if review.metrics:
        yield "Other metrics:"
        yield _figures(review.metrics, table)


def _scores(scores: MetricScores, table: Table) -> Iterator[str]:
    changed = {one.model for one in scores.changes}
    if scores.changes:
        yield f"{BY_METRICS}:"
        rows = [[one.model, one.benchmark, *map(str, one.figures.values())] for one in scores.changes[:FIGURES]]
        yield table(["model", "benchmark", *TITLES.values()], [*rows, *_left(len(scores.changes), 4)])
    if unchanged := [model for model in scores.models if model not in changed]:
        yield f"No change of scores in metrics/, whose answers a side lacks: {', '.join(unchanged)}."


def _figures(changes: Sequence[Change], table: Table) -> str:
    rows = [[one.name, str(one)] for one in changes[:FIGURES]]
    return table(["figure", "before → after"], [*rows, *_left(len(changes), 1)])


def _left(count: int, columns: int) -> list[list[str]]:
    """Return a row with the number of rows that are not shown; [] if all are shown."""
    return [[f"{count - FIGURES:,} more", *[""] * columns]] if count > FIGURES else []


def _corpus(change: CorpusChange, table: Table) -> Iterator[str]:
    if change.is_none:
        yield f"Firewall and corpus: no change{'' if change.is_whole else ' in what both have'}."
        return
    if change.accepted is None:
        yield "Firewall and corpus, whose accepted problems a side lacks:"
    elif change.sets:
        yield f"Firewall and corpus: {change.others:,} of {change.accepted:,} accepted problems are others."
    else:
        yield "Firewall and corpus: the accepted problems are the same."
    if change.sets:
        rows = [[one.name, str(Change("", one.before, one.after)), f"{one.others:,}"] for one in change.sets]
        yield table(["set", "accepted", "others"], rows)
    if change.gates:
        yield table(["rejected by", "candidates"], [[one.name, str(one)] for one in change.gates])
    if change.figures:
        yield _figures(change.figures, table)


def _model_figures(comparison: ModelComparison) -> dict[str, Any]:
    return {
        "significant": [{"benchmark": name, "figure": kind} for name, kind, _ in comparison.significant],
        "tests": comparison.tests,
        "mean": {kind: _contrast(one) for kind, one in comparison.means.items()},
        "benchmarks": {
            name: {
                **{kind: _contrast(contrast) for kind, contrast in one.contrasts.items()},
                "flipped": {arm: {"gained": flips.gained, "lost": flips.lost} for arm, flips in one.flips.items()},
                "reworded": dict(one.reworded),
                "doubts": [{arm: [*map(vars, found)] for arm, found in side.items()} for side in one.doubts],
            }
            for name, one in comparison.benchmarks.items()
        },
    }


def _pair(change: Change) -> dict[str, Any]:
    return {"before": change.before, "after": change.after}


def _contrast(contrast: Contrast) -> dict[str, Any]:
    values = {key: value for key, value in vars(contrast).items() if key != "made_of"}
    return values | {"significant": contrast.significant}
