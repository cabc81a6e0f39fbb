"""Every family of every synthetic set: determinism, five routes to one answer, fields, variety."""

from collections import Counter

import pytest

from pfe.problem import DOMAINS
from pfe.scorers import score
from pfe.tutors.family import ROUTES, Family, families_of, remake, synthetic_sets

SETS = synthetic_sets()
FAMILIES = [family for set in SETS for family in families_of(set).values()]
# A few problems of each family at every check, many where slow tests run.
FEW_OR_MANY = pytest.mark.parametrize(
    "count", [pytest.param(5, id="few"), pytest.param(60, id="many", marks=pytest.mark.slow)]
)
SOME_OR_MANY = pytest.mark.parametrize(
    "count", [pytest.param(40, id="some"), pytest.param(300, id="many", marks=pytest.mark.slow)]
)


def named(family: Family) -> str:
    return f"{family.set}/{family.name}"


@pytest.mark.parametrize("set", SETS)
def test_every_set_has_at_least_twelve_families(set: str) -> None:
    assert len(families_of(set)) >= 12


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_a_problem_is_made_again_from_its_id_alone(family: Family) -> None:
    for index in range(2):
        problem = family.make(seed=3, index=index)
        assert remake(problem.id) == problem
    assert family.make(seed=4, index=0) != family.make(seed=3, index=0)


@FEW_OR_MANY
@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_the_five_routes_arrive_at_the_same_answer(family: Family, count: int) -> None:
    for index in range(count if family.domain != "code" else min(3, count)):
        problem = family.make(seed=0, index=index)
        for route in ROUTES:
            key = family.answer(problem, route)
            assert score(family.scorer, problem, key.answer).correct, (problem, route, key)
            assert key.text.strip()


@FEW_OR_MANY
@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_the_fields_of_a_problem_are_filled(family: Family, count: int) -> None:
    for index in range(count):
        problem = family.make(seed=1, index=index)
        assert problem.domain in DOMAINS
        assert problem.question.strip() == problem.question != ""
        assert "{" not in problem.question or problem.domain in ("code", "function_call", "format")
        assert problem.solution.endswith(f"#### {problem.answer}")
        assert len(problem.solution.splitlines()) >= 2
        if problem.choices:
            assert problem.choices.count(problem.answer) == 1
            assert len(set(problem.choices)) == len(problem.choices)


@SOME_OR_MANY
@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_problems_vary(family: Family, count: int) -> None:
    problems = [family.make(seed=0, index=index) for index in range(count)]
    assert len({problem.text for problem in problems}) >= 0.95 * count
    if problems[0].choices:
        places = Counter(problem.choices.index(problem.answer) for problem in problems)
        width = max(len(problem.choices) for problem in problems)
        assert max(places.values()) <= count / width + 4 * (count / width) ** 0.5, (
            "the place of the right choice gives it away"
        )
