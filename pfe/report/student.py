"""The verdict on the student as text for report.md, the HTML page and the terminal.

Example: "Verdict on the student: **weak** (its lift is below 5 points). PFE-Lift +1.2 [-1.6, +4.0] points ..."
"""

from collections.abc import Iterator, Mapping

from pfe.report.cells import with_interval
from pfe.scores.model import ModelScore
from pfe.scores.progress import LARGE, MODERATE, Progress, holds_zero, progress


def student_verdict(scores: Mapping[str, ModelScore]) -> str:
    """Return SPEC's verdict on the student with the figures that support it, in Markdown."""
    student = progress(scores)
    if student is None:
        return "Verdict: none; it needs the models `student` and `base` and both arms."
    none = " (the CI includes 0)" if holds_zero(student.lift) else ""
    standing = student.standing
    lift, canonical, icr = (with_interval(gain, "+") for gain in (student.lift, standing.canonical, standing.icr))
    tutor = f"; against its best tutor {with_interval(standing.over_tutor, '+')} ICR" if standing.over_tutor else ""
    return (
        f"Verdict on the student: **{student.verdict}** ({_reading(student)}). PFE-Lift {lift} points{none} over "
        f"{student.lift.benchmarks} benchmarks and {student.lift.n:,} problems; against itself before training "
        f"{canonical} canonical, {icr} ICR{tutor}. Brackets are 95 % confidence intervals (CI)."
    )


def _reading(student: Progress) -> str:
    """Return the reason for the verdict."""
    match student.verdict:
        case "strong":
            return (
                "a large lift, above itself before training and near its best tutor: it learned to learn from context"
            )
        case "moderate" if student.lift.value > LARGE:
            return f"a large lift, but it is not shown {', nor '.join(student.lacking)}"
        case "moderate":
            return "context helps, on some benchmarks more than on others"
        case "weak":
            return " and ".join(_weaknesses(student))
    return " and ".join(_doubts(student))


def _weaknesses(student: Progress) -> Iterator[str]:
    if student.lift.high < MODERATE:
        yield f"its lift is below {MODERATE} points"
    if student.is_worse:
        yield "it is worse than before its training"


def _doubts(student: Progress) -> Iterator[str]:
    if holds_zero(student.lift):
        yield f"the CI of its lift includes both 0 and {MODERATE}"
    elif student.lift.value < MODERATE:
        yield f"the CI of its lift includes values below and above {MODERATE} points"
    if student.standing.icr.low <= 0:
        yield "it is not shown to answer more than before its training with the library in context"
