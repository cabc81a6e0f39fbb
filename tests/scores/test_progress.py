"""The verdict on the student: what intervals show, against its untrained twin on the same problems."""

from collections.abc import Sequence

import pytest

from pfe.problem import ScoredPrediction
from pfe.scores.benchmark import score_benchmark
from pfe.scores.comparison import compare_benchmark, compare_model
from pfe.scores.metrics import metrics
from pfe.scores.model import Average, ModelScore, Standing, score_model
from pfe.scores.progress import Progress, holds_zero, progress, with_standing
from tests.scores.made import predictions, two_arms

Answers = dict[str, dict[str, list[ScoredPrediction]]]  # by model and benchmark


def average(value: float, half: float) -> Average:
    return Average(value, benchmarks=10, n=954, low=value - half, high=value + half)


@pytest.mark.parametrize(
    ("lift", "canonical", "icr", "word"),
    [
        ((12, 2), (3, 2), (5, 2), "strong"),
        ((12, 2), (1, 2), (5, 2), "moderate"),
        ((12, 2), (-1, 2), (5, 2), "moderate"),
        ((12, 2), (-3, 2), (5, 2), "weak"),
        ((10, 2), (3, 2), (5, 2), "moderate"),
        ((2.9, 2), (9, 2), (9, 2), "weak"),
        ((-3, 2), (1, 2), (1, 2), "weak"),
        ((1.2, 2), (-0.3, 2), (0.7, 2), "weak"),
        ((4.9, 2), (9, 2), (9, 2), "inconclusive"),
        ((1.2, 6), (3, 2), (5, 2), "inconclusive"),
        ((5, 6), (3, 2), (5, 2), "inconclusive"),
        ((12, 13), (3, 2), (5, 2), "inconclusive"),
        ((8, 2), (3, 2), (1, 2), "inconclusive"),
        ((-1, 2), (3, 2), (5, 2), "weak"),
        ((12, 2), (3, 2), (-5, 2), "weak"),
    ],
)
def test_the_verdict_is_specs_of_what_intervals_show(
    lift: tuple[float, float], canonical: tuple[float, float], icr: tuple[float, float], word: str
) -> None:
    standing = Standing(average(*canonical), average(*icr), average(-4, 3), is_screened=True)
    assert Progress(average(*lift), standing).verdict == word


@pytest.mark.parametrize(
    ("tutor", "is_screened", "lacking"),
    [
        (average(-4, 3), False, ["that what SPEC's checks reject was kept from it"]),
        (average(-9, 3), True, ["that it is less than 10 points below its best tutor"]),
        (None, True, ["that it is less than 10 points below its best tutor"]),
    ],
)
def test_a_strong_success_is_near_its_best_tutor_and_was_screened(
    tutor: Average | None, is_screened: bool, lacking: list[str]
) -> None:
    found = Progress(average(12, 2), Standing(average(3, 2), average(5, 2), tutor, is_screened))
    assert (found.verdict, found.lacking) == ("moderate", lacking)


def test_an_interval_that_ends_at_zero_holds_it() -> None:
    assert [holds_zero(average(value, 2)) for value in (-3, -2, 0, 2, 3)] == [False, True, True, True, False]


def scored(answers: Answers) -> dict[str, ModelScore]:
    return {
        model: score_model({name: score for name, rows in by.items() if (score := score_benchmark(rows, 0))})
        for model, by in answers.items()
    }


def twinned(answers: Answers, beside: Sequence[str] = (), tutors: Sequence[str] = ()) -> dict[str, ModelScore]:
    return with_standing(
        scored(answers),
        lambda model, name: answers[model][name],
        0,
        is_screened=True,
        tutors=tutors,
        not_averaged=beside,
    )


TABLES = {
    "student": {"race": (5, 4, 0, 1), "gsm1k": (20, 30, 5, 45), "invented": (9, 0, 0, 1)},
    "base": {"race": (3, 0, 1, 6), "gsm1k": (10, 0, 5, 85), "invented": (0, 0, 0, 10)},
}
ANSWERS = {
    model: {name: predictions(two_arms(*table), benchmark=name) for name, table in by.items()}
    for model, by in TABLES.items()
}


@pytest.mark.slow
def test_the_student_is_held_against_its_untrained_twin_as_pfe_compare_holds_two_models() -> None:
    found = progress(twinned(ANSWERS, beside=["invented"]))
    assert found
    pairs = {name: (ANSWERS["base"][name], ANSWERS["student"][name]) for name in TABLES["base"]}
    by_name = {name: compare_benchmark(*pair, f"0:{name}") for name, pair in pairs.items()}
    compared = compare_model(by_name, ["invented"])
    for arm, gain in (("canonical", found.standing.canonical), ("icr", found.standing.icr)):
        mean = compared.means[arm]
        assert (gain.value, gain.low, gain.high, gain.n) == (mean.value, mean.low, mean.high, mean.n)
        assert gain.benchmarks == 2
    assert (found.standing.canonical.value, found.standing.icr.value) == (10, 50)
    assert found.standing.over_tutor is None


@pytest.mark.slow
def test_the_best_tutor_is_the_one_that_the_student_is_held_against() -> None:
    """The good tutor has 100 % where the student has 70 on the mean of its benchmarks, the other one what it has."""
    good = {
        name: predictions(two_arms(kept=len(rows) // 2), benchmark=name) for name, rows in ANSWERS["student"].items()
    }
    answers = {**ANSWERS, "good": good, "like": ANSWERS["student"]}
    found = progress(twinned(answers, beside=["invented"], tutors=["like", "good", "absent"]))
    assert found
    assert found.standing.over_tutor
    assert found.standing.over_tutor.value == -30


@pytest.mark.slow
def test_the_verdict_goes_to_the_metrics_and_needs_a_twin_in_both_arms() -> None:
    scores = twinned(ANSWERS)
    assert metrics(scores)["pfe"]["student"]["verdict"] == "moderate"  # no tutor was examined
    like = twinned({**ANSWERS, "tutor": ANSWERS["student"]}, tutors=["tutor"])
    assert metrics(like)["pfe"]["student"]["verdict"] == "strong"
    assert "verdict" not in metrics(scored(ANSWERS))["pfe"]["student"]
    bare = [row for row in ANSWERS["base"]["race"] if row.arm == "canonical"]
    for base in ({}, {"race": bare}):
        assert progress(twinned({**ANSWERS, "base": base})) is None
    assert progress(twinned({"student": ANSWERS["student"]})) is None
    assert progress(twinned({"base": ANSWERS["base"]})) is None
