"""Function-call scoring: calls are compared by meaning, not by notation; nothing is ever evaluated.

Example: if the answer is `get_weather("Oslo")` and get_weather is on offer, these outputs are correct too:
    get_weather(location='Oslo', units="celsius")
    [{"name": "get_weather", "arguments": {"location": "Oslo"}}]
    <tool_call><function=get_weather><parameter=location>Oslo</parameter></function></tool_call>
If the answer is `no call`, so are "no call", "Which city do you mean?" and "None of the functions does that.".
"""

from pfe.icr.definitions import offered
from pfe.problem import Problem
from pfe.scorers.calls.abstaining import abstains
from pfe.scorers.calls.gold import NO_CALL, ExpectedCall, Functions, all_right, bind, expected_calls, fits, names_of
from pfe.scorers.calls.reading import Answer, read
from pfe.scorers.calls.written import RawCall, UnreadableError, as_source
from pfe.scorers.outcome import Score

_NONE = RawCall("no_call")  # the plain form, written as a call


def score(problem: Problem, output: str, ended: bool = True) -> Score:
    """Score an output without thoughts as correct if it makes exactly the expected calls, in any order.

    The calls are bound to the functions that the problem offers. If no call is correct, the output must make none and
    say so, in words or by the plain form; an empty output says nothing.

    Args:
        ended: whether the output is complete, rather than truncated at its token limit.
    """
    functions = offered(problem.functions)
    try:
        names = names_of(functions, problem.answer, problem.aliases)
        expected = expected_calls(functions, problem.answer, problem.aliases, names)
    except (TypeError, ValueError, RecursionError):  # an invalid gold answer
        return Score(False, "")
    answer = read(output, names)
    try:
        return _without_call(answer, functions, ended) if not expected else _with_calls(answer, expected, functions)
    except RecursionError:  # nested too deep to compare
        return Score(False, "")


def _without_call(answer: Answer, functions: Functions, ended: bool) -> Score:
    if answer.calls == (_NONE,) and _NONE.name not in functions and not answer.mentions:
        return Score(True, NO_CALL)
    if answer.calls is None or answer.calls or answer.mentions:
        return Score(False, _text(answer.calls))
    right = abstains(answer.words, functions, ended)
    return Score(right, NO_CALL if right else "")


def _with_calls(answer: Answer, expected: list[ExpectedCall], functions: Functions) -> Score:
    if not answer.calls:
        return Score(False, "")
    try:
        calls = [bind(call, functions) for call in answer.calls]
        right = all_right(calls, expected, functions) and all(
            _repeats(mention, answer.calls, expected, functions) for mention in answer.mentions
        )
    except UnreadableError:
        right = False
    return Score(right, _text(answer.calls))


def _repeats(mention: RawCall, calls: tuple[RawCall, ...], expected: list[ExpectedCall], functions: Functions) -> bool:
    """Return whether a call inside a sentence is one of the expected calls, or an argument of the calls made."""
    call = bind(mention, functions)
    inner = [bind(argument, functions) for outer in calls for argument in outer.inner()]
    return any(fits(call, target, functions) for target in expected) or any(argument == call for argument in inner)


def _text(calls: tuple[RawCall, ...] | None) -> str:
    return "\n".join(map(as_source, calls or ()))
