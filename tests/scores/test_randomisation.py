"""The randomisation test: exact for few clusters, one law with its interval, and no more often wrong than it says."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, norm
from statsmodels.stats.contingency_tables import mcnemar

from pfe.scores.randomisation import ALPHA, Clustered, flip_test, mean_of, sign_flip_p

totals_of_clusters = st.lists(st.integers(-5, 5), min_size=1, max_size=9)


def clustered(totals: Sequence[float], sizes: Sequence[float] | None = None) -> Clustered:
    """Differences of clusters, of one problem each if nothing else is said."""
    ones = [1.0] * len(totals) if sizes is None else sizes
    return Clustered(np.array(totals, float), np.array(ones, float), np.array([[1.0, 1], [-1, 1]]), -1, 1)


def single(fixed: int, broken: int, same: int) -> Clustered:
    return clustered([1.0] * fixed + [-1.0] * broken + [0.0] * same)


def share_as_far(totals: Sequence[float]) -> float:
    """The mid-p by trying every combination of signs."""
    far = ties = 0
    for signs in product((1, -1), repeat=len(totals)):
        distance = abs(sum(sign * total for sign, total in zip(signs, totals, strict=True))) - abs(sum(totals))
        far += distance > 1e-9
        ties += abs(distance) <= 1e-9
    return 1.0 if abs(sum(totals)) <= 1e-9 else (far + ties / 2) / 2 ** len(totals)


@given(totals_of_clusters)
def test_its_p_is_the_share_of_signs_that_come_farther_and_half_of_those_that_come_as_far(totals: list[int]) -> None:
    assert sign_flip_p(np.array(totals, float)) == pytest.approx(share_as_far(totals), abs=1e-9)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5), st.lists(st.integers(-3, 3), min_size=1, max_size=5))
def test_totals_that_are_no_whole_numbers_have_the_same_p(first: list[int], second: list[int]) -> None:
    """As of a mean over benchmarks of different size: a seventh and a ninth have no common step."""
    totals = [one / 7 for one in first] + [one / 9 for one in second]
    assert sign_flip_p(np.array(totals)) == pytest.approx(share_as_far(totals), abs=1e-3)


@given(st.integers(0, 60), st.integers(0, 60))
def test_for_single_problems_it_is_mcnemar_s_mid_p(fixed: int, broken: int) -> None:
    """Fagerland, Lydersen and Laake 2013 (BMC Med. Res. Methodol. 13:91): exact p less the probability of a tie."""
    both = mcnemar([[0, broken], [fixed, 0]], exact=True).pvalue
    totals = np.array([1.0] * fixed + [-1.0] * broken)
    tie = float(binom.pmf(fixed, fixed + broken, 0.5))  # at both ends, of which half counts
    assert sign_flip_p(totals) == pytest.approx(1.0 if fixed == broken else both - tie, abs=1e-9)


def test_a_large_benchmark_beside_a_small_one_keeps_its_part_of_the_luck() -> None:
    """The signs of twenty totals of 1 in 20, counted, beside 12,700 of 1 in 20,000, whose sum is normal."""
    totals = np.concatenate([np.repeat([1, -1], (6500, 6200)) / 20_000, np.repeat([1, -1], (14, 6)) / 20])
    right = np.arange(21)
    beyond = norm.sf((totals.sum() - (2 * right - 20) / 20) / (np.sqrt(12_700) / 20_000))
    assert sign_flip_p(totals) == pytest.approx(2 * float(binom.pmf(right, 20, 0.5) @ beyond), rel=0.02)


def test_five_problems_show_nothing_in_a_mean_either() -> None:
    found = flip_test(mean_of([single(5, 0, 0), *[single(0, 0, 100)] * 9]), np.random.default_rng(0))
    assert found.p > 0.05


def test_the_example_of_a_textbook() -> None:
    """Armitage and Berry 1994, p. 127: two media for tubercle bacilli, of 14 that differ 12 and 2; P = 0.0129."""
    found = flip_test(single(12, 2, 36), np.random.default_rng(0))
    assert found.p == pytest.approx(0.0129, abs=5e-4)
    assert 0 < found.low < 0.2 < found.high


def test_two_benchmarks_of_five_problems_cannot_show_more_than_their_signs() -> None:
    """Of ten signs, and those of the imagined clusters, the fewest that come as far are all alike."""
    all_fixed = mean_of([single(5, 0, 0)] * 2)
    assert flip_test(all_fixed, np.random.default_rng(0)).p > 2 / 2**10
    three = flip_test(mean_of([single(3, 0, 2)] * 2), np.random.default_rng(0))
    assert three.p > 1 / 64


@st.composite
def samples(draw: st.DrawFn) -> Clustered:
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=30))
    return clustered([draw(st.integers(-size, size)) for size in sizes], sizes)


@given(st.lists(samples(), min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_the_interval_leaves_out_0_where_p_is_below_5_percent_and_nowhere_else(found: list[Clustered]) -> None:
    for sample in (*found, mean_of(found)):
        test = flip_test(sample, np.random.default_rng(0))
        assert (test.p < ALPHA) == (not test.low <= 0 <= test.high)
        assert -1 <= test.low <= sample.value <= test.high <= 1
        assert 0 < test.p <= 1


@given(samples(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_the_other_way_round_everything_has_the_other_sign(sample: Clustered, seed: int) -> None:
    turned = Clustered(-sample.totals, sample.sizes, sample.imagined[::-1], sample.least, sample.most)
    here, there = (flip_test(one, np.random.default_rng(seed)) for one in (sample, turned))
    assert here.p == pytest.approx(there.p)
    assert (here.low, here.high) == pytest.approx((-there.high, -there.low), abs=0.1)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_problems_leave_everything_open(count: int) -> None:
    found = flip_test(single(count, 0, 0), np.random.default_rng(0))
    assert found.low <= 0
    assert (found.high, found.p > 0.05) == (1, True)


def test_what_a_mean_holds_counts_every_benchmark_alike() -> None:
    whole = mean_of([single(1, 0, 1), single(0, 0, 98)])
    assert whole.value == 0.25
    assert (whole.least, whole.most) == (-1, 1)


def test_of_two_that_differ_by_luck_alone_one_in_twenty_is_called_different_whatever_the_clusters() -> None:
    rng = np.random.default_rng(0)
    clusters = rng.normal(size=(400, 60, 1)) + 0.5 * rng.normal(size=(400, 60, 5)) > 0  # five at one passage, alike
    totals = np.where(clusters, 1.0, -1.0).sum(axis=2)
    alarms = np.mean([sign_flip_p(one) < 0.05 for one in totals])
    ignoring = np.mean([sign_flip_p(np.where(one, 1.0, -1.0).ravel()) < 0.05 for one in clusters])
    assert 0.02 <= alarms <= 0.08
    assert ignoring > 0.25


@pytest.mark.parametrize(
    ("clusters", "size"), [(12, 4), *(pytest.param(*shape, marks=pytest.mark.slow) for shape in ((50, 1), (150, 6)))]
)
def test_intervals_hold_the_true_difference_as_often_as_they_say(clusters: int, size: int) -> None:
    """400 simulated benchmarks; in each cluster a shared difficulty and a shared gain from the library."""
    rng = np.random.default_rng(7)
    covered = 0
    runs, truth = 400, 10.0
    for _ in range(runs):
        difficulty = rng.uniform(0.2, 0.6, clusters)
        icr = difficulty + truth / 100 + rng.choice([-0.2, 0.2], clusters)
        bare, helped = (rng.random((clusters, size)) < share[:, None] for share in (difficulty, icr))
        totals = 1.0 * helped.sum(axis=1) - bare.sum(axis=1)
        found = flip_test(clustered(totals, [size] * clusters), rng)
        covered += 100 * found.low <= truth <= 100 * found.high
    assert 0.92 <= covered / runs <= 0.99
