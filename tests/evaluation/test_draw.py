"""A limit draws the same problems for everybody, and evenly over skills, rungs and names."""

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.evaluation.runner import draw
from pfe.problem import Problem

cells = st.tuples(
    st.sampled_from(["lookup", "hops", "calls"]), st.sampled_from([4, 16, 64]), st.sampled_from(["plain", "confusable"])
)
sets = st.lists(cells, min_size=1, max_size=60)


def problem(number: int, skill: str = "", rung: int = 0, names: str = "") -> Problem:
    return Problem(f"p/{number}", "p", "invented", "Which?", "a", skill=skill, rung=rung, names=names)


def cell(one: Problem) -> tuple[str, int, str]:
    return one.skill, one.rung, one.names


GRID = [
    problem(100 * place + number, skill, rung, names)
    for place, (skill, rung, names) in enumerate(
        (skill, rung, names)
        for skill in ("lookup", "hops", "rules", "calls")
        for rung in (4, 16, 64)
        for names in ("plain", "confusable")
    )
    for number in range(5)
]


@given(sets, st.integers(1, 60), st.integers(0, 9))
@settings(max_examples=50)
def test_strata_are_as_even_as_they_can_be_and_a_smaller_limit_draws_a_subset(
    made: list[tuple[str, int, str]], limit: int, seed: int
) -> None:
    problems = [problem(number, *one) for number, one in enumerate(made)]
    drawn = draw(problems, limit, seed)
    assert len(drawn) == min(limit, len(problems))
    assert drawn == [one for one in problems if one in drawn], "the sealed order"
    assert {one.id for one in draw(problems, max(1, limit - 1), seed)} <= {one.id for one in drawn}
    have, there = Counter(map(cell, drawn)), Counter(map(cell, problems))
    most = max(have.values())
    assert all(have[one] >= min(most - 1, there[one]) for one in there)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limit", [1, 4, 7, 12, 20, 24, 30, 100])
def test_skills_rungs_and_names_are_even_each(limit: int, seed: int) -> None:
    drawn = draw(GRID, limit, seed)
    by_skill = [sum(one.skill == skill for one in drawn) for skill in ("lookup", "hops", "rules", "calls")]
    assert max(by_skill) - min(by_skill) <= 1
    by_cell = Counter(map(cell, drawn))
    assert max(by_cell.values()) - min(by_cell[cell(one)] for one in GRID) <= 1
    for skill in ("lookup", "hops", "rules", "calls"):
        by_rung = [sum((one.skill, one.rung) == (skill, rung) for one in drawn) for rung in (4, 16, 64)]
        assert max(by_rung) - min(by_rung) <= 1


def test_another_seed_draws_others() -> None:
    assert draw(GRID, 30, 0) == draw(GRID, 30, 0) != draw(GRID, 30, 1)


@given(st.integers(1, 50), st.integers(0, 9))
@settings(max_examples=25)
def test_without_rungs_the_smallest_lots_are_drawn(limit: int, seed: int) -> None:
    """As before there were rungs, so that samples of other benchmarks stay what they were."""
    problems = [problem(number, "lookup") for number in range(50)]
    lots = sorted(problems, key=lambda one: sha256(f"{seed}:{one.id}".encode()).digest())[:limit]
    assert draw(problems, limit, seed) == sorted(lots, key=problems.index)
