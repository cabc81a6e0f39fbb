"""Which of a problem's choices an output names.

Example: with the choices "barometer" and "ruler", the outputs "Barometer.", "A", "(A)", "Answer: A" and
"A. barometer" all name "barometer".
"""

import re

from pfe.problem import Problem
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

_LEAD = re.compile(r"(?:(?:the\s)?(?:(?:correct|best|final|right)\s)?answer(?:\sis)?\s?:?|choice:?|option:?)\s+", re.I)
_LETTER = re.compile(r"[(\[]?([A-Z])(?:[)\].:]{0,2}|[)\].:]{1,2}\s+(.+))", re.DOTALL)


def score(problem: Problem, output: str) -> Score:
    """Right if the output names the choice that is the answer, by its text or its letter."""
    named = named_choice(problem.choices, output)
    return Score(named is not None and named == problem.answer, named or "")


def named_choice(choices: tuple[str, ...], output: str) -> str | None:
    """The choice that the output, or else its first line, names; None where it names none.

    A text that is a choice goes before a letter that stands for one; a letter with the text of
    another choice names none.
    """
    text = before_next_question(output)
    for part in (output, text, text.partition("\n")[0]):
        lead = _LEAD.match(part.strip())
        for wording in (part, part.strip()[lead.end() :] if lead else part):
            found = _by_text(choices, wording) or _by_letter(choices, wording)
            if found is not None:
                return found
    return None


def _by_text(choices: tuple[str, ...], text: str) -> str | None:
    for form in (str, _plain, _bare):
        for choice in choices:
            if form(choice) and form(choice) == form(text):
                return choice
    return None


def _by_letter(choices: tuple[str, ...], text: str) -> str | None:
    match = _LETTER.fullmatch(text.strip().strip("*"))
    place = ord(match[1]) - ord("A") if match else len(choices)
    if match is None or place >= len(choices):
        return None
    return choices[place] if match[2] is None or _bare(match[2]) == _bare(choices[place]) else None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _bare(text: str) -> str:
    return _plain(text).strip(" .\"'*“”")
