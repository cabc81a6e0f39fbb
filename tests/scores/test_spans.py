"""Spans: laws of the half point and its CI, and what is made of them over skills."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.files import read_record, write_record
from pfe.problem import ScoredPrediction
from pfe.scores.benchmark import BenchmarkScore, score_benchmark
from pfe.scores.half_point import HalfPoint, Mark, half_point
from pfe.scores.metrics import metrics
from pfe.scores.model import score_model
from pfe.scores.spans import Span, Spans, mean_span, score_spans
from tests.scores.made import predictions

LADDER = (4, 16, 64)
counts = st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), *[st.integers(0, n)] * 3))


def marks(right: Sequence[int], n: int, ladder: Sequence[int] = LADDER) -> list[Mark]:
    return [
        Mark(math.log2(rung), place < count, f"{rung}/{place}")
        for rung, count in zip(ladder, right, strict=True)
        for place in range(n)
    ]


def rows(
    right: Mapping[int, int], n: int, skill: str = "hops", choices: int = 4, cluster: int = 1
) -> list[ScoredPrediction]:
    """`right` of n problems correct at each rung, half of them with confusable names."""
    return [
        replace(
            row, problem_id=f"{skill}/{rung}/{place}", skill=skill, rung=rung, choices=choices, gold=f"value {place}",
            names=("plain", "confusable")[place % 2], group=f"{skill}/{rung}/{place // cluster}",
        )
        for rung, count in right.items()
        for place, row in enumerate(predictions({"icr": [True] * count + [False] * (n - count)}))
    ]  # fmt: skip


def spans(made: Sequence[ScoredPrediction]) -> Spans:
    found = score_spans(made)
    assert found is not None
    return found


def span(right: Mapping[int, int], n: int) -> Span:
    return spans(rows(right, n)).skills["hops"]


@given(st.integers(1, 40), st.sampled_from([0, 0.25, 0.5]))
@settings(max_examples=25)
def test_a_perfect_reader_is_above_the_ladder(n: int, chance: float) -> None:
    assert half_point(marks((n, n, n), n), chance).value > math.log2(64)


@pytest.mark.parametrize("right", [(5, 5, 5), (6, 4, 5), (4, 5, 6), (0, 0, 0), (2, 2, 3)])
def test_a_reader_at_chance_or_below_it_is_below_the_ladder(right: tuple[int, ...]) -> None:
    found = span(dict(zip(LADDER, right, strict=True)), 20)
    assert (found.below, found.above, found.value, found.low) == (True, False, 4, 4)
    assert found.high < 16


@pytest.mark.parametrize("ladder", [LADDER, (4, 16, 64, 256, 1024, 4096), (8, 11, 16, 23, 32)])
@pytest.mark.parametrize("chance", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("n", [8, 40])
def test_who_reads_up_to_a_size_and_guesses_beyond_has_a_span_up_to_the_next(
    ladder: tuple[int, ...], chance: float, n: int
) -> None:
    for place in range(len(ladder) - 1):
        right = [n if rung <= ladder[place] else round(chance * n) for rung in ladder]
        assert ladder[place] <= 2 ** half_point(marks(right, n, ladder), chance).value <= ladder[place + 1]


@given(counts, st.sampled_from([0, 0.25]))
@settings(max_examples=50)
def test_one_more_correct_answer_among_the_most_statements_does_not_lower_a_span(
    made: tuple[int, int, int, int], chance: float
) -> None:
    """In the upper half of the ladder. In the lower one the flatter curve may cost a part of a doubling."""
    n, *right = made
    if right[-1] == n:
        return
    before, after = (
        min(max(half_point(marks(one, n), chance).value, 2), 6) for one in (right, [*right[:-1], right[-1] + 1])
    )
    assert after >= before - (0 if before >= 4 else 1)


@given(counts, st.sampled_from([2, 3, 8]))
@settings(max_examples=25)
def test_a_span_is_measured_in_the_unit_of_the_ladder(made: tuple[int, int, int, int], unit: int) -> None:
    n, *right = made
    one, other = (half_point(marks(right, n, [size * by for size in LADDER]), 0.25) for by in (1, unit))
    shifts = [there - here for here, there in ((one.value, other.value), (one.low, other.low), (one.high, other.high))]
    assert all(abs(shift - math.log2(unit)) < 0.011 or max(map(abs, vars(one).values())) > 20 for shift in shifts)


@given(counts, st.sampled_from([0, 0.25]))
@settings(max_examples=50)
def test_the_interval_holds_the_value(made: tuple[int, int, int, int], chance: float) -> None:
    n, *right = made
    found = half_point(marks(right, n), chance)
    assert found.low <= found.value <= found.high


def test_more_problems_make_the_interval_narrower() -> None:
    few, many = (half_point(marks((n, 3 * n // 4, n // 4), n), 0.25) for n in (8, 80))
    assert many.high - many.low < (few.high - few.low) / 2


def test_answers_that_come_in_clusters_make_it_wider() -> None:
    single = marks((20, 15, 8), 20)
    clustered = [replace(mark, cluster=f"{mark.doublings}/{place // 5}") for place, mark in enumerate(single)]
    one, other = half_point(single, 0.25), half_point(clustered, 0.25)
    assert one.value == other.value
    assert other.high - other.low > 1.3 * (one.high - one.low)
    alone = half_point([replace(mark, cluster="one") for mark in single], 0.25)
    assert alone == one, "of one cluster nothing is known of others"


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=1, max_size=5))
@settings(max_examples=20)
def test_pfe_span_lies_between_the_smallest_and_the_largest(made: list[tuple[int, int, int]]) -> None:
    parts = [span(dict(zip(LADDER, right, strict=True)), 6) for right in made]
    mean = mean_span(parts)
    values = [one.counted(one.value) for one in parts]
    assert min(values) * (1 - 1e-9) <= mean.value <= max(values) * (1 + 1e-9)
    assert mean.low <= mean.value <= mean.high
    assert 2 <= min(values) <= max(values) <= 128
    assert (mean.skills, mean.n) == (len(made), 18 * len(made))


def test_what_is_below_counts_half_of_the_smallest_size_and_what_is_above_twice_the_largest() -> None:
    below, above = span({4: 5, 16: 5, 64: 5}, 20), span({4: 20, 16: 20, 64: 20}, 20)
    assert (below.counted(below.value), above.counted(above.value)) == (2, 128)
    assert mean_span([below, above]).value == pytest.approx(16)
    assert (above.value, above.high, above.above) == (64, 64, True)


def test_spans_are_by_skill_and_of_the_arm_icr_in_the_first_order() -> None:
    made = rows({4: 20, 16: 19, 64: 6}, 20) + rows({4: 20, 16: 20, 64: 20}, 20, "rules", choices=0)
    other = [replace(row, arm="canonical", correct=False) for row in made]
    later = [replace(row, order=1, correct=False) for row in made]
    found = spans([*made, *other, *later])
    assert found == spans(made)
    assert list(found.skills) == ["hops", "rules"]
    assert (found.skills["hops"].chance, found.skills["hops"].n, found.skills["hops"].clusters) == (25, 60, 60)
    assert 16 < found.skills["hops"].value < 64
    assert found.skills["rules"].above
    assert {rung: one.value for rung, one in found.rungs["hops"].items()} == {4: 100, 16: 95, 64: 30}
    assert {names: by[64].n for names, by in found.by_names["hops"].items()} == {"plain": 10, "confusable": 10}


def test_chance_is_that_of_the_skill() -> None:
    """Who always answers "It cannot be known." where that is correct in 14 of 20 reads nothing."""
    made = [
        replace(row, gold="It cannot be known." if row.correct else row.gold)
        for row in rows({4: 14, 16: 14, 64: 14}, 20, "abstention")
    ]
    found = spans(made).skills["abstention"]
    assert found.chance == pytest.approx(70)
    assert found.below
    always = spans([replace(row, correct=True, gold="It cannot be known.") for row in made]).skills["abstention"]
    assert (always.chance, always.below, always.low, always.high) == (100, True, 4, 64)


def test_without_rungs_there_are_no_spans_and_with_one_size_no_span() -> None:
    made = rows({16: 5}, 10)
    assert score_spans([replace(row, rung=0) for row in made]) is None
    assert score_spans([replace(row, skill="") for row in made]) is None
    found = spans(made)
    assert (found.skills, found.mean) == ({}, None)
    assert found.rungs["hops"][16].value == 50


def test_spans_are_in_the_score_its_record_and_the_metrics(tmp_path: Path) -> None:
    found = score_benchmark(rows({4: 20, 16: 19, 64: 6}, 20), 0, resamples=100)
    assert found is not None
    assert found.spans is not None
    assert found.spans.mean is not None
    path = tmp_path / "score.json"
    write_record(path, found)
    assert read_record(path, BenchmarkScore).spans == found.spans
    points = metrics({"m": score_model({"invented": found})})["pfe"]["m"]
    assert points["span"] == round(found.spans.mean.value, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "slope"), [(3.0, 0.8), (5.0, 2.0)])
def test_the_interval_holds_the_true_half_point_in_about_95_percent_of_simulations(truth: float, slope: float) -> None:
    rng = np.random.default_rng(0)

    def simulated() -> HalfPoint:
        right = [rng.binomial(25, 0.25 + 0.75 / (1 + math.exp(-slope * (truth - math.log2(rung))))) for rung in LADDER]
        return half_point(marks(right, 25), 0.25)

    held = [one.low <= truth <= one.high for one in (simulated() for _ in range(200))]
    assert 0.90 <= np.mean(held) <= 0.99
