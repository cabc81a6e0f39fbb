"""The documented functions that FnCall problems offer, read from `libraries/fncall.yaml`.

Example, `documentation(catalogue()["get_weather"])`:
    get_weather(location: str, units: str = "celsius") -> dict
        Returns the current weather for a city.
        location (str): city in English, without the country
        units (str): scale of the temperature; "celsius" or "fahrenheit"; default "celsius"
        Returns (dict): temperature and conditions
        Example: get_weather("Tokyo", "fahrenheit") → {"temp": 72, "conditions": "cloudy"}
"""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pfe.errors import UserError

CATALOGUE = Path(__file__).parent / "libraries" / "fncall.yaml"
_ATOM = r"(?:str|int|float|bool|None|dict|dict\[str, (?:str|int|float)\]|list\[(?:str|int|float|dict)\])"
_TYPE = re.compile(rf"{_ATOM}(?: \| {_ATOM})*")


@dataclass(frozen=True)
class Parameter:
    """A parameter. `type` and `default` are Python source; `default` is None if there is none.

    `allowed` holds the values that the argument, or every item of a list, may take; it is empty if any value is
    allowed. An `optional` parameter may be left out although it has no default.
    """

    name: str
    type: str
    description: str
    allowed: tuple[Any, ...] = ()
    default: str | None = None
    optional: bool = False

    @property
    def required(self) -> bool:
        return self.default is None and not self.optional


@dataclass(frozen=True)
class Example:
    """A call and its result, both as they are shown."""

    call: str
    result: str


@dataclass(frozen=True)
class Function:
    """A documented function; the functions of a held-out toolbox occur in no synthetic problem.

    A function that a problem defines itself has no toolbox, and possibly no result or examples.
    """

    name: str
    toolbox: str
    description: str
    parameters: tuple[Parameter, ...]
    returns: str = ""
    returns_description: str = ""
    examples: tuple[Example, ...] = ()
    held_out: bool = False


@cache
def catalogue(path: Path = CATALOGUE) -> Mapping[str, Function]:
    """Return every function of a catalogue by name, with the five functions of a toolbox next to each other.

    Raises:
        UserError: an entry is malformed.
    """
    return read_catalogue(path)


def read_catalogue(path: Path) -> Mapping[str, Function]:
    """Read the functions of one catalogue file.

    Raises:
        UserError: the file is missing or not YAML, or an entry is malformed; the message names file and function.
    """
    try:
        toolboxes = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; take it from the repository again") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    functions: dict[str, Function] = {}
    for toolbox, content in _mapping(toolboxes, f"{path}").items():
        place = f"{path}: {toolbox}"
        content = _entry(content, place, required=("held_out", "functions"))
        held_out = _typed(content["held_out"], bool, f"{place}: held_out")
        for name, entry in _mapping(content["functions"], place).items():
            if name in functions:
                raise UserError(f"{place}.{name}: {functions[name].toolbox} has a function of that name; rename one")
            functions[name] = _function(name, toolbox, held_out, entry, f"{place}.{name}")
    return functions


