"""The lift and its tests: published examples, the laws that bind its parts."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS

from pfe.scores.paired import detectable_lift, lift
from pfe.scores.randomisation import sign_flip_p
from pfe.scores.sample import ArmSample

SPEC_TABLE = [(72.3, 86.1, 13.8, 49.8), (8.2, 31.4, 23.2, 25.3), (95.2, 96.8, 1.6, 33.3), (58.1, 71.3, 13.2, 31.5)]
cells = st.tuples(*[st.integers(0, 40)] * 4).filter(any)


def single(wrong: int, broken: int, fixed: int, kept: int) -> ArmSample:
    """One problem a cluster."""
    return ArmSample(np.repeat(np.eye(4, dtype=np.int64), (wrong, broken, fixed, kept), axis=0))


@pytest.mark.parametrize(("canonical", "icr", "gained", "relative"), SPEC_TABLE)
def test_the_example_table_of_the_specification(canonical: float, icr: float, gained: float, relative: float) -> None:
    fixed, kept = round(10 * (icr - canonical)), round(10 * canonical)
    found = lift(single(1000 - fixed - kept, 0, fixed, kept), "")
    assert found.relative is not None
    assert found.value == pytest.approx(gained)
    assert found.relative.value == pytest.approx(relative, abs=0.05)


def test_the_smallest_lift_inverts_a_published_sample_size() -> None:
    """Connor 1987, Biometrics 43:207: 0.45 and 0.05 differing need 22.01 pairs at 5 % two-sided and power 0.8."""
    needed = ((1.959964 * math.sqrt(0.5) + 0.841621 * math.sqrt(0.5 - 0.4**2)) / 0.4) ** 2
    assert needed == pytest.approx(22.01, abs=0.005)
    smallest = detectable_lift(23, 0.5)
    assert smallest is not None
    assert 38 < smallest < 40
    assert detectable_lift(22, 0.5) == pytest.approx(40, abs=0.05)


def test_where_no_pair_differs_the_smallest_lift_is_had_by_fixing_alone() -> None:
    smallest = detectable_lift(1000, 0)
    assert smallest is not None
    assert smallest == pytest.approx(detectable_lift(1000, 0.001))
    rng = np.random.default_rng(0)
    fixed = rng.binomial(1000, smallest / 100, 4000)
    assert np.mean([sign_flip_p(np.array([1.0] * (count + 1) + [-1.0])) < 0.05 for count in fixed]) == pytest.approx(
        0.8, abs=0.03
    )


@given(st.integers(6, 5000), st.floats(0, 1))
def test_more_problems_show_smaller_lifts_and_more_noise_hides_them(n: int, discordance: float) -> None:
    here, larger, noisier = (
        detectable_lift(*case) for case in ((n, discordance), (2 * n, discordance), (n, (1 + discordance) / 2))
    )
    assert here is not None
    assert larger is not None
    assert noisier is not None
    assert 0 < larger < here <= noisier + 1e-6
    assert noisier < 100


def test_fewer_than_six_problems_can_show_nothing() -> None:
    assert detectable_lift(5, 0.4) is None
    assert detectable_lift(6, 0.4) is not None


@given(cells)
@settings(max_examples=25)
def test_the_parts_of_a_lift_belong_together(table: tuple[int, int, int, int]) -> None:
    _, broken, fixed, kept = table
    found = lift(single(*table), "")
    n = sum(table)
    canonical, icr = (kept + broken) / n, (kept + fixed) / n
    assert found.value == pytest.approx(100 * (fixed - broken) / n) == pytest.approx(100 * (icr - canonical))
    assert (found.n, found.clusters) == (n, n)
    assert -100 <= found.low <= found.high <= 100
    assert 0 < found.p <= 1
    phi = found.recovery.value / 100 if found.recovery else 0
    beta = found.breakage.value / 100 if found.breakage else 0
    assert icr == pytest.approx(canonical * (1 - beta) + (1 - canonical) * phi)
    assert (found.recovery is None) == (canonical == 1)
    assert (found.breakage is None) == (canonical == 0)


@given(cells)
@settings(max_examples=25)
def test_swapping_the_arms_turns_the_lift_round(table: tuple[int, int, int, int]) -> None:
    wrong, broken, fixed, kept = table
    there, back = lift(single(*table), ""), lift(single(wrong, fixed, broken, kept), "")
    assert (there.value, there.se, there.p) == pytest.approx((-back.value, back.se, back.p))
    assert there.detectable == back.detectable


@given(cells)
@settings(max_examples=25)
def test_relative_lift_is_missing_at_full_marks_only(table: tuple[int, int, int, int]) -> None:
    wrong, broken, fixed, _ = table
    found = lift(single(*table), "")
    assert (found.relative is None) == (wrong + fixed == 0)
    if found.relative:
        assert found.relative.value == pytest.approx(100 * (fixed - broken) / (fixed + wrong))
        assert found.relative.value <= 100
        assert (found.relative.low <= 0 <= found.relative.high) == (found.low <= 0 <= found.high)
        assert found.relative.unstable or found.relative.high - found.relative.low <= abs(found.relative.value)


def test_relative_lift_is_unstable_near_full_marks_and_stable_far_from_them() -> None:
    near = lift(single(1, 0, 1, 98), "")
    far = lift(single(300, 10, 200, 490), "")
    lucky = lift(single(0, 0, 1, 99), "")
    assert near.relative is not None
    assert near.relative.unstable
    assert far.relative is not None
    assert not far.relative.unstable
    assert lucky.relative is not None
    assert lucky.relative.value == 100
    assert lucky.relative.unstable, "one problem was left to gain"


def test_for_many_single_problems_the_interval_is_the_usual_one() -> None:
    found = lift(single(150, 30, 90, 230), "")
    assert found.se == pytest.approx(100 * math.sqrt(30 + 90 - (90 - 30) ** 2 / 500) / 500)
    assert (found.low, found.high) == pytest.approx(
        (found.value - 1.96 * found.se, found.value + 1.96 * found.se), abs=0.3
    )


def test_four_fixed_and_none_broken_are_no_lift_and_their_interval_says_so() -> None:
    found = lift(single(46, 0, 4, 0), "")
    assert found.p == pytest.approx(0.125)
    assert found.low <= 0 < 8 < found.high


def test_where_no_pair_differs_the_interval_has_the_width_of_the_adjusted_wald_one() -> None:
    """Bonett and Price 2012, J. Educ. Behav. Stat. 37:479, for 0 and 0 of 50."""
    found = lift(single(45, 0, 0, 5), "")
    half = 100 * 1.96 * math.sqrt(2) / 52
    assert (found.low, found.high, found.p) == pytest.approx((-half, half, 1), abs=1.5)


def test_the_standard_error_by_clusters_is_that_of_a_regression_on_nothing() -> None:
    """statsmodels' cluster-robust covariance of a mean; it needs numbers a problem, so it is no part of the library."""
    counts = np.random.default_rng(3).integers(0, 4, (25, 4)) + np.array([0, 0, 1, 0])
    each, cluster = [], []
    for row, (wrong, broken, fixed, kept) in enumerate(counts):
        each += [0] * (wrong + kept) + [-1] * broken + [1] * fixed
        cluster += [row] * (wrong + broken + fixed + kept)
    grouped = {"groups": np.array(cluster), "use_correction": False}
    fitted = OLS(np.array(each, float), np.ones(len(each))).fit(cov_type="cluster", cov_kwds=grouped)
    found = lift(ArmSample(counts), "")
    assert found.se == pytest.approx(100 * float(fitted.bse[0]))
    assert found.value == pytest.approx(100 * float(fitted.params[0]))


def test_equal_problems_in_a_cluster_count_as_one() -> None:
    alone = single(10, 5, 15, 20)
    copied = ArmSample(alone.counts * 4)
    once, four = lift(alone, "s"), lift(copied, "s")
    assert (once.value, once.se) == (four.value, four.se)
    assert (once.low, once.high) == pytest.approx((four.low, four.high), abs=3)
    assert (once.n, four.n, four.clusters) == (50, 200, 50)


def test_where_everything_was_fixed_the_interval_still_has_a_width() -> None:
    found = lift(single(0, 0, 8, 0), "")
    assert 0 < found.low < 100 == found.high
