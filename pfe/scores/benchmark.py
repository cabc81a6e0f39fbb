"""One model on one benchmark: every arm, the lift, the content lift, and how the answers ended.

Example: `score_benchmark(predictions, seed=0).lift.value` is 13.8 where 72.3 % became 86.1 %.
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
    """One arm alone, in the library's first order.

    `norm` is the accuracy of the choice by log-likelihood per character, `strict` that of the numbers in the form asked
    for, `otherwise` of answers that are the world's behind a library that says otherwise; None where the benchmark has
    none. `chance` is that of the best answerer who knows nothing (`pfe.scores.chance`).
    """

    clusters: int
    chance: float
    norm: Proportion | None
    strict: Proportion | None
    otherwise: Proportion | None


@dataclass(frozen=True)
class Answers:
    """How the answers of one arm ended: counts, and mean tokens.

    `thinking` answers end within a thought; in `unanswered` ones there is no text at all, and in `unread` ones the
    scorer found nothing. `truncated` ones ran out of tokens (and may be unread as well); `too_long` problems were not
    asked, or lost their beginning; `shortened` ones lost methods of their library; `unsafe` programs ran without
    isolation. `audited` answers were computed as whole sequences too, and no log-likelihood differed by more than
    `difference` (nats, a power of ten and at least 1e-4; None where none was audited).
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
    """ICR less the better of placebo and format (`against`), in points, over the n problems of all these arms.

    It is the smaller of two differences, and more than 0 where both are: `low` is the smaller of their lower limits,
    and a positive one has the larger of their p (intersection-union test; Berger 1982, Technometrics 24:295). `high`
    and the p of a negative one are of the difference to the better control. `holm_p` is p adjusted over the benchmarks.
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
    """ICR accuracy over several orders of the library's methods: percent, `sd` of the sample of orders in points."""

    orders: int
    low: float
    high: float
    sd: float


@dataclass(frozen=True)
class Drawn:
    """That only `n` problems of a benchmark's `of` were asked, the same in all arms."""

    n: int
    of: int

    @classmethod
    def create(cls, limit: int | None, count: int) -> "Drawn | None":
        """What a limit leaves of `count` problems; None where it leaves all."""
        return None if limit is None or limit >= count else cls(limit, count)


@dataclass(frozen=True)
class BenchmarkScore:
    """One model on one benchmark.

    `arms` and `answers` are by arm, `skills` by skill and arm; `icr_minus` compares ICR with each control arm that was
    run, `against_world` the arm `contradicted` with its twin `agreeing`, which is subtracted. `drawn` is None where all
    problems were asked, `spans` where the problems have no rungs. For averages over benchmarks, and not written:
    `draws` holds the resamples of the accuracy of canonical and ICR, shape (resamples,), `gains` by cluster what ICR is
    above canonical and the arms of the content lift, by arm.
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
        """Whether the library's content is shown to help, by `pfe.scores.claims`."""
        return content_helps_on_benchmark(self.lift, self.content_lift)


Marks = Mapping[str, Mapping[str, bool]]  # arm -> problem -> right


def score_benchmark(
    predictions: Iterable[ScoredPrediction], seed: int, resamples: int = RESAMPLES, drawn: Drawn | None = None
) -> BenchmarkScore | None:
    """Score one model on one benchmark by its predictions, in whatever order they come; None where there are none.

    Args:
        predictions: of any arms and orders.
        seed: resamples and signs are drawn from it and the names of model, benchmark and figure.
        resamples: how many are drawn of each accuracy.
        drawn: of how many problems these are a sample; None where they are all.

    Raises:
        UserError: a problem was answered twice in the same arm and order.
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
    """The sample of some arms; None where one of them was not run."""
    return shared([marks[arm] for arm in arms], clusters) if set(arms) <= marks.keys() else None


def _by_text(
    marks: Marks, clusters: Mapping[str, str], texts: Mapping[str, str], arm: str, *others: str
) -> list[ArmSample]:
    """Return the samples of placebo and ICR by the placebo's text, of problems that `others` were asked too.

    There are none for another arm, and none where every cluster has a text of its own: then clusters are texts.
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
    """Return ICR less the better control, over the problems that were asked in all of these arms."""
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
    """The accuracy of one order by skill and arm; nothing where the problems have no skills."""
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
    """The power of ten that none exceeds, at least 1e-4: smaller ones come and go with the machine."""
    if not differences:
        return None
    return float(f"1e{max(-4, ceil(round(log10(max(1e-9, *differences)), 9)))}")


def _orders(rows: Sequence[ScoredPrediction]) -> Orders | None:
    """The spread over orders; None where there is one order only."""
    right: dict[int, list[bool]] = {}
    for row in rows:
        right.setdefault(row.order, []).append(row.correct)
    values = [100 * sum(marks) / len(marks) for marks in right.values()]
    return Orders(len(values), min(values), max(values), stdev(values)) if len(values) > 1 else None
