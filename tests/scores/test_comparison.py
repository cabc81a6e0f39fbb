"""Two sides compared: the laws of their differences."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.scores.comparison import Flips, compare, compare_benchmark, compare_model, mean
from pfe.scores.endings import Doubt
from tests.scores.made import predictions, two_arms


def test_the_differences_are_those_of_the_accuracies_and_lifts() -> None:
    first = predictions(two_arms(kept=5, fixed=1, broken=2, wrong=12))
    second = predictions(two_arms(kept=6, fixed=4, broken=0, wrong=10))
    found = compare(first, second, "0")
    assert [found[name].value for name in ("canonical", "icr", "lift")] == pytest.approx([30 - 35, 50 - 30, 25])
    assert {one.n for one in found.values()} == {20}
    assert all(one.low <= one.value <= one.high for one in found.values())


def test_answers_to_problems_that_one_side_was_not_asked_raise_no_doubt() -> None:
    rows = predictions(two_arms(wrong=40))
    silent = [replace(row, extracted="", output="eggs") if row.problem_id > "arc_easy/3" else row for row in rows]
    few = [row for row in rows if row.problem_id <= "arc_easy/3"]
    assert compare_benchmark(silent, few, "0").doubts == ({}, {})
    assert compare_benchmark(silent, rows, "0").doubts[0].keys() == {"canonical", "icr"}


def test_the_other_way_round_everything_has_the_other_sign() -> None:
    first, second = predictions(two_arms(3, 4, 1, 12)), predictions(two_arms(8, 2, 2, 8))
    there, back = compare(first, second, "1"), compare(second, first, "1")
    assert {name: one.value for name, one in there.items()} == {name: -one.value for name, one in back.items()}


def test_a_model_and_itself_do_not_differ_and_the_interval_is_none_of_certainty() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    for one in compare(rows, rows, "0").values():
        assert one.value == 0
        assert one.low < 0 < one.high


def test_only_problems_that_both_answered_count_and_arms_that_both_have() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    few = [row for row in rows if row.arm == "canonical"][:7]
    found = compare(rows, few, "0")
    assert found.keys() == {"canonical"}
    assert found["canonical"].n == 7


def test_problems_that_were_asked_in_other_words_are_counted_by_arm() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    others = [replace(row, library_sha256="another") if row.arm == "icr" else row for row in rows]
    assert compare_benchmark(rows, others, "0").reworded == {"icr": 20}
    assert compare_benchmark(rows, rows, "0").reworded == {}


def test_flips_are_told_by_arm_direction_and_id() -> None:
    before, after = predictions(two_arms(kept=1, wrong=2)), predictions(two_arms(fixed=1, broken=1, wrong=1))
    flips = compare_benchmark(before, after, "0").flips
    assert flips["canonical"] == Flips(gained=("arc_easy/1",), lost=("arc_easy/0",))
    assert flips["icr"] == Flips(gained=(), lost=())


@pytest.mark.slow
@given(st.lists(st.tuples(*[st.integers(0, 6)] * 8).filter(lambda counts: sum(counts[:4]) == sum(counts[4:]) > 0)
                | st.just((3, 1, 1, 5, 0, 9, 0, 1)), min_size=1, max_size=3))  # fmt: skip
@settings(max_examples=6, deadline=None)
def test_p_is_adjusted_over_all_figures_of_a_model_and_never_smaller(tables: list[tuple[int, ...]]) -> None:
    found = compare_model({
        f"b{place}": compare_benchmark(predictions(two_arms(*table[:4])), predictions(two_arms(*table[4:])), "0")
        for place, table in enumerate(tables)
    })  # fmt: skip
    contrasts = [one for by in found.benchmarks.values() for one in by.contrasts.values()] + list(found.means.values())
    assert found.tests == len(contrasts) == 3 * (len(tables) + (len(tables) > 1))  # one is its own mean
    smallest = min(contrasts, key=lambda one: one.p)
    assert smallest.holm_p == pytest.approx(min(1, smallest.p * len(contrasts)))
    assert all(one.holm_p is not None and one.holm_p >= one.p - 1e-12 for one in contrasts)
    assert len(found.significant) == sum(one.significant for one in contrasts)


def test_a_large_change_is_significant_and_the_same_answers_are_not() -> None:
    bad, good = predictions(two_arms(wrong=40)), predictions(two_arms(kept=30, wrong=10))
    better = compare_benchmark(bad, good, "0")
    for names in (["arc_easy"], ["arc_easy", "race", "mean"]):
        found = compare_model({name: better for name in names if name != "mean"}).significant
        assert {(name, kind) for name, kind, _ in found} == {
            (name, kind) for name in names for kind in ("canonical", "icr")
        }
    assert not compare_model({"arc_easy": compare_benchmark(bad, bad, "0")}).significant


def test_without_a_problem_of_both_there_is_nothing_to_compare() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    nothing = compare_model({"arc_easy": compare_benchmark(rows, [], "0")})
    assert (nothing.benchmarks, nothing.means, nothing.tests, nothing.significant) == ({}, {}, 0, [])


def test_benchmarks_count_alike_in_the_mean() -> None:
    one = compare(predictions(two_arms(wrong=10)), predictions(two_arms(kept=10)), "0")["canonical"]
    other = compare(predictions(two_arms(wrong=90)), predictions(two_arms(wrong=90)), "0")["canonical"]
    both = mean([one, other])
    assert (both.value, both.n) == (50, 100)
    assert both.low < 50 < both.high


@pytest.mark.slow
def test_what_stands_beside_is_compared_and_not_averaged() -> None:
    bad, good = predictions(two_arms(wrong=40)), predictions(two_arms(kept=30, wrong=10))
    one, other = compare_benchmark(bad, good, "0"), compare_benchmark(bad, bad, "0")
    found = compare_model({"gsm1k": other, "race": other, "invented": one}, not_averaged=["invented"])
    assert found.benchmarks.keys() == {"gsm1k", "race", "invented"}
    assert found.means["icr"].value == 0
    assert compare_model({"gsm1k": other, "invented": one}).means["icr"].value == 37.5


def test_nothing_is_claimed_from_answers_that_were_not_read() -> None:
    bad, good = predictions(two_arms(wrong=40)), predictions(two_arms(kept=30, wrong=10))
    silent = [replace(row, extracted="", output="eggs", stop="end") if row.arm == "icr" else row for row in bad]
    one, other = compare_benchmark(silent, good, "0"), compare_benchmark(bad, bad, "0")
    assert one.doubts == ({"icr": [Doubt("unread", 40, 40)]}, {})
    found = compare_model({"gsm1k": one, "arc_easy": other})
    assert {kind for kind, contrast in found.benchmarks["gsm1k"].contrasts.items() if contrast.doubted} == {
        "icr",
        "lift",
    }
    assert found.tests == 9 - 2 - 2  # and no mean where one benchmark is left
    assert {(name, kind) for name, kind, _ in found.significant} == {("gsm1k", "canonical"), ("mean", "canonical")}
    assert {kind: contrast.value for kind, contrast in found.means.items()} == {"canonical": 37.5}
    assert not compare_model({"gsm1k": one, "race": one}).means.keys() & {"icr", "lift"}
