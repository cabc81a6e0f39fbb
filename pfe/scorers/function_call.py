"""Function calls, compared by what they mean and not by how they are written; nothing is ever evaluated.

Example: for the answer `get_weather("Oslo")` these outputs are right too:
    get_weather(location='Oslo', units="celsius")
    [{"name": "get_weather", "arguments": {"location": "Oslo"}}]
    <tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call>
    get_weather("Oslo") → {"temp": 7}
"""

import re
from collections import Counter

from pfe.problem import Problem
from pfe.scorers.call_forms import Form, json_calls, python_calls
from pfe.scorers.fences import blocks
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

LONGEST = 20_000  # characters; longer outputs are no calls
LINES = 40  # that calls may take before prose follows them

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_OPENING = re.compile(r"\s*(?:Call:|\[TOOL_CALLS\]|<\|python_tag\|>)")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|[0-9]{1,3}[.)])[ \t]+", re.MULTILINE)
_RESULT = re.compile(r"(?<=\))[ \t]*(?:→|->|=>)[^\n]*$", re.MULTILINE)
_CALL_LINE = re.compile(r"\s*(?:[\w.]+\(|[\[{])")

Calls = Counter[Form]


def score(problem: Problem, output: str) -> Score:
    """Right if the output makes the same calls as the answer, each as often, in any order.

    Arguments by place and by name are the same, and a default may be left out; 2 equals 2.0; texts are
    equal after stripping. Functions outside the catalogue are compared as they are written.
    """
    found, wanted = read_calls(output), read_calls(problem.answer)
    try:
        correct = found is not None and found == wanted
    except RecursionError:  # nested too deep to tell
        correct = False
    return Score(correct, "" if found is None else before_next_question(output))


def read_calls(output: str) -> Calls | None:
    """The calls of an output and how often each is made; None where it holds something else, or nothing.

    They stand in <tool_call> tags, in fenced blocks, or at the output's start.
    """
    text = before_next_question(output)
    if len(text) > LONGEST:
        return None
    if tagged := _TAGGED.findall(text):
        return _all(tagged)
    if fenced := blocks(text):
        first, *others = map(_read, fenced)
        return None if first is None else sum((other for other in others if other), first)
    return _at_start(_OPENING.sub("", text, count=1) if _OPENING.match(text) else text)


def _all(parts: list[str]) -> Calls | None:
    calls: Calls = Counter()
    for part in parts:
        found = _read(part)
        if found is None:
            return None
        calls += found
    return calls


def _at_start(text: str) -> Calls | None:
    """The calls that a text is, or that its first paragraph is or starts with, but for bullets and told results."""
    paragraph = text.strip().partition("\n\n")[0]
    plain = _RESULT.sub("", _BULLET.sub("", paragraph.strip("`")))
    for part in dict.fromkeys((text.strip(), paragraph, plain)):
        if calls := _read(part):
            return calls
    lines = plain.splitlines()
    for count in range(min(len(lines) - 1, LINES), 0, -1):
        if any(map(_CALL_LINE.match, lines[count:])):
            return None
        if calls := _read("\n".join(lines[:count])):
            return calls
    return None


def _read(text: str) -> Calls | None:
    for read in (json_calls, python_calls):
        try:
            calls = Counter(read(text))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
        if calls:
            return calls
    return None
