"""One benchmark: every arm, content lift, orders, counts, chance; a pure function of the predictions."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.problem import ScoredPrediction, Stop
from pfe.scores.benchmark import BenchmarkScore, score_benchmark
from tests.scores.made import predictions, two_arms

marks = st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=40)


def scored(rows: list[ScoredPrediction], seed: int = 0) -> BenchmarkScore:
    found = score_benchmark(rows, seed, resamples=300)
    assert found is not None
    return found


def test_a_benchmark_is_scored_on_paired_problems() -> None:
    found = scored(predictions(two_arms(kept=1, fixed=2, wrong=1)))
    assert found.lift is not None
    assert (found.arms["canonical"].value, found.arms["icr"].value, found.lift.value) == (25, 75, 50)
    assert (found.lift.kept, found.lift.fixed, found.lift.broken, found.lift.wrong) == (1, 2, 0, 1)
    assert found.arms["canonical"].n == found.lift.n == 4


def test_no_predictions_no_score() -> None:
    assert score_benchmark([], 0) is None


@pytest.mark.parametrize(
    ("differences", "audited", "bound"),
    [((), 0, None), ((3e-6, 2e-5), 2, 1e-4), ((3e-6, 1e-4), 2, 1e-4), ((2e-4, 1e-7), 2, 1e-3), ((0.3,), 1, 1.0)],
)
def test_audited_answers_are_counted_and_their_largest_difference_is_bounded(
    differences: tuple[float, ...], audited: int, bound: float | None
) -> None:
    rows = predictions({"icr": [True] * 5})
    rows = [replace(row, difference=d) for row, d in zip(rows, (*differences, *[None] * 5), strict=False)]
    answers = scored(rows).answers["icr"]
    assert (answers.audited, answers.difference) == (audited, bound)


def test_one_arm_alone_has_no_lift() -> None:
    found = scored(predictions({"icr": [True, False]}))
    assert (found.lift, found.content_lift, found.icr_minus) == (None, None, {})
    assert found.arms["icr"].value == 50


def test_clusters_are_the_groups_and_a_problem_without_one_is_its_own() -> None:
    rows = predictions(two_arms(kept=3, fixed=3), cluster_size=2)
    found = scored(rows)
    assert found.lift is not None
    assert found.lift.clusters == found.arms["icr"].clusters == 3
    alone = scored([replace(row, group="") for row in rows])
    assert alone.lift is not None
    assert alone.lift.clusters == 6


@pytest.mark.slow
@given(marks, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(table: list[tuple[bool, ...]], shuffler: random.Random) -> None:
    arms = dict(zip(("canonical", "icr", "placebo", "format"), map(list, zip(*table, strict=True)), strict=True))
    rows = predictions(arms, cluster_size=3)
    mixed = rows.copy()
    shuffler.shuffle(mixed)
    here, there = scored(rows), scored(mixed)
    assert here == there
    assert all((here.draws[name] == there.draws[name]).all() for name in here.draws)


def test_resamples_depend_on_the_seed_and_on_the_names() -> None:
    rows = predictions(two_arms(30, 20, 10, 40))
    renamed = [replace(row, model="base") for row in rows]
    first, again, other, base = scored(rows), scored(rows), scored(rows, seed=1), scored(renamed)
    assert (first.draws["icr"] == again.draws["icr"]).all()
    assert (first.draws["icr"] != other.draws["icr"]).any()
    assert (first.draws["icr"] != base.draws["icr"]).any()


@given(marks)
@settings(max_examples=25)
def test_content_lift_is_icr_less_the_better_control(table: list[tuple[bool, ...]]) -> None:
    icr, placebo, form, canonical = (list(column) for column in zip(*table, strict=True))
    found = scored(predictions({"icr": icr, "placebo": placebo, "format": form, "canonical": canonical})).content_lift
    assert found is not None
    better = max(sum(placebo), sum(form))
    assert found.value == pytest.approx(100 * (sum(icr) - better) / len(icr))
    assert found.against == ("placebo" if sum(placebo) >= sum(form) else "format")


def test_with_one_control_content_lift_is_the_difference_to_it() -> None:
    rng = np.random.default_rng(0)
    arms = {arm: (rng.random(200) < share).tolist() for arm, share in (("icr", 0.7), ("placebo", 0.5))}
    found = scored(predictions(arms))
    assert found.content_lift is not None
    other = found.icr_minus["placebo"]
    assert found.content_lift.value == pytest.approx(other.value)
    assert found.content_lift.n == other.n == 200
    assert (found.content_lift.low, found.content_lift.high) == (other.low, other.high)


@given(marks)
@settings(max_examples=25)
def test_content_lift_is_more_than_0_where_icr_is_better_than_both_controls(table: list[tuple[bool, ...]]) -> None:
    icr, placebo, form, _ = (list(column) for column in zip(*table, strict=True))
    found = scored(predictions({"icr": icr, "placebo": placebo, "format": form}))
    assert found.content_lift is not None
    over = [found.icr_minus[arm] for arm in ("placebo", "format")]
    assert (found.content_lift.low > 0) == all(one.low > 0 for one in over)
    assert found.content_lift.low <= found.content_lift.value <= found.content_lift.high
    outside = not found.content_lift.low <= 0 <= found.content_lift.high
    assert (found.content_lift.p < 0.05) == outside


def test_every_control_arm_is_compared_with_icr() -> None:
    found = scored(predictions({"icr": [True, True, False], "shuffled": [True, False, False], "canonical": [True] * 3}))
    assert set(found.icr_minus) == {"shuffled"}
    assert found.icr_minus["shuffled"].value == pytest.approx(100 / 3)
    assert found.content_lift is None


def test_what_a_library_against_the_world_costs_is_the_paired_difference_to_its_twin() -> None:
    arms = {"icr": [True] * 4, "contradicted": [True, False, False, False], "agreeing": [True, True, True, False]}
    found = scored(predictions(arms))
    assert found.against_world is not None
    assert (found.against_world.value, found.against_world.n) == (-50, 4)
    assert found.against_world.low < -50 < found.against_world.high
    assert scored(predictions({arm: arms[arm] for arm in ("icr", "contradicted")})).against_world is None


def test_orders_show_as_spread_and_the_headline_is_the_first() -> None:
    arms = two_arms(kept=2, wrong=2)
    rows = (
        predictions(arms)
        + predictions({"icr": [True] * 4}, order=1)
        + predictions({"icr": [True] * 3 + [False]}, order=2)
    )
    found = scored(rows)
    assert found.arms["icr"].value == 50
    assert found.lift is not None
    assert found.lift.n == 4
    assert found.orders is not None
    assert (found.orders.orders, found.orders.low, found.orders.high, found.orders.sd) == (3, 50, 100, 25)
    assert scored(predictions(arms)).orders is None


def test_a_problem_answered_twice_is_a_mistake() -> None:
    rows = predictions({"icr": [True, False]})
    with pytest.raises(UserError, match=r"student on arc_easy: arc_easy/1 stands twice in arm icr; run `dvc repro"):
        score_benchmark([*rows, rows[1]], 0)


def test_how_answers_ended_is_counted_arm_by_arm() -> None:
    one, *rest = predictions({"icr": [True] + [False] * 7})
    unread, cut, long, short, unsafe, thinking, silent = rest
    rows = [
        one,
        replace(unread, extracted="", output="eggs", stop="end", tokens_in=50),
        replace(cut, extracted="", output="eggs", stop="length", tokens_out=18),
        replace(long, extracted="", output="", stop="too_long"),
        replace(short, dropped=2),
        replace(unsafe, unsafe=True),
        replace(thinking, extracted="", output="<think>18", stop="length"),
        replace(silent, extracted="", output="", stop="none"),
    ]
    found = scored(rows).answers["icr"]
    assert (found.n, found.unread, found.truncated, found.too_long, found.shortened, found.unsafe) == (8, 2, 1, 1, 1, 1)
    assert (found.thinking, found.unanswered) == (1, 1)
    assert (found.tokens_in, found.tokens_out) == (15, 4)


def test_what_brought_no_text_is_counted_but_for_chance_which_writes_none() -> None:
    rows = predictions({"icr": [False] * 5})
    stops: tuple[Stop, ...] = ("none", "end", "length", "too_long", "choice")
    silent = [replace(row, extracted="", output=" ", stop=stop) for row, stop in zip(rows, stops, strict=True)]
    assert scored(silent).answers["icr"].unanswered == 3
    by_chance = scored([replace(row, engine="chance", extracted="") for row in silent]).answers["icr"]
    assert (by_chance.unanswered, by_chance.unread) == (0, 0)


def test_other_readings_have_their_own_accuracy_where_there_are_any() -> None:
    rows = predictions({"icr": [True, False, False, False]})
    plain = scored(rows).arms["icr"]
    assert (plain.norm, plain.strict) == (None, None)
    read = scored([replace(row, correct_norm=True, strict_correct=row.correct) for row in rows]).arms["icr"]
    assert read.norm is not None
    assert read.strict is not None
    assert (read.value, read.norm.value, read.strict.value) == (25, 100, 25)


def test_chance_is_that_of_each_arm() -> None:
    """Behind a library against the world "yes" is correct less often, so the best constant answer is another one."""
    rows = [
        replace(row, choices=2, gold="yes" if right else "no")
        for row in predictions({"icr": [True] * 6 + [False] * 4, "contradicted": [True] * 2 + [False] * 8})
        for right in [row.correct]
    ]
    found = scored(rows).arms
    assert (found["icr"].chance, found["contradicted"].chance) == (60, 80)
