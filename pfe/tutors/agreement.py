"""The agreement of tutors on the answers of one synthetic set, as it is written to a file.

Example, from data/answer_keys/agreement.json, where only the families have seen the problems:
    {"gsm1k_synth": {"problems": 1000, "used": 1000, "confirmed": 100.0, "read": 0, "agreement": null, …}}

The routes of a family share its facts and its solver. They are several checks by one tutor: all of them pass if a table
says that whales are fish. Independent confirmation comes only from tutors that read the text.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """Counts and percentages for the problems of one set. A percentage of no problems is None.

    Args:
        confirmed: percentage of all problems for which every check by the tutor that made them finds the same answer.
        read: number of problems that `readers`, tutors that did not make them, have read.
        agreement: percentage of the `read` problems on whose answer enough readers agree (`answer_keys.consensus`).
        constructed: number of `used` problems that were made by a family and read by no other tutor.
        written_unread: number of `used` problems that were written by a tutor and read by no other tutor.
        tutors: for each tutor, the percentage of the problems it was asked that it answers correctly.
    """

    problems: int
    used: int
    confirmed: float | None
    read: int
    agreement: float | None
    constructed: int
    written_unread: int
    readers: tuple[str, ...]
    tutors: Mapping[str, float | None]

    @property
    def words(self) -> str:
        """Describe what the answers rest on: "checked by construction", or who agrees on how many."""
        if self.agreement is not None:
            verb = "agree" if len(self.readers) > 1 else "agrees"
            parts = [f"{', '.join(self.readers)} {verb} on {self.agreement:.1f} % of {self.read}"]
            parts += [f"{self.constructed} checked by construction"] if self.constructed else []
        elif self.constructed:
            parts = [f"checked by construction, {self.confirmed:.1f} % of {self.problems}"]
        else:
            parts = []
        if self.written_unread:
            parts.append(f"{self.written_unread} known to their writer alone")
        return "; ".join(parts) or "–"
