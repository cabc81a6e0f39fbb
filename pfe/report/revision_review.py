"""A review of two revisions of the experiment: it compares everything that both have, and lists what one lacks.

Example: in a fresh clone, whose DVC cache is empty, `review_revisions("main", "HEAD", (), 0)` compares the parameters
and metrics in git. Its `gaps` list data/scores of both with the commands that produce it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import TypeVar

from pfe.calibration.record import RejectionShares
from pfe.errors import UserError, nearest
from pfe.report.corpus_change import Change, Corpus, Figures, changes, corpus_change
from pfe.report.firewall import metrics as firewall_metrics
from pfe.report.review import MEAN, TITLES, Gap, MetricScores, Review, ScoreChange
from pfe.revisions import SCORES, SYNTHETIC, AbsentError, Revision, marks
from pfe.scores.comparison import ModelComparison, compare_benchmark, compare_model
from pfe.screening.record import Summary

T = TypeVar("T")
METRICS = "metrics"
SCORE_METRICS = ("pfe", *TITLES)  # the averages, and each figure by model and benchmark
CORPUS_METRICS = ("firewall", "corpus")
SEAL, SCREENED, MEASURED = "data/canonical/SEAL.json", "data/firewall.json", "data/calibration.json"


@dataclass(frozen=True)
class Side:
    """The data of one revision; `absent` collects the paths that a comparison requested and that are missing."""

    revision: Revision
    absent: dict[str, None] = field(default_factory=dict)

    @cached_property
    def answered(self) -> list[str]:
        """The models whose answers are available."""
        return self._get(SCORES, lambda: self.revision.names(SCORES)) or []

    @cached_property
    def scores(self) -> Mapping[str, Figures]:
        """The scores in metrics/, which are in git: by file, then by dotted name."""
        return {name: self.revision.figures(f"{METRICS}/{name}.json") for name in SCORE_METRICS}

    @property
    def examined(self) -> set[str]:
        """The models with answers or, if there are none, those with metrics."""
        return set(self.answered) or {name.partition(".")[0] for name in self.scores["pfe"]}

    def answers(self, model: str, benchmark: str) -> bytes | None:
        """Return the Parquet file of a model's answers; None if it is missing."""
        path = SCORES / model / f"{benchmark}.parquet"
        return self._get(path, lambda: self.revision.read(path))

    @cached_property
    def seals(self) -> Figures:
        """The figures of the sealed benchmarks, with their hashes; empty if they are missing."""
        return self._get(SEAL, lambda: self.revision.figures(SEAL)) or {}

    @property
    def corpus(self) -> Corpus:
        """The corpus, with the firewall's figures from its stages or, if their outputs are missing, from metrics/.

        A run of some stages may lack metrics.
        """
        screened = self._get(SCREENED, lambda: self.revision.record(SCREENED, Summary))
        measured = self._get(MEASURED, lambda: self.revision.record(MEASURED, RejectionShares))
        firewall = firewall_metrics(screened, measured) if screened and measured else None
        return Corpus(
            self._get(SYNTHETIC, self.revision.accepted),
            screened.total.rejected if screened else None,
            firewall or self.revision.figures(f"{METRICS}/firewall.json"),
            self.revision.figures(f"{METRICS}/corpus.json"),
        )

    @property
    def metrics(self) -> Figures:
        """The metrics that no other part of a review compares, such as `train: loss`."""
        compared = {f"{METRICS}/{name}.json" for name in (*SCORE_METRICS, *CORPUS_METRICS)}
        return {
            f"{PurePosixPath(path).stem}: {key}": value
            for path in self.revision.metrics
            if path not in compared
            for key, value in self.revision.figures(path).items()
        }

    def _get(self, path: object, content: Callable[[], T | None]) -> T | None:
        """Return the content at a path; if it is missing or empty, add the path to `absent` and return None."""
        with suppress(AbsentError):
            if value := content():
                return value
        self.absent[str(path)] = None
        return None


@dataclass(frozen=True)
class Compared:
    """The models of both sides: those compared by answers, those with identical answers, and those by metrics only."""

    models: Mapping[str, ModelComparison]
    same: Sequence[str]
    by_metrics: Sequence[str]


