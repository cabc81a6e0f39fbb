"""The sample rows of gsm1k and mbpp: the hub's columns, sums that add up, programs that pass.

Example: `6 * 30 = <<6*30=180>>180` in a worked answer is recomputed, and the last result is the one after `####`.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pfe.sandbox.programs import run_tests
from pfe.tutors.arithmetic import evaluate

SAMPLES = Path(__file__).parents[2] / "data" / "sample"
MBPP_COLUMNS = ["text", "code", "task_id", "test_setup_code", "test_list", "challenge_test_list"]


def rows_of(benchmark: str) -> list[dict[str, Any]]:
    text = (SAMPLES / benchmark / "test.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


GSM = rows_of("gsm1k")
MBPP = rows_of("mbpp")


@pytest.mark.parametrize("rows", [GSM, MBPP], ids=["gsm1k", "mbpp"])
def test_there_are_at_least_forty_rows(rows: list[dict[str, Any]]) -> None:
    assert len(rows) >= 40


def test_gsm_rows_have_the_columns_of_the_hub_and_no_question_twice() -> None:
    assert all(list(row) == ["question", "answer", "canary"] for row in GSM)
    assert len({row["question"] for row in GSM}) == len(GSM)


@pytest.mark.parametrize("row", GSM, ids=lambda row: row["question"][:30])
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
    assert all(list(row) == [*MBPP_COLUMNS, "canary"] for row in MBPP)
    assert [row["task_id"] for row in MBPP] == list(range(20001, 20001 + len(MBPP)))
    assert all(len(row["test_list"]) == 3 for row in MBPP)
    assert any(row["test_setup_code"] for row in MBPP)


def test_no_mbpp_text_or_function_comes_twice() -> None:
    names = [re.findall(r"^def (\w+)", row["code"], flags=re.M)[-1] for row in MBPP]
    assert len(set(names)) == len(names)
    assert len({row["text"] for row in MBPP}) == len(MBPP)
    for name, row in zip(names, MBPP, strict=True):
        assert all(re.search(rf"\b{name}\(", test) for test in row["test_list"])


@pytest.mark.parametrize("row", MBPP, ids=lambda row: str(row["task_id"]))
def test_every_reference_program_passes_its_tests(row: dict[str, Any]) -> None:
    tests = [*row["test_list"], *row["challenge_test_list"]]
    result = run_tests(row["code"], row["test_setup_code"], tests)
    assert result.passed, result
