"""What the firewall says of a screening, as it is written: counts, and of the certificate what the report repeats.

Example, of data/firewall.json: `{"total": {"accepted": 4700, "rejected": {"dilution": 3, …}, …}, …}`
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """The candidates of one set, or of all: how many passed, are accepted up to the target, and why others are not."""

    target: int
    candidates: int
    passed: int
    accepted: int
    short: int
    rejected: Mapping[str, int]


@dataclass(frozen=True)
class Libraries:
    """How many lines of method libraries were screened, and how many places in them leak."""

    lines: int
    leaks: int


@dataclass(frozen=True)
class Summary:
    """What data/firewall.json holds."""

    total: Counts
    sets: Mapping[str, Counts]
    libraries: Libraries


@dataclass(frozen=True)
class ComparisonCounts:
    """How many problems were compared, and how many of the candidates accepted."""

    canonical: int
    candidates: int
    accepted: int


@dataclass(frozen=True)
class Nearest:
    """The highest score that a gate let through, and whose; `canonical_id` is empty where nothing matched at all."""

    score: float
    problem_id: str
    canonical_id: str


@dataclass(frozen=True)
class Claim:
    """Of data/certificate.json the counts, and by gate what its score is, its threshold and, where any problem is
    accepted, the nearest pair."""

    counts: ComparisonCounts
    gates: Mapping[str, str]
    thresholds: Mapping[str, float]
    highest_accepted: Mapping[str, Nearest | None]
