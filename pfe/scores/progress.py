"""The student's progress: its lift, its accuracy gain from training, and SPEC's verdict on them.

Example: a PFE-Lift of +1.2 points [-1.6, +4.0] is "weak", one of +6.0 [-2.0, +14.0] "inconclusive".
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pfe.scores.comparison import Answered, Contrast, compare, mean
from pfe.scores.model import Average, ModelScore, Standing
from pfe.scores.proportion import Estimate

ProgressVerdict = Literal["strong", "moderate", "weak", "inconclusive"]
STUDENT, TWIN = "student", "base"
MODERATE, LARGE = 5, 10  # points: a lift is moderate from 5, and large above 10
NEAR = 10  # points below its best tutor within which a student approaches it


@dataclass(frozen=True)
class Progress:
    """The student's PFE-Lift, in points, and its standing compared with its untrained twin and its tutors."""

    lift: Average
    standing: Standing

    @property
    def is_worse(self) -> bool:
        """Whether it is less accurate than its twin in either arm: the CI of the difference is below 0."""
        return self.standing.canonical.high < 0 or self.standing.icr.high < 0

    @property
    def lacking(self) -> list[str]:
        """SPEC's conditions for a strong success, other than a large lift, that are not met."""
        standing, tutor = self.standing, self.standing.over_tutor
        found = {
            "that it answers more than before its training in both arms": standing.canonical.low > 0 < standing.icr.low,
            f"that it is less than {NEAR} points below its best tutor": tutor is not None and tutor.low > -NEAR,
            "that what SPEC's checks reject was kept from it": standing.is_screened,
        }
        return [what for what, is_shown in found.items() if not is_shown]

    @property
    def verdict(self) -> ProgressVerdict:
        """SPEC's verdict ("What Success Looks Like"), based on CIs: a lift above 10 is large, one from 5 is moderate.

        The verdict is "weak" if the CI of the lift ends below 5 or the student is worse than its twin. Otherwise it is
        "inconclusive" if the CI includes 0, if the lift is below 5, or if the student is not significantly better than
        its twin with the library in context. It is "strong" if the lift is large and no condition is `lacking`.
        """
        if self.is_worse or self.lift.high < MODERATE:
            return "weak"
        if holds_zero(self.lift) or self.lift.value < MODERATE or self.standing.icr.low <= 0:
            return "inconclusive"
        return "strong" if self.lift.value > LARGE and not self.lacking else "moderate"


def holds_zero(difference: Estimate) -> bool:
    """Return whether the CI of a difference includes 0."""
    return difference.low <= 0 <= difference.high


def progress(scores: Mapping[str, ModelScore]) -> Progress | None:
    """Return the student's progress; None without the models `student` and `base` and both arms of each."""
    student = scores.get(STUDENT)
    if student is None or student.averages.lift is None or student.standing is None:
        return None
    return Progress(student.averages.lift, student.standing)


def with_standing(
    scores: Mapping[str, ModelScore],
    answers: Callable[[str, str], Sequence[Answered]],
    seed: int,
    *,
    is_screened: bool,
    tutors: Collection[str] = (),
    not_averaged: Collection[str] = (),
) -> dict[str, ModelScore]:
    """Return the scores, with the standing of the student added.

    The scores are unchanged if the student and its twin do not share both arms. Differences are those of
    `pfe compare base student`, but include answers that the command doubts.

    Args:
        scores: by model.
        answers: returns the answers of a model on a benchmark, by their names.
        seed: seeds the random signs of the tests.
        is_screened: whether the student's training data excluded everything that SPEC's checks reject.
        tutors: the student's tutors; only those with the same number of shared benchmarks as its twin count.
        not_averaged: benchmarks that are excluded from the averages.
    """

    def more_than(model: str) -> dict[str, Average]:
        both = [scores[one].benchmarks.keys() if one in scores else () for one in (model, STUDENT)]
        contrasts = [
            compare(answers(model, name), answers(STUDENT, name), f"{seed}:{name}")
            for name in both[1]
            if name in both[0] and name not in not_averaged
        ]
        means = {arm: _mean([one[arm] for one in contrasts if arm in one]) for arm in ("canonical", "icr")}
        return {arm: mean for arm, mean in means.items() if mean}

    twin = more_than(TWIN)
    if len(twin) < 2:
        return dict(scores)
    over_tutors = [over["icr"] for tutor in tutors if tutor != STUDENT and "icr" in (over := more_than(tutor))]
    over_tutors = [over for over in over_tutors if over.benchmarks == twin["icr"].benchmarks]
    over_best = min(over_tutors, key=lambda over: over.value, default=None)
    standing = Standing(twin["canonical"], twin["icr"], over_best, is_screened)
    return {**scores, STUDENT: replace(scores[STUDENT], standing=standing)}


def _mean(contrasts: Sequence[Contrast]) -> Average | None:
    if not contrasts:
        return None
    whole = mean(contrasts)
    return Average(whole.value, len(contrasts), whole.n, whole.low, whole.high)
