"""Golden values: SPEC's own example table, Wilson's interval, and the laws of lift."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pfe.problem import Prediction
from pfe.scores import BenchmarkScore, accuracy, aggregate, paired_lift, relative_lift, score_benchmark, verdict

SPEC_TABLE = [(72.3, 86.1, 13.8, 49.8), (8.2, 31.4, 23.2, 25.3), (95.2, 96.8, 1.6, 33.3), (58.1, 71.3, 13.2, 31.5)]

pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@pytest.mark.parametrize(("canonical", "icr", "lift", "relative"), SPEC_TABLE)
def test_the_example_table_of_the_specification(canonical: float, icr: float, lift: float, relative: float) -> None:
    assert icr - canonical == pytest.approx(lift)
    assert relative_lift(canonical, icr - canonical) == pytest.approx(relative, abs=0.05)


def test_relative_lift_does_not_exist_at_full_marks() -> None:
    assert relative_lift(100, 0) is None
    assert relative_lift(100, -10) is None


def predictions(bare: list[bool], icr: list[bool]) -> list[Prediction]:
    return [
        Prediction(f"p/{i}", "p", "m", arm, "", "", right, "", "")
        for arm, marks in (("canonical", bare), ("icr", icr))
        for i, right in enumerate(marks)
    ]


def test_a_benchmark_is_scored_on_paired_problems() -> None:
    score = score_benchmark(predictions([True, False, False, False], [True, True, True, False]))
    assert score is not None
    assert score.lift is not None
    assert score.icr is not None
    assert (score.canonical.value, score.icr.value, score.lift.value) == (25, 75, 50)
    assert score.lift.relative == pytest.approx(100 * 50 / 75)
    assert score.canonical.n == score.lift.n == 4


def test_no_predictions_no_score() -> None:
    assert score_benchmark([]) is None
    assert aggregate({}) is None


def test_the_accuracy_interval_is_wilson_s() -> None:
    found = accuracy([True] * 7 + [False] * 3)
    wilson = binomtest(7, 10).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((100 * wilson.low, 100 * wilson.high))
    assert found.low == pytest.approx(39.68, abs=0.01)  # Wilson 1927 for 7 of 10


@given(pairs)
def test_lift_is_icr_minus_canonical_and_lies_in_its_interval(marks: list[tuple[bool, bool]]) -> None:
    lift = paired_lift(marks)
    icr, bare = (100 * sum(side) / len(marks) for side in zip(*marks, strict=True))
    assert lift.value == pytest.approx(icr - bare)
    assert lift.low < lift.high
    if len(marks) >= 10:
        assert lift.low - 1e-9 <= lift.value <= lift.high + 1e-9


@given(pairs)
def test_swapping_the_arms_turns_the_lift_round(marks: list[tuple[bool, bool]]) -> None:
    there, back = paired_lift(marks), paired_lift([(bare, icr) for icr, bare in marks])
    assert there.value == pytest.approx(-back.value)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


@given(pairs)
def test_more_of_the_same_narrows_the_interval(marks: list[tuple[bool, bool]]) -> None:
    few, many = paired_lift(marks), paired_lift(marks * 9)
    assert many.high - many.low < few.high - few.low


def test_averages_are_over_benchmarks_not_problems() -> None:
    small = score_benchmark(predictions([True], [True]))
    large = score_benchmark(predictions([False] * 9, [True] * 9))
    assert small is not None
    assert large is not None
    found = aggregate({"a": small, "b": large})
    assert found is not None
    assert found.icr is not None
    assert found.lift is not None
    assert (found.canonical.value, found.icr.value, found.lift.value) == (50, 100, 50)
    assert (found.canonical.benchmarks, found.canonical.n) == (2, 10)


def test_one_arm_alone_has_no_lift() -> None:
    score = score_benchmark(predictions([True], [])[:1])
    assert score == BenchmarkScore(accuracy([True]), None, None)


@pytest.mark.parametrize(
    ("lift", "canonical_gain", "icr_gain", "word"),
    [(12, 3, 5, "strong"), (12, 0, 5, "moderate"), (7, 2, 2, "moderate"), (4.9, 9, 9, "weak"), (20, -1, 5, "weak"),
     (-3, 1, 1, "weak"), (10, 1, 1, "moderate")],
)  # fmt: skip
def test_the_verdict_follows_the_specification(lift: float, canonical_gain: float, icr_gain: float, word: str) -> None:
    assert verdict(lift, canonical_gain, icr_gain) == word
