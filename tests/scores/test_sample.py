"""Resampling: the law of drawing whole clusters, and intervals that hold what they claim."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.scores.paired import gain
from pfe.scores.sample import ArmSample, interval, resampled, share_right, shared

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
    by_kind = gain(sample.resampled(20_000, rng))
    one_by_one = gain(sample.counts[rng.integers(0, 30, (20_000, 30))].sum(axis=1))
    assert by_kind.mean() == pytest.approx(one_by_one.mean(), abs=0.2)
    assert by_kind.std() == pytest.approx(one_by_one.std(), rel=0.03)
    assert interval(by_kind) == pytest.approx(interval(one_by_one), abs=0.6)


def test_the_same_seed_gives_the_same_resamples_and_another_gives_others() -> None:
    sample = ArmSample(np.array([[3, 1, 2, 4]] * 2 + [[1, 0, 0, 0]] * 5))
    once, again, other = (resampled(sample, gain, seed) for seed in ("0:student:race", "0:student:race", "1"))
    assert (once == again).all()
    assert (once != other).any()


def test_an_interval_keeps_a_width_where_no_pair_differs() -> None:
    sample = ArmSample(np.repeat([[1, 0, 0, 0], [0, 0, 0, 1]], (45, 5), axis=0))
    low, high = interval(gain(resampled(sample, gain, "")))
    half = 100 * 1.96 * np.sqrt(2) / 52  # the adjusted Wald interval of Bonett and Price for 0 and 0 of 50
    assert (low, high) == pytest.approx((-half, half), abs=2)


@pytest.mark.parametrize(("clusters", "size"), [(150, 1), (150, 6)])
def test_intervals_cover_the_truth_as_often_as_they_say(clusters: int, size: int) -> None:
    """400 simulated benchmarks; in each cluster a shared difficulty and a shared gain from the library."""
    rng = np.random.default_rng(7)
    covered = naive = 0
    runs, truth = 400, 10.0
    for run in range(runs):
        difficulty = rng.uniform(0.2, 0.6, clusters)
        icr = np.clip(difficulty + truth / 100 + rng.choice([-0.2, 0.2], clusters), 0, 1)
        bare, helped = (rng.random((clusters, size)) < share[:, None] for share in (difficulty, icr))
        patterns = bare + 2 * helped
        sample = ArmSample(np.stack([(patterns == pattern).sum(axis=1) for pattern in range(4)], axis=1))
        low, high = interval(gain(resampled(sample, gain, f"{run}", resamples=400)))
        covered += low <= truth <= high
        alone = ArmSample(np.repeat(np.eye(4, dtype=np.int64), sample.total, axis=0))
        low, high = interval(gain(resampled(alone, gain, f"{run}", resamples=400)))
        naive += low <= truth <= high
    assert 0.91 <= covered / runs <= 0.98
    if size > 1:
        assert naive < covered, "intervals that ignore clusters are too narrow"


def test_accuracy_is_read_off_the_patterns() -> None:
    counts = np.array([1, 2, 3, 4])  # neither, first, second, both
    assert share_right(counts, 0) == 60
    assert share_right(counts, 1) == 70
