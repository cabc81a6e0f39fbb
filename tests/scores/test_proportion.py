"""Wilson's interval: published values, and what statsmodels gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from pfe.scores import accuracy
from pfe.scores.proportion import proportion


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(81, 263, 25.53, 36.62), (15, 148, 6.24, 16.05), (0, 20, 0, 16.11), (1, 29, 0.61, 17.18)],
)
def test_newcombe_s_table_of_wilson_intervals(count: int, n: int, low: float, high: float) -> None:
    """Newcombe 1998, Stat. Med. 17:857, table I, method 3."""
    found = proportion(count, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_that_of_statsmodels_and_exact_at_its_ends(case: tuple[int, int]) -> None:
    count, n = case
    found = proportion(count, n)
    low, high = proportion_confint(count, n, method="wilson")
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high), abs=1e-9)
    assert (found.low == 0) == (count == 0)
    assert (found.high == 100) == (count == n)


def test_accuracy_is_the_share_of_right_answers() -> None:
    assert accuracy([True, False, False, False]) == proportion(1, 4)
    assert accuracy([True, False, False, False]).value == 25
