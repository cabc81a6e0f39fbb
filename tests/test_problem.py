from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.problem import AnswerKey, Prediction, Problem, ScoredPrediction

texts = st.text(st.characters(codec="utf-8"), max_size=20)
problems = st.builds(
    Problem, id=texts, set=texts, domain=st.sampled_from(["math", "code"]), question=texts, answer=texts,
    choices=st.lists(texts, max_size=3).map(tuple), tests=st.lists(texts, max_size=2).map(tuple),
    seed=st.integers(-1, 2**48),
)  # fmt: skip


@given(st.lists(problems, max_size=4))
def test_problems_come_back_from_parquet_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Problem]
) -> None:
    path = tmp_path_factory.mktemp("problems") / "problems.parquet"
    Problem.write(rows, path)
    assert Problem.read(path) == rows


def test_predictions_keep_their_scores(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"benchmark": "a", "model": "m", "arm": "icr"}
    chosen = Prediction(
        **asked, problem_id="a/1", order=0, output="", scores=(0.1, -2.5), tokens_in=90, tokens_out=2, stop="choice"
    )
    written = Prediction(
        **asked, problem_id="a/2", order=1, output="y", tokens_in=9, tokens_out=4, stop="length", dropped=3
    )
    Prediction.write([chosen, written], tmp_path / "p.parquet")
    assert Prediction.read(tmp_path / "p.parquet") == [chosen, written]
    marked = [
        ScoredPrediction(**vars(chosen), group="g", extracted="x", correct=True, choices=2, correct_norm=False),
        ScoredPrediction(**vars(written), group="g", extracted="y", correct=False, strict=""),
    ]
    ScoredPrediction.write(marked, tmp_path / "s.parquet")
    assert ScoredPrediction.read(tmp_path / "s.parquet") == marked


def test_a_missing_file_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"x\.parquet: no such file; run `dvc repro`"):
        Problem.read(tmp_path / "x.parquet")


def test_a_file_that_is_no_parquet_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("half a fi")
    with pytest.raises(UserError, match="not a Parquet file"):
        Problem.read(tmp_path / "x.parquet")


def test_a_file_of_other_records_is_told(tmp_path: Path) -> None:
    AnswerKey.write([AnswerKey("1", "t", "a", "b")], tmp_path / "x.parquet")
    with pytest.raises(UserError, match=r"columns .* are not those of Problem"):
        Problem.read(tmp_path / "x.parquet")


def test_the_text_of_a_problem_is_context_question_and_choices(arc_problem: Problem) -> None:
    assert arc_problem.text == "Which tool measures air pressure?\nbarometer\nruler\nthermometer\nbalance"


def test_the_parts_of_a_problem_are_all_that_it_says() -> None:
    problem = Problem(
        "p/1", "p", "code", "Write area.", "def area(r): ...", context="Circles.", choices=("a", " "), aliases=("b",),
        solution="Multiply.", setup="import math", tests=("assert area(1) > 3",),
    )  # fmt: skip
    assert problem.parts == (
        "Circles.", "Write area.", "a", "def area(r): ...", "b", "Multiply.", "import math", "assert area(1) > 3",
    )  # fmt: skip
