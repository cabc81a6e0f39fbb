"""What every scorer returns.

Example: `Score(correct=True, extracted="18")` for the output "... = 18\\n#### 18".
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """Whether an output is right, and what was read out of it ("" where nothing could be)."""

    correct: bool
    extracted: str
