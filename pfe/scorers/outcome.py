"""What every scorer returns.

Example: `Score(correct=True, extracted="18")` for the output "... = 18\\n#### 18".
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """Whether an output is right, and what was read out of it ("" where nothing could be).

    `strict` and `strict_correct` are the same for the form that the prompt asks for, where the field
    reports both; `unsafe` marks a program that was run without isolation.
    """

    correct: bool
    extracted: str
    strict: str | None = None
    strict_correct: bool | None = None
    unsafe: bool = False
