"""Places, ranks and the harmonic mean, against scipy and by law."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hmean, rankdata

from pfe.judging.ranks import TIES, Ties, harmonic_mean, places, ranks
from pfe.judging.table import Values

VALUES = st.lists(st.sampled_from([-math.inf, 0.0, 0.5, 0.871, 0.872, 1.0]), min_size=1, max_size=7)
INTERVALS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=1, max_size=7)


@pytest.mark.parametrize("ties", TIES)
@given(values=VALUES)
def test_places_are_those_of_scipy_from_the_top(ties: Ties, values: list[float]) -> None:
    assert places(np.array(values), ties).tolist() == rankdata(-np.array(values), ties).tolist()


@pytest.mark.parametrize("ties", TIES)
@given(values=VALUES)
def test_an_interval_of_no_width_ties_equal_values_alone(ties: Ties, values: list[float]) -> None:
    found = places(np.array(values), ties, lows=np.array(values))
    assert found.tolist() == places(np.array(values), ties).tolist()


@pytest.mark.parametrize("ties", TIES)
def test_what_is_not_ranked_takes_no_place(ties: Ties) -> None:
    values = np.array([[math.nan, 0.5, 0.9, 0.5], [0.1, math.nan, math.nan, math.nan]])
    for lows in (None, values):
        found = places(values, ties, lows)
        assert found[0, [1, 2, 3]].tolist() == rankdata([-0.5, -0.9, -0.5], ties).tolist()
        assert found[1, 0] == 1
        assert np.isnan(found).sum() == 4


def test_ranks_count_from_the_lowest() -> None:
    values = np.array([0.9, 0.8, 0.8, 0.5])
    assert ranks(values, "dense", 1).tolist() == [4, 3, 3, 2]
    assert ranks(values, "dense", 0).tolist() == [3, 2, 2, 1]
    assert ranks(values, "min", 1).tolist() == [4, 3, 3, 1]
    assert ranks(values, "max", 1).tolist() == [4, 2, 2, 1]
    assert ranks(values, "average", 1).tolist() == [4, 2.5, 2.5, 1]


def test_values_within_the_interval_of_one_not_yet_placed_tie() -> None:
    values, lows = np.array([70.0, 69.0, 66.0, 50.0, -math.inf]), np.array([65.0, 68.0, 60.0, 45.0, -math.inf])
    assert places(values, "dense", lows).tolist() == [1, 1, 2, 3, 4]  # 66 is within 70's interval, but below 69's
    assert places(values, "min", lows).tolist() == [1, 1, 2, 4, 5]
    assert places(values, "max", lows).tolist() == [3, 2, 3, 4, 5]


@given(intervals=INTERVALS)
def test_a_dense_place_is_the_longest_chain_of_methods_that_beat_each_other(intervals: list[tuple[int, int]]) -> None:
    values, lows = _arrays(intervals)

    def chain(method: int) -> int:
        above = [other for other in range(len(values)) if lows[other] > values[method]]
        return 1 + max(map(chain, above), default=0)

    assert places(values, "dense", lows).tolist() == [chain(method) for method in range(len(values))]


@pytest.mark.parametrize("ties", TIES)
@given(intervals=INTERVALS, at=st.integers(0))
def test_who_fails_pushes_nobody_down(ties: Ties, intervals: list[tuple[int, int]], at: int) -> None:
    values, lows = _arrays(intervals)
    failing = at % len(values)
    for bounds in (values, lows):
        before = places(values, ties, bounds)
        failed, failed_bounds = values.copy(), bounds.copy()
        failed[failing] = failed_bounds[failing] = -math.inf
        after = places(failed, ties, failed_bounds)
        others = np.arange(len(values)) != failing
        assert (after[others] <= before[others]).all()
        assert after[failing] >= before[failing]
        assert after[failing] == after.max()


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_harmonic_mean_is_scipys(rows: list[list[int]]) -> None:
    given = np.array(rows, dtype=float)
    np.testing.assert_allclose(harmonic_mean(given), hmean(given, axis=0), rtol=1e-12)


def test_the_harmonic_mean_leaves_out_what_is_not_ranked() -> None:
    found = harmonic_mean(np.array([[4.0, math.nan, 0], [2, 3, 5], [math.nan, math.nan, math.nan]]))
    assert found == pytest.approx([8 / 3, 3, 0])
    assert np.isnan(harmonic_mean(np.array([[math.nan]]))).all()


def _arrays(intervals: list[tuple[int, int]]) -> tuple[Values, Values]:
    values = np.array([float(value) for value, _ in intervals])
    return values, values - [width for _, width in intervals]
