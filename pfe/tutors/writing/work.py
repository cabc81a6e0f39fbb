"""What a tutor that writes brings home.

Example, a line of data/refused.jsonl:
    {"id": "arc_synth/gpt4o/s0/3", "set": "arc_synth", "tutor": "gpt4o",
     "reason": "the choices 'ice' and 'Ice' are the same, so two would be right", "text": "{\\"question\\": …"}
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pfe.problem import Problem


@dataclass(frozen=True)
class Refusal:
    """What was written and could not be used, even mended: why, and the beginning of it."""

    id: str
    set: str
    tutor: str
    reason: str
    text: str


@dataclass(frozen=True)
class Work:
    """Problems of one set, and what was refused."""

    problems: Sequence[Problem]
    refusals: Sequence[Refusal]


class Writer(Protocol):
    """Anything that writes problems."""

    def write(self, set: str, count: int, seed: int) -> Work:
        """At most `count` problems of a set, the same for the same seed."""
