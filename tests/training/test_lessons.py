"""The rows of a corpus in tokens: made when they are asked for, without lessons that are too long."""

from collections.abc import Sequence

import pytest
from datasets import Dataset

from pfe.errors import UserError
from pfe.training.lessons import Lessons
from pfe.training.student import new_tokenizer

LONG = "word " * 60
ROWS = [("a", "b"), ("c", LONG), (LONG, LONG), ("d", "e")]


def lessons(rows: Sequence[Sequence[str]], context: int = 40) -> Lessons:
    made = [
        {"library": "", "library_loss": False, "prompts": list(row), "completions": [" yes"] * len(row)} for row in rows
    ]
    return Lessons(Dataset.from_list(made), new_tokenizer(["word yes"], 300, context), context)


def test_rows_are_made_when_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    rows = lessons(ROWS)
    assert list(map(len, rows[:2])) == [2, 1]
    assert len(rows.read) == 2
    rows.note()
    assert "1 of 4 lessons do not fit student.context=40 and are not read" in capsys.readouterr().out
    assert not rows[2]
    assert list(map(len, rows)) == [2, 1, 0, 2]
    assert list(map(len, rows.read)) == [2, 1, 2]
    assert rows.longest == max(len(one.tokens) for row in rows for one in row) <= 40


def test_where_nothing_was_asked_for_the_first_row_that_fits_is_read() -> None:
    assert [len(row) for row in lessons(ROWS[2:]).read] == [2]


def test_a_corpus_of_which_nothing_fits_is_refused() -> None:
    with pytest.raises(UserError, match=r"no lesson of the corpus fits student\.context=40; raise it"):
        _ = lessons([(LONG,), (LONG, LONG)]).read


def test_nothing_is_said_where_all_fits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = lessons(ROWS[:1])
    assert len(rows[0]) == 2
    rows.note()
    assert not capsys.readouterr().out
