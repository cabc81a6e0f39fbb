"""The functions that a problem offers: names in our catalogue, or definitions that the problem includes.

Example: `offered(['{"name": "send_email", "parameters": {"type": "object", "properties": {"to": {"type":
"string"}, "urgent": {"type": "boolean", "default": false}}, "required": ["to"]}}'])` returns one function with the
signature `send_email(to: str, urgent: bool = False)`, regardless of the catalogue's `send_email`.
Sources: JSON Schema 2020-12; the tools of OpenAI ({"type": "function", "function": …}) and Anthropic
(`input_schema`); the types of the Berkeley Function-Calling Leaderboard (`dict`, `float`, `tuple`, `any`).
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pfe.errors import UserError, nearest
from pfe.icr.functions import Function, Parameter, catalogue

_TYPES = {
    "string": "str", "str": "str", "char": "str", "date": "str",
    "integer": "int", "int": "int", "long": "int", "short": "int", "byte": "int",
    "number": "float", "float": "float", "double": "float",
    "boolean": "bool", "bool": "bool",
    "array": "list", "list": "list", "arraylist": "list", "tuple": "list", "set": "list",
    "object": "dict", "dict": "dict", "hashmap": "dict", "null": "None", "none": "None",
}  # fmt: skip
_DEEPEST = 6  # levels of nested objects that are spelled out
_PARAMETER_LINE = re.compile(r"(?P<name>\w+) \((?P<type>[\w\[\], |]+)\): (?P<about>.+)")
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?')
_SCHEMAS = ("parameters", "input_schema", "inputSchema")

Schema = Mapping[str, Any]


def offered(functions: Sequence[str]) -> Mapping[str, Function]:
    """Return the functions of `Problem.functions` by name, in order.

    Raises:
        UserError: a name is not in the catalogue, a definition is invalid, or two functions have the same name.
    """
    by_name: dict[str, Function] = {}
    for entry in functions:
        function = _entry(entry)
        if function.name in by_name:
            raise UserError(f"two functions on offer are called {function.name}; rename one")
        by_name[function.name] = function
    return by_name


@lru_cache(maxsize=10_000)
def _entry(entry: str) -> Function:
    if not entry.lstrip().startswith("{"):
        if entry not in catalogue():
            raise UserError(f"unknown function '{entry}'; {nearest(entry, catalogue())}, or bring its definition")
        return catalogue()[entry]
    try:
        return _function(json.loads(entry))
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"not the definition of a function ({error}): {entry:.80}") from None


def _function(value: Any) -> Function:
    match value:
        case {"function": dict() as inner}:
            value = inner
    name, description = value.get("name", ""), value.get("description") or ""
    if not isinstance(name, str) or not name or set(name) & set(" \t\r\n()[]{}<>,;=\"'`"):
        raise ValueError(f"the name {name!r} cannot be called")
    schema: Schema = next((value[key] for key in _SCHEMAS if value.get(key)), {})
    if not isinstance(schema, dict) or not isinstance(schema.get("properties") or {}, dict):
        raise ValueError("`parameters` is no JSON Schema of an object")
    required = schema.get("required") or []
    parameters = [
        _parameter(key, part, key in required, schema) for key, part in (schema.get("properties") or {}).items()
    ]
    return Function(
        name=name,
        toolbox="",
        description=" ".join(str(description).split()),
        # As in Python, required parameters come first: positional arguments are read in this order.
        parameters=tuple(sorted(parameters, key=lambda parameter: not parameter.required)),
    )


def _parameter(name: str, schema: Any, required: bool, root: Schema) -> Parameter:
    schema = _resolve(schema, root)
    description = " ".join(str(schema.get("description") or "").split())
    shape = _shape(schema, root)
    items = _resolve(schema.get("items"), root)
    default = literal(schema["default"]) if "default" in schema and not required else None
    return Parameter(
        name=name,
        type=_type(schema, root),
        description=f"{description}; {shape}" if description and shape else description or shape,
        allowed=tuple(_values(schema) or _values(items)),
        default=default,
        optional=not required and default is None,
    )


def definition(text: str) -> str:
    """Return a function's definition, from its documentation as `pfe.icr.functions.documentation` writes it.

    Example: `wave(to: str)`, with "Waves." and "to (str): whom" under it, is {"name": "wave", …} as JSON.

    Raises:
        ValueError: the text is not the documentation of a function without result and examples.
    """
    signature, *lines = [line.strip() for line in text.split("\n")]
    about = lines.pop(0) if lines and not _PARAMETER_LINE.fullmatch(lines[0]) else ""
    properties, required = {}, []
    for line in lines:
        match = _PARAMETER_LINE.fullmatch(line)
        if not match:
            raise ValueError(f"no parameter: {line!r}")
        properties[match["name"]] = schema = _documented(match["type"], match["about"])
        if not schema.pop("optional"):
            required.append(match["name"])
    parameters = {"type": "object", "properties": properties, "required": required}
    value = {"name": signature.partition("(")[0], "description": about, "parameters": parameters}
    return json.dumps(value, ensure_ascii=False)


def _documented(kind: str, text: str) -> dict[str, Any]:
    """Return the schema of a documented parameter; its key `optional` says whether the parameter may be left out."""
    outer, _, inner = kind.removesuffix("]").partition("[")
    names = {name: key for key, name in reversed(_TYPES.items())}
    schema: dict[str, Any] = {"type": names[outer]} | ({"items": {"type": names[inner]}} if inner else {})
    parts = text.split("; ")
    default = parts.pop().removeprefix("default ") if parts[-1].startswith("default ") else None
    omitted = parts.pop() if parts[-1] == "may be left out" else ""
    if len(parts) > 1 and (values := _VALUE.findall(parts[-1])):
        parts.pop()
        (schema["items"] if inner else schema)["enum"] = [json.loads(value) for value in values]
    if default is not None:
        schema["default"] = ast.literal_eval(default)
    return schema | {"description": "; ".join(parts), "optional": default is not None or bool(omitted)}


def literal(value: Any) -> str:
    """Return a JSON value as Python source, with strings in double quotes.

    Raises:
        TypeError: it is not a JSON value.
    """
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case bool() | None | int() | float():
            return repr(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{literal(key)}: {literal(item)}' for key, item in value.items())}}}"
    raise TypeError(f"{value!r} is no JSON value")


def _values(schema: Schema) -> list[Any]:
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return [value for value in values if value is None or isinstance(value, str | int | float)] if values else []


def _resolve(schema: Any, root: Schema) -> Schema:
    """Return the schema that a `$ref` names within the definition; an empty one if there is none."""
    for _ in range(_DEEPEST):
        if not isinstance(schema, dict):
            return {}
        if "$ref" not in schema:
            return schema
        place: Any = root
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            place = place.get(part) if isinstance(place, dict) else None
        schema = place
    return {}


def _type(schema: Schema, root: Schema, depth: int = 0) -> str:
    """Return the type of a schema as Python source; `Any` if it names no known type."""
    kinds = schema.get("type")
    parts = [part for key in ("anyOf", "oneOf") for part in schema.get(key) or []]
    if parts and depth < _DEEPEST:
        names = [_type(_resolve(part, root), root, depth + 1) for part in parts]
    else:
        kinds = kinds if isinstance(kinds, list) else [kinds]
        names = [_type_name(str(kind or ""), schema, root, depth) for kind in kinds]
    if schema.get("nullable"):
        names.append("None")
    unique = list(dict.fromkeys(name for union in names for name in union.split(" | ")))
    return "Any" if "Any" in unique else " | ".join(unique)


def _type_name(kind: str, schema: Schema, root: Schema, depth: int) -> str:
    name = _TYPES.get(kind.lower(), "Any") if kind else "Any"
    items = _resolve(schema.get("items"), root)
    inner = _type(items, root, depth + 1) if name == "list" and items and depth < _DEEPEST else "Any"
    return name if inner == "Any" else f"list[{inner.replace(' | ', ' or ')}]"


def _shape(schema: Schema, root: Schema, depth: int = 0) -> str:
    """Return the content of an object, or of each item of a list: `{"street": str, "floor": int (may be left out)}`."""
    if depth == _DEEPEST:
        return ""
    items = _resolve(schema.get("items"), root)
    if items:
        return _shape(items, root, depth + 1)
    inner, required = schema.get("properties"), schema.get("required") or []
    if not isinstance(inner, dict) or not inner:
        return ""
    lines = []
    for key, part in inner.items():
        part = _resolve(part, root)
        type_text = _shape(part, root, depth + 1) or _type(part, root)
        description = " ".join(str(part.get("description") or "").split())
        values = " or ".join(literal(value) for value in _values(part))
        notes = [note for note in (description, values, "" if key in required else "may be left out") if note]
        lines.append(f'"{key}": {type_text}' + (f" ({'; '.join(notes)})" if notes else ""))
    return f"{{{', '.join(lines)}}}"
