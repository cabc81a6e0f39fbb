"""Every library-bound family: its right, changed, irrelevant and missing library, and what is right behind each."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from pfe.problem import SKILLS, UNKNOWN, Problem
from pfe.scorers import score
from pfe.scorers.calls.gold import NO_CALL
from pfe.tutors.family import BoundFamily
from tests.each import bound, each_family, problems_of


@each_family(bound)
def test_the_answer_comes_from_the_library(family: BoundFamily) -> None:
    for problem in problems_of(family):
        changed, irrelevant, bare = problem.variants
        assert [variant.name for variant in problem.variants] == ["changed", "irrelevant", "bare"]
        assert problem.skill in SKILLS
        assert family.solve(family.read(problem)) == problem.answer
        assert family.solve(family.read(replace(problem, library=changed.library))) == changed.answer
        assert not score(family.scorer, problem, changed.answer).correct
        assert changed.otherwise == problem.answer
        assert irrelevant.answer == bare.answer
        if problem.skill != "abstention":  # where it may be right that it cannot be known
            assert bare.answer != (changed if problem.answer == NO_CALL else problem).answer
        for unhelpful in (irrelevant, bare):
            assert not family.helps(replace(problem, library=unhelpful.library))
            assert _answer(family, replace(problem, library=unhelpful.library)) in (None, NO_CALL)
        if problem.choices:
            assert changed.answer in problem.choices
            assert bare.answer == UNKNOWN


@each_family(bound)
def test_what_is_needed_differs_in_the_changed_library_and_one_entry_it_is_exchanged_with(family: BoundFamily) -> None:
    for problem in problems_of(family):
        pairs = zip(problem.library, problem.variants[0].library, strict=True)
        differ = {place for place, (right, changed) in enumerate(pairs) if right != changed}
        assert differ & set(problem.needed)
        assert len(differ - set(problem.needed)) <= 1


@each_family(bound)
def test_without_what_is_needed_the_problem_cannot_be_solved(family: BoundFamily) -> None:
    for problem in problems_of(family):
        for places in _needed_together(problem):
            rest = tuple(text for place, text in enumerate(problem.library) if place not in places)
            answer = _answer(family, replace(problem, library=rest))
            assert answer != problem.answer, (problem.id, places)


@pytest.mark.slow
@each_family(bound)
def test_what_is_needed_stands_at_any_place_in_libraries_of_several_lengths(family: BoundFamily) -> None:
    problems = problems_of(family, max(80, 20 * family.asked))
    lengths = {len(problem.library) for problem in problems}
    assert max(lengths) >= 1.5 * min(lengths)
    places = [place / max(1, len(problem.library) - 1) for problem in problems for place in problem.needed]
    early, late = sum(place < 1 / 3 for place in places), sum(place > 2 / 3 for place in places)
    assert min(early, late) > len(places) / 8


def _needed_together(problem: Problem) -> Sequence[Collection[int]]:
    """Return the places without which a problem cannot be solved; examples and records may do without one of theirs."""
    if problem.answer in (NO_CALL, UNKNOWN):
        return ()
    return [problem.needed] if problem.skill in ("discovery", "updates") else [{place} for place in problem.needed]


def _answer(family: BoundFamily, problem: Problem) -> str | None:
    try:
        return family.solve(family.read(problem))
    except ValueError:
        return None
