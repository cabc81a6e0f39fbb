"""Format scoring: answers whose form is the task.

Example: for the answer '{"n": 2}' the output '```json\\n{ "n": 2.0 }\\n```' is correct and "{n: 2}" is not.
"""

import json
from typing import Any

from pfe.problem import Problem
from pfe.scorers.fences import unfenced
from pfe.scorers.outcome import Score
from pfe.scorers.trimming import without_end_tokens


def score(problem: Problem, output: str) -> Score:
    """Score the output as correct if it equals the answer.

    Fences, outer white space, line endings and end-of-turn tokens are ignored. If the answer is a JSON object or array,
    the output must be valid JSON with the same value.
    """
    extracted, expected = _tidy(output), _tidy(problem.answer)
    value = _json(expected)
    if isinstance(value, dict | list):
        return Score(_same(_json(extracted), value), extracted)
    return Score(extracted == expected, extracted)


def _tidy(text: str) -> str:
    return unfenced(without_end_tokens(text)).replace("\r\n", "\n").replace("\r", "\n").strip()


def _json(text: str) -> Any:
    """Return the value of JSON text; None if the text is not JSON (the value null is never expected)."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _same(value: Any, expected: Any) -> bool:
    """Return whether two JSON values are equal; False if they are nested too deep to compare."""
    try:
        return _equal(value, expected)
    except RecursionError:
        return False


def _equal(value: Any, expected: Any) -> bool:
    match value, expected:
        case dict(), dict():
            return value.keys() == expected.keys() and all(_equal(value[key], expected[key]) for key in expected)
        case list(), list():
            return len(value) == len(expected) and all(map(_equal, value, expected))
    return isinstance(value, bool) == isinstance(expected, bool) and bool(value == expected)
