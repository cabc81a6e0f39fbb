"""Yes/no questions about passages on invented things.

Example, of the family threshold_rule: "Toronia Assembly -- ... A petition is debated if it carries at least 240
signatures. ..." Question: "is a petition with 236 signatures debated in the toronia assembly". Answer: no.
"""

from pfe.tutors.families.boolq_synth.reading import (
    CategoryInclusion,
    ExceptionClause,
    ListMembership,
    LocationContainment,
    StatedFact,
    StillRunning,
    TwoHop,
)
from pfe.tutors.families.boolq_synth.reckoning import (
    CompareNumbers,
    DateOrder,
    RuleForCase,
    RuleOverTime,
    SumThreshold,
    Superlative,
    ThresholdRule,
    UnlessClause,
)

__all__ = [
    "CategoryInclusion",
    "CompareNumbers",
    "DateOrder",
    "ExceptionClause",
    "ListMembership",
    "LocationContainment",
    "RuleForCase",
    "RuleOverTime",
    "StatedFact",
    "StillRunning",
    "SumThreshold",
    "Superlative",
    "ThresholdRule",
    "TwoHop",
    "UnlessClause",
]
