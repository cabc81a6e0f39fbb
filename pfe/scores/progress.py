"""How far the student came: its lift, what it answers more than before its training, and SPEC's verdict on these.

Example: a PFE-Lift of +1.2 points [-1.6, +4.0] is "weak", one of +6.0 [-2.0, +14.0] "cannot be told" from none.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pfe.scores.comparison import Answered, Contrast, compare, mean
from pfe.scores.model import Average, ModelScore, Standing
from pfe.scores.proportion import Estimate

ProgressVerdict = Literal["strong", "moderate", "weak", "cannot be told"]
STUDENT, TWIN = "student", "base"
MODERATE, LARGE = 5, 10  # points from which a lift is no weak one, and above which it is a strong one
NEAR = 10  # points below its best tutor within which a student approaches it


@dataclass(frozen=True)
class Progress:
    """The student's PFE-Lift, in points, and its standing beside its untrained twin and its tutors."""

    lift: Average
    standing: Standing

    @property
    def is_worse(self) -> bool:
        """Whether it answers less than its twin in an arm, by an interval below 0."""
        return self.standing.canonical.high < 0 or self.standing.icr.high < 0

    @property
    def lacking(self) -> list[str]:
        """What SPEC asks of a strong success beside a large lift, and is not shown."""
        standing, tutor = self.standing, self.standing.over_tutor
        found = {
            "that it answers more than before its training in both arms": standing.canonical.low > 0 < standing.icr.low,
            f"that it is less than {NEAR} points below its best tutor": tutor is not None and tutor.low > -NEAR,
            "that what SPEC's checks reject was kept from it": standing.is_screened,
        }
        return [what for what, is_shown in found.items() if not is_shown]

    @property
    def verdict(self) -> ProgressVerdict:
        """SPEC's reading ("What Success Looks Like") of what intervals show: a lift above 10 is large, from 5 moderate.

        Weak is a lift whose interval ends below 5, or a student that is worse than its twin. It cannot be told where
        the interval holds 0 and 5, where the lift is below 5 and may be above, or where the twin may be as good with
        the library.
        """
        if self.is_worse or self.lift.high < MODERATE:
            return "weak"
        if holds_zero(self.lift) or self.lift.value < MODERATE or self.standing.icr.low <= 0:
            return "cannot be told"
        return "strong" if self.lift.value > LARGE and not self.lacking else "moderate"


def holds_zero(difference: Estimate) -> bool:
    """Whether a difference cannot be told from none by its interval."""
    return difference.low <= 0 <= difference.high


def progress(scores: Mapping[str, ModelScore]) -> Progress | None:
    """How far the student came; None without the models `student` and `base` and both arms of each."""
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
    beside: Collection[str] = (),
) -> dict[str, ModelScore]:
    """The scores, the student's with its standing.

    Differences are as `pfe compare base student` says, but with those of answers that it doubts.

    Args:
        scores: by model.
        answers: of a model on a benchmark, by their names.
        seed: of the signs that tests draw.
        is_screened: whether everything that SPEC's checks reject was kept from the student's training.
        tutors: the models that are its tutors; those count that were examined on the same benchmarks as its twin.
        beside: benchmarks that are not averaged.
    """

    def more_than(model: str) -> dict[str, Average]:
        both = [scores[one].benchmarks.keys() if one in scores else () for one in (model, STUDENT)]
        contrasts = [
            compare(answers(model, name), answers(STUDENT, name), f"{seed}:{name}")
            for name in both[1]
            if name in both[0] and name not in beside
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
