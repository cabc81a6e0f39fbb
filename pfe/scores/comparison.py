"""A paired comparison of two models, or of one model at two revisions, by accuracy and lift.

Example: `compare(before, after, seed="0")["lift"]` is `Contrast(value=8.0, n=50, low=-2.0, high=18.0, p=0.13, …)` if
the first side's lift on these 50 problems is 4.0 points and the second's 12.0.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pfe.scores.endings import Doubt, EndedInArm, doubts_by_arm
from pfe.scores.model import holm
from pfe.scores.randomisation import ALPHA, Clustered, flip_test, mean_of
from pfe.scores.sample import generator, shared

# The weight of the accuracy of each side (0 or 1) in each arm, by contrast.
CONTRASTS: Mapping[str, Mapping[tuple[int, str], int]] = {
    "canonical": {(0, "canonical"): -1, (1, "canonical"): 1},
    "icr": {(0, "icr"): -1, (1, "icr"): 1},
    "lift": {(0, "canonical"): 1, (0, "icr"): -1, (1, "canonical"): -1, (1, "icr"): 1},
}
ARMS = ("canonical", "icr")
DoubtsByArm = Mapping[str, Sequence[Doubt]]


class Answered(Protocol):
    """Whether one problem is correct in one arm and order, with the hashes of its template and library."""

    @property
    def problem_id(self) -> str: ...
    @property
    def arm(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def correct(self) -> bool: ...
    @property
    def group(self) -> str: ...
    @property
    def template_sha256(self) -> str: ...
    @property
    def library_sha256(self) -> str: ...


class Compared(Answered, EndedInArm, Protocol):
    """Such an answer with how it ended."""


@dataclass(frozen=True)
class Contrast:
    """The second side less the first, in points, on n problems (or a mean over benchmarks with n problems in total).

    `low`, `high` and `p` come from `pfe.scores.randomisation`: the 95 % CI excludes 0 if p < 0.05. `holm_p` is p
    adjusted over all contrasts of a model. `made_of` holds the differences by cluster. A `doubted` contrast supports no
    claim: too many answers in one of its arms are unread, cut, empty, or were not asked as intended
    (`pfe.scores.endings`).
    """

    value: float
    n: int
    low: float
    high: float
    p: float
    made_of: Clustered = field(repr=False, compare=False)
    holm_p: float | None = None
    doubted: bool = False

    @property
    def significant(self) -> bool:
        return self.holm_p is not None and self.holm_p < ALPHA


@dataclass(frozen=True)
class Flips:
    """The ids of the problems in an arm that only the second side solved (`gained`), or only the first (`lost`)."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True)
class BenchmarkComparison:
    """A comparison of two sides on one benchmark.

    It holds the contrasts by name, the flips by arm, the number of problems by arm whose template or library differs
    (`reworded`), and the doubts about each side by arm.
    """

    contrasts: Mapping[str, Contrast]
    flips: Mapping[str, Flips]
    reworded: Mapping[str, int]
    doubts: tuple[DoubtsByArm, DoubtsByArm]


@dataclass(frozen=True)
class ModelComparison:
    """A comparison of two sides on all shared benchmarks and on the means over these, with p adjusted over all of them.

    Doubted contrasts are neither averaged nor tested. A mean needs at least two benchmarks.
    """

    benchmarks: Mapping[str, BenchmarkComparison]
    means: Mapping[str, Contrast]

    @property
    def significant(self) -> list[tuple[str, str, Contrast]]:
        """The significant contrasts, each with its benchmark ("mean" for the means) and its name."""
        return [found for found in _contrasts(self.benchmarks, self.means) if found[2].significant]

    @property
    def tests(self) -> int:
        return sum(not contrast.doubted for *_, contrast in _contrasts(self.benchmarks, self.means))


def compare(first: Sequence[Answered], second: Sequence[Answered], seed: str) -> dict[str, Contrast]:
    """Return the contrasts of two sides on one benchmark by name, without those that lack an arm.

    A contrast uses the problems that both sides answered in all of its arms, in the library's first order.

    Args:
        first: the answers of the side that is subtracted.
        second: the answers of the other side.
        seed: seeds the random signs, together with the name of the contrast.
    """
    clusters = {row.problem_id: row.group or row.problem_id for row in (*first, *second)}
    sides = _marks(first), _marks(second)
    contrasts = {}
    for name, weights in CONTRASTS.items():
        sample = shared([sides[side].get(arm, {}) for side, arm in weights], clusters)
        if sample is not None:
            made_of = sample.differences(tuple(weights.values()))
            contrasts[name] = _contrast(made_of, sample.n, f"{seed}:{name}")
    return contrasts


