"""Chance is the best constant answer, or guessing; by skill, and by whether there are choices."""

import random
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.scores.chance import chance


@dataclass(frozen=True)
class Row:
    gold: str
    choices: int = 0
    skill: str = ""


texts = st.sampled_from(["yes", "no", "no call", "It cannot be known.", ""])
tables = st.lists(
    st.builds(Row, texts, st.sampled_from([0, 2, 4]), st.sampled_from(["", "lookup", "abstention"])),
    min_size=1,
    max_size=30,
)


def many(*golds: tuple[str, int], choices: int = 0, skill: str = "") -> list[Row]:
    return [Row(gold, choices, skill) for gold, count in golds for _ in range(count)]


def test_among_choices_it_is_the_mean_of_one_in_so_many() -> None:
    rows = [Row("barometer", 4), Row("sextant", 3)]
    assert chance(rows) == pytest.approx(100 * (1 / 4 + 1 / 3) / 2)


def test_it_is_the_share_of_the_most_common_answer_where_that_is_more() -> None:
    assert chance(many(("yes", 62), ("no", 38), choices=2)) == pytest.approx(62)
    assert chance(many(("yes", 38), ("no", 62), choices=2)) == pytest.approx(62)
    assert chance(many(("no call", 12), *((f"call_{n}()", 1) for n in range(88)))) == pytest.approx(12)
    assert chance(many(("It cannot be known.", 9), ("a", 4), ("b", 7), choices=4)) == pytest.approx(45)


def test_programs_and_answers_that_are_all_different_leave_nothing_to_guess() -> None:
    assert chance(many(("", 20))) == 0
    assert chance([Row("18"), Row("72")]) == 0
    assert chance([Row("18", 4)]) == 25, "one answer alone is not what one always says"


def test_a_constant_answer_may_depend_on_the_skill_and_on_whether_there_are_choices() -> None:
    known, unknown = many(("a", 3), ("b", 5), choices=4, skill="lookup"), many(("?", 8), skill="abstention")
    assert chance(known + unknown) == pytest.approx(100 * (5 + 8) / 16)
    written = [replace(row, choices=0) for row in unknown]
    chosen = many(("x", 1), ("y", 1), choices=4, skill="abstention")
    assert chance(written + chosen) == pytest.approx(100 * (8 + 0.5) / 10)


@given(tables, texts.filter(bool))
def test_whoever_always_gives_the_same_text_or_guesses_is_not_above_chance(rows: list[Row], text: str) -> None:
    said = sum(row.gold == text for row in rows)
    guessed = sum(1 / row.choices for row in rows if row.choices)
    assert 0 <= chance(rows) <= 100
    assert chance(rows) >= 100 * guessed / len(rows) - 1e-9
    kinds = len({(row.skill, row.choices > 0) for row in rows})
    assert chance(rows) >= 100 * (said - kinds) / len(rows), "a text may stand once in each kind"


@given(tables)
def test_who_knows_the_skills_is_not_below_who_does_not(rows: list[Row]) -> None:
    doubled = rows * 2  # no text stands once alone
    assert chance(doubled) >= chance([replace(row, skill="") for row in doubled]) - 1e-9


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_the_problems_changes_nothing(rows: list[Row], shuffler: random.Random) -> None:
    mixed = rows.copy()
    shuffler.shuffle(mixed)
    assert chance(mixed) == pytest.approx(chance(rows))
