"""How far the tutors agree on a set of problems, as it is written.

Example, of data/answer_keys/agreement.json: `{"gsm1k_synth": {"problems": 1000, "used": 1000, "agreement": 100.0, …}}`
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """Problems answered and used, and the percentages on which all tutors, and each, are right; None of no problem."""

    problems: int
    used: int
    agreement: float | None
    tutors: Mapping[str, float | None]
