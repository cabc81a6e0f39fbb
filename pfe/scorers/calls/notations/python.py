"""Calls in Python syntax.

The prompt of this benchmark and its library, whose examples have results after `→`:
    get_weather("Oslo")
    - get_weather("Oslo") → {"temp": 7}
    city = find_person("Bo"); set_light(city)
Llama 3.2 and 4, llama.com's prompt formats, "zero-shot function calling"; ToolACE-8B, its card:
    [get_weather(location="Oslo"), get_time(zone="CET")]
Gemma 3, ai.google.dev/gemma/docs/capabilities/function-calling, in a fence named tool_code:
    print(get_weather("Oslo"))

A call that is assigned to a variable and then used once as an argument becomes that argument: the third line is
`set_light(find_person("Bo"))`.
"""

import ast
import re
from dataclasses import replace

from pfe.scorers.calls.notation import BEFORE, Names, Notation, Reading, plain_name
from pfe.scorers.calls.source import call_of, closing, parse_statement
from pfe.scorers.calls.written import BrokenError, RawCall, UnreadableError, Value, Variable
from pfe.scorers.trimming import SIGNATURE

_TARGET = r"(?:[^\W\d]\w*[ \t]*=(?!=)[ \t]*)?"
_START = re.compile(rf"{_TARGET}(?P<outer>\[)?\s*(?P<name>[^\W\d][\w.-]*)[ \t]*\(")
_ARGUMENT_START = re.compile(r"[\"'=0-9\[{]")  # characters that are common in the brackets of calls and rare in others
_AFTER = re.compile(
    r"[ \t]*`{0,3}\*{0,2}(?:[ \t]*[;,](?:[ \t]*\n)?|[ \t]*(?:\#|→|->)[^\n]*|\.`{0,3}\*{0,2}(?=\s|\Z)|"
    r"(?=[ \t]*(?:\n|\Z|<[|/｜\w]|\[/)))"
)
_SIGNATURE = re.compile(SIGNATURE)
_BETWEEN = re.compile(r"\s*(?:\#[^\n]*\n\s*)*")
_MORE = re.compile(BEFORE)
MOST = 64  # calls per answer


def _read(text: str, opening: re.Match[str], names: Names) -> Reading:
    """Read all consecutive statements that make calls.

    Raises:
        UnreadableError, BrokenError: as in `Notation`.
    """
    run = _Run(names)
    place = end = opening.end()
    while len(run.calls) <= MOST:
        try:
            place = run.statement(text, place)
        except BrokenError:
            raise
        except UnreadableError:
            break
        end = _end(_AFTER, text, place)
        place = _end(_MORE, text, _end(_BETWEEN, text, end))
        if _SIGNATURE.match(text, place):  # the output runs on to another problem
            break
    if not run.calls:
        raise UnreadableError("no call")
    return Reading(tuple(run.calls), end)


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


class _Run:
    """A run of consecutive statements, and the values of its variables."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.calls: list[RawCall] = []
        self._variables: dict[str, RawCall] = {}

    def statement(self, text: str, place: int) -> int:
        """Read the statement at this position and return where it ends.

        Raises:
            UnreadableError: it makes no call.
            BrokenError: it calls a function on offer, but not in a valid form.
        """
        start = _START.match(text, place)
        if not start:
            raise UnreadableError("no call")
        bracket = start.start("outer") if start["outer"] else text.index("(", start.end("name"))
        end = _line_end(text, bracket)
        try:
            end = closing(text, bracket)
            if not _AFTER.match(text, end):
                raise UnreadableError("something else is done with what is called")
            self._take(*parse_statement(text[place:end], self.names))
        except UnreadableError as error:
            if self._offered(start["name"]) and _ARGUMENT_START.search(text, bracket, end):
                raise BrokenError(str(error)) from None
            raise
        return end

    def _take(self, statement: ast.stmt, odd: dict[str, str]) -> None:
        match statement:
            case ast.Expr(value=value):
                calls = self._calls(value, odd)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                calls = self._calls(value, odd)
                if len(calls) == 1:
                    self._variables[name] = calls[0]
            case _:
                raise UnreadableError(f"{type(statement).__name__} is no call")
        self.calls += calls

    def _calls(self, node: ast.expr, odd: dict[str, str]) -> list[RawCall]:
        match node:
            case ast.List(elts=items) if items:
                return [call for item in items for call in self._calls(item, odd)]
            case ast.Call(func=ast.Name(id="print"), args=args) if "print" not in self.names:
                return [call for arg in args if isinstance(arg, ast.Call) for call in self._calls(arg, odd)]
            case ast.Call():
                return [self._fill_in(call_of(node, odd))]
        raise UnreadableError(f"{type(node).__name__} is not a call")

    def _fill_in(self, call: RawCall) -> RawCall:
        """Return the call with its variables replaced; a call that a variable holds no longer counts on its own."""
        call = replace(call, name=plain_name(call.name, self.names))
        return call.with_values([self._value(value) for value in call.values()])

    def _offered(self, name: str) -> bool:
        return plain_name(name, self.names) in self.names

    def _value(self, value: Value) -> Value:
        match value:
            case RawCall():
                return self._fill_in(value)
            case Variable(name=name) if name in self._variables:
                content = self._variables[name]
                if not any(content is call for call in self.calls):
                    return value
                self.calls = [call for call in self.calls if call is not content]
                return content
            case list():
                return [self._value(item) for item in value]
            case dict():
                return {key: self._value(item) for key, item in value.items()}
        return value


NOTATIONS = (Notation(re.compile(rf"{BEFORE}(?=[^\W\d]|[\[(])"), _read, bare=True),)
