"""An attack that rewords a math problem but keeps its numbers and its answer.

Example: "Ann has 3 pens. She buys 4 more. How many has she?" becomes "How many owns she? Oddny owns three pens. She
purchases four additional."
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pfe.calibration.attack import Attack, Donors
from pfe.calibration.swapping import SENTENCE_END, SMALL_NUMBERS, names_swapped, reworded
from pfe.problem import Problem

_SMALL_NUMBER = re.compile(r"(?<![\w$€£.,/])(?:[2-9]|1[0-9])(?![\w%,/]|\.\d)")


def _retold(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Replace names and most words with a synonym, spell out small numbers, put the question first; keep the answer."""
    if problem.domain != "math":
        return None
    changed = names_swapped(problem, donors, rng) or problem
    sentences = SENTENCE_END.split(changed.question.strip())
    sentences = [_SMALL_NUMBER.sub(_in_words, reworded(sentence, rng, 0.9)) for sentence in sentences]
    return replace(changed, question=" ".join([sentences[-1], *sentences[:-1]]), solution="")


def _in_words(match: re.Match[str]) -> str:
    return SMALL_NUMBERS[int(match.group()) - 2]


ATTACKS: Mapping[str, Attack] = {"retold": _retold}