def compare_benchmark(first: Sequence[Compared], second: Sequence[Compared], seed: str) -> BenchmarkComparison:
    """Compare two sides on one benchmark, on the problems that both answered in an arm.

    Args:
        first: as for `compare`.
        second: as for `compare`.
        seed: as for `compare`.
    """
    common = {_question(row) for row in first} & {_question(row) for row in second}
    first, second = ([row for row in side if _question(row) in common] for side in (first, second))
    doubts = doubts_by_arm(first), doubts_by_arm(second)
    before, after = _marks(first), _marks(second)
    flips = {}
    for arm in ARMS:
        both = sorted(before.get(arm, {}).keys() & after.get(arm, {}).keys())
        gained = tuple(id for id in both if after[arm][id] and not before[arm][id])
        lost = tuple(id for id in both if before[arm][id] and not after[arm][id])
        flips[arm] = Flips(gained, lost)
    contrasts = {
        name: replace(contrast, doubted=any(arm in doubts[side] for side, arm in CONTRASTS[name]))
        for name, contrast in compare(first, second, seed).items()
    }
    return BenchmarkComparison(contrasts, flips, _reworded(first, second), doubts)


def compare_model(benchmarks: Mapping[str, BenchmarkComparison], not_averaged: Collection[str] = ()) -> ModelComparison:
    """Return the comparison over all benchmarks that have a contrast, with means and Holm-adjusted p-values.

    Source of the adjustment: Holm 1979, Scand. J. Stat. 6:65.

    Args:
        benchmarks: the comparisons by benchmark.
        not_averaged: benchmarks that are excluded from the means.
    """
    benchmarks = {name: one for name, one in benchmarks.items() if one.contrasts}
    averaged = [one.contrasts for name, one in benchmarks.items() if name not in not_averaged]
    by_name = {
        kind: [contrasts[kind] for contrasts in averaged if kind in contrasts and not contrasts[kind].doubted]
        for kind in CONTRASTS
    }
    means = {kind: mean(found) for kind, found in by_name.items() if len(found) > 1}
    tested = {(name, kind): one.p for name, kind, one in _contrasts(benchmarks, means) if not one.doubted}
    adjusted = holm(tested)

    def with_holm(name: str, contrasts: Mapping[str, Contrast]) -> dict[str, Contrast]:
        return {
            kind: replace(one, holm_p=adjusted[name, kind]) if (name, kind) in adjusted else one
            for kind, one in contrasts.items()
        }

    by_benchmark = {name: replace(one, contrasts=with_holm(name, one.contrasts)) for name, one in benchmarks.items()}
    return ModelComparison(by_benchmark, with_holm("mean", means))


def mean(contrasts: Sequence[Contrast]) -> Contrast:
    """Return the equally weighted mean over at least one benchmark; the benchmarks are treated as fixed."""
    n = sum(contrast.n for contrast in contrasts)
    return _contrast(mean_of([contrast.made_of for contrast in contrasts]), n, "mean")


def _contrast(made_of: Clustered, n: int, seed: str) -> Contrast:
    test = flip_test(made_of, generator(seed))
    return Contrast(made_of.value, n, **vars(test), made_of=made_of)


def _question(row: Answered) -> tuple[str, int, str]:
    return row.arm, row.order, row.problem_id


def _marks(rows: Sequence[Answered]) -> dict[str, dict[str, bool]]:
    """Return whether each problem is correct, by arm and id, in the library's first order."""
    marks: dict[str, dict[str, bool]] = {}
    for row in rows:
        if row.order == 0:
            marks.setdefault(row.arm, {})[row.problem_id] = row.correct
    return marks


def _reworded(first: Sequence[Answered], second: Sequence[Answered]) -> dict[str, int]:
    """Return the number of shared problems whose template or library differs, by arm; arms without any are left out."""
    before, after = (
        {(row.arm, row.problem_id): (row.template_sha256, row.library_sha256) for row in rows if row.order == 0}
        for rows in (first, second)
    )
    changed = [arm for arm, id in before.keys() & after.keys() if before[arm, id] != after[arm, id]]
    return {arm: changed.count(arm) for arm in ARMS if arm in changed}


def _contrasts(
    benchmarks: Mapping[str, BenchmarkComparison], means: Mapping[str, Contrast]
) -> Iterator[tuple[str, str, Contrast]]:
    for name, one in benchmarks.items():
        yield from ((name, kind, contrast) for kind, contrast in one.contrasts.items())
    yield from (("mean", kind, contrast) for kind, contrast in means.items())
