"""Function calls as forms whose equality is equality of meaning; nothing is ever evaluated.

Example: `python_calls('get_weather("Oslo")')` and `json_calls('{"name": "get_weather", "arguments":
{"location": "Oslo"}}')` both give [("call", "get_weather", (), frozenset({("location", ("text", "Oslo")),
("units", ("text", "celsius"))}))].
"""

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from unicodedata import normalize

from pfe.icr.functions import catalogue

# A value or call: a tuple of a kind and its content.
Form = tuple[Any, ...]

_JSON_NAMES = {"true": True, "false": False, "null": None}
_GAP = re.compile(r"[\s,;]*")
# How servers and chat templates name the arguments of a call, and what else they say about it.
_ARGUMENTS = ("arguments", "parameters", "input")
_ASIDE = {"id", "call_id", "type", "index", "status"}


def python_calls(text: str) -> list[Form]:
    """Calls written in Python: one a line, after semicolons, or in a list.

    Raises:
        ValueError, TypeError, SyntaxError, RecursionError, MemoryError: the text is anything else.
    """
    forms = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a backslash that escapes nothing
        statements = ast.parse(text.strip()).body
    for statement in statements:
        value = statement.value if isinstance(statement, ast.Expr) else statement
        for node in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
            if not isinstance(node, ast.Call):
                raise ValueError(f"{type(node).__name__} is not a call")
            forms.append(_python_form(node))
    return forms


def json_calls(text: str) -> list[Form]:
    """Tool calls in JSON: objects one after the other, lists of them, or the message that holds them.

    Raises:
        ValueError, TypeError, RecursionError: the text is anything else.
    """
    return [_tool_call(item) for value in _json_values(text) for item in _items(value)]


def _python_form(node: ast.expr) -> Form:
    match node:
        case ast.Call():
            if any(keyword.arg is None for keyword in node.keywords):
                raise ValueError("** hides the arguments")
            named = [(str(keyword.arg), _python_form(keyword.value)) for keyword in node.keywords]
            return _call(_dotted(node.func), [_python_form(value) for value in node.args], named)
        case ast.Constant(value=value):
            return _constant(value)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as number)):
            if isinstance(number, bool):
                raise ValueError("the sign of a truth value")
            return _constant(-number if isinstance(sign, ast.USub) else number)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return ("list", tuple(map(_python_form, items)))
        case ast.Set(elts=items):
            return ("set", frozenset(map(_python_form, items)))
        case ast.Dict(keys=keys, values=values):
            pairs = [(_python_form(key), _python_form(value)) for key, value in zip(keys, values, strict=True) if key]
            if len(pairs) < len(values):
                raise ValueError("** in a dict")
            return _dict(pairs)
        case ast.Name(id=name) if name in _JSON_NAMES:
            return _constant(_JSON_NAMES[name])
        case ast.Name() | ast.Attribute():
            return ("name", _dotted(node))
    raise ValueError(f"{type(node).__name__} is no argument")


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
    raise ValueError(f"{type(node).__name__} is no name")


def _json_values(text: str) -> Iterator[Any]:
    """Every JSON value of a text that holds nothing else but white space, commas and semicolons between them."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)
    place = _end_of_gap(text, 0)
    while place < len(text):
        value, place = decoder.raw_decode(text, place)
        yield value
        place = _end_of_gap(text, place)


def _end_of_gap(text: str, place: int) -> int:
    match = _GAP.match(text, place)
    return match.end() if match else place


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _items(value: Any) -> list[Any]:
    match value:
        case {"tool_calls": list(calls)}:
            return calls
        case list():
            return [call for item in value for call in (_items(item) if isinstance(item, dict) else [item])]
    return [value]


def _tool_call(value: Any) -> Form:
    """The call of OpenAI's, Anthropic's, Llama's, Qwen's and Hermes' objects.

    Raises:
        ValueError: the value is none of them.
    """
    match value:
        case {"function": {"name": str()} as call, **aside} if aside.keys() <= _ASIDE:
            return _tool_call(call)
        case {"name": str(name), **rest}:
            given = [key for key in _ARGUMENTS if key in rest]
            if len(given) > 1 or not rest.keys() - given <= _ASIDE:
                raise ValueError("JSON, but no call")
            arguments = rest[given[0]] if given else {}
            if isinstance(arguments, str):
                (arguments,) = _json_values(arguments or "{}")
            if not isinstance(arguments, dict):
                raise ValueError("the arguments are no object")
            return _call(name.strip(), [], [(key, _json_form(item)) for key, item in arguments.items()])
    raise ValueError("JSON, but no call")


def _json_form(value: Any) -> Form:
    match value:
        case {"name": str(name), **rest} if name in catalogue() and len(rest) == 1 and rest.keys() <= set(_ARGUMENTS):
            return _tool_call(value)
        case dict():
            return _dict([(_constant(key), _json_form(item)) for key, item in value.items()])
        case list():
            return ("list", tuple(map(_json_form, value)))
    return _constant(value)


def _dict(pairs: list[tuple[Form, Form]]) -> Form:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return ("dict", frozenset(found.items()))


def _constant(value: Any) -> Form:
    """A literal; 2 equals 2.0 but no truth value, and texts are equal after stripping and Unicode's NFC."""
    match value:
        case bool() | None:
            return ("constant", str(value))
        case int() | float():
            return ("number", value)
        case str():
            return ("text", normalize("NFC", value.strip()))
    raise ValueError(f"{type(value).__name__} is no argument")


def _call(name: str, placed: Sequence[Form], named: Sequence[tuple[str, Form]]) -> Form:
    """A call with every argument by name, the defaults filled in, where the catalogue has the function.

    Raises:
        ValueError: an argument is given twice, or is unknown to the catalogue or missing.
    """
    parameters = _parameters().get(name)
    given = [*zip(parameters or (), placed, strict=False), *named]
    arguments = dict(given)
    if len(arguments) < len(given):
        raise ValueError(f"{name} is given an argument twice")
    if parameters is None:
        return ("call", name, tuple(placed), frozenset(named))
    if len(placed) > len(parameters) or not arguments.keys() <= parameters.keys():
        raise ValueError(f"{name} does not take these arguments")
    defaults = {key: default for key, default in parameters.items() if default is not None}
    filled = defaults | arguments
    if filled.keys() != parameters.keys():
        raise ValueError(f"{name} lacks an argument")
    return ("call", name, (), frozenset(filled.items()))


@cache
def _parameters() -> Mapping[str, Mapping[str, Form | None]]:
    """Per function of the catalogue its parameters in order, with the form of the default where there is one."""
    return {
        name: {p.name: None if p.default is None else _default(p.default) for p in function.parameters}
        for name, function in catalogue().items()
    }


def _default(literal: str) -> Form:
    return _python_form(ast.parse(literal, mode="eval").body)
