"""The number an output ends in.

Example: "She earns 9 * 2 = <<9*2=18>>18 dollars.\\n#### $18.00" gives 18, equal to the answer "18".
"""

import re
from decimal import Decimal

from pfe.problem import Problem
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

_NUMBER = (
    r"(?P<sign>(?<![\w)\]])[-−])?[$€£]?"
    r"(?P<digits>(?<![0-9])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|(?<![0-9])[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+(?![0-9])"
    r"|[0-9]+|(?=\.[0-9]))(?P<decimals>\.[0-9]+)?"
)
_ANYWHERE = re.compile(_NUMBER)
_MARKED = re.compile(rf"(?<!#)#{{4,}}+[^0-9\n]{{0,40}}?{_NUMBER}")
_BOXED = re.compile(rf"\\boxed\s?\{{[^0-9\n]{{0,40}}?{_NUMBER}")
_LATEX = re.compile(r"\\[,!]|\{,\}|\\(?=\$)")


def score(problem: Problem, output: str) -> Score:
    """Right if the number read out of the output equals the answer, as exact decimals."""
    found, wanted = read_number(output), read_number(problem.answer)
    return Score(found is not None and found == wanted, "" if found is None else f"{found:f}")


def read_number(output: str) -> Decimal | None:
    """The number after `####`, else in the last `\\boxed{}`, else the last number; None where there is none."""
    text = before_next_question(output)
    if marked := _MARKED.search(text):
        return _value(marked)
    plain = _LATEX.sub(lambda match: "," if match[0] == "{,}" else "", text)
    for pattern, place in ((_BOXED, plain), (_ANYWHERE, text)):
        if matches := list(pattern.finditer(place)):
            return _value(matches[-1])
    return None


def _value(match: re.Match[str]) -> Decimal:
    whole = re.sub(r"[^0-9]", "", match["digits"]).lstrip("0") or "0"
    decimals = (match["decimals"] or "").rstrip("0").rstrip(".")
    sign = "-" if match["sign"] and (whole != "0" or decimals) else ""
    return Decimal(sign + whole + decimals)
