"""Rows of anybody's data sets become problems, whatever their columns are called, and no text is left out."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.problem import Problem
from pfe.rows.row import Unreadable
from pfe.rows.shapes import read_row

ASKED = "A baker sells 12 rolls in the morning and 8 in the afternoon. How many does she sell?"
WORKED = "She sells 12 and then 8 rolls, and 12 + 8 = 20 in all."
PROGRAM = "def total(rolls):\n    return sum(rolls)"
TEST = "assert total([12, 8]) == 20"


def problem(row: dict[str, Any]) -> Problem:
    made = read_row(row, "a.jsonl:0", "a")
    assert isinstance(made, Problem), made
    return made


def turn(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


@pytest.mark.parametrize(
    "row",
    [
        {"question": ASKED, "answer": WORKED},
        {"instruction": ASKED, "input": "", "output": WORKED},
        {"prompt": ASKED, "completion": WORKED},
        {"Problem": ASKED, "Solution": WORKED},
        {"messages": [turn("user", ASKED), turn("assistant", WORKED)]},
        {"messages": json.dumps([turn("user", ASKED), turn("assistant", WORKED)])},
        {"messages": [turn("user", [{"type": "text", "text": ASKED}]), turn("assistant", [{"text": WORKED}])]},
        {"conversations": [{"from": "human", "value": ASKED}, {"from": "gpt", "value": WORKED, "weight": 1}]},
        {"prompt": [turn("user", ASKED)], "completion": [turn("assistant", WORKED)]},
        {"chosen": [turn("user", ASKED), turn("assistant", WORKED)], "rejected": [turn("user", ASKED)]},
        {"doc": {"question": ASKED, "answer": WORKED}, "doc_id": 7},
        {"text": ASKED.encode(), "response": WORKED.encode()},
    ],
)
def test_question_and_answer_are_known_by_many_names(row: dict[str, Any]) -> None:
    made = problem(row)
    assert made.question == ASKED
    assert WORKED in (made.answer, made.solution)
    assert set(made.parts) >= {ASKED, WORKED}


@pytest.mark.parametrize("end", ["\n#### 20", " So it is \\boxed{20}.", "\nAnswer: #### 20\n"])
def test_the_number_that_an_answer_ends_with_is_the_answer(end: str) -> None:
    made = problem({"messages": [turn("user", ASKED), turn("assistant", WORKED + end)]})
    assert (made.question, made.answer, made.domain) == (ASKED, "20", "math")
    assert WORKED in made.solution


def test_programs_and_their_tests_are_code() -> None:
    for row in (
        {"text": ASKED, "code": PROGRAM, "test_list": [TEST], "test_setup_code": "import math"},
        {"question": ASKED, "answer": PROGRAM, "tests": TEST, "setup": "import math"},
    ):
        made = problem(row)
        assert (made.domain, made.answer, made.tests, made.setup) == ("code", PROGRAM, (TEST,), "import math")
    harnessed = problem({
        "prompt": "def total(rolls):\n    '''Add up the rolls.'''\n", "canonical_solution": "    return sum(rolls)\n",
        "test": "def check(candidate):\n    assert candidate([12, 8]) == 20\n", "entry_point": "total",
    })  # fmt: skip
    assert harnessed.domain == "code"
    assert harnessed.answer.endswith("'''Add up the rolls.'''\n    return sum(rolls)\n")
    space: dict[str, Any] = {}
    exec(harnessed.answer, space)
    exec(harnessed.tests[0], space | {"candidate": space["total"]})
    assert problem({"text": ASKED, "code": "if", "tests": [TEST]}).domain == "reading"


@pytest.mark.parametrize(
    "row",
    [
        {"text": "Fine.", "notes": WORKED},
        {"text": "Fine.", "id": WORKED},
        {"text": "Fine.", "meta": {"deep": [{"deeper": [WORKED]}]}},
        {"text": "Fine.", "pairs": [[1, WORKED]]},
        {"text": "Fine.", "tokens": WORKED.split()},
        {"text": "Fine.", WORKED: 1},
        {"text": "Fine.", "kept": json.dumps({"x": [WORKED]})},
        {"text": "Fine.", "rejected": WORKED},
        {"content": WORKED},
        {"code": WORKED},
        {"answer": WORKED},
        {"choices": [WORKED, "x"]},
        {"test_list": [WORKED]},
        {"prompt": "", "completion": WORKED},
        {"messages": [turn("system", WORKED), turn("user", "Hm?")]},
        {"messages": [turn("user", "Hm?"), turn("assistant", None, tool_calls=[{"function": {"arguments": WORKED}}])]},
        {"messages": [turn("user", "Hm?"), turn("assistant", None, function_call={"name": "f", "arguments": WORKED})]},
        {"messages": [turn("user", "Hm?"), turn("assistant", "x", reasoning_content=WORKED)]},
        {"messages": [turn("user", "Hm?"), turn("tool", WORKED)]},
        {"messages": [turn("user", "Hm?"), turn("assistant", WORKED), turn("assistant", "Yes.")]},
        {"messages": [turn("user", WORKED), turn("assistant", "x"), turn("user", "Go on.")]},
        {"question": "Hm?", "tools": [{"function": {"description": WORKED}}]},
        {"id": "1", "set": "s", "domain": "reading", "question": "Hm?", "answer": "x", "completion": WORKED},
        {"id": "1", "set": "s", "domain": "reading", "question": "Hm?", "answer": "x", "family": WORKED},
        {"id": "1", "set": "s", "domain": "reading", "question": "Hm?", "answer": WORKED, "functions": ["f"]},
    ],
)
def test_a_text_is_a_part_of_its_own_wherever_it_stands(row: dict[str, Any]) -> None:
    assert WORKED in problem(row).parts


NAMES = (
    "text", "question", "prompt", "messages", "conversations", "content", "value", "role", "from", "answer",
    "choices", "tests", "code", "solution", "id", "set", "domain", "family", "label", "meta", "input", "output",
    "chosen", "context", "type", "arguments", "aliases", "seed", "group", "functions", "entry_point",
)  # fmt: skip
words = st.lists(
    st.sampled_from(("ant", "bee", "cat", "dog", "12", "assert", "user", "assistant", "math")), max_size=7
).map(" ".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats(allow_nan=False) | words | words.map(str.encode),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)
rows = st.dictionaries(st.sampled_from(NAMES), values | words.map(lambda text: json.dumps([text])), max_size=5)


def said(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from said(part)
    elif isinstance(value, bytes):
        yield value.decode()
    elif isinstance(value, str):
        yield value


@pytest.mark.slow
@settings(max_examples=500)
@given(rows)
def test_no_text_of_a_row_is_left_out(row: dict[str, Any]) -> None:
    made = read_row(row, "a.jsonl:0", "a")
    texts = [text for text in said(row) if len(text.split()) >= 5]
    if isinstance(made, Unreadable):
        assert made.why.startswith("no text")
        assert not texts
    else:
        assert made.question.strip()
        everything = "\n".join(made.parts)
        assert all(text in everything for text in texts)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"text": "word " * 500_000}, "its texts have 2,500,000 characters, more than 2,000,000"),
        ({"text": "x", "answer": "word " * 500_000}, "its texts have 2,500,001 characters, more than 2,000,000"),
        ({"text": "x", "notes": [{"n": f"word {n}"} for n in range(30_000)]},
         "30,001 texts in one row, more than 20,000"),
        ({"text": "x", "notes": ["\ud800 and this is no text"]}, "aliases: half a surrogate pair"),
    ],
)  # fmt: skip
def test_what_is_too_deep_too_long_or_no_text_is_refused(row: dict[str, Any], why: str) -> None:
    made = read_row(row, "a.jsonl:0", "a")
    assert made == Unreadable("a.jsonl:0", why)


def test_a_row_nested_deeper_than_python_goes_is_refused() -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    assert read_row({"text": "x", "deep": deep}, "p", "s") == Unreadable("p", "nested too deep")
