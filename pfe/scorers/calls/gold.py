"""Gold calls: the calls of the answer, or the accepted values of each argument.

Example: `{"get_weather": {"location": ["Oslo", "Oslo, Norway"], "units": ["celsius", ""]}}` accepts a call with either
location, and with `units` celsius or left out. This is the format of the `possible_answer` files of the Berkeley
Function-Calling Leaderboard (Patil et al. 2025). The gold alone decides which values are accepted; only white space
at the ends of strings and Unicode normal forms are treated as equal here. A string of white space alone is compared as
it is: a separator " " is neither "" nor a line break.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any
from unicodedata import normalize

from pfe.icr.functions import Function
from pfe.scorers.calls.notation import Names
from pfe.scorers.calls.notations.objects import calls_of, object_at
from pfe.scorers.calls.reading import read
from pfe.scorers.calls.source import value_of
from pfe.scorers.calls.written import Raw, RawCall, UnreadableError, Value, Variable, as_source

NO_CALL = "no call"
Functions = Mapping[str, Function]


@dataclass(frozen=True)
class OneOf:
    """The accepted values of an argument, and whether it may be left out."""

    values: tuple[Value, ...]
    omissible: bool = False


@dataclass(frozen=True)
class ExpectedCall:
    """A call that the answer requires."""

    name: str
    positional: tuple[Value, ...]
    arguments: Mapping[str, OneOf]


@dataclass(frozen=True)
class BoundCall:
    """A call of the output, with every argument by name if the function is known."""

    name: str
    positional: tuple[Value, ...]
    arguments: Mapping[str, Value]


def names_of(functions: Functions, answer: str, alternatives: Sequence[str]) -> frozenset[str]:
    """Return the names that may be called: the functions on offer or, if there are none, those of the answer."""
    if functions:
        return frozenset(functions)
    names = [name for text in alternatives for name in json.loads(text)]
    return frozenset(names or re.findall(r"[^\W\d][\w.]*(?=\()|(?<=\"name\": \")[^\"]+", answer))


def expected_calls(functions: Functions, answer: str, alternatives: Sequence[str], names: Names) -> list[ExpectedCall]:
    """Return the calls of a gold answer; none if no call is correct.

    Args:
        alternatives: one JSON object per call, {function: {argument: [accepted values]}}; if there are none, the
            answer's own calls count.

    Raises:
        ValueError: the answer makes no calls, or they do not fit the functions.
    """
    if alternatives:
        return [_alternative(functions, json.loads(text)) for text in alternatives]
    if answer.strip() == NO_CALL:
        return []
    calls = read(answer, names).calls
    if not calls:
        raise UnreadableError(f"no calls: {answer:.80}")
    if unknown := {call.name for call in calls} - functions.keys() if functions else ():
        raise UnreadableError(f"the answer calls {', '.join(sorted(unknown))}, not on offer")
    return [_plain(bind(call, functions)) for call in calls]


def bind(call: RawCall, functions: Functions) -> BoundCall:
    """Return a call with its arguments by name; calls inside its arguments are bound too.

    Raises:
        UnreadableError: an argument is given twice, is not accepted by the function, or is missing.
    """
    function = functions.get(call.name)
    positional = tuple(_bound_value(value, functions) for value in call.positional)
    keywords = [(key, _bound_value(value, functions)) for key, value in call.keywords]
    if function is None:
        if len(arguments := dict(keywords)) < len(keywords):
            raise UnreadableError(f"{call.name} is given an argument twice")
        return BoundCall(call.name, positional, arguments)
    parameters = {parameter.name: parameter for parameter in function.parameters}
    pairs = [*zip(parameters, positional, strict=False), *keywords]
    arguments = dict(pairs)
    if len(positional) > len(parameters) or len(arguments) < len(pairs) or not arguments.keys() <= parameters.keys():
        raise UnreadableError(f"{call.name} does not take these arguments")
    if not {name for name, parameter in parameters.items() if parameter.required} <= arguments.keys():
        raise UnreadableError(f"{call.name} lacks an argument")
    return BoundCall(call.name, (), arguments)


def _bound_value(value: Value, functions: Functions) -> Value:
    match value:
        case RawCall():
            return bind(value, functions)
        case list():
            return [_bound_value(item, functions) for item in value]
        case dict():
            return {key: _bound_value(item, functions) for key, item in value.items()}
    return value


def _plain(call: BoundCall) -> ExpectedCall:
    return ExpectedCall(call.name, call.positional, {key: OneOf((value,)) for key, value in call.arguments.items()})


def _alternative(functions: Functions, call: Any) -> ExpectedCall:
    if not isinstance(call, dict) or len(call) != 1 or not all(isinstance(value, dict) for value in call.values()):
        raise ValueError(f"expected one {{function: {{argument: [values]}}}}, found {call!r:.80}")
    ((name, arguments),) = call.items()
    function = functions.get(name)
    required = {p.name for p in function.parameters if p.required} if function else set()
    if functions and function is None:
        raise ValueError(f"the answer calls {name}, which is not on offer")
    if function and not arguments.keys() <= {p.name for p in function.parameters}:
        unknown = arguments.keys() - {p.name for p in function.parameters}
        raise ValueError(f"{name} does not take {', '.join(sorted(unknown))}")
    if missing := required - {key for key, values in arguments.items() if values != []}:
        raise ValueError(f"{name} needs {', '.join(sorted(missing))}, and the answer has no value for it")
    return ExpectedCall(name, (), {key: _one_of(values, key in required) for key, values in arguments.items()})


def example_call(alternatives: Any, functions: Functions) -> str:
    """Return one call that an object of alternatives accepts, without arguments that may be left out.

    Raises:
        ValueError: as in `expected_calls`.
    """
    call = _alternative(functions, alternatives)
    arguments = {key: _example(value) for key, value in call.arguments.items() if not value.omissible}
    if all(part.isidentifier() and not iskeyword(part) for part in (*call.name.split("."), *arguments)):
        return as_source(RawCall(call.name, (), tuple(arguments.items())))
    return json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)


def _example(value: Value) -> Value:
    match value:
        case OneOf():
            return _example(value.values[0])
        case dict():
            return {key: _example(v) for key, v in value.items() if not (isinstance(v, OneOf) and v.omissible)}
        case list():
            return [_example(item) for item in value]
    return value


def _one_of(values: Any, required: bool = False) -> OneOf:
    """Return the accepted values of a list, where "" marks an argument that may be left out; or one value as it is."""
    if not isinstance(values, list):
        return OneOf((_with_alternatives(values),))
    if required or values == [""]:
        return OneOf(tuple(map(_with_alternatives, values)), omissible=not required)
    if not values:
        return OneOf(([],), omissible=True)
    return OneOf(tuple(_with_alternatives(value) for value in values if value != ""), omissible="" in values)


def _with_alternatives(value: Any) -> Value:
    """Return a value from a list of accepted values; in an object, each key has its own list."""
    match value:
        case dict():
            return {key: _one_of(values) for key, values in value.items()}
        case list():
            return [_with_alternatives(item) for item in value]
    return value


def all_right(calls: Sequence[BoundCall], expected: Sequence[ExpectedCall], functions: Functions) -> bool:
    """Return whether the calls match the expected ones one to one, in any order."""
    if len(calls) != len(expected):
        return False
    fitting = [[i for i, target in enumerate(expected) if fits(call, target, functions)] for call in calls]
    call_for: dict[int, int] = {}

    def assign(call: int, visited: set[int]) -> bool:
        for target in fitting[call]:
            if target not in visited:
                visited.add(target)
                if target not in call_for or assign(call_for[target], visited):
                    call_for[target] = call
                    return True
        return False

    return all(assign(call, set()) for call in range(len(calls)))


def fits(call: BoundCall, expected: ExpectedCall, functions: Functions) -> bool:
    """Return whether a call is the expected one; passing a default value equals leaving the argument out."""
    if call.name != expected.name or len(call.positional) != len(expected.positional):
        return False
    if not all(_same(a, b, functions) for a, b in zip(call.positional, expected.positional, strict=True)):
        return False
    function = functions.get(call.name)
    defaults = {p.name: _literal(p.default) for p in function.parameters if p.default is not None} if function else {}
    for key in call.arguments.keys() | expected.arguments.keys():
        may_be = expected.arguments.get(key, OneOf((), omissible=True))
        default = [defaults[key]] if key in defaults else []
        left_out = may_be.omissible or any(_same(default[0], value, functions) for value in may_be.values if default)
        if key in call.arguments:
            allowed = [*may_be.values, *(default if may_be.omissible else [])]
            right = any(_same(call.arguments[key], value, functions) for value in allowed)
        else:
            right = left_out
        if not right:
            return False
    return True


def _literal(source: str) -> Value:
    return value_of(ast.parse(source, mode="eval").body)


def _same(value: Value, expected: Value, functions: Functions) -> bool:
    """Return whether two values are equal: 2 and 2.0 are; 1 and True are not, nor are 1 and "1"."""
    match value, expected:
        case Raw(text=text), str():
            return any(_text(meaning) == _text(expected) for meaning in _blanks(text))
        case Raw(text=text), _:
            return any(_same(meaning, expected, functions) for meaning in _meanings(text, functions))
        case BoundCall(), BoundCall():
            return fits(value, _plain(expected), functions)
        case (bool() | None, _) | (_, bool() | None):
            return value is expected
        case ((int() | float()), (int() | float())):
            return bool(value == expected)
        case str(), str():
            return _text(value) == _text(expected)
        case list(), list():
            pairs = zip(value, expected, strict=True)
            return len(value) == len(expected) and all(_same(a, b, functions) for a, b in pairs)
        case dict(), dict():
            return _same_dict(value, expected, functions)
        case Variable(), Variable():
            return value == expected
    return False


def _same_dict(value: dict[Any, Value], expected: dict[Any, Value], functions: Functions) -> bool:
    ours, theirs = ({_key(key): item for key, item in items.items()} for items in (value, expected))
    if not ours.keys() <= theirs.keys():
        return False
    for key, item in theirs.items():
        if isinstance(item, OneOf):
            right = any(_same(ours[key], v, functions) for v in item.values) if key in ours else item.omissible
        else:
            right = key in ours and _same(ours[key], item, functions)
        if not right:
            return False
    return True


def _key(key: Any) -> Any:
    return (_text(key) if isinstance(key, str) else key, isinstance(key, bool))


def _text(text: str) -> str:
    return normalize("NFC", text.strip()) if text.strip() else text


def _blanks(text: str) -> set[str]:
    """Return the texts that unquoted text may stand for: between tags, line breaks around a blank may be layout."""
    if text.strip() or "\n" not in text:
        return {text}
    return {text, text.removeprefix("\n"), text.removesuffix("\n"), text.removeprefix("\n").removesuffix("\n"), ""}


def _meanings(text: str, functions: Functions) -> list[Value]:
    """Return the possible values of unquoted text, other than the text itself: a literal, or a call as an object."""
    try:
        value, end = object_at(text.strip(), 0) if text.strip()[:1] in "{[" else (_scalar(text.strip()), len(text))
        if not text.strip()[end:].strip():
            calls = calls_of(value, functions) if isinstance(value, dict) else []
            return [*(bind(call, functions) for call in calls), value]
    except (UnreadableError, SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return []


def _scalar(text: str) -> Value:
    if len(text) > 400:
        raise UnreadableError("no number")
    value = value_of(ast.parse(text, mode="eval").body)
    if not isinstance(value, bool | int | float | None):
        raise UnreadableError("no number")
    return value
