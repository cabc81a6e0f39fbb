"""What holds of every scorer, whatever is put in."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pfe.icr.functions import Function, catalogue
from pfe.problem import Problem, Scorer
from pfe.scorers import SCORERS, Score, score
from pfe.scorers.alias import normalise
from pfe.scorers.choice import best, best_per_character
from pfe.scorers.number import read_number

QUICK = sorted(set(SCORERS) - {"program"})
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1)
WORDS = st.text("abcdefghij ", min_size=1).filter(str.strip)
FUNCTIONS = st.sampled_from(sorted(catalogue()))


def problem(answer: str, **fields: Any) -> Problem:
    return Problem("a/1", "a", "math", "A question?", answer, **fields)


def call_problem(answer: str) -> Problem:
    """One that offers all functions of our catalogue."""
    return problem(answer, functions=tuple(catalogue()))


@pytest.mark.parametrize("name", QUICK)
@given(output=st.text() | st.binary().map(lambda data: data.decode("latin-1")), answer=st.text())
@example(output="", answer="0")
def test_no_output_raises(name: Scorer, output: str, answer: str) -> None:
    scored = score(name, problem(answer, choices=("a", answer), aliases=(answer,)), output)
    assert isinstance(scored.correct, bool)
    assert isinstance(scored.extracted, str)


M = 1_000_000
GARBAGE = (
    "x" + "\n" * M + "x", "x" + " " * M + "x", "#" * M, r"\boxed{" * (M // 7), "9" * M, "123," * (M // 4) + "1234",
    "-" * M, "```\n" + " " * M + "x```", "```\n" * (M // 4), "(" * M, "the " * (M // 4), "\nQ" * (M // 2), "[" * M,
    '{"a":' * (M // 5), "\0" * M, "\ud800" * M, ".1" * (M // 2), "[" * 19_000, "f(" * 199, "f(" * 90 + ")" * 90,
    "f(" + "-" * 9000 + "1)", "a" + ".b" * 9000, "f" + "()" * 9000, "f(" + "9" * 4290 + ")", "f(" + "9" * 9000 + ")",
    "f(1e999, 1j, b'', ..., f'{x}')", "[" * 9000 + "]" * 9000, "f({" + "**a," * 4000 + "})", "f(lambda:" * 90,
    '{"name": "f", "arguments": ' + "[" * 9000 + "]" * 9000 + "}", "<tool_call>" * (M // 11),
    "The answer is " * (M // 14),
    "answer:" * (M // 7), "yes or no " * (M // 10), "not " * (M // 4), "(A" * (M // 2), "**" * (M // 2),
    "```\nf(\n" * 1900, "f(1)\n" * 30 + "x" * 9000, "- " * 9000, "f(a\n" * 39 + "x",
    "[f(1,\n" * 39 + "x", "f(1) → " * 2000, "` " * 9000,
    '{"name": "f", "arguments": "' * 600, '{"tool_calls": [' * 1000, "1e" * 9000, "f(\\\n" * 6000,
)  # fmt: skip


# What would keep a reader of calls busy: things that open again and again and never close.
CALL_GARBAGE = (
    "<tool_call>" * 1800, "<think>" * 3000, "get_weather(" * 1600, 'get_weather("' * 1500, '{"a\n' * 6000,
    "{\n" * 10000, "[\n" * 10000, "f(\n" * 6000, 'x = f("\n' * 2500, 'get_weather("a\n' * 1300,
    '<invoke name="a">' * 1200, "<function=get_weather><parameter=a>" * 500, "name:\n a: *x\n" * 1500,
    "get_weather:\n  a:\n" * 1000, "get_weather:\n" + "".join(" " * i + "a:\n" for i in range(1, 180)),
    "<|tool_call>call:f{a:" * 800, "<|tool_call>call:f{a:" + "[" * 15000, "to=functions.get_weather {" * 700,
    "✿FUNCTION✿: f ✿ARGS✿: {" * 500, "a.b-" * 4900, "get_weather{" * 1600, "get_weather\n{" * 1600,
    "Action: a\nAction Input: {" * 700, "<arg_key>" * 2000, "x<arg_key>a</arg_key><arg_value>" * 600,
    "x<arg_key>a</arg_key><arg_value>" * 500 + "</think>", "</think>" * 2400, "x</think>get_weather(" * 900,
    'see get_weather("a") and ' * 800, "{'" * 9000, "'" * 19000, '"' * 19001, "\\" * 19000,
    "get_weather(" + '"\\' * 9000 + ")", "#" * 19999, "get_weather(" + "a=" * 9000, "x, " * 6000 + "= f(1)",
    "print(" * 3000, "print(get_weather(" * 1000 + ")" * 2000, "`" * 19000, "the tool call " * 1400,
    "\t" * 19999 + "f(", "<|" * 9999, "[TOOL_CALLS]a" * 1500, "functools[" * 1900, "if x\n" * 4000,
    "<think>" + "x" * 1_900_000, "<think>" + "</think><think>" * 100_000,
)  # fmt: skip


@pytest.mark.parametrize("answer", ['get_weather("Oslo")', "no call"])
@pytest.mark.parametrize("place", range(len(CALL_GARBAGE)))
def test_what_opens_and_never_closes_is_wrong_and_comes_to_an_end(place: int, answer: str) -> None:
    assert not score("function_call", problem(answer, functions=("get_weather",)), CALL_GARBAGE[place]).correct


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("place", range(len(GARBAGE)))
def test_garbage_is_wrong_and_comes_to_an_end(name: Scorer, place: int) -> None:
    assert not score(name, problem("yes 77", choices=("yes 77", "no")), GARBAGE[place]).correct


@pytest.mark.parametrize("text", ["[" * 600 + "]" * 600, '{"a":' * 600 + "1" + "}" * 600], ids=["lists", "objects"])
def test_what_is_nested_so_deep_that_only_later_pythons_compare_it_is_judged_by_all(text: str) -> None:
    assert isinstance(score("format", problem(text), text).correct, bool)
    call = f'{{"name": "f", "arguments": {{"a": {text}}}}}'
    assert not score("function_call", problem(call), call).correct


def test_a_program_of_garbage_is_wrong() -> None:
    for output in ("\ud800", "\0" * M, "(" * M, "9" * 10_000, "a" + ".b" * 100_000):
        assert not score("program", problem("", tests=("assert f(1)",)), output).correct


@given(value=st.decimals(allow_nan=False, allow_infinity=False, places=2), before=WORDS)
def test_a_number_is_read_however_it_is_written(value: Decimal, before: str) -> None:
    assume(abs(value) < Decimal(10) ** 20)
    plain, grouped = f"{value:f}", f"{value:,f}"
    for text in (
        plain,
        grouped,
        f"{before} = {grouped}.",
        f"#### {plain} {before} 5",
        rf"\boxed{{{plain}}} {before} 5",
    ):
        assert read_number(text) == value


GROUPS = {",": ",", "space": " ", "narrow": "\u202f", "none": ""}
WAYS = (
    "{}",
    "${}",
    "#### {}",
    "#### ${} {after}",
    r"\boxed{{{}}} {after}",
    "The answer is {}. {after}",
    "{}...",
    "{}.",
)
AFTER = ("", "</s>", "\n\nQuestion: Tom has 5 figs.", "\nQ: 7?", "\n[PROBLEM]\nTom has 5.", "<|im_end|>5")


@given(
    value=st.integers(-(10**12), 10**12),
    cents=st.sampled_from(["", ".0", ".00"]),
    group=st.sampled_from(sorted(GROUPS)),
    way=st.sampled_from(WAYS),
    before=st.text("abcdefghij .,:;=\n", max_size=20).filter(lambda text: text == "" or text[-1] in " \n"),
    after=st.text("abc 123.,", max_size=20),
    end=st.sampled_from(AFTER),
)
def test_a_number_reads_back_from_every_accepted_way_around_any_text(
    value: int, cents: str, group: str, way: str, before: str, after: str, end: str
) -> None:
    number = f"{value:,}".replace(",", GROUPS[group]) + cents
    written = way.format(number, after=f"abc {after}")
    assert read_number(f"{before}{written}{end}") == value


@given(value=st.integers(-(10**9), 10**9), before=st.text("abc 123.,\n"), after=st.text("abc 123.,\n"))
def test_strictly_only_the_number_after_the_mark_counts(value: int, before: str, after: str) -> None:
    scored = score("number", problem(str(value)), f"{before}\n#### {value:,}\n{after}")
    assert scored.strict_correct
    assert scored.correct
    assert score("number", problem(str(value)), f"{before}{value}").strict_correct is False


@given(
    scores=st.lists(st.floats(-1e6, -1e-3), min_size=1, max_size=6),
    choices=st.lists(st.text(max_size=9), min_size=6, max_size=6),
)
def test_the_best_choice_has_the_first_of_the_highest_scores(scores: list[float], choices: list[str]) -> None:
    texts = choices[: len(scores)]
    assert best(scores) == scores.index(max(scores))
    assert best_per_character(scores, ["x" * 7] * len(scores)) == scores.index(max(scores))
    if all(texts):
        shares = [score / len(text) for score, text in zip(scores, texts, strict=True)]
        assert best_per_character(scores, texts) == shares.index(max(shares))


@given(value=st.integers(), off=st.integers().filter(bool))
def test_another_number_is_never_right(value: int, off: int) -> None:
    assert not score("number", problem(str(value)), str(value + off)).correct


@given(
    choices=st.lists(LINES, min_size=2, max_size=5, unique_by=lambda text: " ".join(text.split()).casefold()),
    data=st.data(),
)
def test_a_choice_is_named_by_its_text(choices: list[str], data: st.DataObject) -> None:
    answer, output = data.draw(st.sampled_from(choices)), data.draw(st.sampled_from(choices))
    assume(all(text.strip() for text in choices))
    scored = score("choice", problem(answer, choices=tuple(choices)), output)
    assert scored.correct is (answer == output)


@given(names=st.lists(LINES.filter(str.strip), min_size=1, max_size=4))
def test_every_alias_is_right(names: list[str]) -> None:
    oslo = problem(names[0], aliases=tuple(names[1:]))
    assume(all(set(normalise(name).split()) - {"a", "an", "the"} for name in names))
    assert all(score("alias", oslo, f"  The {name.upper().lower()}!\nx").correct for name in names if name.isascii())


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_json_is_right_in_any_writing(value: Any) -> None:
    assume(isinstance(value, dict | list))
    assert score("format", problem(json.dumps(value)), json.dumps(value, indent=2, ensure_ascii=True)).correct


def arguments(function: Function) -> st.SearchStrategy[dict[str, str | int]]:
    return st.fixed_dictionaries({p.name: st.text() | st.integers() for p in function.parameters})


@settings(max_examples=200)
@given(name=FUNCTIONS, data=st.data())
def test_a_call_is_the_same_by_place_by_name_and_as_json(name: str, data: st.DataObject) -> None:
    function = catalogue()[name]
    drawn = data.draw(arguments(function))
    values = {p.name: drawn[p.name] for p in function.parameters}
    cut = data.draw(st.integers(0, len(values)))
    shuffled = data.draw(st.permutations(list(values.items())[cut:]))
    by_place = f"{name}({', '.join(map(repr, values.values()))})"
    named = [f"{key}={value!r}" for key, value in shuffled]
    mixed = f"{name}({', '.join([*map(repr, list(values.values())[:cut]), *named])})"
    for output in (by_place, mixed, json.dumps({"name": name, "arguments": values})):
        assert score("function_call", call_problem(by_place), output).correct
    assert not score("function_call", call_problem(by_place), f"{by_place}\n{by_place}").correct


@given(name=FUNCTIONS, data=st.data())
def test_a_call_is_the_same_in_every_tool_call_shape(name: str, data: st.DataObject) -> None:
    values = data.draw(arguments(catalogue()[name]))
    gold = call_problem(f"{name}({', '.join(f'{key}={value!r}' for key, value in values.items())})")
    call = {"name": name, "arguments": values}
    as_text = {"name": name, "arguments": json.dumps(values)}
    shapes = [
        json.dumps(call, indent=2),
        json.dumps([{"id": "1", "type": "function", "function": as_text}]),
        json.dumps({"tool_calls": [{"type": "function", "function": as_text}]}),
        json.dumps({"function": call}),
        f"<tool_call>\n{json.dumps(call)}\n</tool_call>",
        f"```json\n{json.dumps(call)}\n```",
        f"{json.dumps(call)}\nThat is all.",
    ]
    assert all(score("function_call", gold, shape).correct for shape in shapes)
    doubled = f"{json.dumps(call)}\n{json.dumps(as_text)}"
    assert not score("function_call", gold, doubled).correct


PIECES = st.sampled_from(
    ["f(", "g(", ")", "[", "]", "{", "}", "'", '"', "a=", ",", ":", "1", "-", "True", "null", "**", "*", "\n", "\n\n",
     " ", "```", "<tool_call>", "</tool_call>", '{"name": "f", "arguments": ', '"tool_calls": ', "→", "lambda",
     "for x in", "#",
      "\\", "é", "\u202f", "Call:", "[TOOL_CALLS]", "1.", "if ", "else ", "=", ":=", "f'", "0x", "1e9", "j", "...", ";"]
)  # fmt: skip


@settings(max_examples=300)
@given(pieces=st.lists(PIECES, max_size=60))
def test_nothing_like_a_call_raises(pieces: list[str]) -> None:
    assert isinstance(score("function_call", problem("f(1)"), "".join(pieces)), Score)


@given(name=FUNCTIONS, data=st.data())
def test_a_default_may_be_left_out(name: str, data: st.DataObject) -> None:
    parameters = catalogue()[name].parameters
    required = [repr(data.draw(st.text())) for p in parameters if p.default is None]
    defaults = [p.default for p in parameters if p.default is not None]
    full, short = f"{name}({', '.join([*required, *defaults])})", f"{name}({', '.join(required)})"
    assert score("function_call", call_problem(short), full).correct
    assert score("function_call", call_problem(full), short).correct


@given(calls=st.lists(st.integers(0, 3), min_size=1, max_size=5), data=st.data())
def test_the_order_of_calls_does_not_matter_but_their_number_does(calls: list[int], data: st.DataObject) -> None:
    lines = [f"f({n})" for n in calls]
    gold = problem("\n".join(lines))
    assert score("function_call", gold, ";".join(data.draw(st.permutations(lines)))).correct
    assert not score("function_call", gold, "\n".join([*lines, lines[0]])).correct
