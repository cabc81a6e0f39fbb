"""What calls are right: those of the answer, or the values that count for each argument.

Example: `{"get_weather": {"location": ["Oslo", "Oslo, Norway"], "units": ["celsius", ""]}}` is any call for either
name with `units` celsius or left out: the form of the `possible_answer` files of the Berkeley Function-Calling
Leaderboard (Patil et al. 2025). Which values count is the gold's to say; nothing but white space at the ends of
texts and Unicode's normal form is made equal here.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any
from unicodedata import normalize

from pfe.icr.functions import Function, Parameter
from pfe.scorers.calls.notation import Names
from pfe.scorers.calls.notations.objects import calls_of, object_at
from pfe.scorers.calls.reading import read
from pfe.scorers.calls.source import value_of
from pfe.scorers.calls.written import Bag, Loose, Raw, UnreadableError, Value, Variable, Written, shown

NO_CALL = "no call"
Functions = Mapping[str, Function]


@dataclass(frozen=True)
class OneOf:
    """The values that count for an argument, and whether it may be left out."""

    values: tuple[Value, ...]
    omissible: bool = False


@dataclass(frozen=True)
class Wanted:
    """A call that is asked for."""

    name: str
    placed: tuple[Value, ...]
    arguments: Mapping[str, OneOf]


@dataclass(frozen=True)
class Bound:
    """A call that is made, every argument by name where the function is known."""

    name: str
    placed: tuple[Value, ...]
    arguments: Mapping[str, Value]


def names_of(functions: Functions, answer: str, alternatives: Sequence[str]) -> frozenset[str]:
    """What may be called: the functions on offer; where a problem offers none, those of its answer."""
    if functions:
        return frozenset(functions)
    told = [name for text in alternatives for name in json.loads(text)]
    return frozenset(told or re.findall(r"[^\W\d][\w.]*(?=\()|(?<=\"name\": \")[^\"]+", answer))


def wanted_calls(functions: Functions, answer: str, alternatives: Sequence[str], names: Names) -> list[Wanted]:
    """The calls of a gold answer; none where no call is right.

    Args:
        alternatives: one JSON object a call, {function: {argument: [values that count]}}; where there
            are none the answer's own calls count.

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
    if other := {call.name for call in calls} - functions.keys() if functions else ():
        raise UnreadableError(f"the answer calls {', '.join(sorted(other))}, not on offer")
    return [_plain(bind(call, functions)) for call in calls]


def bind(call: Written, functions: Functions) -> Bound:
    """A call with its arguments by name, calls in its arguments bound too.

    Raises:
        UnreadableError: an argument is given twice, or the function does not take it, or lacks one.
    """
    function = functions.get(call.name)
    placed = tuple(_bound_value(value, functions) for value in call.placed)
    named = [(key, _bound_value(value, functions)) for key, value in call.named]
    if function is None:
        named = [(key, value.value if isinstance(value, Loose) else value) for key, value in named]
        if len(arguments := dict(named)) < len(named):
            raise UnreadableError(f"{call.name} is given an argument twice")
        return Bound(call.name, placed, arguments)
    parameters = {parameter.name: parameter for parameter in function.parameters}
    match placed:  # one object, as JavaScript gives named arguments
        case (dict() as alone,) if alone and not named and _takes_no_object(function.parameters[:1]):
            placed, named = (), [(key, value) for key, value in alone.items()]
    named = [(key, _meant(value, parameters.get(key))) for key, value in named]
    given = [*zip(parameters, placed, strict=False), *named]
    arguments = dict(given)
    if len(placed) > len(parameters) or len(arguments) < len(given) or not arguments.keys() <= parameters.keys():
        raise UnreadableError(f"{call.name} does not take these arguments")
    if not {name for name, parameter in parameters.items() if parameter.required} <= arguments.keys():
        raise UnreadableError(f"{call.name} lacks an argument")
    return Bound(call.name, (), arguments)


