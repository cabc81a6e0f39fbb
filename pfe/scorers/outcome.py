"""The result type of every scorer.

Example: `Score(correct=True, extracted="18")` for the output "... = 18\\n#### 18".
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """Whether an output is correct, and the answer extracted from it ("" if there is none).

    `strict` and `strict_correct` are the same for the format that the prompt asks for, where the field reports both.
    `unsafe` marks a program that ran without isolation.
    """

    correct: bool
    extracted: str
    strict: str | None = None
    strict_correct: bool | None = None
    unsafe: bool = False
