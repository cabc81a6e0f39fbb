"""What one gets who knows nothing of the problems: the accuracy of the best constant answer, or of guessing.

Example: of 100 function calls 12 are rightly "no call", so whoever always says so has 12 %; guessing among four choices
gives 25 %, and always "yes" 62 % where 62 of 100 answers are yes.

Such a majority-class baseline is the usual zero of a benchmark (Wang et al. 2019, SuperGLUE, "Most Frequent").
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import Protocol


class Answered(Protocol):
    """An answered problem: its number of choices (0: written), its correct answer ("": a program), its skill."""

    @property
    def choices(self) -> int: ...
    @property
    def gold(self) -> str: ...
    @property
    def skill(self) -> str: ...


def chance(rows: Sequence[Answered]) -> float:
    """Return the accuracy in percent of the best answerer who knows nothing of the problems.

    The answerer sees what every prompt of its kind shows: the skill, and whether there are choices. For each such kind
    it either guesses (the mean of 1 / choices, 0 where answers are written) or always gives the same text, whichever is
    correct more often; the kinds count by their problems. The same text is the most common correct answer of these
    rows, so a constant answer is never above chance. A text that is correct once is no constant answer.

    Args:
        rows: the problems of one benchmark in one arm, at least one; the correct answer is that of the arm.
    """
    kinds: dict[tuple[str, bool], list[Answered]] = {}
    for row in rows:
        kinds.setdefault((row.skill, row.choices > 0), []).append(row)
    return 100 * fsum(max(_guessed(part), _constant(part)) for part in kinds.values()) / len(rows)


def _guessed(rows: Sequence[Answered]) -> float:
    """Return the expected number of correct answers of one who guesses among the choices."""
    return fsum(1 / row.choices for row in rows if row.choices)


def _constant(rows: Sequence[Answered]) -> int:
    """Return the number of correct answers of one who always gives the most common correct text."""
    most = max(Counter(row.gold for row in rows if row.gold).values(), default=0)
    return most if most > 1 else 0
