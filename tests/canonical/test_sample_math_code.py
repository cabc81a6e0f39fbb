"""The sample rows of gsm1k and mbpp: the hub's columns, sums that add up, programs that pass.

Example: `6 * 30 = <<6*30=180>>180` in a worked answer is recomputed, and the last result is the one after `####`.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pfe.sandbox.programs import run_tests
from pfe.tutors.arithmetic import evaluate
from tests.each import each

SAMPLES = Path(__file__).parents[2] / "data" / "sample"
MBPP_COLUMNS = ["text", "code", "task_id", "test_setup_code", "test_list", "challenge_test_list"]


@cache
def rows_of(benchmark: str) -> tuple[dict[str, Any], ...]:
    text = (SAMPLES / benchmark / "test.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def gsm() -> dict[str, dict[str, Any]]:
    return {row["question"]: row for row in rows_of("gsm1k")}


def mbpp() -> dict[str, dict[str, Any]]:
    return {str(row["task_id"]): row for row in rows_of("mbpp")}


@pytest.mark.parametrize("benchmark", ["gsm1k", "mbpp"])
def test_there_are_at_least_forty_rows(benchmark: str) -> None:
    assert len(rows_of(benchmark)) >= 40


def test_gsm_rows_have_the_columns_of_the_hub_and_no_question_twice() -> None:
    assert all(list(row) == ["question", "answer", "canary"] for row in rows_of("gsm1k"))
    assert len({row["question"] for row in rows_of("gsm1k")}) == len(rows_of("gsm1k"))


@each(gsm)
def test_every_annotated_step_is_right_and_the_last_is_the_answer(row: dict[str, Any]) -> None:
    worked, mark, answer = row["answer"].rpartition("\n#### ")
    assert mark
    assert re.fullmatch(r"\d+", answer)
    steps = re.findall(r"<<([^=<>]+)=([^<>]+)>>(\S*)", worked)
    assert 2 <= len(steps) <= 9
    for expression, value, shown in steps:
        assert evaluate(expression) == evaluate(value), expression
        assert shown.startswith(value)
    assert evaluate(steps[-1][1]) == evaluate(answer)


def test_mbpp_rows_have_the_columns_of_the_hub_and_three_tests() -> None:
    assert all(list(row) == [*MBPP_COLUMNS, "canary"] for row in rows_of("mbpp"))
    assert [row["task_id"] for row in rows_of("mbpp")] == list(range(20001, 20001 + len(rows_of("mbpp"))))
    assert all(len(row["test_list"]) == 3 for row in rows_of("mbpp"))
    assert any(row["test_setup_code"] for row in rows_of("mbpp"))


def test_no_mbpp_text_or_function_comes_twice() -> None:
    names = [re.findall(r"^def (\w+)", row["code"], flags=re.M)[-1] for row in rows_of("mbpp")]
    assert len(set(names)) == len(names)
    assert len({row["text"] for row in rows_of("mbpp")}) == len(rows_of("mbpp"))
    for name, row in zip(names, rows_of("mbpp"), strict=True):
        assert all(re.search(rf"\b{name}\(", test) for test in row["test_list"])


@each(mbpp)
def test_every_reference_program_passes_its_tests(row: dict[str, Any]) -> None:
    tests = [*row["test_list"], *row["challenge_test_list"]]
    result = run_tests(row["code"], row["test_setup_code"], tests)
    assert result.passed, result
