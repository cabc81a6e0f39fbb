"""How far the student came: its lift, what it answers more than its untrained twin, and SPEC's verdict on these.

Example: a PFE-Lift of +1.2 points [-1.6, +4.0] is "weak", one of +6.0 [-2.0, +14.0] "cannot be told" from none.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pfe.scores.comparison import Answered, Contrast, compare, mean
from pfe.scores.model import Average, ModelScore, OverTwin
from pfe.scores.proportion import Estimate

ProgressVerdict = Literal["strong", "moderate", "weak", "cannot be told"]
STUDENT, TWIN = "student", "base"
MODERATE, LARGE = 5, 10  # points from which a lift is no weak one, and above which it is a strong one


@dataclass(frozen=True)
class Progress:
    """The student's PFE-Lift, and its PFE-Canonical and PFE-ICR less those of its untrained twin, in points."""

    lift: Average
    canonical: Average
    icr: Average

    @property
    def is_worse(self) -> bool:
        """Whether it answers less than its twin in an arm, by an interval below 0."""
        return self.canonical.high < 0 or self.icr.high < 0

    @property
    def verdict(self) -> ProgressVerdict:
        """SPEC's reading ("What Success Looks Like") of what intervals show: a lift above 10 is large, from 5 moderate.

        The interval of the lift says whether such a lift is one, those against the twin whether the student is better
        or worse. One that is worse is weak, whatever its lift.
        """
        if self.lift.value < MODERATE or self.is_worse:
            return "weak"
        if holds_zero(self.lift):
            return "cannot be told"
        return "strong" if self.lift.value > LARGE and self.canonical.low > 0 and self.icr.low > 0 else "moderate"


def holds_zero(difference: Estimate) -> bool:
    """Whether a difference cannot be told from none by its interval."""
    return difference.low <= 0 <= difference.high


def progress(scores: Mapping[str, ModelScore]) -> Progress | None:
    """How far the student came; None without the models `student` and `base` and both arms of each."""
    student = scores.get(STUDENT)
    if student is None or student.averages.lift is None or student.over_twin is None:
        return None
    return Progress(student.averages.lift, student.over_twin.canonical, student.over_twin.icr)


def with_twin(
    scores: Mapping[str, ModelScore],
    answers: Callable[[str, str], Sequence[Answered]],
    seed: int,
    beside: Collection[str] = (),
) -> dict[str, ModelScore]:
    """The scores, the student's with what it answers more than its untrained twin, as `pfe compare base student` says.

    Args:
        scores: by model.
        answers: of a model on a benchmark, by their names.
        seed: of the resamples.
        beside: benchmarks that are not averaged.
    """
    both = [scores[model].benchmarks.keys() if model in scores else () for model in (TWIN, STUDENT)]
    contrasts = [
        compare(answers(TWIN, name), answers(STUDENT, name), f"{seed}:{name}")
        for name in both[1]
        if name in both[0] and name not in beside
    ]
    gains = [_mean([one[arm] for one in contrasts if arm in one]) for arm in ("canonical", "icr")]
    canonical, icr = gains
    if canonical is None or icr is None:
        return dict(scores)
    return {**scores, STUDENT: replace(scores[STUDENT], over_twin=OverTwin(canonical, icr))}


def _mean(contrasts: Sequence[Contrast]) -> Average | None:
    if not contrasts:
        return None
    whole = mean(contrasts)
    return Average(whole.value, len(contrasts), whole.n, whole.low, whole.high)
