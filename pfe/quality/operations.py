"""The arithmetic operations of worked solutions, read from their calculator annotations.

Example: "5 * 6 = <<5*6=30>>30, and 30 + 4 - 1 = <<30+4-1=33>>33" has two steps, with the sequence ("*", "+-").
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from pfe.problem import Problem
from pfe.quality.record import Steps
from pfe.scores.proportion import Proportion, proportion

FEW = 2
_ANNOTATION = re.compile(r"<<([^=<>]*)=[^<>]*>>")
_SIGN = re.compile(r"(^|[-+*/(])-")
Operations = tuple[str, ...]


def sequence(problem: Problem) -> Operations:
    """Return the operations of each step of a worked solution; the sign of a number is not an operation."""
    expressions = [re.sub(r"\s+", "", text) for text in _ANNOTATION.findall(problem.solution)]
    return tuple(re.sub(r"[^-+*/]", "", _SIGN.sub(r"\1", text)) for text in expressions)


def sequences(problems: Sequence[Problem]) -> list[Operations]:
    """Return the sequences of the math problems that have any step."""
    return [steps for problem in problems if problem.domain == "math" and (steps := sequence(problem))]


def steps_of(problems: Sequence[Problem]) -> Steps | None:
    """Return the statistics of annotated solutions; None if there are none."""
    found = sequences(problems)
    if not found:
        return None
    counts = Counter(map(len, found))
    return Steps(
        n=len(found),
        mean=sum(map(len, found)) / len(found),
        few=proportion(sum(len(steps) <= FEW for steps in found), len(found)),
        sequences=len(set(found)),
        distribution={str(count): 100 * counts[count] / len(found) for count in sorted(counts)},
    )


def covered(real: Sequence[Problem], synthetic: Collection[Operations]) -> Proportion | None:
    """Return the share of real problems whose operations, in any order, a synthetic one has too; None without any."""
    wanted = [_unordered(steps) for steps in sequences(real)]
    there = set(map(_unordered, synthetic))
    return proportion(sum(kind in there for kind in wanted), len(wanted)) if wanted else None


def _unordered(steps: Operations) -> Operations:
    return tuple(sorted("".join(steps)))
