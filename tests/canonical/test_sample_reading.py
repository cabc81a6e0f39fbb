"""The sample problems of RACE, HellaSwag and WinoGrande have the hub's columns and a sound answer key."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
COLUMNS = {
    "race/test": {"example_id", "article", "answer", "question", "options"},
    "hellaswag/validation": {
        "ind", "activity_label", "ctx_a", "ctx_b", "ctx", "endings", "source_id", "split", "split_type", "label",
    },
    "winogrande/validation": {"sentence", "option1", "option2", "answer"},
}  # fmt: skip
LABELS = {"race/test": "ABCD", "hellaswag/validation": "0123", "winogrande/validation": "12"}
KEY = {"race/test": "answer", "hellaswag/validation": "label", "winogrande/validation": "answer"}


def rows_of(name: str) -> list[dict[str, Any]]:
    lines = (SAMPLE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_sample_has_enough_distinct_rows_with_the_columns_of_the_hub(name: str) -> None:
    rows = rows_of(name)
    assert len(rows) >= 40
    assert all(row.keys() == COLUMNS[name] | {"canary"} for row in rows)
    assert len({json.dumps(row, sort_keys=True) for row in rows}) == len(rows)


@pytest.mark.parametrize("name", COLUMNS)
def test_answers_are_valid_and_spread_over_the_positions(name: str) -> None:
    labels = Counter(row[KEY[name]] for row in rows_of(name))
    assert labels.keys() == set(LABELS[name])
    assert max(labels.values()) <= 1.5 * labels.total() / len(labels)


@pytest.mark.parametrize("name", COLUMNS)
def test_texts_are_neat(name: str) -> None:
    for row in rows_of(name):
        for value in row.values():
            for text in value if isinstance(value, list) else [value]:
                assert isinstance(text, int) or text == text.strip() != ""
                assert isinstance(text, int) or name == "race/test" or "  " not in text


def test_race_passages_have_three_questions_and_four_distinct_options() -> None:
    rows = rows_of("race/test")
    assert set(Counter(row["example_id"] for row in rows).values()) == {3}
    assert len({row["article"] for row in rows}) == len({row["example_id"] for row in rows}) >= 15
    for row in rows:
        assert row["example_id"].startswith(("middle_s", "high_s"))
        assert 150 <= len(row["article"].split()) <= 290
        assert len(set(row["options"])) == 4
    middle = sum(row["example_id"].startswith("middle") for row in rows)
    assert 0.25 <= middle / len(rows) <= 0.4


def test_the_right_option_of_race_is_not_the_longest_more_often_than_by_chance() -> None:
    rows = rows_of("race/test")
    longest = sum(max(row["options"], key=len) == row["options"]["ABCD".index(row["answer"])] for row in rows)
    assert longest <= 0.35 * len(rows)


def test_hellaswag_contexts_are_joined_and_endings_are_four_of_like_length() -> None:
    for index, row in enumerate(rows_of("hellaswag/validation")):
        assert row["ind"] == index
        assert row["ctx"] == f"{row['ctx_a']} {row['ctx_b']}"
        assert row["ctx_b"][0].islower()
        assert len(set(row["endings"])) == 4
        lengths = [len(ending) for ending in row["endings"]]
        assert max(lengths) <= 1.5 * min(lengths)


def test_hellaswag_endings_alone_do_not_tell_which_is_right() -> None:
    """Leave-one-out: neither how often a word stood in right endings nor lengths nor words of the context help."""
    rows = rows_of("hellaswag/validation")
    hits = Counter[str]()
    for row in rows:
        others = [other for other in rows if other is not row]
        for name, guess in GUESSES.items():
            hits[name] += max(range(4), key=lambda place: guess(row, place, others)) == int(row["label"])
    for name in GUESSES:
        assert hits[name] <= 0.42 * len(rows), name


def _seen_right(row: dict[str, Any], place: int, others: list[dict[str, Any]]) -> float:
    """By how much the words of an ending stand in the right endings of other rows more than in the wrong ones."""
    counts = {True: Counter[str](), False: Counter[str]()}
    for other in others:
        for number, ending in enumerate(other["endings"]):
            counts[number == int(other["label"])].update(set(ending.split()))
    words = set(row["endings"][place].split())
    return sum(counts[True][word] / (1 + counts[True][word] + counts[False][word]) for word in words) / len(words)


def _overlap(row: dict[str, Any], place: int, others: list[dict[str, Any]]) -> float:
    words = set(row["endings"][place].lower().split())
    return len(words & set(row["ctx"].lower().split())) / len(words)


GUESSES = {
    "words": _seen_right,
    "longest": lambda row, place, others: len(row["endings"][place]),
    "shortest": lambda row, place, others: -len(row["endings"][place]),
    "overlap": _overlap,
}


def test_winogrande_sentences_have_one_blank_and_name_both_options() -> None:
    for row in rows_of("winogrande/validation"):
        assert row["sentence"].split().count("_") == row["sentence"].count("_") == 1
        assert row["option1"] != row["option2"]
        words = row["sentence"].replace(",", " ").replace(";", " ").split()
        assert row["option1"] in words
        assert row["option2"] in words


def test_winogrande_sentences_come_in_twins_with_opposite_answers() -> None:
    rows = rows_of("winogrande/validation")
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert (first["option1"], first["option2"]) == (second["option1"], second["option2"])
        assert {first["answer"], second["answer"]} == {"1", "2"}
        changed = set(first["sentence"].split()) ^ set(second["sentence"].split())
        assert 0 < len(changed) <= 4
