"""The randomisation test: exact for single problems and for clusters, and no more often wrong than it says."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.scores.paired import mcnemar_p
from pfe.scores.randomisation import sign_flip_p


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 20))
def test_for_single_problems_it_is_mc_nemar_s_exact_test(fixed: int, broken: int, same: int) -> None:
    totals = np.array([1] * fixed + [-1] * broken + [0] * same, dtype=np.int64)
    assert sign_flip_p(totals) == pytest.approx(mcnemar_p(fixed, broken), abs=1e-12)


@given(st.lists(st.integers(-5, 5), max_size=9))
def test_for_clusters_it_is_the_share_of_signs_that_come_as_far(totals: list[int]) -> None:
    sums = [abs(sum(sign * total for sign, total in zip(signs, totals, strict=True)))
            for signs in product((1, -1), repeat=len(totals))]  # fmt: skip
    share = sum(one >= abs(sum(totals)) for one in sums) / len(sums)
    assert sign_flip_p(np.array(totals, dtype=np.int64)) == pytest.approx(share, abs=1e-12)


def test_of_two_that_differ_by_luck_alone_one_in_twenty_is_called_different_whatever_the_clusters() -> None:
    rng = np.random.default_rng(0)
    clusters = rng.normal(size=(400, 60, 1)) + 0.5 * rng.normal(size=(400, 60, 5)) > 0  # six at one passage, alike
    totals = np.where(clusters, 1, -1).sum(axis=2)
    alarms = np.mean([sign_flip_p(one) < 0.05 for one in totals])
    ignoring = np.mean([sign_flip_p(np.where(one, 1, -1).ravel()) < 0.05 for one in clusters])
    assert 0.02 <= alarms <= 0.08
    assert ignoring > 0.25
