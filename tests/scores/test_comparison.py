"""Two models compared: the laws of their differences."""

from dataclasses import replace

import pytest

from pfe.errors import UserError
from pfe.scores.comparison import compare, mean
from tests.scores.made import predictions, two_arms


def test_the_differences_are_those_of_the_accuracies_and_lifts() -> None:
    first = predictions(two_arms(kept=5, fixed=1, broken=2, wrong=12))
    second = predictions(two_arms(kept=6, fixed=4, broken=0, wrong=10))
    found = compare(first, second, seed=0)
    assert [found[name].value for name in ("canonical", "icr", "lift")] == pytest.approx([30 - 35, 50 - 30, 25])
    assert {one.n for one in found.values()} == {20}
    assert all(one.low <= one.value <= one.high for one in found.values())


def test_the_other_way_round_everything_has_the_other_sign() -> None:
    first, second = predictions(two_arms(3, 4, 1, 12)), predictions(two_arms(8, 2, 2, 8))
    there, back = compare(first, second, seed=1), compare(second, first, seed=1)
    assert {name: one.value for name, one in there.items()} == {name: -one.value for name, one in back.items()}


def test_a_model_and_itself_do_not_differ_and_the_interval_is_none_of_certainty() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    for one in compare(rows, rows, seed=0).values():
        assert one.value == 0
        assert one.low < 0 < one.high


def test_only_problems_that_both_answered_count_and_arms_that_both_have() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    few = [row for row in rows if row.arm == "canonical"][:7]
    found = compare(rows, few, seed=0)
    assert found.keys() == {"canonical"}
    assert found["canonical"].n == 7


def test_problems_that_were_asked_in_other_words_are_not_compared() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    with pytest.raises(UserError, match="20 problems were put to the two in other words, arc_easy/0 the first"):
        compare(rows, [replace(row, library_sha256="another") if row.arm == "icr" else row for row in rows], seed=0)


def test_benchmarks_count_alike_in_the_mean() -> None:
    one = compare(predictions(two_arms(wrong=10)), predictions(two_arms(kept=10)), seed=0)["canonical"]
    other = compare(predictions(two_arms(wrong=90)), predictions(two_arms(wrong=90)), seed=0)["canonical"]
    both = mean([one, other])
    assert (both.value, both.n) == (50, 100)
    assert both.low < 50 < both.high
