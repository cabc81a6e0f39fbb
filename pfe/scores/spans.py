"""The span of each skill: the largest number of statements from which a model still reads the answer.

Example: hops with 90 % correct among 4 statements, 70 % among 16 and 30 % among 64, at a chance of 25 %, have a span of
18 statements. PFE-Span is the geometric mean over skills.

Accuracy is corrected for chance: (accuracy − chance) / (1 − chance). The span is the number of statements at which the
corrected accuracy falls to one half (`pfe.scores.half_point`). The ladder is the set of library sizes that were asked,
such as 4, 16 and 64 statements; no span is claimed outside of it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pfe.problem import SKILLS, ScoredPrediction
from pfe.scores.chance import chance
from pfe.scores.half_point import HalfPoint, Mark, half_point
from pfe.scores.proportion import Proportion, accuracy

ARM = "icr"
NAMES = ("plain", "confusable")


@dataclass(frozen=True)
class Span:
    """The span of one skill in statements, with its 95 % CI and the number of problems and clusters.

    `smallest` and `largest` are the ends of the ladder. Value and limits are clipped to it, so a limit at an end means
    that end or beyond. `below` is whether the span is below the ladder, as for a model at chance, and `above` whether
    it is above; `value` is then that end. `chance` is the chance accuracy of the skill in percent.
    """

    value: float
    low: float
    high: float
    n: int
    clusters: int
    chance: float
    smallest: int
    largest: int
    below: bool
    above: bool

    def counted(self, value: float) -> float:
        """Return the size that a value or limit enters PFE-Span with.

        That is half of the smallest size if it lies below the ladder, and twice the largest if it lies above.
        """
        if value <= self.smallest and (self.below or value < self.value):
            return self.smallest / 2
        return 2.0 * self.largest if value >= self.largest and (self.above or value > self.value) else value


@dataclass(frozen=True)
class MeanSpan:
    """PFE-Span: the geometric mean of the spans of several skills, in statements, with its 95 % CI.

    The CI treats the skills as fixed: it says nothing about other skills.
    """

    value: float
    low: float
    high: float
    skills: int
    n: int


@dataclass(frozen=True)
class Spans:
    """The spans of a model with the library in context: by skill, and their mean.

    A skill that was asked at a single size has no span, and `mean` is None if no skill has a span. `rungs` holds the
    accuracies by skill and number of statements. `by_names` holds them by skill, kind of names (plain or confusable)
    and number of statements.
    """

    skills: Mapping[str, Span]
    mean: MeanSpan | None
    rungs: Mapping[str, Mapping[int, Proportion]]
    by_names: Mapping[str, Mapping[str, Mapping[int, Proportion]]]


def score_spans(predictions: Iterable[ScoredPrediction]) -> Spans | None:
    """Return the spans of one model on one benchmark; None if no problem has both a skill and a rung.

    Args:
        predictions: of any arms and orders; only those of the arm icr in the library's first order are used.
    """
    rows = [row for row in predictions if row.arm == ARM and row.order == 0 and row.rung]
    by_skill: dict[str, list[ScoredPrediction]] = {
        skill: part for skill in SKILLS if (part := [row for row in rows if row.skill == skill])
    }
    if not by_skill:
        return None
    spans = {skill: _span(part) for skill, part in by_skill.items() if len({row.rung for row in part}) > 1}
    return Spans(
        skills=spans,
        mean=mean_span(spans.values()) if spans else None,
        rungs={skill: _by_rung(part) for skill, part in by_skill.items()},
        by_names={
            skill: {names: _by_rung(named) for names in NAMES if (named := [row for row in part if row.names == names])}
            for skill, part in by_skill.items()
        },
    )


def mean_span(spans: Iterable[Span]) -> MeanSpan:
    """Return the geometric mean of spans, with its 95 % CI.

    A span below its ladder counts as half the smallest size, and one above as twice the largest. So do limits at an
    end.

    The distances of the limits from the values, in doublings, are added in squares, as variances are (MOVER; Zou and
    Donner 2008, Stat. Med. 27:1693).
    """
    parts = list(spans)
    value, low, high = (
        [math.log2(span.counted(bound)) for span, bound in zip(parts, bounds, strict=True)]
        for bounds in zip(*((span.value, span.low, span.high) for span in parts), strict=True)
    )
    count = len(parts)
    middle = math.fsum(value) / count
    below = math.hypot(*(one - limit for one, limit in zip(value, low, strict=True))) / count
    above = math.hypot(*(limit - one for one, limit in zip(value, high, strict=True))) / count
    return MeanSpan(2**middle, 2 ** (middle - below), 2 ** (middle + above), count, sum(span.n for span in parts))


def _span(rows: Sequence[ScoredPrediction]) -> Span:
    smallest, largest = min(row.rung for row in rows), max(row.rung for row in rows)
    clusters = [row.group or row.problem_id for row in rows]
    marks = [Mark(math.log2(row.rung), row.correct, cluster) for row, cluster in zip(rows, clusters, strict=True)]
    share = chance(rows)
    # At a chance of 100 % accuracy says nothing about reading, so any span is possible.
    found = half_point(marks, share / 100) if share < 100 else HalfPoint(-math.inf, -math.inf, math.inf)
    low_end, high_end = math.log2(smallest), math.log2(largest)
    value, low, high = (2 ** min(max(bound, low_end), high_end) for bound in (found.value, found.low, found.high))
    return Span(
        value, low, high, len(rows), len(set(clusters)), share, smallest, largest,
        below=found.value < low_end, above=found.value > high_end,
    )  # fmt: skip


def _by_rung(rows: Sequence[ScoredPrediction]) -> dict[int, Proportion]:
    marks: dict[int, list[bool]] = {}
    for row in rows:
        marks.setdefault(row.rung, []).append(row.correct)
    return {rung: accuracy(marks[rung]) for rung in sorted(marks)}
