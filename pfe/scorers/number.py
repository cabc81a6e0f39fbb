"""The number an output ends in, read twice: wherever it stands, and strictly after `####`.

Example: "She earns 9 * 2 = <<9*2=18>>18 dollars.\\n#### $18.00" gives 18, equal to the answer "18";
strictly it gives nothing, for the dollar sign.
Source of the strict reading: filter `strict-match` of lm-evaluation-harness 0.4.13, tasks/gsm8k.
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
_AFTER_HASHES = re.compile(rf"(?<!#)#{{4,}}(?!#)[^0-9\n]{{0,40}}?{_NUMBER}")
_BOXED = re.compile(rf"\\boxed\s?\{{[^0-9\n]{{0,40}}?{_NUMBER}")
_ANSWER_IS = re.compile(rf"(?i:\banswer\s?(?:is|=|:))[^\w\n]{{0,10}}?{_NUMBER}")
_OPERATOR = re.compile(r"\s?(?:[-−+/×÷=^]|x\s?[0-9]|\*{1,2}\s?[0-9(])")
_LATEX = re.compile(r"\\[,!]|\{,\}|\\(?=\$)")
_NEXT_INLINE = re.compile(r"(?<=\s)Question ?[0-9]{0,4} ?:")
_STRICT = re.compile(r"#### (-?[0-9.,]+)")


def score(problem: Problem, output: str) -> Score:
    """Right if the number read out of the output equals the answer, as exact decimals.

    `strict` is the text of the number in the form that the prompts of GSM8K show, right if it is the answer's text.
    """
    extracted, expected = read_number(output), read_number(problem.answer)
    strict = read_strictly(output)
    return Score(
        correct=extracted is not None and extracted == expected,
        extracted="" if extracted is None else f"{extracted:f}",
        strict=strict,
        strict_correct=strict != "" and strict == _strict_text(problem.answer.strip()),
    )


def read_number(output: str) -> Decimal | None:
    """The number after `####`, else in the last `\\boxed{}`, else last called the answer, else the last number.

    None where there is none.
    """
    text = _NEXT_INLINE.split(before_next_question(output), maxsplit=1)[0]
    if match := _AFTER_HASHES.search(text):
        return _value(match)
    plain = _LATEX.sub(lambda match: "," if match[0] == "{,}" else "", text)
    # "the answer is 18", but not the 9 of "the answer is 9 * 2 = 18"
    answers = (match for match in _ANSWER_IS.finditer(text) if not _OPERATOR.match(text, match.end()))
    for matches in (_BOXED.finditer(plain), answers, _ANYWHERE.finditer(text)):
        if candidates := list(matches):
            return _value(candidates[-1])
    return None


def read_strictly(output: str) -> str:
    """The text of the number that follows the first "#### " with one, its commas and last full stop left out.

    "" where there is none.
    """
    match = _STRICT.search(output)
    return _strict_text(match[1]) if match else ""


def _strict_text(number: str) -> str:
    return number.replace(",", "").removesuffix(".")


def _value(match: re.Match[str]) -> Decimal:
    integer = re.sub(r"[^0-9]", "", match["digits"]).lstrip("0") or "0"
    decimals = (match["decimals"] or "").rstrip("0").rstrip(".")
    sign = "-" if match["sign"] and (integer != "0" or decimals) else ""
    return Decimal(sign + integer + decimals)