def toolboxes() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the functions of every toolbox, both in the order of the catalogue."""
    names = dict.fromkeys(function.toolbox for function in catalogue().values())
    return {name: tuple(f.name for f in catalogue().values() if f.toolbox == name) for name in names}


def signature(f: Function) -> str:
    """Return the signature, such as `get_weather(location: str, units: str = "celsius") -> dict`, in one line.

    `= ...` marks a parameter that may be left out but has no documented default.
    """
    parameters = ", ".join(
        f"{p.name}: {p.type}" + ("" if p.required else f" = {'...' if p.default is None else p.default}")
        for p in f.parameters
    )
    return f"{f.name}({parameters})" + (f" -> {f.returns}" if f.returns else "")


def documentation(f: Function) -> str:
    """Return the signature and, indented under it, the description, every parameter, the result and the examples."""
    lines = [*([f.description] if f.description else []), *map(_parameter_line, f.parameters)]
    lines += [f"Returns ({f.returns}): {f.returns_description}"] if f.returns else []
    lines += [f"Example: {example.call} → {example.result}" for example in f.examples]
    return "\n    ".join([signature(f), *lines])


def _parameter_line(p: Parameter) -> str:
    parts = [f"{p.name} ({p.type})" + (f": {p.description}" if p.description else "")]
    if p.allowed:
        *others, last = [json.dumps(value, ensure_ascii=False) for value in p.allowed]
        parts.append(f"{', '.join(others)} or {last}" if others else f"always {last}")
    if p.default is not None:
        parts.append(f"default {p.default}")
    elif p.optional:
        parts.append("may be left out")
    return "; ".join(parts)


def _function(name: str, toolbox: str, held_out: bool, entry: Any, place: str) -> Function:
    entry = _entry(entry, place, required=("description", "parameters", "returns", "examples"))
    returns = _entry(entry["returns"], f"{place}: returns", required=("type", "description"))
    examples = [_example(example, name, place) for example in _typed(entry["examples"], list, f"{place}: examples")]
    parameters = [_parameter(key, value, place) for key, value in _mapping(entry["parameters"], place).items()]
    optional = [p.default is not None for p in parameters]
    if optional != sorted(optional):
        raise UserError(f"{place}: a parameter without default follows one with; put those with a default last")
    if not examples:
        raise UserError(f"{place}: examples is empty; give one or two")
    return Function(
        name=name,
        toolbox=toolbox,
        description=_typed(entry["description"], str, f"{place}: description"),
        parameters=tuple(parameters),
        returns=_type(returns["type"], f"{place}: returns"),
        returns_description=_typed(returns["description"], str, f"{place}: returns"),
        examples=tuple(examples),
        held_out=held_out,
    )


def _parameter(name: str, entry: Any, place: str) -> Parameter:
    place = f"{place}: parameter {name}"
    entry = _entry(entry, place, required=("type", "description"), optional=("allowed", "default"))
    default = entry.get("default")
    if default is not None:
        try:
            ast.literal_eval(_typed(default, str, f"{place}: default"))
        except (ValueError, SyntaxError):
            raise UserError(f"{place}: default {default!r} is no Python literal; text needs its own quotes") from None
    allowed = _typed(entry.get("allowed", []), list, f"{place}: allowed")
    return Parameter(
        name=name,
        type=_type(entry["type"], place),
        description=_typed(entry["description"], str, f"{place}: description"),
        allowed=tuple(_typed(value, str, f"{place}: allowed") for value in allowed),
        default=default,
    )


def _example(entry: Any, name: str, place: str) -> Example:
    entry = _entry(entry, f"{place}: examples", required=("call", "result"))
    call = _typed(entry["call"], str, f"{place}: call")
    if not call.startswith(f"{name}("):
        raise UserError(f"{place}: the example {call!r} does not call {name}; write {name}(…)")
    return Example(call, _typed(entry["result"], str, f"{place}: result"))


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value or not all(isinstance(key, str) for key in value):
        raise UserError(f"{place}: expected `name: …` lines, found {value!r:.60}")
    return dict(value)


def _entry(entry: Any, place: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    value = _mapping(entry, place)
    for key in required:
        if key not in value:
            raise UserError(f"{place}: '{key}' is missing; add it")
    for key in value:
        if key not in required + optional:
            raise UserError(f"{place}: unknown '{key}'; allowed: {', '.join(required + optional)}")
    return value


def _typed(value: Any, kind: type, place: str) -> Any:
    if not isinstance(value, kind):
        raise UserError(f"{place}: expected {kind.__name__}, found {value!r:.60}; quote it if it is text")
    return value


def _type(value: Any, place: str) -> str:
    if not isinstance(value, str) or not _TYPE.fullmatch(value):
        raise UserError(f"{place}: unknown type {value!r}; write it as in list[str], dict[str, float] or float | None")
    return value