def _takes_no_object(first: Sequence[Parameter]) -> bool:
    return not any("dict" in parameter.type or "Any" in parameter.type for parameter in first)


def _meant(value: Value, parameter: Parameter | None) -> Value:
    """The list or object that a text is where only one can be meant."""
    if not isinstance(value, Loose) or value.value is None:
        return value
    text = value.value.strip()
    kinds = {kind.split("[")[0] for kind in parameter.type.split(" | ")} - {"None"} if parameter else set()
    try:
        told, end = object_at(text, 0)
    except UnreadableError:
        return value.value
    return told if kinds == {type(told).__name__} and end == len(text) else value.value


def _bound_value(value: Value, functions: Functions) -> Value:
    match value:
        case Written():
            return bind(value, functions)
        case list():
            return [_bound_value(item, functions) for item in value]
        case dict():
            return {key: _bound_value(item, functions) for key, item in value.items()}
    return value


def _plain(call: Bound) -> Wanted:
    values = {key: value.value if isinstance(value, Loose) else value for key, value in call.arguments.items()}
    return Wanted(call.name, call.placed, {key: OneOf((value,)) for key, value in values.items()})


def _alternative(functions: Functions, told: Any) -> Wanted:
    if not isinstance(told, dict) or len(told) != 1 or not all(isinstance(value, dict) for value in told.values()):
        raise ValueError(f"expected one {{function: {{argument: [values]}}}}, found {told!r:.80}")
    ((name, arguments),) = told.items()
    function = functions.get(name)
    required = {p.name for p in function.parameters if p.required} if function else set()
    if functions and function is None:
        raise ValueError(f"the answer calls {name}, which is not on offer")
    if function and not arguments.keys() <= {p.name for p in function.parameters}:
        raise ValueError(f"{name} does not take {', '.join(arguments.keys() - {p.name for p in function.parameters})}")
    if missing := required - arguments.keys():
        raise ValueError(f"{name} needs {', '.join(sorted(missing))}, and the answer has no value for it")
    return Wanted(name, (), {key: _one_of(values, key in required) for key, values in arguments.items()})


def one_right(told: Any, functions: Functions) -> str:
    """One call of those that an object of alternatives lets count, with what may be left out left out.

    Raises:
        ValueError: as in `wanted_calls`.
    """
    wanted = _alternative(functions, told)
    arguments = {key: _one(value) for key, value in wanted.arguments.items() if not value.omissible}
    if all(part.isidentifier() and not iskeyword(part) for part in (*wanted.name.split("."), *arguments)):
        return shown(Written(wanted.name, (), tuple(arguments.items())))
    return json.dumps({"name": wanted.name, "arguments": arguments}, ensure_ascii=False)


def _one(value: Value) -> Value:
    match value:
        case OneOf():
            return _one(value.values[0])
        case dict():
            return {key: _one(item) for key, item in value.items() if not (isinstance(item, OneOf) and item.omissible)}
        case list():
            return [_one(item) for item in value]
    return value


def _one_of(values: Any, required: bool = False) -> OneOf:
    """The values of a list, "" among them for what may be left out; anything else counts alone."""
    if not isinstance(values, list):
        return OneOf((_with_alternatives(values),))
    if required or values == [""]:
        return OneOf(tuple(map(_with_alternatives, values)), omissible=not required)
    if not values:
        return OneOf(([],), omissible=True)
    return OneOf(tuple(_with_alternatives(value) for value in values if value != ""), omissible="" in values)


def _with_alternatives(value: Any) -> Value:
    """A value of a list of values: in an object each key has a list of its own."""
    match value:
        case dict():
            return {key: _one_of(values) for key, values in value.items()}
        case list():
            return [_with_alternatives(item) for item in value]
    return value


