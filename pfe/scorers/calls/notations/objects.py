"""Calls as JSON objects: one or several, alone or in a list.

Hermes 2 Pro, Qwen 2.5 and most others, their chat templates:
    {"name": "get_weather", "arguments": {"location": "Oslo"}}
The same in Python syntax, which the prompt of NousResearch/Hermes-Function-Calling shows and its parser accepts:
    {'name': 'get_weather', 'arguments': {'location': 'Oslo'}}
Llama 3.1, chat template; Gemma 3, ai.google.dev/gemma/docs/capabilities/function-calling:
    {"name": "get_weather", "parameters": {"location": "Oslo"}}
Command R and Command R7B, chat templates:
    [{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"location": "Oslo"}}]
Apertus, chat template:
    [{"get_weather": {"location": "Oslo"}}]
xLAM, card of Salesforce/xLAM-1b-fc-r; the list may hold objects as in OpenAI's API reference, "Chat Completions":
    {"tool_calls": [{"name": "get_weather", "arguments": {"location": "Oslo"}}]}
    {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{…}"}}]}
"""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

from pfe.scorers.calls.notation import BEFORE, Names, Notation, Reading, plain_name
from pfe.scorers.calls.source import closing, value_of
from pfe.scorers.calls.written import BrokenError, RawCall, UnreadableError, Value, Variable

_NAMES = ("name", "tool_name")
_ARGUMENTS = ("arguments", "parameters")
_ASIDE = {"id", "type", "tool_call_id"}
_GAP = re.compile(r"[\s,;]*")
_DEEPEST = 8


def object_at(text: str, place: int) -> tuple[Any, int]:
    """Read the JSON value, or its equivalent in Python syntax, that begins at a position; return it and where it ends.

    Raises:
        UnreadableError: there is none, or an object repeats a key.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse, strict=False)
    try:
        return decoder.raw_decode(text, place)
    except UnreadableError:
        raise
    except (ValueError, RecursionError):
        end = closing(text, place)
    try:
        value = value_of(ast.parse(text[place:end].strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(f"no object: {error}") from None
    if _holds_code(value):
        raise UnreadableError("Python, but no object")
    return value, end


def calls_of(value: Any, names: Names, depth: int = 0) -> list[RawCall]:
    """Return the calls that a JSON value is or contains; none if it is something else.

    Raises:
        BrokenError: it can only have been meant as a call, but is not a valid one.
    """
    if depth > _DEEPEST:
        raise BrokenError("too deep")
    match value:
        case list():
            parts = [calls_of(item, names, depth + 1) for item in value]
            if any(parts) and any(not calls and _keyed(item) for calls, item in zip(parts, value, strict=True)):
                raise BrokenError("a function that is not on offer")
            return [call for calls in parts for call in calls]
        case dict():
            if isinstance(inner := value.get("function"), dict) and value.keys() <= {"function", *_ASIDE}:
                return calls_of(inner, names, depth + 1) or _fail("an empty call")
            if any(key in value for key in _NAMES) and (call := _call(value, names)):
                return [call]
            if value and value.keys() <= set(names) and all(isinstance(item, dict) for item in value.values()):
                return [build_call(name, item, names) for name, item in value.items()]
            if any(key in names for key in value):
                raise BrokenError("a function, but no call")
            if isinstance(value.get("tool_calls"), list):
                return calls_of(value["tool_calls"], names, depth + 1)
    return []


def build_call(name: str, arguments: Any, names: Names) -> RawCall:
    """Build a call whose arguments are an object, the text of an object, or missing.

    Raises:
        BrokenError: the arguments are none of these.
    """
    if isinstance(arguments, str):
        try:
            arguments = object_at(arguments, 0)[0] if arguments.strip() else {}
        except UnreadableError as error:
            raise BrokenError(str(error)) from None
    arguments = {} if arguments is None else arguments
    if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
        raise BrokenError("the arguments are no object")
    return RawCall(plain_name(name, names), (), tuple((key, _argument(item, names)) for key, item in arguments.items()))


def _call(value: dict[Any, Any], names: Names) -> RawCall | None:
    key = next(key for key in _NAMES if key in value)
    name, rest = value[key], {field: item for field, item in value.items() if field != key}
    present = [field for field in _ARGUMENTS if field in rest]
    offered = isinstance(name, str) and plain_name(name, names) in names
    if not isinstance(name, str) or not (offered or present):
        return _fail("no name") if isinstance(name, list) and present else None
    if len(present) > 1 or not rest.keys() - present <= _ASIDE:
        raise BrokenError("more than a call")
    return build_call(name, rest[present[0]] if present else {}, names)


def _keyed(item: Any) -> bool:
    """Return whether a value looks like {name: arguments}."""
    return isinstance(item, dict) and len(item) == 1 and all(isinstance(value, dict) for value in item.values())


def _fail(reason: str) -> Any:
    raise BrokenError(reason)


def _argument(value: Any, names: Names) -> Value:
    match value:
        case {"name": str(name), **rest} if name in names and len(rest) == 1 and rest.keys() <= set(_ARGUMENTS):
            return build_call(name, next(iter(rest.values())), names)
        case dict():
            return {key: _argument(item, names) for key, item in value.items()}
        case list():
            return [_argument(item, names) for item in value]
    return value


def _read(text: str, opening: re.Match[str], names: Names) -> Reading:
    """Read consecutive objects and lists of objects.

    Raises:
        UnreadableError, BrokenError: as in `Notation`.
    """
    calls: list[RawCall] = []
    end = place = opening.end()
    for value, following in _values(text, place):
        calls_of_value = calls_of(value, names)
        if not calls_of_value:
            break
        calls += calls_of_value
        end = following
    if not calls:
        raise UnreadableError("no call")
    return Reading(tuple(calls), end)


def _values(text: str, place: int) -> Iterator[tuple[Any, int]]:
    while text[place : place + 1] in ("{", "["):
        try:
            value, place = object_at(text, place)
        except BrokenError:
            raise
        except UnreadableError:
            return
        yield value, place
        match = _GAP.match(text, place)
        place = match.end() if match else place


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(merged := dict(pairs)) < len(pairs):
        raise BrokenError("a key twice")
    return merged


def _refuse(constant: str) -> Any:
    raise UnreadableError(f"{constant} is not JSON")


def _holds_code(value: Value) -> bool:
    match value:
        case RawCall() | Variable():
            return True
        case list():
            return any(map(_holds_code, value))
        case dict():
            return any(map(_holds_code, value.values()))
    return False


NOTATIONS = (Notation(re.compile(rf"{BEFORE}(?=[\[{{])"), _read, bare=True, clear=True),)
