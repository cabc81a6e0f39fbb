"""The effect of the library on each problem: fixed, broken, or unchanged.

Example: a problem that is incorrect in the arm canonical and correct in ICR is "fixed".
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from pfe.scores.comparison import Answered

Outcome = Literal["fixed", "broken", "both", "neither"]
OUTCOMES: Mapping[tuple[bool, bool], Outcome] = {
    (False, True): "fixed", (True, False): "broken", (True, True): "both", (False, False): "neither",
}  # fmt: skip


def outcomes(rows: Iterable[Answered]) -> dict[str, Outcome]:
    """Return the outcome of each problem by id: "fixed" if only ICR is correct, "broken" if only canonical is.

    Problems without an answer in one of these arms are left out.
    """
    marks_by_id: dict[str, dict[str, bool]] = {}
    for row in rows:
        if row.order == 0 and row.arm in ("canonical", "icr"):
            marks_by_id.setdefault(row.problem_id, {})[row.arm] = row.correct
    return {id: OUTCOMES[marks["canonical"], marks["icr"]] for id, marks in marks_by_id.items() if len(marks) == 2}