def all_right(made: Sequence[Bound], wanted: Sequence[Wanted], functions: Functions) -> bool:
    """Whether the calls are those wanted, each as often, in any order."""
    if len(made) != len(wanted):
        return False
    fitting = [[i for i, want in enumerate(wanted) if fits(call, want, functions)] for call in made]
    taken: dict[int, int] = {}

    def placed(call: int, seen: set[int]) -> bool:
        for want in fitting[call]:
            if want not in seen:
                seen.add(want)
                if want not in taken or placed(taken[want], seen):
                    taken[want] = call
                    return True
        return False

    return all(placed(call, set()) for call in range(len(made)))


def fits(made: Bound, wanted: Wanted, functions: Functions) -> bool:
    """Whether a call is one that is wanted: a default given is a default left out."""
    if made.name != wanted.name or len(made.placed) != len(wanted.placed):
        return False
    if not all(_same(one, other, functions) for one, other in zip(made.placed, wanted.placed, strict=True)):
        return False
    function = functions.get(made.name)
    defaults = {p.name: _literal(p.default) for p in function.parameters if p.default is not None} if function else {}
    for key in made.arguments.keys() | wanted.arguments.keys():
        may_be = wanted.arguments.get(key, OneOf((), omissible=True))
        standing = [defaults[key]] if key in defaults else []
        left_out = may_be.omissible or any(_same(standing[0], value, functions) for value in may_be.values if standing)
        if key in made.arguments:
            allowed = [*may_be.values, *(standing if may_be.omissible else [])]
            right = any(_same(made.arguments[key], value, functions) for value in allowed)
            right = right or (left_out and made.arguments[key] == Loose(None))
        else:
            right = left_out
        if not right:
            return False
    return True


def _literal(source: str) -> Value:
    return value_of(ast.parse(source, mode="eval").body)


def _same(made: Value, wanted: Value, functions: Functions) -> bool:
    """Whether two values are equal: 2 and 2.0 are, 1 and True are not, nor 1 and "1"."""
    match made, wanted:
        case Loose(), _:
            return _same(made.value, wanted, functions)
        case Raw(text=text), str():
            return _text(text) == _text(wanted)
        case Raw(text=text), _:
            return any(_same(value, wanted, functions) for value in _meanings(text, functions))
        case Bound(), Bound():
            return fits(made, _plain(wanted), functions)
        case (bool() | None, _) | (_, bool() | None):
            return made is wanted
        case ((int() | float()), (int() | float())):
            return bool(made == wanted)
        case str(), str():
            return _text(made) == _text(wanted)
        case list(), list():
            return len(made) == len(wanted) and all(_same(a, b, functions) for a, b in zip(made, wanted, strict=True))
        case dict(), dict():
            return _same_dict(made, wanted, functions)
        case Variable(), Variable():
            return made == wanted
        case Bag(items=some), Bag(items=others):
            return _same_bag(some, others, functions) and _same_bag(others, some, functions)
    return False


def _same_dict(made: dict[Any, Value], wanted: dict[Any, Value], functions: Functions) -> bool:
    given, asked = ({_key(key): value for key, value in one.items()} for one in (made, wanted))
    if not given.keys() <= asked.keys():
        return False
    for key, value in asked.items():
        if isinstance(value, OneOf):
            right = any(_same(given[key], one, functions) for one in value.values) if key in given else value.omissible
        else:
            right = key in given and _same(given[key], value, functions)
        if not right:
            return False
    return True


def _same_bag(some: Sequence[Value], others: Sequence[Value], functions: Functions) -> bool:
    return all(any(_same(one, other, functions) for other in others) for one in some)


def _key(key: Any) -> Any:
    return (_text(key) if isinstance(key, str) else key, isinstance(key, bool))


def _text(text: str) -> str:
    return normalize("NFC", text.strip())


def _meanings(text: str, functions: Functions) -> list[Value]:
    """What a value without quotes may be, other than text: a literal, or a call as an object."""
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
