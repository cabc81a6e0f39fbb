"""How well the answers of a set are known, as it is written.

Example, of data/answer_keys/agreement.json, where nobody but the families has seen the problems:
    {"gsm1k_synth": {"problems": 1000, "used": 1000, "confirmed": 100.0, "read": 0, "agreement": null, …}}

The routes of a family share its facts and its solver: they are one tutor with several checks, and a table that says
whales are fish passes them all. Independent are tutors that read the text.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """What became of the problems of one set, with percentages that are None of no problem.

    Args:
        confirmed: of all problems, those whose answer every check by who made them gives too.
        read: how many problems `readers`, tutors that did not make them, have read.
        agreement: of the `read`, those on whose answer as many readers agree as `answer_keys.consensus` wants.
        constructed: how many of the `used` nobody but the family that made them has read.
        written_unread: how many of the `used` nobody but the tutor that wrote them has read.
        tutors: of the problems that each was asked, those it has right.
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
        """On what the answers rest: "checked by construction", or who agrees on how many."""
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
