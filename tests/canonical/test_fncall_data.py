"""The FnCall benchmark that ships with the repository: every gold call fits its functions, and the mix is as stated."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from pfe.icr.calls import Call, faults, kind, parse
from pfe.icr.functions import catalogue, toolboxes
from pfe.problem import Problem
from pfe.scorers.function_call import score
from tests.each import each

EXACT = ("quoted in the request", "written in the request", "id of the event", "address of the recipient")


@cache
def all_rows() -> tuple[dict[str, Any], ...]:
    path = Path(__file__).parents[2] / "data/fncall/test.jsonl"
    return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def with_calls() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in all_rows() if row["calls"] != "no call"}


def without() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in all_rows() if row["calls"] == "no call"}


def as_problem(row: dict[str, Any]) -> Problem:
    return Problem(
        id=row["id"], set="fncall", domain="function_call", question=row["request"], answer=row["calls"],
        functions=tuple(row["functions"]),
    )  # fmt: skip


def every_call(row: dict[str, Any]) -> list[Call]:
    return [one for call in parse(row["calls"]) for one in (call, *call.inner())]


def test_five_hundred_rows_with_ids_in_order_and_no_request_twice() -> None:
    assert all(re.fullmatch(r"fncall-\d{4}", row["id"]) for row in all_rows())
    assert [row["id"] for row in all_rows()] == sorted({row["id"] for row in all_rows()})
    assert {tuple(row)[:5] for row in all_rows()} == {("id", "request", "functions", "calls", "kind")}
    assert len({re.sub(r"\W+", " ", row["request"].lower()) for row in all_rows()}) == len(all_rows()) == 500
    assert all(row["request"] == row["request"].strip() for row in all_rows())


def test_a_new_problem_never_has_the_id_of_another() -> None:
    assert list(without()) == [f"fncall-{number:04d}" for number in range(501, 561)]
    assert len(with_calls()) == 440
    assert max(with_calls()) == "fncall-0500"


def test_sixty_problems_where_no_call_is_right_half_without_function_half_without_argument() -> None:
    assert Counter(row["kind"] for row in without().values()) == {"no_function": 30, "no_argument": 30}
    lacking = [row["lacks"].split(".") for row in without().values() if row["kind"] == "no_argument"]
    assert all(("lacks" in row) is (row["kind"] == "no_argument") for row in all_rows())
    assert len({name for name, _ in lacking}) == 30, "each of another function"
    for row in without().values():
        assert tuple(row["functions"]) in toolboxes().values()
        if row["kind"] == "no_argument":
            name, _, argument = row["lacks"].partition(".")
            assert name in row["functions"]
            assert {p.name: p.required for p in catalogue()[name].parameters}[argument]
    for kind_of in ("no_function", "no_argument"):
        boxes = Counter(
            catalogue()[row["functions"][0]].toolbox for row in without().values() if row["kind"] == kind_of
        )
        assert set(boxes.values()) <= {3, 4}
        assert len(boxes) == 9


@each(without)
def test_where_no_call_is_right_the_plain_form_is_right_and_any_call_wrong(row: dict[str, Any]) -> None:
    problem = as_problem(row)
    assert score(problem, "no call").correct
    examples = [example.call for name in row["functions"] for example in catalogue()[name].examples]
    assert not any(score(problem, call).correct for call in examples)


@each(with_calls)
def test_the_gold_calls_fit_the_functions_on_offer(row: dict[str, Any]) -> None:
    calls = parse(row["calls"])
    assert [fault for call in calls for fault in faults(call)] == []
    assert kind(calls) == row["kind"]
    assert tuple(row["functions"]) in toolboxes().values()
    assert {call.name for call in every_call(row)} <= set(row["functions"])
    assert row["calls"].splitlines() == [line.strip() for line in row["calls"].splitlines()]
    assert len(row["calls"].splitlines()) == len(calls)


@each(with_calls)
def test_what_the_documentation_takes_over_word_for_word_stands_in_the_request(row: dict[str, Any]) -> None:
    for call in every_call(row):
        for parameter in catalogue()[call.name].parameters:
            value = call.arguments[parameter.name]
            if isinstance(value, str) and any(phrase in parameter.description for phrase in EXACT):
                assert value in row["request"]


@each(with_calls)
def test_dates_and_times_are_in_the_documented_form_and_the_year_is_stated(row: dict[str, Any]) -> None:
    for call in every_call(row):
        for name, value in call.arguments.items():
            if name in ("date", "check_in"):
                assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])-[0-3]\d", value)
                assert value[:4] in row["request"]
            if name == "start" and isinstance(value, str) and (value or call.name != "save_scene"):
                assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value)


@each(with_calls)
def test_the_scorer_accepts_the_gold_and_no_other_function(row: dict[str, Any]) -> None:
    problem = as_problem(row)
    assert score(problem, row["calls"]).correct
    first = parse(row["calls"])[0].name
    assert not score(problem, row["calls"].replace(f"{first}(", "unknown(")).correct


def test_the_mix_is_as_stated() -> None:
    kinds = Counter(row["kind"] for row in with_calls().values())
    assert 230 <= kinds["single"] <= 250
    assert 110 <= kinds["several"] <= 130
    assert 75 <= kinds["nested"] <= 90
    held_out = sum(catalogue()[row["functions"][0]].held_out for row in all_rows())
    assert 160 <= held_out <= 175
    used = Counter(call.name for row in with_calls().values() for call in every_call(row))
    assert set(used) == set(catalogue())
    assert min(used.values()) >= 6
    boxes = Counter(catalogue()[row["functions"][0]].toolbox for row in all_rows())
    assert min(boxes.values()) >= 50
