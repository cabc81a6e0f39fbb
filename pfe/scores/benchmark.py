"""The scores of one model on one benchmark: accuracy by arm, lift, content lift, and how the answers ended.

Example: `score_benchmark(predictions, seed=0).lift.value` is 13.8 if accuracy rises from 72.3 % to 86.1 %.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, log10
from statistics import stdev
from typing import Annotated

from pydantic import ConfigDict, Field

from pfe.errors import UserError
from pfe.problem import SKILLS, ScoredPrediction
from pfe.scores.chance import chance
from pfe.scores.claims import content_helps_on_benchmark
from pfe.scores.endings import counts
from pfe.scores.paired import GAIN, Difference, Lift, difference, lift
from pfe.scores.proportion import Proportion, accuracy
from pfe.scores.randomisation import Clustered, Values
from pfe.scores.sample import RESAMPLES, ArmSample, generator, share_right, shared
from pfe.scores.spans import Spans, score_spans
from pfe.scores.texts import over_texts

CONTROLS = ("placebo", "format")


@dataclass(frozen=True)
class ArmScore(Proportion):
    """The accuracy of one arm, in the library's first order.

    Some benchmarks have further shares of the same problems, which are None elsewhere: `norm` is the accuracy if the
    choice is picked by log-likelihood per character; `strict` counts only numbers in the requested form; `otherwise` is
    the share of answers that are true of the real world although the library in context contradicts it. `chance` is the
    accuracy of the best answerer who knows nothing (`pfe.scores.chance`).
    """

    clusters: int
    chance: float
    norm: Proportion | None
    strict: Proportion | None
    otherwise: Proportion | None


@dataclass(frozen=True)
class Answers:
    """How the answers of one arm ended: counts, and the mean number of input and output tokens.

    - `thinking`: the answer ends within a thought.
    - `unanswered`: the answer is empty.
    - `unread`: the scorer found no answer in the text.
    - `truncated`: the answer ran out of tokens. It may be unread as well.
    - `too_long`: the prompt did not fit, so it was not asked or lost its beginning.
    - `shortened`: the library lost methods to fit the context window.
    - `unsafe`: the program ran without isolation.
    - `audited`: the answer was also computed as whole sequences; no log-likelihood differed by more than `difference`
      (nats, the audit's largest tolerance, rounded up to a power of ten; None if no answer was audited).
    """

    n: int
    thinking: int
    unread: int
    unanswered: int
    truncated: int
    too_long: int
    shortened: int
    unsafe: int
    tokens_in: float
    tokens_out: float
    audited: int
    difference: float | None


@dataclass(frozen=True)
class ContentLift:
    """ICR less the better of placebo and format (`against`), in points, on the n problems that all these arms share.

    It is the smaller of two differences, so it is above 0 only if both are. `low` is the smaller of their lower limits,
    and a positive content lift has the larger of their p-values (intersection-union test; Berger 1982, Technometrics
    24:295). `high`, and the p of any other content lift, are those of the difference from the better control. `holm_p`
    is p adjusted over the benchmarks.
    """

    value: float
    n: int
    clusters: int
    low: float
    high: float
    p: float
    against: str
    holm_p: float | None = None


@dataclass(frozen=True)
class Orders:
    """ICR accuracy over several orders of the library's methods, in percent.

    `low` and `high` are the lowest and highest accuracy; `sd` is the sample standard deviation over orders, in points.
    """

    orders: int
    low: float
    high: float
    sd: float


@dataclass(frozen=True)
class Drawn:
    """A sample of `n` of a benchmark's `of` problems, the same problems in all arms."""

    n: int
    of: int

    @classmethod
    def create(cls, limit: int | None, count: int) -> "Drawn | None":
        """Return the sample that a limit leaves of `count` problems; None if it leaves all."""
        return None if limit is None or limit >= count else cls(limit, count)


@dataclass(frozen=True)
class BenchmarkScore:
    """The scores of one model on one benchmark.

    `arms` and `answers` are by arm, `skills` by skill and arm. `icr_minus` is ICR less each other arm that was run,
    without canonical. `against_world` is the arm `contradicted` less its twin `agreeing`. `drawn` is None if all
    problems were asked, and `spans` is None if the problems have no rungs.

    Two fields serve the averages over benchmarks and are not written to files. `draws` holds the bootstrap resamples of
    the accuracies of canonical and ICR, shape (resamples,). `gains` holds ICR less canonical, and less each control of
    the content lift, by cluster.
    """

    __pydantic_config__ = ConfigDict(arbitrary_types_allowed=True)

    arms: Mapping[str, ArmScore]
    answers: Mapping[str, Answers]
    lift: Lift | None
    content_lift: ContentLift | None
    icr_minus: Mapping[str, Difference]
    orders: Orders | None
    skills: Mapping[str, Mapping[str, Proportion]] = field(default_factory=dict)
    against_world: Difference | None = None
    drawn: Drawn | None = None
    spans: Spans | None = None
    draws: Annotated[Mapping[str, Values], Field(exclude=True)] = field(default_factory=dict, repr=False, compare=False)
    gains: Annotated[Mapping[str, Clustered], Field(exclude=True)] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def content_helps(self) -> bool:
        """Whether the content of the library helps, by the rule in `pfe.scores.claims`."""
        return content_helps_on_benchmark(self.lift, self.content_lift)


Marks = Mapping[str, Mapping[str, bool]]  # arm -> problem -> correct


def score_benchmark(
    predictions: Iterable[ScoredPrediction], seed: int, resamples: int = RESAMPLES, drawn: Drawn | None = None
) -> BenchmarkScore | None:
    """Score one model on one benchmark; return None if there are no predictions.

    Args:
        predictions: of any arms and orders, in any sequence.
        seed: seeds the resamples and signs, together with the names of model, benchmark and figure.
        resamples: the number of bootstrap resamples of each accuracy.
        drawn: the sample that was asked; None if all problems were asked.

    Raises:
        UserError: there are two predictions for a problem in the same arm and order.
    """
    rows = sorted(predictions, key=lambda row: (row.arm, row.order, row.problem_id))
    if not rows:
        return None
    _check_once(rows)
    arms: dict[str, list[ScoredPrediction]] = {}
    for row in rows:
        if row.order == 0:
            arms.setdefault(row.arm, []).append(row)
    clusters = {row.problem_id: row.group or row.problem_id for row in rows}
    marks = {arm: {row.problem_id: row.correct for row in group} for arm, group in arms.items()}
    name = f"{seed}:{rows[0].model}:{rows[0].benchmark}"
    draws = {
        arm: share_right(sample.resampled(resamples, generator(f"{name}:{arm}")), 0)
        for arm in ("canonical", "icr")
        if (sample := _sample(marks, clusters, arm))
    }
    pairs = _sample(marks, clusters, "canonical", "icr")
    twins = _sample(marks, clusters, "agreeing", "contradicted")
    texts = {row.problem_id: row.library_sha256 for row in arms.get("placebo", ())}
    over_controls = {
        arm: over_texts(difference(sample, f"{name}:icr-{arm}"), _by_text(marks, clusters, texts, arm))
        for arm in marks
        if arm not in ("canonical", "icr") and (sample := _sample(marks, clusters, arm, "icr"))
    }
    return BenchmarkScore(
        arms={arm: _arm(group, clusters) for arm, group in arms.items()},
        answers={arm: _answers(group) for arm, group in arms.items()},
        lift=lift(pairs, f"{name}:lift") if pairs else None,
        content_lift=_content_lift(marks, clusters, texts, name),
        icr_minus=over_controls,
        against_world=difference(twins, f"{name}:contradicted-agreeing") if twins else None,
        orders=_orders([row for row in rows if row.arm == "icr"]),
        skills=_skills(rows),
        drawn=drawn,
        spans=score_spans(rows),
        draws=draws,
        gains={
            arm: sample.differences(GAIN)
            for arm in ("canonical", *CONTROLS)
            if (sample := _sample(marks, clusters, arm, "icr"))
        },
    )


def _check_once(rows: Sequence[ScoredPrediction]) -> None:
    for row, following in pairwise(rows):
        if (row.arm, row.order, row.problem_id) == (following.arm, following.order, following.problem_id):
            raise UserError(
                f"predictions of {row.model} on {row.benchmark}: {row.problem_id} stands twice in arm {row.arm}; "
                f"run `dvc repro --force evaluate@{row.model}`"
            )


def _sample(marks: Marks, clusters: Mapping[str, str], *arms: str) -> ArmSample | None:
    """Return the sample of some arms; None if one of them was not run or they share no problem."""
    return shared([marks[arm] for arm in arms], clusters) if set(arms) <= marks.keys() else None


def _by_text(
    marks: Marks, clusters: Mapping[str, str], texts: Mapping[str, str], arm: str, *others: str
) -> list[ArmSample]:
    """Return one sample of placebo and ICR for each placebo text, on the problems that `others` were asked too.

    The list is empty for arms other than placebo. It is also empty if there are as many texts as clusters: then the
    test by clusters already is a test by texts.
    """
    if arm != "placebo":
        return []
    asked = set(marks["placebo"]).intersection(*(marks[other] for other in ("icr", *others)))
    ids: dict[str, list[str]] = {}
    for id in sorted(asked):
        ids.setdefault(texts[id], []).append(id)
    if len(ids) >= len({clusters[id] for id in asked}):
        return []
    parts = ({arm: {id: marks[arm][id] for id in of_text} for arm in ("placebo", "icr")} for of_text in ids.values())
    return [sample for part in parts if (sample := _sample(part, clusters, "placebo", "icr"))]


def _content_lift(marks: Marks, clusters: Mapping[str, str], texts: Mapping[str, str], name: str) -> ContentLift | None:
    """Return ICR less the better control, on the problems that were asked in all of these arms."""
    controls = [arm for arm in CONTROLS if arm in marks]
    sample = _sample(marks, clusters, *controls, "icr") if controls else None
    if sample is None:
        return None
    over = {
        arm: over_texts(
            difference(sample.of_arms(place, len(controls)), f"{name}:icr-{arm}"),
            _by_text(marks, clusters, texts, arm, *controls),
        )
        for place, arm in enumerate(controls)
    }
    against = min(over, key=lambda arm: over[arm].value)
    least = over[against]
    return ContentLift(
        value=least.value,
        n=sample.n,
        clusters=sample.clusters,
        low=min(one.low for one in over.values()),
        high=least.high,
        p=max(one.p for one in over.values()) if least.value > 0 else least.p,
        against=against,
    )


def _arm(rows: Sequence[ScoredPrediction], clusters: Mapping[str, str]) -> ArmScore:
    norm = [row.correct_norm for row in rows if row.correct_norm is not None]
    strict = [row.strict_correct for row in rows if row.strict_correct is not None]
    otherwise = [row.otherwise for row in rows if row.otherwise is not None]
    return ArmScore(
        **vars(accuracy([row.correct for row in rows])),
        clusters=len({clusters[row.problem_id] for row in rows}),
        chance=chance(rows),
        norm=accuracy(norm) if norm else None,
        strict=accuracy(strict) if strict else None,
        otherwise=accuracy(otherwise) if otherwise else None,
    )


def _skills(rows: Sequence[ScoredPrediction]) -> dict[str, dict[str, Proportion]]:
    """Return the accuracy in the first order, by skill and arm; empty if the problems have no skills."""
    marks: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        if row.skill and row.order == 0:
            marks.setdefault(row.skill, {}).setdefault(row.arm, []).append(row.correct)
    return {skill: {arm: accuracy(right) for arm, right in marks[skill].items()} for skill in SKILLS if skill in marks}


def _answers(rows: Sequence[ScoredPrediction]) -> Answers:
    return Answers(
        n=len(rows),
        **counts(rows),
        unsafe=sum(row.unsafe for row in rows),
        tokens_in=sum(row.tokens_in for row in rows) / len(rows),
        tokens_out=sum(row.tokens_out for row in rows) / len(rows),
        audited=sum(row.difference is not None for row in rows),
        difference=_bound([row.difference for row in rows if row.difference is not None]),
    )


def _bound(differences: Sequence[float]) -> float | None:
    """Return the smallest power of ten that no difference exceeds, at least 1e-4, or None without differences."""
    if not differences:
        return None
    return float(f"1e{max(-4, ceil(round(log10(max(1e-9, *differences)), 9)))}")


def _orders(rows: Sequence[ScoredPrediction]) -> Orders | None:
    """Return the spread over orders; None if there is only one order."""
    right: dict[int, list[bool]] = {}
    for row in rows:
        right.setdefault(row.order, []).append(row.correct)
    values = [100 * sum(marks) / len(marks) for marks in right.values()]
    return Orders(len(values), min(values), max(values), stdev(values)) if len(values) > 1 else None
