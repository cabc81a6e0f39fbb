"""Read a tutor's reply as a problem, or refuse it with a reason that can be sent back to the tutor.

Example: 'Sure! ```json\\n{"question": …, "answer": "12 apples"}\\n```' is refused with "answer: input should be a valid
integer, unable to parse string as an integer".
"""

import json
from typing import Any

from pydantic import ValidationError

from pfe.problem import Problem
from pfe.scorers import SCORER_OF, score
from pfe.scorers.fences import blocks
from pfe.tutors.writing.forms import FORMS
from pfe.tutors.writing.prompt import Commission

_MOST_MISTAKES = 5
_WRONG = {
    "code": "the program does not pass its own tests",
    "function_call": "the calls do not fit the functions on offer",
}


class RefusedProblemError(ValueError):
    """A reply that holds no usable problem; the message says why."""


def read(commission: Commission, set: str, tutor: str, text: str) -> Problem:
    """Return the problem in a reply.

    Raises:
        RefusedProblemError: the reply holds no problem, or the scorer marks its own answer as incorrect.
        UserError: programs cannot be run safely on this machine.
    """
    value = _object(text)
    try:
        problem = FORMS[commission.domain].model_validate(value).problem(commission.id, set, tutor)
    except ValidationError as error:
        mistakes = [_mistake(detail["loc"], detail["msg"]) for detail in error.errors()]
        raise RefusedProblemError("; ".join(mistakes[:_MOST_MISTAKES])) from None
    if not score(SCORER_OF[problem.domain], problem, problem.answer).correct:
        raise RefusedProblemError(_WRONG.get(problem.domain, "its own answer is not right"))
    return problem


def _object(text: str) -> Any:
    """Return the JSON object in a text: the whole text, a fenced block, or from the first brace to the last."""
    if not text.strip():
        raise RefusedProblemError("nothing was written")
    for part in (text, *blocks(text), text[text.find("{") : text.rfind("}") + 1]):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    raise RefusedProblemError("no JSON object stands in it")


def _mistake(loc: tuple[int | str, ...], message: str) -> str:
    place = ".".join(map(str, loc))
    message = message.removeprefix("Value error, ")
    return f"{place}: {message[0].lower()}{message[1:]}" if place else message
