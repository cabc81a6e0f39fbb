"""The verdict on the student in words, the same in report.md, on the page and on the screen.

Example: "Verdict on the student: **weak** (little lift or a loss, or ...). PFE-Lift +1.2 [-1.6, +4.0] points ..."
"""

from collections.abc import Mapping

from pfe.report.cells import with_interval
from pfe.scores.model import ModelScore
from pfe.scores.progress import ProgressVerdict, holds_zero, progress

READINGS: Mapping[ProgressVerdict, str] = {
    "strong": "a large lift, above the untrained twin in both arms: it learned to learn from context",
    "moderate": "context helps, on some benchmarks more than on others",
    "weak": "little lift or a loss, or worse than its untrained twin",
    "cannot be told": "a lift of some size, whose interval holds 0",
}


def student_verdict(scores: Mapping[str, ModelScore]) -> str:
    """SPEC's verdict on the student, with the figures it rests on, in Markdown."""
    student = progress(scores)
    if student is None:
        return "Verdict: none; it needs the models `student` and `base` and both arms."
    none = ", which cannot be told from none" if holds_zero(student.lift) else ""
    lift, canonical, icr = (with_interval(gain, "+") for gain in (student.lift, student.canonical, student.icr))
    return (
        f"Verdict on the student: **{student.verdict}** ({READINGS[student.verdict]}). PFE-Lift {lift} points over "
        f"{student.lift.benchmarks} benchmarks and {student.lift.n:,} problems{none}; against its untrained twin "
        f"{canonical} canonical, {icr} ICR. A difference whose 95 % interval holds 0 cannot be told from none."
    )
