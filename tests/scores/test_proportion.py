"""Wilson's interval and Newcombe's: published values, and what statsmodels gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from pfe.scores import accuracy
from pfe.scores.proportion import difference, proportion

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(81, 263, 25.53, 36.62), (15, 148, 6.24, 16.05), (0, 20, 0, 16.11), (1, 29, 0.61, 17.18)],
)
def test_newcombe_s_table_of_wilson_intervals(count: int, n: int, low: float, high: float) -> None:
    """Newcombe 1998, Stat. Med. 17:857, table I, method 3."""
    found = proportion(count, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)


@given(counts)
def test_the_interval_is_that_of_statsmodels_and_exact_at_its_ends(case: tuple[int, int]) -> None:
    count, n = case
    found = proportion(count, n)
    low, high = proportion_confint(count, n, method="wilson")
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high), abs=1e-9)
    assert (found.low == 0) == (count == 0)
    assert (found.high == 100) == (count == n)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926), ((0, 10), (0, 20), -0.1611, 0.2775), ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0), ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)  # fmt: skip
def test_newcombe_s_table_of_differences(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """Newcombe 1998, Stat. Med. 17:873, table II, method 10."""
    found = difference(proportion(*first), proportion(*second))
    assert found.value == pytest.approx(100 * (first[0] / first[1] - second[0] / second[1]))
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high), abs=0.005)


@given(counts, counts)
def test_the_interval_of_a_difference_is_that_of_statsmodels(first: tuple[int, int], second: tuple[int, int]) -> None:
    found = difference(proportion(*first), proportion(*second))
    low, high = confint_proportions_2indep(*first, *second, method="newcomb")
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high), abs=1e-6)
    assert -100 <= found.low <= found.value <= found.high <= 100


def test_accuracy_is_the_share_of_right_answers() -> None:
    assert accuracy([True, False, False, False]) == proportion(1, 4)
    assert accuracy([True, False, False, False]).value == 25
