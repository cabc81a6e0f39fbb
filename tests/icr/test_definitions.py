"""Functions that a problem brings itself: read from any schema in use, shown like ours, and refused where malformed."""

import json
from typing import Any

import pytest

from pfe.errors import UserError
from pfe.icr.contexts import library
from pfe.icr.definitions import definition, offered
from pfe.icr.functions import catalogue, documentation, signature

SCHEMA = {
    "type": "object",
    "properties": {
        "seats": {"type": "integer", "default": 1, "description": "how many"},
        "to": {"type": "string", "description": "where to"},
        "kind": {"type": "string", "enum": ["plus", "shared"]},
        "stops": {"type": "array", "items": {"$ref": "#/$defs/Stop"}},
        "tip": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "extra": {},
    },
    "required": ["to", "kind"],
    "$defs": {
        "Stop": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "wait": {"type": "boolean"}},
            "required": ["name"],
        }
    },
}
RIDE = {"name": "uber.ride", "description": "Books a ride.", "parameters": SCHEMA}


@pytest.mark.parametrize(
    "written",
    [
        RIDE,
        {"type": "function", "function": RIDE},
        {"name": "uber.ride", "description": "Books a ride.", "input_schema": SCHEMA},
        {**RIDE, "parameters": {**SCHEMA, "type": "dict"}},
    ],
)
def test_a_definition_in_any_of_its_shapes_reads_like_one_of_ours(written: dict[str, Any]) -> None:
    (function,) = offered([json.dumps(written)]).values()
    assert documentation(function) == (
        "uber.ride(to: str, kind: str, seats: int = 1, stops: list[dict] = ..., tip: float | None = ..., "
        "extra: Any = ...)\n"
        "    Books a ride.\n"
        "    to (str): where to\n"
        '    kind (str); "plus" or "shared"\n'
        "    seats (int): how many; default 1\n"
        '    stops (list[dict]): {"name": str, "wait": bool (may be left out)}; may be left out\n'
        "    tip (float | None); may be left out\n"
        "    extra (Any); may be left out"
    )


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("string", "str"), ("integer", "int"), ("number", "float"), ("float", "float"), ("boolean", "bool"),
        ("array", "list"), ("tuple", "list"), ("dict", "dict"), ("object", "dict"), ("any", "Any"), ("mystery", "Any"),
        (["string", "null"], "str | None"), ("ArrayList", "list"), (None, "Any"),
    ],
)  # fmt: skip
def test_the_types_of_other_suites(kind: Any, shown: str) -> None:
    told = {"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": kind}}, "required": ["x"]}}
    assert signature(offered([json.dumps(told)])["f"]) == f"f(x: {shown})"


def test_names_and_definitions_stand_side_by_side_and_a_definition_wins_over_nothing() -> None:
    told = json.dumps({"name": "send_email", "parameters": {"type": "object", "properties": {}}})
    functions = offered(["get_weather", told])
    assert functions["get_weather"] is catalogue()["get_weather"]
    assert signature(functions["send_email"]) == "send_email()"
    assert library("fncall.yaml", ["get_weather", told]).methods[1] == "send_email()\n\n"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("get_wether", "unknown function 'get_wether'; did you mean 'get_weather'"),
        ("{", "not the definition of a function"),
        ('{"description": "no name"}', "cannot be called"),
        ('{"name": "a b"}', "cannot be called"),
        ('{"name": ["f"]}', "cannot be called"),
        ('{"name": "f", "parameters": [1]}', "no JSON Schema"),
        ('{"name": "f", "parameters": {"properties": [1]}}', "no JSON Schema"),
    ],
)
def test_what_defines_no_function_is_told(entry: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        offered([entry])


def test_two_functions_of_one_name_are_refused() -> None:
    with pytest.raises(UserError, match="two functions on offer are called get_weather"):
        offered(["get_weather", '{"name": "get_weather"}'])


def test_a_schema_that_names_itself_comes_to_an_end() -> None:
    knot = {"type": "object", "properties": {"next": {"$ref": "#/$defs/K"}}}
    told = {"name": "f", "parameters": {**knot, "$defs": {"K": knot, "L": {"$ref": "#/$defs/L"}}}}
    assert len(documentation(offered([json.dumps(told)])["f"])) < 600


@pytest.mark.parametrize(
    "properties",
    [
        {},
        {"to": {"type": "string", "description": "whom"}},
        {
            "size": {
                "type": "integer",
                "description": "how large (1 for small, 2 for big)",
                "enum": [1, 2],
                "default": 2,
            }
        },
        {"tags": {"type": "array", "items": {"type": "string", "enum": ['a "b"', "c"]}, "description": "which ones"}},
        {"loud": {"type": "boolean", "description": "whether it is loud", "default": False}},
        {"note": {"type": "string", "description": "a remark"}, "to": {"type": "string", "description": "whom"}},
    ],
)
def test_a_definition_is_read_back_from_its_documentation(properties: dict[str, Any]) -> None:
    parameters = {"type": "object", "properties": properties, "required": ["to"] if "to" in properties else []}
    told = json.dumps({"name": "wave", "description": "Waves.", "parameters": parameters})
    (function,) = offered([told]).values()
    assert offered([definition(documentation(function))])["wave"] == function


def test_what_is_no_documentation_is_no_definition() -> None:
    with pytest.raises(ValueError, match="no parameter"):
        definition("wave(to: str)\n    Waves.\n    nobody knows")
