"""The chance level of a benchmark: the accuracy of guessing, or of the most frequent answer if that is higher.

Example: the correct answer of 12 in 100 function calls is "no call", so always giving it scores 12 %. Guessing among
four choices scores 25 %, and always "yes" 62 % if 62 of 100 answers are yes.

Such a majority-class baseline is the usual zero of a benchmark (Wang et al. 2019, SuperGLUE, "Most Frequent").
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import Protocol


class Answered(Protocol):
    """An answered problem: its number of choices (0 if the answer is written), its ground truth ("" for programs), and
    its skill."""

    @property
    def choices(self) -> int: ...
    @property
    def gold(self) -> str: ...
    @property
    def skill(self) -> str: ...


def chance(rows: Sequence[Answered]) -> float:
    """Return the accuracy in percent of the best answerer who knows nothing of the problems.

    The answerer sees only the kind of a problem: its skill, and whether there are choices. For each kind it either
    guesses (the mean of 1 / choices, 0 for written answers) or always gives the same text, whichever is correct more
    often. Kinds are weighted by their number of problems. The constant text is the most common correct answer in these
    rows, so no constant answer scores above chance. A text that is correct only once does not count.

    Args:
        rows: the problems of one benchmark in one arm, at least one, with the correct answers of that arm.
    """
    kinds: dict[tuple[str, bool], list[Answered]] = {}
    for row in rows:
        kinds.setdefault((row.skill, row.choices > 0), []).append(row)
    return 100 * fsum(max(_guessed(part), _constant(part)) for part in kinds.values()) / len(rows)


def _guessed(rows: Sequence[Answered]) -> float:
    """Return the expected number of correct answers from guessing among the choices."""
    return fsum(1 / row.choices for row in rows if row.choices)


def _constant(rows: Sequence[Answered]) -> int:
    """Return the number of problems whose answer is the most common correct text; 0 if no text is correct twice."""
    most = max(Counter(row.gold for row in rows if row.gold).values(), default=0)
    return most if most > 1 else 0
