"""The placebo's text as a random factor: what other texts would give, at which price."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from pfe.problem import ScoredPrediction
from pfe.scores.benchmark import score_benchmark
from pfe.scores.paired import Difference, difference
from pfe.scores.sample import ArmSample, shared
from pfe.scores.texts import over_texts
from tests.scores.made import predictions

RUNS, TEXTS, N = 400, 3, 240


def of(fixed: int, broken: int, same: int) -> ArmSample:
    return ArmSample(np.array([[0, 0, 1, 0]] * fixed + [[0, 1, 0, 0]] * broken + [[1, 0, 0, 0]] * same))


def whole(samples: Sequence[ArmSample]) -> Difference:
    return difference(ArmSample(np.concatenate([sample.counts for sample in samples])), "0")


def test_three_means_have_the_t_interval_of_two_degrees_of_freedom() -> None:
    samples = [of(fixed, 0, 100 - fixed) for fixed in (6, 1, 5)]
    found = over_texts(whole(samples), samples)
    assert found.value == pytest.approx(4)
    assert found.low == pytest.approx(-2.57, abs=0.01)
    assert found.high == pytest.approx(10.57, abs=0.01)
    assert found.p == pytest.approx(0.120, abs=0.001)


def test_the_wider_interval_and_the_larger_p_count() -> None:
    samples = [of(10, 2, 88)] * 3
    alone = whole(samples)
    assert over_texts(alone, samples) == alone  # texts that agree do not narrow anything
    assert over_texts(alone, samples[:1]) == alone  # and one text says nothing of others


def test_a_mean_of_texts_on_the_other_side_shows_nothing() -> None:
    samples = [of(30, 0, 10), of(0, 1, 1), of(0, 1, 1)]
    found = over_texts(whole(samples), samples)
    assert found.value > 0
    assert found.low < 0 < found.high
    assert found.p == 1


def with_texts(rows: list[ScoredPrediction], texts: int) -> list[ScoredPrediction]:
    """The rows, every placebo with one of so many texts by its problem's number."""
    return [
        replace(row, library_sha256=str(int(row.problem_id.split("/")[1]) % texts)) if row.arm == "placebo" else row
        for row in rows
    ]


def test_only_the_placebo_has_texts_and_only_where_clusters_share_them() -> None:
    rng = np.random.default_rng(0)
    shares = {"icr": 0.7, "placebo": 0.5, "format": 0.4, "canonical": 0.5}
    rows = predictions({arm: (rng.random(60) < share).tolist() for arm, share in shares.items()})
    one, three, own = (score_benchmark(with_texts(rows, texts), 0) for texts in (1, 3, 60))
    assert one
    assert three
    assert one == own
    assert three.icr_minus["format"] == one.icr_minus["format"]
    assert three.lift == one.lift
    wide, narrow = three.icr_minus["placebo"], one.icr_minus["placebo"]
    assert wide.value == narrow.value
    assert wide.low < narrow.low
    assert wide.p > narrow.p
    assert three.content_lift
    assert one.content_lift
    assert three.content_lift.low == wide.low
    assert three.content_lift.p == wide.p


def drawn(rng: np.random.Generator, spread: float) -> list[ArmSample]:
    """Samples of three texts that move a placebo's accuracy of 0.5 by normal effects, and leave ICR at 0.5."""
    samples = []
    for text in range(TEXTS):
        count = N // TEXTS
        placebo = rng.random(count) < np.clip(0.5 + spread * rng.standard_normal(), 0, 1)
        icr = rng.random(count) < 0.5
        arms = [{f"{text}/{i}": bool(mark) for i, mark in enumerate(marks)} for marks in (placebo, icr)]
        sample = shared(arms, {id: id for id in arms[0]})
        assert sample
        samples.append(sample)
    return samples


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.03, 0.1])
def test_a_placebo_s_text_is_no_content_lift(spread: float) -> None:
    """Of texts without a mean effect at most 5 % show one; texts taken as fixed show it far more often."""
    rng = np.random.default_rng(7)
    fixed, random, wider = 0, 0, []
    for _ in range(RUNS):
        samples = drawn(rng, spread)
        alone = whole(samples)
        found = over_texts(alone, samples)
        fixed += alone.p < 0.05
        random += found.p < 0.05
        wider.append((found.high - found.low) / (alone.high - alone.low))
    within_noise = 0.05 + 2.6 * (0.05 * 0.95 / RUNS) ** 0.5
    assert random / RUNS <= within_noise
    assert (fixed / RUNS > 2 * within_noise) is (spread == 0.1)
    if not spread:
        assert 1.8 <= np.mean(wider) <= 2.2  # docs/statistics.md: twice as wide
