"""The verdict on the student in words, the same in report.md, on the page and on the screen.

Example: "Verdict on the student: **weak** (its lift is below 5 points). PFE-Lift +1.2 [-1.6, +4.0] points ..."
"""

from collections.abc import Iterator, Mapping

from pfe.report.cells import with_interval
from pfe.scores.model import ModelScore
from pfe.scores.progress import MODERATE, Progress, ProgressVerdict, holds_zero, progress

_READINGS: Mapping[ProgressVerdict, str] = {
    "strong": "a large lift, above the untrained twin in both arms: it learned to learn from context",
    "moderate": "context helps, on some benchmarks more than on others",
    "cannot be told": "a lift of 5 points or more, whose interval holds 0",
}


def student_verdict(scores: Mapping[str, ModelScore]) -> str:
    """SPEC's verdict on the student, with the figures it rests on, in Markdown."""
    student = progress(scores)
    if student is None:
        return "Verdict: none; it needs the models `student` and `base` and both arms."
    none = ", which cannot be told from none" if holds_zero(student.lift) else ""
    reading = _READINGS.get(student.verdict) or " and ".join(_weaknesses(student))
    lift, canonical, icr = (with_interval(gain, "+") for gain in (student.lift, student.canonical, student.icr))
    return (
        f"Verdict on the student: **{student.verdict}** ({reading}). PFE-Lift {lift} points over "
        f"{student.lift.benchmarks} benchmarks and {student.lift.n:,} problems{none}; against its untrained twin "
        f"{canonical} canonical, {icr} ICR. Brackets hold 95 % intervals."
    )


def _weaknesses(student: Progress) -> Iterator[str]:
    if student.lift.value < MODERATE:
        yield f"its lift is below {MODERATE} points"
    if student.is_worse:
        yield "it is worse than its untrained twin"
