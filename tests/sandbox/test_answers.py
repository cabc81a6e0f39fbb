"""Answers: literals come through as they are, everything else as something that equals nothing."""

import json
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.sandbox.answers import MOST_ITEMS, Opaque, value
from pfe.sandbox.sandboxed import literal

hashable = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)
literals = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(hashable, inner, max_size=4)
        | st.sets(hashable, max_size=4)
        | st.builds(range, st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 9))
    ),
    max_leaves=20,
)
Point = namedtuple("Point", "x y")


class Colour(IntEnum):
    RED = 3


@dataclass
class Plain:
    n: int


class Equal:
    """Equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class EqualInt(int):
    __eq__ = Equal.__eq__
    __hash__ = int.__hash__


def through(thing: object) -> Any:
    return value(literal(thing))


@given(literals)
def test_a_literal_comes_through_unchanged(thing: object) -> None:
    come = through(thing)
    assert come == thing
    assert type(come) is type(thing)


def test_every_float_comes_through() -> None:
    floats = [float("nan"), float("inf"), float("-inf"), -0.0, 5e-324, 0.1, complex(float("nan"), -0.0)]
    assert repr(through(floats)) == repr(floats)


@given(st.text(st.characters(codec=None)))
def test_any_text_comes_through_lone_surrogates_too(text: str) -> None:
    assert through([text, "\ud800" + text]) == [text, "\ud800" + text]


@pytest.mark.parametrize(
    ("thing", "other"),
    [
        (Counter("aab"), {"a": 2, "b": 1}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (OrderedDict(a=1, b=2), {"b": 2, "a": 1}),
        (Point(1, 2), (1, 2)),
        (Colour.RED, 3),
        ({1: 2}.keys(), {1}),
        ({1: 2}.items(), {(1, 2)}),
        (bytearray(b"ab"), b"ab"),
        (True, 1),
        (2.0, 2),
    ],
)
def test_what_python_calls_equal_to_a_literal_stays_so(thing: object, other: object) -> None:
    assert thing == other
    assert through(thing) == other


@pytest.mark.parametrize(
    ("thing", "other"),
    [
        (map(int, "12"), [1, 2]),
        (filter(None, [1]), [1]),
        (deque([1]), [1]),
        ((n for n in (1, 2)), [1, 2]),
        (iter([1]), [1]),
        ({1: 2}.values(), [2]),
        ([1], (1,)),
        (range(2), [0, 1]),
        ("1", 1),
        (Plain(3), 3),
        (reversed([1]), [1]),
    ],
)
def test_what_python_calls_different_stays_so(thing: object, other: object) -> None:
    assert thing != other
    assert through(thing) != other


@pytest.mark.parametrize("thing", [Equal(), EqualInt(5), type("S", (str,), dict(Equal.__dict__))("a")])
def test_an_equality_of_its_own_does_not_come_through(thing: object) -> None:
    assert thing == 8
    come = through([thing])
    assert isinstance(come[0], Opaque)
    assert come not in ([8], ["a"], [5])
    assert (come[0] == come[0], come[0] != 8) == (False, True)


def test_what_is_no_literal_keeps_its_name_and_truth() -> None:
    come = through(Plain(1))
    assert (come.name, bool(come)) == ("Plain", True)
    assert not through(deque())


def test_what_is_too_large_or_deep_or_endless_equals_nothing() -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep: list[Any] = []
    for _ in range(60):
        deep = [deep]
    for thing in (endless, deep, [0] * (MOST_ITEMS + 1), 10**5000):
        assert isinstance(through(thing), Opaque)
    assert through([0] * (MOST_ITEMS - 1)) == [0] * (MOST_ITEMS - 1)
    assert through(10**4000) == 10**4000


@pytest.mark.parametrize(
    "text",
    [
        "", "8 9", "{}", '{"a": 1}', "[]", "[1]", '["object"]', '["opaque"]', '["opaque", 1, true]',
        '["opaque", "a", 1]',
        '["set", ["list"]]', '["dict", 1]', '["dict", ["list"], 1]', '["bytes", "zz"]', '["bytes"]', '["range"]',
        '["range", 0, 1000000000000]', '["range", 0, 5, 0]', '["complex", "a"]', "[" * 100_000, "9" * 5000,
        '["list", ' * 60 + "1" + "]" * 60, json.dumps(["list", *range(MOST_ITEMS)]), "__import__('os')",
        json.dumps(["set", *((2**61 - 1) * n for n in range(9000))]), '["list", {"opaque": 1}]', '[["list"]]',
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        value(text)
