"""Lengths, sentences and words of a set."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from pfe.problem import Problem
from pfe.quality import wording
from pfe.quality.texts import drawn, folds, sentences
from tests.quality.made import drawn_problems

LATE = "It was late. Tom came home at nine."
PROBLEM = Problem("a/1", "a", "reading", "Who came to the door?", "Tom", LATE, ("Tom", "Ada"))
COUNTS = st.lists(st.integers(0, 40), min_size=2, max_size=60)


def test_names_and_numbers_are_masked_in_sentences() -> None:
    assert list(sentences("Tom has 3 apples. Ada has twelve apples!\nWho?")) == [
        "@ has # apples",
        "@ has # apples",
        "@",
    ]


def test_sentences_that_come_again_with_other_names_are_a_share() -> None:
    other = replace(PROBLEM, context="Late it was. Ada came home at ten.", question="What did they do then?")
    share = wording.repeated([PROBLEM, other])
    assert (share.n, share.value) == (4, 50)  # shorter ones do not count


def test_a_passage_that_problems_share_counts_once() -> None:
    same = replace(PROBLEM, question="Whom had they waited for?")
    assert wording.repeated([PROBLEM, same]).value == 0
    assert wording.counted([PROBLEM, same])["context"] == [8]


def test_words_are_counted_by_part_and_missing_parts_are_left_out() -> None:
    assert wording.counted([PROBLEM]) == {"question": [5], "context": [8], "choice": [1, 1]}
    assert set(wording.counted(drawn_problems(2, 1))) == {"question"}


def test_positions_yes_digits_vocabulary_and_families() -> None:
    assert wording.positions([PROBLEM, PROBLEM, replace(PROBLEM, answer="Ada")]) == {"1": 200 / 3, "2": 100 / 3}
    assert wording.yes([PROBLEM]) is None
    yes = wording.yes([replace(PROBLEM, answer=answer) for answer in ("yes", "no", "yes", "yes")])
    assert yes is not None
    assert yes.value == 75
    assert wording.digits([PROBLEM, replace(PROBLEM, question="Who had 3?")]).value == 50
    assert wording.vocabulary([PROBLEM]) == 13
    assert wording.families(drawn_problems(4, 1)) == {"family_0": 50, "family_1": 25, "family_2": 25}


@given(COUNTS, COUNTS)
def test_the_distance_of_distributions_is_scipy_s(first: list[int], second: list[int]) -> None:
    distance = wording.distances({"question": first, "context": first}, {"question": second})
    assert distance == {"question": pytest.approx(ks_2samp(first, second, method="asymp").statistic)}


@given(st.lists(st.text("ab ", min_size=1, max_size=30), min_size=1, max_size=5))
def test_longer_n_grams_are_never_less_distinct_and_a_copy_halves_them(texts: list[str]) -> None:
    problems = [replace(PROBLEM, question=text, context="", choices=()) for text in texts]
    once, twice = wording.distinct(problems), wording.distinct([*problems, *problems])
    assert all(0 <= share <= 100 for share in once.values())
    assert twice == pytest.approx({size: share / 2 for size, share in once.items()})


@given(st.integers(0, 30), st.integers(0, 3), st.randoms())
def test_what_is_drawn_depends_on_the_seed_and_not_on_the_order(most: int, seed: int, rng: Random) -> None:
    problems = drawn_problems(20, 1)
    chosen = drawn(problems, most, seed)
    assert len(chosen) == len({problem.id for problem in chosen}) == min(most, 20)
    assert drawn(rng.sample(problems, 20), most, seed) == chosen


@given(st.lists(st.integers(0, 12).map(str), min_size=1), st.integers(0, 3))
def test_folds_keep_clusters_together_and_are_even(clusters: list[str], seed: int) -> None:
    fold = folds(clusters, seed)
    by_cluster = {cluster: set(fold[[other == cluster for other in clusters]]) for cluster in clusters}
    assert all(len(numbers) == 1 for numbers in by_cluster.values())
    sizes = [sum(number in numbers for numbers in by_cluster.values()) for number in range(5)]
    assert max(sizes) - min(sizes) <= 1
