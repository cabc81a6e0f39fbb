"""Function calls, compared by what they mean and not by how they are written; nothing is ever evaluated.

Example: for the answer `get_weather("Oslo")` these outputs are right too:
    get_weather(location='Oslo', units="celsius")
    [{"name": "get_weather", "arguments": {"location": "Oslo"}}]
"""

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pfe.icr.functions import catalogue
from pfe.problem import Problem
from pfe.scorers.fences import first_block
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

LONGEST = 20_000  # characters; longer outputs are no calls
_JSON_NAMES = {"true": True, "false": False, "null": None}

# A value or call in a form whose equality is equality of meaning: tuples of a kind and its content.
Form = tuple[Any, ...]


def score(problem: Problem, output: str) -> Score:
    """Right if the output makes the same calls as the answer, in any order.

    Arguments by place and by name are the same, and a default may be left out; 2 equals 2.0; texts are
    equal after stripping. Functions outside the catalogue are compared as they are written.
    """
    found, wanted = _calls(output), _calls(problem.answer)
    extracted = "" if found is None else before_next_question(output)
    return Score(found is not None and found == wanted, extracted)


def _calls(output: str) -> Counter[Form] | None:
    """The calls of an output and how often each is made; None where it holds something else, or nothing."""
    text = before_next_question(output)
    if len(text) > LONGEST:
        return None
    text = first_block(text) or text.removeprefix("Call:").strip()
    for part in dict.fromkeys((text, text.partition("\n\n")[0])):
        for read in (_json_calls, _python_calls):
            try:
                calls = Counter(read(part))
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue
            if calls:
                return calls
    return None


def _python_calls(text: str) -> Iterator[Form]:
    for statement in ast.parse(text.strip()).body:
        value = statement.value if isinstance(statement, ast.Expr) else statement
        for node in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
            if not isinstance(node, ast.Call):
                raise ValueError(f"{type(node).__name__} is not a call")
            yield _python_form(node)


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
            return _constant(-number if isinstance(sign, ast.USub) else +number)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return ("list", tuple(map(_python_form, items)))
        case ast.Set(elts=items):
            return ("set", frozenset(map(_python_form, items)))
        case ast.Dict(keys=keys, values=values):
            pairs = {_python_form(key): _python_form(value) for key, value in zip(keys, values, strict=True) if key}
            if len(pairs) < len(values):
                raise ValueError("a key twice, or ** in a dict")
            return ("dict", frozenset(pairs.items()))
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


def _json_calls(text: str) -> Iterator[Form]:
    """Tool calls: one object, a list of them, or one object a line."""
    try:
        values = [json.loads(text)]
    except ValueError:
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            form = _json_form(item)
            if form[0] != "call":
                raise ValueError("JSON, but no call")
            yield form


def _json_form(value: Any) -> Form:
    match value:
        case {"type": "function", "function": {"name": str(), "arguments": _} as call}:
            return _json_form({"name": call["name"], "arguments": call["arguments"]})
        case {"name": str(name), "arguments": arguments} | {"name": str(name), "parameters": arguments} if (
            len(value) == 2
        ):
            arguments = json.loads(arguments) if isinstance(arguments, str) else arguments
            if not isinstance(arguments, dict):
                raise ValueError("arguments are no object")
            return _call(name.strip(), [], [(key, _json_form(item)) for key, item in arguments.items()])
        case dict():
            return ("dict", frozenset((_constant(key), _json_form(item)) for key, item in value.items()))
        case list():
            return ("list", tuple(map(_json_form, value)))
    return _constant(value)


def _constant(value: Any) -> Form:
    match value:
        case bool() | None:
            return ("constant", str(value))
        case int() | float():
            return ("number", value)
        case str():
            return ("text", value.strip())
    raise ValueError(f"{type(value).__name__} is no argument")


def _call(name: str, placed: list[Form], named: Iterable[tuple[str, Form]]) -> Form:
    """A call with every argument by name, the defaults filled in.

    Raises:
        ValueError: an argument is unknown, given twice or missing.
    """
    parameters = _parameters().get(name)
    if parameters is None:
        return ("call", name, tuple(placed), frozenset(named))
    given = [*zip(parameters, placed, strict=False), *named]
    arguments = dict(given)
    if len(placed) > len(parameters) or len(arguments) < len(given) or not arguments.keys() <= parameters.keys():
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
