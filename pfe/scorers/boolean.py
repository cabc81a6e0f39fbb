"""Yes or no.

Example: "Yes, the passage says so." gives "yes", as "True" does.
"""

import re

from pfe.problem import Problem
from pfe.scorers.outcome import Score

_WORD = re.compile(r"\b(?:(yes|true)|(no|false))\b", re.IGNORECASE)


def score(problem: Problem, output: str) -> Score:
    """Right if the first yes, no, true or false of the output means the answer."""
    found = read_boolean(output)
    return Score(found != "" and found == read_boolean(problem.answer), found)


def read_boolean(output: str) -> str:
    """ "yes", "no", or "" where neither word nor true or false occurs."""
    match = _WORD.search(output)
    return "" if match is None else "yes" if match[1] else "no"
