"""Which of a problem's choices a model prefers, and which one an output names.

Example: with the choices "barometer" and "ruler", the outputs "Barometer.", "A", "(A)", "Answer: A",
"A. barometer" and "So the answer is **(A)**, since …" all name "barometer".
"""

import re
from collections.abc import Sequence
from math import inf

from pfe.problem import Problem
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

_LEAD = re.compile(r"(?:(?:the\s)?(?:(?:correct|best|final|right)\s)?answer(?:\sis)?\s?:?|choice:?|option:?)\s+", re.I)
_ANSWER_IS = re.compile(r"\banswer(?:\sis\s?:?|\s?:)\s?", re.I)
_LETTER = re.compile(r"[(\[]?([A-Z])(?:[)\].:]{0,2}|[)\].:]{1,2}\s+(.+))", re.DOTALL)
_IN_BRACKETS = re.compile(r"\(([A-Z])\)\W")


def score(problem: Problem, output: str) -> Score:
    """Right if the output names the choice that is the answer, by its text or its letter."""
    choice = named_choice(problem.choices, output)
    return Score(choice is not None and choice == problem.answer, choice or "")


def best(scores: Sequence[float]) -> int:
    """The place of the highest score, the first of equals: lm-evaluation-harness's `acc`.

    Raises:
        ValueError: there are no scores.
    """
    return max(range(len(scores)), key=scores.__getitem__)


def best_per_character(scores: Sequence[float], choices: Sequence[str]) -> int:
    """The place of the highest score per character of its choice: lm-evaluation-harness's `acc_norm`.

    Args:
        scores: the log-likelihood (nats) of every choice, the space before it included.
        choices: their texts, without that space; an empty one is never the best of several.

    Raises:
        ValueError: there are no scores, or not one a choice.
    """
    return best([score / len(text) if text else -inf for score, text in zip(scores, choices, strict=True)])


def named_choice(choices: tuple[str, ...], output: str) -> str | None:
    """The choice that the output, or else its first line, or else its last "answer is …", names; None where none.

    A text that is a choice goes before a letter that stands for one; a letter with the text of
    another choice names none.
    """
    text = before_next_question(output)
    parts = (output, text, text.partition("\n")[0])
    wordings = [*parts, _last_answer(text), *map(_after_lead, parts)]
    for wording in dict.fromkeys([*wordings, *(wording.replace("**", "") for wording in wordings)]):
        choice = _by_text(choices, wording) or _by_letter(choices, wording)
        if choice is not None:
            return choice
    return None


def _after_lead(text: str) -> str:
    text = text.strip()
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead else text


def _last_answer(text: str) -> str:
    """What the output last calls the answer, to the end of its line."""
    places = [match.end() for match in _ANSWER_IS.finditer(text)]
    return text[places[-1] :].partition("\n")[0] if places else ""


def _by_text(choices: tuple[str, ...], text: str) -> str | None:
    for form in (str, _plain, _bare):
        for choice in choices:
            if form(choice) and form(choice) == form(text):
                return choice
    return None


def _by_letter(choices: tuple[str, ...], text: str) -> str | None:
    """The choice whose letter stands alone, before the choice's own text, or in brackets before no choice's text."""
    text = text.strip().strip("*")
    alone = _LETTER.fullmatch(text)
    match = alone or _IN_BRACKETS.match(text)
    place = ord(match[1]) - ord("A") if match else len(choices)
    if match is None or place >= len(choices):
        return None
    if alone and alone[2] is None:
        return choices[place]
    behind = _bare(text[match.end(1) + 1 :].lstrip(").]: "))
    matches = [choice for choice in choices if _starts_with(behind, choice)]
    if not matches:
        return choices[place] if text.startswith("(") else None
    return choices[place] if max(matches, key=len) == choices[place] else None


def _starts_with(text: str, choice: str) -> bool:
    """Whether a bare text is a choice, or goes on after it."""
    bare = _bare(choice)
    return bare != "" and text.startswith(bare) and not text[len(bare) : len(bare) + 1].isalnum()


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _bare(text: str) -> str:
    return _plain(text).strip(" .\"'*“”")
