"""Two sides on the same problems, two models or one at two revisions: what the second answers more, and in lift.

Example: `compare(before, after, seed=0)["lift"]` is `Contrast(value=8.0, n=50, low=-2.0, high=18.0, p=0.13, …)` where
the first side's lift on these 50 problems is 4.0 points and the second's 12.0.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pfe.scores.endings import Doubt, EndedInArm, doubts_by_arm
from pfe.scores.model import holm
from pfe.scores.randomisation import ALPHA, Clustered, flip_test, mean_of
from pfe.scores.sample import generator, shared

# What is compared: the weight of the accuracy of each side (0 or 1) in each arm.
CONTRASTS: Mapping[str, Mapping[tuple[int, str], int]] = {
    "canonical": {(0, "canonical"): -1, (1, "canonical"): 1},
    "icr": {(0, "icr"): -1, (1, "icr"): 1},
    "lift": {(0, "canonical"): 1, (0, "icr"): -1, (1, "canonical"): -1, (1, "icr"): 1},
}
ARMS = ("canonical", "icr")
DoubtsByArm = Mapping[str, Sequence[Doubt]]


class Answered(Protocol):
    """Whether one problem was answered rightly in one arm and order, and behind what, as hashes."""

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
    """Such an answer, with how it ended."""


@dataclass(frozen=True)
class Contrast:
    """The second side less the first, in points, over n problems (or a mean over benchmarks that hold n).

    `low`, `high` and `p` are those of `pfe.scores.randomisation`: the interval at 95 % leaves out 0 where p < 0.05.
    `holm_p` is p adjusted over all contrasts of a model, `made_of` are the differences by cluster. Of a `doubted` one
    nothing is claimed: too many answers of an arm in it were not read, cut, empty, or not asked as intended
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
    """The problems that only the second side answered rightly in an arm, and only the first, by id."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True)
class BenchmarkComparison:
    """Two sides on one benchmark: the contrasts by name, the flips by arm, of how many problems by arm the template
    or the library was another, and the doubts about each side by arm."""

    contrasts: Mapping[str, Contrast]
    flips: Mapping[str, Flips]
    reworded: Mapping[str, int]
    doubts: tuple[DoubtsByArm, DoubtsByArm]


@dataclass(frozen=True)
class ModelComparison:
    """Two sides on all benchmarks that both were asked, and the means over these, p adjusted by Holm over them all.

    Contrasts that are doubted are neither averaged nor tested, and a mean of one benchmark is none.
    """

    benchmarks: Mapping[str, BenchmarkComparison]
    means: Mapping[str, Contrast]

    @property
    def significant(self) -> list[tuple[str, str, Contrast]]:
        """What changed by more than chance: benchmark ("mean" for the means), name of the contrast, and it."""
        return [found for found in _contrasts(self.benchmarks, self.means) if found[2].significant]

    @property
    def tests(self) -> int:
        return sum(not contrast.doubted for *_, contrast in _contrasts(self.benchmarks, self.means))


def compare(first: Sequence[Answered], second: Sequence[Answered], seed: str) -> dict[str, Contrast]:
    """The contrasts of two sides on one benchmark by name, without those for which an arm is missing.

    Only problems that both answered in all arms of a contrast count, in the library's first order.

    Args:
        seed: the signs are drawn from it and the name of the contrast.
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
        seed: as `compare`.
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


def compare_model(benchmarks: Mapping[str, BenchmarkComparison], beside: Collection[str] = ()) -> ModelComparison:
    """The benchmarks together, those left out that hold no problem of both sides.

    Source of the adjustment: Holm 1979, Scand. J. Stat. 6:65.

    Args:
        beside: benchmarks that are not averaged.
    """
    benchmarks = {name: one for name, one in benchmarks.items() if one.contrasts}
    averaged = [one.contrasts for name, one in benchmarks.items() if name not in beside]
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
    """The mean over benchmarks, of which there must be one; each counts the same, and none is drawn anew."""
    n = sum(contrast.n for contrast in contrasts)
    return _contrast(mean_of([contrast.made_of for contrast in contrasts]), n, "mean")


def _contrast(made_of: Clustered, n: int, seed: str) -> Contrast:
    test = flip_test(made_of, generator(seed))
    return Contrast(made_of.value, n, **vars(test), made_of=made_of)


def _question(row: Answered) -> tuple[str, int, str]:
    return row.arm, row.order, row.problem_id


def _marks(rows: Sequence[Answered]) -> dict[str, dict[str, bool]]:
    """Whether each problem is right, by arm and id, in the library's first order."""
    marks: dict[str, dict[str, bool]] = {}
    for row in rows:
        if row.order == 0:
            marks.setdefault(row.arm, {})[row.problem_id] = row.correct
    return marks


def _reworded(first: Sequence[Answered], second: Sequence[Answered]) -> dict[str, int]:
    """How many problems of both sides were asked by another template or behind another library, by arm, if any."""
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
