"""Predictions as evaluate writes them, and what the scorers make of them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pfe.config import Config
from pfe.errors import UserError
from pfe.problem import Prediction, Problem, ScoredPrediction
from pfe.scores.scored import score_predictions
from tests.evaluation.test_arms import WHALE
from tests.scorers.test_program import DOUBLE
from tests.scorers.test_program import problem as program

CHOICES = ("a ruler of wood", "barometer")
ARC = Problem("arc_easy/1", "arc_easy", "science", "Which tool?", "barometer", choices=CHOICES, group="tools")


def prediction(problem: Problem, output: str = "", **more: Any) -> Prediction:
    fields = {"arm": "icr", "order": 0, "tokens_in": 9, "tokens_out": 1, "stop": "end", **more}
    return Prediction(problem_id=problem.id, benchmark=problem.set, model="mine", output=output, **fields)


def one(settings: Config, problem: Problem, row: Prediction) -> ScoredPrediction:
    (found,) = score_predictions([row], [problem], settings.benchmark[row.benchmark])
    assert found == ScoredPrediction(**vars(found))
    assert {name: value for name, value in vars(found).items() if name in vars(row)} == vars(row)
    return found


def test_the_highest_score_is_the_choice_and_per_character_another_may_be(settings: Config) -> None:
    found = one(settings, ARC, prediction(ARC, scores=(-9.5, -9.0), stop="choice"))
    assert (found.extracted, found.correct, found.correct_norm) == ("barometer", True, False)
    assert (found.choices, found.group) == (2, "tools")


@pytest.mark.parametrize(
    ("said", "extracted"),
    [
        ("B", "barometer"), ("(A)", "a ruler of wood"), ("The answer is barometer.", "barometer"),
        ("A\nbecause of wood", "a ruler of wood"), ("It depends.", ""), ("E", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_letter_becomes_a_choice_or_none(said: str, extracted: str, settings: Config) -> None:
    found = one(settings, ARC, prediction(ARC, said))
    assert (found.extracted, found.correct) == (extracted, extracted == "barometer")
    assert found.choices == (2 if extracted else 0)
    assert found.correct_norm == (found.correct if extracted else None)


def test_a_letter_in_a_blank_and_for_yes_or_no(settings: Config) -> None:
    blank = Problem("winogrande/1", "winogrande", "coreference", "The _ fell.", "cup", choices=("shelf", "cup"))
    found = one(settings, blank, prediction(blank, "B."))
    assert (found.extracted, found.correct, found.correct_norm) == ("cup", True, None)
    truth = Problem("boolq/1", "boolq", "boolean", "is it", "no", choices=("no", "yes"))
    found = one(settings, truth, prediction(truth, "A"))
    assert (found.extracted, found.correct, found.group) == ("no", True, "boolq/1")


def test_problems_of_a_family_are_one_cluster_where_there_are_several_families(settings: Config) -> None:
    problems = [replace(ARC, id=f"arc_easy/{place}", family=family, group="tools" if place else "")
                for place, family in enumerate(("beasts", "beasts", "tides", ""))]  # fmt: skip
    rows = [prediction(problem, "B") for problem in problems]
    benchmark = settings.benchmark["arc_easy"]
    assert [row.group for row in score_predictions(rows, problems, benchmark)] == ["beasts", "beasts", "tides", "tools"]
    assert [row.group for row in score_predictions(rows[:2], problems, benchmark)] == ["arc_easy/0", "tools"]


def test_with_a_library_about_real_things_the_library_s_answer_is_correct(settings: Config) -> None:
    arms = ("icr", "placebo", "contradicted", "agreeing")
    found = {
        arm: {said: one(settings, WHALE, prediction(WHALE, said, arm=arm)) for said in ("lake", "river", "sea")}
        for arm in arms
    }
    correct = {arm: next(said for said, row in by_text.items() if row.correct) for arm, by_text in found.items()}
    assert correct == {"icr": "lake", "placebo": "lake", "contradicted": "river", "agreeing": "sea"}
    assert {arm: found[arm]["sea"].gold for arm in arms} == correct
    assert [row.otherwise for row in found["contradicted"].values()] == [False, False, True]
    assert {row.otherwise for arm in ("icr", "placebo", "agreeing") for row in found[arm].values()} == {None}


def test_a_number_is_read_twice(settings: Config) -> None:
    sum_ = Problem("gsm1k/1", "gsm1k", "math", "How many?", "18")
    found = one(settings, sum_, prediction(sum_, "9 * 2 = 18"))
    assert (found.extracted, found.correct, found.strict, found.strict_correct) == ("18", True, "", False)
    assert (found.choices, found.correct_norm) == (0, None)


def test_what_was_cut_off_does_not_say_that_no_call_is_right(settings: Config) -> None:
    none = Problem("fncall/1", "fncall", "function_call", "Sing.", "no call", functions=("get_weather",))
    output = "I am sorry, but I cannot do that with the functions"
    assert [one(settings, none, prediction(none, output, stop=stop)).correct for stop in ("end", "length")] == [
        True, False,
    ]  # fmt: skip


def test_a_prediction_of_no_sealed_problem_says_what_to_do(settings: Config) -> None:
    with pytest.raises(
        UserError, match=r"mine on arc_easy: arc_easy/1 is no sealed problem; run `dvc repro evaluate@mi"
    ):
        score_predictions([prediction(ARC)], [], settings.benchmark["arc_easy"])


def test_where_programs_cannot_be_run_at_all_they_are_left_out_with_a_line(
    settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("sys.platform", "darwin")
    assert score_predictions([prediction(program(), DOUBLE)], [program()], settings.benchmark["mbpp"]) == []
    line = "NOTE: mine is not scored on MBPP: mbpp/367: programs of models are run on Linux only, not on darwin"
    assert capsys.readouterr().err.startswith(line)


def test_programs_are_run_once_and_their_verdicts_kept(
    settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path))
    rows = [prediction(program(), output) for output in (DOUBLE, "def double(n): return n", "while")]
    first = score_predictions(rows, [program()], settings.benchmark["mbpp"])
    assert [row.correct for row in first] == [True, False, False]

    def never(*_: object) -> None:
        raise AssertionError("a kept verdict was run again")

    monkeypatch.setattr("pfe.scorers.program.run_tests", never)
    assert score_predictions(rows, [program()], settings.benchmark["mbpp"]) == first
    other = program(tests=("assert double(4) == 9",))
    with pytest.raises(AssertionError, match="run again"):
        score_predictions(rows, [other], settings.benchmark["mbpp"])
