"""The catalogue of documented functions: complete, well-formed, its examples true to its signatures."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.icr.calls import faults, parse
from pfe.icr.functions import Function, catalogue, documentation, read_catalogue, signature, toolboxes

FUNCTIONS = list(catalogue().values())
OF_SPEC = ("get_weather", "search_web", "send_email", "calculate", "get_stock_price")


def test_nine_toolboxes_of_five_and_a_third_of_them_held_out() -> None:
    assert [len(names) for names in toolboxes().values()] == [5] * 9
    assert [name for names in toolboxes().values() for name in names] == [f.name for f in FUNCTIONS]
    assert Counter(f.held_out for f in FUNCTIONS) == {False: 30, True: 15}
    assert all(len({catalogue()[name].held_out for name in names}) == 1 for names in toolboxes().values())


def test_the_five_functions_of_the_specification_are_one_toolbox() -> None:
    assert toolboxes()["everyday"] == OF_SPEC


def fits(function: Function, example: str) -> bool:
    (call,) = parse(example)
    inner = [catalogue()[inner.name].toolbox for inner in call.inner()]
    return call.name == function.name and faults(call) == [] and set(inner) <= {function.toolbox}


def test_every_example_fits_its_signature() -> None:
    examples = [(function, example.call) for function in FUNCTIONS for example in function.examples]
    assert [call for function, call in examples if not fits(function, call)] == []


def test_signatures_are_python() -> None:
    defined = {function.name: ast.parse(f"def {signature(function)}: ...").body[0] for function in FUNCTIONS}
    arguments = {
        name: [argument.arg for argument in one.args.args] if isinstance(one, ast.FunctionDef) else one
        for name, one in defined.items()
    }
    assert arguments == {function.name: [p.name for p in function.parameters] for function in FUNCTIONS}


def missing(function: Function) -> list[str]:
    """The parts that a caller needs and the documentation lacks."""
    text = documentation(function)
    parts = [f"\n    {one.name} ({one.type}): {one.description}" for one in function.parameters]
    parts += [f'"{value}"' for parameter in function.parameters for value in parameter.allowed]
    parts += [f"\n    Example: {example.call}" for example in function.examples]
    head = f"{signature(function)}\n    {function.description}"
    return [part for part in parts if part not in text] + [head] * (not text.startswith(head))


def test_documentation_tells_everything_a_caller_needs() -> None:
    assert {function.name: missing(function) for function in FUNCTIONS if missing(function)} == {}
    assert all(documentation(function).count("\n    Example: ") == len(function.examples) for function in FUNCTIONS)


def test_types_are_varied() -> None:
    types = {parameter.type for function in FUNCTIONS for parameter in function.parameters}
    assert types >= {"str", "int", "float", "bool", "list[str]", "list[int]", "dict", "dict[str, int]", "list[dict]"}


def test_documentation_in_the_manner_of_the_specification() -> None:
    assert documentation(catalogue()["get_stock_price"]) == (
        "get_stock_price(symbol: str) -> dict\n"
        "    Returns the current price of a stock.\n"
        "    symbol (str): ticker symbol in capitals\n"
        "    Returns (dict): price and currency\n"
        '    Example: get_stock_price("AAPL") → {"price": 182.52, "currency": "USD"}'
    )
    assert signature(catalogue()["get_weather"]) == 'get_weather(location: str, units: str = "celsius") -> dict'


ENTRY = """
box:
  held_out: false
  functions:
    ring:
      description: Rings a bell.
      parameters: {times: {type: int, description: how often, default: '1'}}
      returns: {type: dict, description: nothing much}
      examples: [{call: ring(2), result: '{}'}]
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("description: Rings a bell.", "text: Rings a bell.", "'description' is missing"),
        ("type: int", "type: integer", "unknown type 'integer'"),
        ("default: '1'", "default: one", "no Python literal"),
        ("default: '1'", "default: 1", "expected str, found 1"),
        ("default: '1'", "usual: '1'", "unknown 'usual'; allowed: type"),
        ("call: ring(2)", "call: rang(2)", "does not call ring"),
        ("[{call: ring(2), result: '{}'}]", "[]", "examples is empty"),
    ],
)
def test_a_malformed_entry_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "fncall.yaml"
    path.write_text(ENTRY.replace(old, new))
    with pytest.raises(UserError, match=message) as error:
        read_catalogue(path)
    assert f"{path}: box.ring" in str(error.value)


def test_a_well_formed_entry_is_read(tmp_path: Path) -> None:
    path = tmp_path / "fncall.yaml"
    path.write_text(ENTRY)
    assert signature(read_catalogue(path)["ring"]) == "ring(times: int = 1) -> dict"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "not a call"),
        ("len([1])", "unknown function len"),
        ("get_weather()", "lacks location"),
        ('get_weather("Oslo", "celsius", 3)', "takes 2 arguments"),
        ('get_weather("Oslo", location="Rome")', "has it already"),
        ('get_weather("Oslo", scale="celsius")', "takes no scale"),
        ("get_weather(Oslo)", "not a literal"),
        ("get_weather(", "not Python"),
    ],
)
def test_what_is_no_call_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "get_weather(5)",
        'get_weather("Oslo", "kelvin")',
        'search_web("moss", 2.5)',
        'search_web("moss", True)',
        'split_bill("90", 4)',
        'search_web("moss", calculate("1 + 2"))',
        'search_hotels("Oslo", "2025-02-11", amenities=["sauna"])',
        'save_scene("Movie", {"den": "low"})',
    ],
)
def test_arguments_of_wrong_type_or_value_are_found(text: str) -> None:
    (call,) = parse(text)
    assert len(faults(call)) == 1
