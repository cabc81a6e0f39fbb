"""Malformed rows of published benchmarks: one line with the place, whatever a row holds in the place of any value."""

import copy
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.rows.published import PUBLISHED
from pfe.rows.shapes import read_published
from tests.conftest import DEFAULT, ROOT

# A row of the Berkeley leaderboard, whose columns `fncall` reads too.
LEADERBOARD = {
    "id": "simple_1", "question": [[{"role": "user", "content": "What is 2 + 2?"}]],
    "function": [{"name": "add", "description": "Add.", "parameters": {
        "type": "dict", "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "dict", "properties": {}}},
    }}],
    "ground_truth": [{"add": {"a": [2], "b": [2, ""], "c": [{"k": ["v", ""]}, ""]}}],
}  # fmt: skip
WRONG: list[Any] = [
    None, [], {}, "", 0, -1, 1.5, True, "x", [[]], [{}], [None], {"a": []}, {"text": [], "label": []}, "[]", "[{}]",
    "{", "\udcff", float("nan"), "[" * 10_000,
]  # fmt: skip
INNARDS = re.compile(  # what Python says of its own objects
    r"out of range|object (is|has)|indices must|subscriptable|expected str instance|not in list|substring|unhashable"
)


def files() -> Iterator[tuple[str, Path]]:
    for name in DEFAULT.benchmark:
        folders = (ROOT / "data/sample" / name, ROOT / "data" / name)
        yield name, next(path for folder in folders for path in sorted(folder.glob("*.jsonl*")))


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, path in files():
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield name, json.loads(file.readline())
    yield "fncall", LEADERBOARD


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    keys = value if isinstance(value, dict) else range(min(len(value), 2)) if isinstance(value, list) else ()
    for key in keys:
        yield from places(value[key], (*place, key))


def changed(row: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    """The row without the value at a place, and with each wrong one there."""
    for wrong in [*WRONG, KeyError]:
        inner = result = copy.deepcopy(row)
        for key in place[:-1]:
            inner = inner[key]
        if wrong is KeyError:
            del inner[place[-1]]
        else:
            inner[place[-1]] = wrong
        yield result


def test_every_shape_is_tried() -> None:
    assert {DEFAULT.benchmark[name].columns for name, _ in rows()} == set(PUBLISHED)


@pytest.mark.parametrize(("name", "row"), [*rows()], ids=lambda value: value if isinstance(value, str) else "row")
def test_a_malformed_row_is_one_line_with_its_place(name: str, row: dict[str, Any]) -> None:
    for place in places(row):
        for bad in changed(row, place):
            try:
                problem = read_published(bad, 0, name, DEFAULT.benchmark[name], "test.jsonl:7")
            except UserError as error:
                message = str(error)
                assert message.startswith("test.jsonl:7: "), (place, message)
                assert "\n" not in message
                assert not INNARDS.search(message), (place, message)
            else:
                Problem.table([problem])


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"a": []}, "add needs a, and the answer has no value for it"),
        ({"a": [2], "z": [1], "y": [1]}, "add does not take y, z"),
        ([], r"expected one {function: {argument: \[values\]}}"),
    ],
)
def test_gold_calls_that_accept_nothing_are_refused(values: Any, told: str) -> None:
    row = LEADERBOARD | {"ground_truth": [{"add": values}]}
    with pytest.raises(UserError, match=f"test.jsonl:7: malformed fncall row: {told}"):
        read_published(row, 0, "fncall", DEFAULT.benchmark["fncall"], "test.jsonl:7")
