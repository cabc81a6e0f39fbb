"""The sample problems of ARC, BoolQ and TriviaQA have the hub's columns and a sound answer key."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
COLUMNS = {
    "arc_easy/test": {"id", "question", "choices", "answerKey"},
    "arc_challenge/test": {"id", "question", "choices", "answerKey"},
    "boolq/validation": {"question", "answer", "passage"},
    "trivia_qa/validation": {"question", "question_id", "answer"},
}
ARC = ["arc_easy", "arc_challenge"]


def rows_of(name: str) -> list[dict[str, Any]]:
    lines = (SAMPLE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_sample_has_enough_rows_with_the_columns_of_the_hub_and_distinct_questions(name: str) -> None:
    rows = rows_of(name)
    assert len(rows) >= 40
    assert all(row.keys() == COLUMNS[name] | {"canary"} for row in rows)
    assert len({row["question"].lower() for row in rows}) == len(rows)
    assert all(row["question"] == " ".join(row["question"].split()) != "" for row in rows)


@pytest.mark.parametrize("benchmark", ARC)
def test_arc_ids_are_numbered_in_order(benchmark: str) -> None:
    ids = [row["id"] for row in rows_of(f"{benchmark}/test")]
    assert ids == [f"sample_{benchmark}_{number:03d}" for number in range(1, len(ids) + 1)]


@pytest.mark.parametrize("benchmark", ARC)
def test_arc_problems_have_four_distinct_choices_and_a_key_among_their_labels(benchmark: str) -> None:
    for row in rows_of(f"{benchmark}/test"):
        choices = row["choices"]
        assert choices["label"] == ["A", "B", "C", "D"]
        assert len({text.lower() for text in choices["text"]}) == 4
        assert all(text == " ".join(text.split()) != "" for text in choices["text"])
        assert row["answerKey"] in choices["label"]


@pytest.mark.parametrize("benchmark", ARC)
def test_no_arc_position_holds_more_than_its_share_of_right_answers(benchmark: str) -> None:
    keys = Counter(row["answerKey"] for row in rows_of(f"{benchmark}/test"))
    assert keys.keys() == set("ABCD")
    assert max(keys.values()) <= 0.3 * keys.total()


@pytest.mark.parametrize("benchmark", ARC)
def test_the_right_choice_of_arc_is_not_told_by_its_length(benchmark: str) -> None:
    rows = rows_of(f"{benchmark}/test")
    for pick in (max, min):
        hits = sum(
            pick(row["choices"]["text"], key=len) == row["choices"]["text"]["ABCD".index(row["answerKey"])]
            for row in rows
        )
        assert hits <= 0.4 * len(rows)


def test_the_two_arc_samples_share_no_question() -> None:
    easy, challenge = ({row["question"] for row in rows_of(f"{benchmark}/test")} for benchmark in ARC)
    assert not easy & challenge


def test_boolq_questions_are_lower_case_without_a_question_mark() -> None:
    for row in rows_of("boolq/validation"):
        assert row["question"] == row["question"].lower()
        assert not row["question"].endswith(("?", "."))


def test_boolq_passages_are_distinct_and_have_a_title_and_a_body_of_60_to_130_words() -> None:
    rows = rows_of("boolq/validation")
    assert len({row["passage"] for row in rows}) == len(rows)
    for row in rows:
        title, body = row["passage"].split(" -- ")
        assert title.strip()
        assert 60 <= len(body.split()) <= 130


def test_boolq_answers_are_booleans_and_neither_wins_by_guessing() -> None:
    answers = [row["answer"] for row in rows_of("boolq/validation")]
    assert all(isinstance(answer, bool) for answer in answers)
    assert 0.45 <= sum(answers) / len(answers) <= 0.62


def test_trivia_ids_are_numbered_in_order() -> None:
    ids = [row["question_id"] for row in rows_of("trivia_qa/validation")]
    assert ids == [f"sample_{number:04d}" for number in range(1, len(ids) + 1)]


def test_trivia_answers_are_among_their_distinct_non_empty_aliases() -> None:
    for row in rows_of("trivia_qa/validation"):
        answer = row["answer"]
        assert answer.keys() == {"value", "aliases"}
        assert answer["value"] in answer["aliases"]
        assert len(set(answer["aliases"])) == len(answer["aliases"])
        assert all(alias == alias.strip() != "" for alias in answer["aliases"])


def test_a_trivia_question_does_not_give_its_answer_away() -> None:
    for row in rows_of("trivia_qa/validation"):
        words = set(row["question"].lower().rstrip("?").split())
        assert row["answer"]["value"].lower() not in words


def test_an_accented_trivia_answer_has_an_alias_that_can_be_typed_in_ascii() -> None:
    for row in rows_of("trivia_qa/validation"):
        assert any(alias.isascii() for alias in row["answer"]["aliases"])


@pytest.mark.parametrize("name", ["arc_easy/test", "arc_challenge/test", "boolq/validation"])
def test_texts_other_than_trivia_are_ascii(name: str) -> None:
    assert json.dumps(rows_of(name), ensure_ascii=False).isascii()
