"""The records of a screening on disk: counts, and the part of the certificate that the report repeats.

Example, from data/firewall.json: `{"total": {"accepted": 4700, "rejected": {"dilution": 3, …}, …}, …}`
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """The counts of one set, or of all: candidates, passed, accepted up to the target, missing, rejected by reason."""

    target: int
    candidates: int
    passed: int
    accepted: int
    short: int
    rejected: Mapping[str, int]


@dataclass(frozen=True)
class Libraries:
    """The number of method library lines that were screened, and the number of places in them that leak."""

    lines: int
    leaks: int


@dataclass(frozen=True)
class Summary:
    """The content of data/firewall.json."""

    total: Counts
    sets: Mapping[str, Counts]
    libraries: Libraries


@dataclass(frozen=True)
class ComparisonCounts:
    """The numbers of canonical problems and candidates that were compared, and of accepted candidates."""

    canonical: int
    candidates: int
    accepted: int


@dataclass(frozen=True)
class Nearest:
    """The highest score that a gate accepted, and its pair; `canonical_id` is empty if nothing matched at all."""

    score: float
    problem_id: str
    canonical_id: str


@dataclass(frozen=True)
class Claim:
    """The part of data/certificate.json that the report repeats.

    It has the counts and, by gate, the description of the score, the threshold, and the nearest accepted pair (None if
    no problem is accepted).
    """

    counts: ComparisonCounts
    gates: Mapping[str, str]
    thresholds: Mapping[str, float]
    highest_accepted: Mapping[str, Nearest | None]
