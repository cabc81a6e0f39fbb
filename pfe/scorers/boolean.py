"""Yes or no.

Example: "Yes, the passage says so." gives "yes", as "True" and "That is not false" do.
"""

import re

from pfe.problem import Problem
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

_BOTH = re.compile(r"\b(?:yes\s?(?:or|/)\s?no|true\s?(?:or|/)\s?false)\b", re.IGNORECASE)
_WORD = re.compile(r"\b(?:(yes|true|not\sfalse)|(no|false|not\strue))\b", re.IGNORECASE)


def score(problem: Problem, output: str) -> Score:
    """Right if the first yes, no, true or false of the output means the answer."""
    extracted = read_boolean(output)
    return Score(extracted != "" and extracted == read_boolean(problem.answer), extracted)


def read_boolean(output: str) -> str:
    """ "yes", "no", or "" where neither word nor true or false occurs; "yes or no" is neither."""
    match = _WORD.search(_BOTH.sub(" ", before_next_question(output)))
    return "" if match is None else "yes" if match[1] else "no"
