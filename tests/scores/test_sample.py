"""Samples by cluster: what is counted, and the law of drawing whole clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.scores.sample import ArmSample, interval, share_right, shared

tables = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any), min_size=1, max_size=8)


def test_patterns_are_counted_cluster_by_cluster() -> None:
    first, second = {"a": True, "b": False, "c": False}, {"a": True, "b": True, "c": False}
    sample = shared([first, second], {"a": "x", "b": "x", "c": "y"})
    assert sample is not None
    assert sample.counts.tolist() == [[0, 0, 1, 1], [1, 0, 0, 0]]
    assert (sample.n, sample.clusters) == (3, 2)


def test_only_problems_that_all_arms_answered_are_compared() -> None:
    sample = shared([{"a": True, "b": True}, {"b": False, "c": True}], dict.fromkeys("abc", "x"))
    assert sample is not None
    assert sample.total.tolist() == [0, 1, 0, 0]
    assert shared([{"a": True}, {"b": True}], dict.fromkeys("ab", "x")) is None


@given(tables)
def test_a_resample_holds_as_many_clusters_all_of_them_from_the_sample(table: list[list[int]]) -> None:
    sample = ArmSample(np.array(table))
    drawn = sample.resampled(5, np.random.default_rng(0))
    assert drawn.shape == (5, 4)
    sizes = sample.counts.sum(axis=1)
    assert (sample.clusters * sizes.min() <= drawn.sum(axis=1)).all()
    assert (drawn.sum(axis=1) <= sample.clusters * sizes.max()).all()
    assert not drawn[:, sample.total == 0].any()


def test_resampling_kinds_of_clusters_has_the_moments_of_resampling_clusters() -> None:
    rng = np.random.default_rng(1)
    sample = ArmSample(rng.integers(0, 3, (30, 4)) + 1)
    by_kind = share_right(sample.resampled(20_000, rng), 1)
    one_by_one = share_right(sample.counts[rng.integers(0, 30, (20_000, 30))].sum(axis=1), 1)
    assert by_kind.mean() == pytest.approx(one_by_one.mean(), abs=0.2)
    assert by_kind.std() == pytest.approx(one_by_one.std(), rel=0.03)
    assert interval(by_kind) == pytest.approx(interval(one_by_one), abs=0.6)


def test_differences_by_cluster_are_points_of_its_problems() -> None:
    sample = ArmSample(np.array([[0, 0, 1, 1], [1, 2, 0, 0]]))  # neither, only the first, only the second, both
    found = sample.differences((-1, 1))
    assert (found.totals.tolist(), found.sizes.tolist()) == ([100, -200], [2, 3])
    assert found.value == pytest.approx(share_right(sample.total, 1) - share_right(sample.total, 0))
    of_wrong = sample.differences((-1, 1), room=0)
    assert (of_wrong.totals.tolist(), of_wrong.sizes.tolist()) == ([100, -200], [1, 1])
    assert of_wrong.imagined.tolist() == [[200, 2], [-200, 0]]


@given(tables)
def test_some_arms_of_a_sample_are_counted_as_if_there_were_no_others(table: list[list[int]]) -> None:
    sample = ArmSample(np.array(table))
    turned = sample.of_arms(1, 0)
    assert turned.counts.tolist() == [[wrong, second, first, both] for wrong, first, second, both in table]
    assert share_right(sample.of_arms(1).total, 0) == share_right(sample.total, 1)


def test_accuracy_is_read_off_the_patterns() -> None:
    counts = np.array([1, 2, 3, 4])  # neither, first, second, both
    assert share_right(counts, 0) == 60
    assert share_right(counts, 1) == 70
