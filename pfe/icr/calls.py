"""Parsing of function calls in text, which binds arguments to the catalogue's signatures and checks them.

Example: `parse('get_weather("Oslo")')` is
`[Call("get_weather", {"location": "Oslo", "units": "celsius"}, explicit=("location",))]`.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pfe.icr.functions import Parameter, catalogue


@dataclass(frozen=True)
class Call:
    """A call with every argument by name and defaults filled in; an argument may itself be a Call.

    `explicit` names the arguments that the text contains.
    """

    name: str
    arguments: Mapping[str, Any]
    explicit: tuple[str, ...]

    def inner(self) -> "Iterator[Call]":
        """Yield the calls that are arguments of this one, at any depth."""
        for value in self.arguments.values():
            if isinstance(value, Call):
                yield value
                yield from value.inner()


def parse(text: str) -> list[Call]:
    """Return the calls of a text, one per line, whose arguments are literals or calls.

    Raises:
        ValueError: the text is anything else, names an unknown function, or does not fit a signature.
    """
    try:
        statements = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"not Python: {error}") from None
    return [_call(statement.value if isinstance(statement, ast.Expr) else statement) for statement in statements]


def kind(calls: list[Call]) -> str:
    """Return `nested` if a call is an argument, else `several` or `single`."""
    if any(True for call in calls for _ in call.inner()):
        return "nested"
    return "several" if len(calls) > 1 else "single"


def faults(call: Call) -> list[str]:
    """Return how the arguments of a call violate the documented types and allowed values; empty if they do not."""
    messages = []
    for parameter in catalogue()[call.name].parameters:
        value = call.arguments[parameter.name]
        if isinstance(value, Call):
            messages += faults(value)
        if not _fits(value, parameter.type):
            messages.append(f"{call.name}: {parameter.name} is no {parameter.type}: {value!r}")
        elif parameter.name in call.explicit and not _allowed(value, parameter):
            messages.append(f"{call.name}: {parameter.name} is none of {parameter.allowed}: {value!r}")
    return messages


def _call(node: ast.AST) -> Call:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError(f"not a call of a function: {ast.unparse(node)}")
    function = catalogue().get(node.func.id)
    if function is None:
        raise ValueError(f"unknown function {node.func.id}")
    names = [parameter.name for parameter in function.parameters]
    if len(node.args) > len(names):
        raise ValueError(f"{function.name} takes {len(names)} arguments, not {len(node.args)}")
    arguments = [(name, argument) for name, argument in zip(names, node.args, strict=False)]
    arguments += [(keyword.arg or "**", keyword.value) for keyword in node.keywords]
    bound: dict[str, Any] = {}
    for name, argument in arguments:
        if name not in names or name in bound:
            raise ValueError(f"{function.name} takes no {name}, or has it already")
        bound[name] = _argument(argument)
    for parameter in function.parameters:
        if parameter.name not in bound:
            if parameter.default is None:
                raise ValueError(f"{function.name} lacks {parameter.name}")
            bound[parameter.name] = ast.literal_eval(parameter.default)
    ordered = {name: bound[name] for name in names}
    return Call(function.name, ordered, tuple(name for name, _ in arguments))


def _argument(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        return _call(node)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise ValueError(f"not a literal: {ast.unparse(node)}") from None


def _fits(value: Any, kind: str) -> bool:
    """Return whether a value, or the result of a call, has one of the types of a union."""
    if isinstance(value, Call):
        returned = catalogue()[value.name].returns
        return any(name == returned or (name, returned) == ("float", "int") for name in kind.split(" | "))
    return any(_is(value, name) for name in kind.split(" | "))


def _is(value: Any, kind: str) -> bool:
    outer, _, inner = kind.rstrip("]").partition("[")
    if outer == "list":
        return isinstance(value, list) and all(_is(item, inner) for item in value)
    if outer == "dict" and inner:
        item_kind = inner.removeprefix("str, ")
        return isinstance(value, dict) and all(isinstance(k, str) and _is(v, item_kind) for k, v in value.items())
    if kind in ("int", "float"):
        return isinstance(value, (int, float) if kind == "float" else int) and not isinstance(value, bool)
    simple = {"str": str, "bool": bool, "dict": dict, "None": type(None)}
    return isinstance(value, simple[kind])


def _allowed(value: Any, parameter: Parameter) -> bool:
    if not parameter.allowed or isinstance(value, Call):
        return True
    return all(item in parameter.allowed for item in (value if isinstance(value, list) else [value]))
