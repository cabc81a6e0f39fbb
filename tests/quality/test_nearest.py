"""The nearest other problem of a set."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pfe.quality.nearest import median, near_duplicates, nearest, visible, whole
from tests.quality.made import drawn_problems


def test_a_copy_is_a_near_duplicate_and_others_are_not() -> None:
    problems = drawn_problems(50, 1)
    copies = [replace(problem, id=f"{problem.id}/copy") for problem in problems[:5]]
    share = near_duplicates(nearest([*problems, *copies], [*problems, *copies], visible))
    assert (share.n, share.value) == (55, 100 * 10 / 55)
    assert near_duplicates(nearest(problems, problems, visible)).value == 0


def test_a_problem_of_the_same_group_is_no_other() -> None:
    problems = drawn_problems(20, 1)
    twins = [replace(problem, id=f"{problem.id}/twin", group=problem.id) for problem in problems]
    both = [*(replace(problem, group=problem.id) for problem in problems), *twins]
    assert near_duplicates(nearest(both, both, visible)).value == 0


def test_only_some_are_looked_up_among_all() -> None:
    problems = drawn_problems(600, 1)
    every = nearest(problems, problems, visible)
    assert np.allclose(nearest(problems[7:9], problems, visible), every[7:9])
    assert len(every) == 600


def test_the_same_question_behind_another_library_is_another_problem() -> None:
    problems = drawn_problems(20, 1)
    worlds = [problem.question for problem in drawn_problems(20, 2, "world")]
    here = [replace(problems[0], id=str(place), library=(world,)) for place, world in enumerate(worlds)]
    assert near_duplicates(nearest(here, here, visible)).value == 100
    assert near_duplicates(nearest(here, here, whole)).value == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_the_median_lies_in_its_interval(values: list[float]) -> None:
    figure = median(values)
    assert min(values) <= figure.low <= figure.value <= figure.high <= max(values)
    assert figure.value == np.median(values)