def review_revisions(first: str, second: str, chosen: Sequence[str], seed: int) -> Review:
    """Compare all models of two revisions, or the chosen ones, and list all other changes.

    Args:
        first, second: a commit or an experiment; the workspace if empty.
        chosen: the models to compare; all if empty.
        seed: seeds the random signs of the tests.

    Raises:
        UserError: a revision does not exist, or a chosen model was examined at neither.
    """
    before, after = Side(Revision.find(first)), Side(Revision.find(second))
    models = sorted(before.examined | after.examined)
    if unknown := [name for name in chosen if name not in models]:
        raise UserError(f"--model: '{unknown[0]}' was examined at neither; {nearest(unknown[0], models)}")
    models = [name for name in models if not chosen or name in chosen]
    both = [name for name in models if name in before.examined & after.examined]
    compared = _compare(before, after, both, seed)
    corpus, notes = corpus_change(before.corpus, after.corpus), _notes(before.seals, after.seals)
    return Review(
        before.revision.title,
        after.revision.title,
        "change",
        models=compared.models,
        same=compared.same,
        alone={
            name: (before if name in before.examined else after).revision.title for name in models if name not in both
        },
        scores=_score_changes(before.scores, after.scores, compared.by_metrics),
        parameters=list(changes(before.revision.parameters(), after.revision.parameters())),
        corpus=corpus,
        metrics=list(changes(before.metrics, after.metrics)),
        notes=notes,
        gaps=[
            Gap(side.revision.name, list(side.absent), side.revision.remedy) for side in (before, after) if side.absent
        ],
    )


def _compare(before: Side, after: Side, models: Sequence[str], seed: int) -> Compared:
    """Compare models by their answers if both sides have them."""
    answered = [name for name in models if name in before.answered and name in after.answered]
    not_averaged = before.revision.not_averaged | after.revision.not_averaged if answered else frozenset[str]()
    compared: dict[str, ModelComparison] = {}
    same: list[str] = []
    for model in answered:
        names = before.revision.benchmarks(model)
        answers = _answers(before, after, model)
        is_whole = names == after.revision.benchmarks(model) == list(answers)
        if is_whole and all(then == now for then, now in answers.values()):
            same.append(model)
        elif answers:
            compared[model] = _compare_model(before, after, model, answers, not_averaged, seed)
    return Compared(compared, same, [name for name in models if name not in compared and name not in same])


def _answers(before: Side, after: Side, model: str) -> dict[str, tuple[bytes, bytes]]:
    """Return the files of a model's answers by benchmark, for the benchmarks that both sides have."""
    theirs = after.revision.benchmarks(model)
    answers = {}
    for name in before.revision.benchmarks(model):
        if name in theirs:
            then, now = before.answers(model, name), after.answers(model, name)
            if then is not None and now is not None:
                answers[name] = then, now
    return answers


def _compare_model(
    before: Side,
    after: Side,
    model: str,
    answers: Mapping[str, tuple[bytes, bytes]],
    not_averaged: Collection[str],
    seed: int,
) -> ModelComparison:
    """Compare the answers of one model; the benchmarks in `not_averaged` are excluded from the means."""
    benchmarks = {}
    for name, files in answers.items():
        titles = (before.revision.title, after.revision.title)
        then, now = (marks(file, f"{title}: {model}/{name}") for title, file in zip(titles, files, strict=True))
        benchmarks[name] = compare_benchmark(then, now, f"{seed}:{name}")
    return compare_model(benchmarks, not_averaged)


def _score_changes(before: Mapping[str, Figures], after: Mapping[str, Figures], models: Sequence[str]) -> MetricScores:
    """Compare the committed scores of models by benchmark, in points, and their means."""
    found = []
    for model in models:
        keys = {key for side in (before, after) for figure in TITLES for key in side[figure]}
        names = sorted(key.removeprefix(f"{model}.") for key in keys if key.startswith(f"{model}."))
        for name in [*names, MEAN]:
            places = {figure: ("pfe", figure) if name == MEAN else (figure, name) for figure in TITLES}
            figures = {
                figure: Change(figure, before[file].get(f"{model}.{key}"), after[file].get(f"{model}.{key}"))
                for figure, (file, key) in places.items()
            }
            if any(one.before != one.after for one in figures.values()):
                found.append(ScoreChange(model, name, figures))
    return MetricScores(models, found)


def _notes(before: Figures, after: Figures) -> list[str]:
    """Return a note on benchmarks whose sealed problems differ, because problems are compared by id; [] if none."""
    names = sorted(key.removesuffix(".sha256") for key in before.keys() & after.keys() if key.endswith(".sha256"))
    others = [name for name in names if before[f"{name}.sha256"] != after[f"{name}.sha256"]]
    return [f"Other problems were sealed: {', '.join(others)}. Those of the same id are compared."] if others else []
