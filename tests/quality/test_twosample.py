"""Telling synthetic problems from real ones."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.quality.twosample import GIVEAWAYS, interval, two_sample
from tests.quality.made import drawn_problems


def test_two_halves_of_one_set_cannot_be_told_apart() -> None:
    problems = drawn_problems(800, seed=1)
    told = two_sample(problems[:400], problems[400:], seed=0)
    assert told is not None
    assert told.auc.low < 0.5 < told.auc.high
    assert 0.4 < told.auc.value < 0.6
    assert told.auc.n == 800


def test_sets_without_a_common_word_are_always_told_apart() -> None:
    told = two_sample(drawn_problems(100, 1, "ours"), drawn_problems(100, 2, "theirs"), seed=0)
    assert told is not None
    assert told.auc.value == 1
    assert 0.9 < told.auc.low < told.auc.high <= 1


def test_the_words_that_give_away_are_those_of_the_synthetic_side_alone() -> None:
    synthetic = [replace(p, question=f"Verily {p.question}") for p in drawn_problems(200, 1)]
    real = [replace(p, question=f"Canary {p.question}") for p in drawn_problems(200, 2)]
    told = two_sample(synthetic, real, seed=0)
    assert told is not None
    assert told.giveaways[0].startswith("verily")
    assert len(told.giveaways) <= GIVEAWAYS
    assert not any("canary" in words for words in told.giveaways)


def test_too_few_problems_or_too_few_groups_give_no_figure() -> None:
    problems = drawn_problems(200, 1)
    assert two_sample(problems[:10], problems[100:110], seed=0) is None
    one_passage = [replace(problem, group="passage") for problem in problems[100:]]
    assert two_sample(problems[:100], one_passage, seed=0) is None


def test_a_group_is_never_learnt_from_and_asked_about() -> None:
    """Twins that share words of their own would be told apart by these."""

    def paired(seed: int) -> list[str]:
        return [f"{p.question} twin{seed}x{place // 2}" for place, p in enumerate(drawn_problems(400, seed))]

    ours, theirs = [
        [
            replace(p, question=text, group=f"{seed}-{place // 2}")
            for place, (p, text) in enumerate(zip(drawn_problems(400, seed), paired(seed), strict=True))
        ]
        for seed in (1, 2)
    ]
    told = two_sample(ours, theirs, seed=0)
    assert told is not None
    assert told.auc.low < 0.5 < told.auc.high


@given(st.floats(0, 1), st.integers(5, 3000), st.integers(5, 3000))
def test_the_interval_holds_the_figure_and_narrows_with_n(auc: float, first: int, second: int) -> None:
    figure = interval(auc, first, second)
    assert 0 <= figure.low <= figure.value <= figure.high <= 1
    assert figure.low < figure.high
    wider = interval(auc, 5, 5)
    assert wider.high - wider.low >= figure.high - figure.low - 1e-9


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_seed_gives_the_same_figure(seed: int) -> None:
    sides = drawn_problems(60, 1), drawn_problems(60, 2)
    assert two_sample(*sides, seed) == two_sample(*sides, seed)
