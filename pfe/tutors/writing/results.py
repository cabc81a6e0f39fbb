"""The results of a tutor that writes problems: problems and refusals.

Example: a line of data/refused.jsonl:
    {"id": "arc_synth/gpt4o/s0/3", "set": "arc_synth", "tutor": "gpt4o",
     "reason": "the choices 'ice' and 'Ice' are the same, so two would be right", "text": "{\\"question\\": …"}
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pfe.problem import Problem


@dataclass(frozen=True)
class Refusal:
    """A text that could not be used as a problem, even after a repair: the reason, and the beginning of the text."""

    id: str
    set: str
    tutor: str
    reason: str
    text: str


@dataclass(frozen=True)
class Work:
    """The problems and the refusals of one set."""

    problems: Sequence[Problem]
    refusals: Sequence[Refusal]


class Writer(Protocol):
    """A tutor that writes problems."""

    def write(self, set: str, count: int, seed: int) -> Work:
        """Write up to `count` problems of a set; the same seed gives the same problems."""
