"""Problems that ask about one world: one library and group, other questions with other answers."""

from dataclasses import replace

import pytest

from pfe.problem import Problem
from pfe.scorers.calls.gold import NO_CALL
from pfe.tutors.engines import bound_composer, bound_program, call
from pfe.tutors.engines.annex_yes_no import Engine as OmittedFact
from pfe.tutors.engines.nature import Engine as Nature
from pfe.tutors.family import BoundFamily, ContentFamily, content_family, families_of, remake
from tests.each import bound, each_family, problem_of


def of_worlds(set: str) -> list[BoundFamily]:
    return [family for family in bound(set) if family.asked > 1]


def drawn_together(set: str) -> list[BoundFamily]:
    engines = bound_composer.Engine | bound_program.Engine | call.Engine
    return [family for family in of_worlds(set) if isinstance(family, engines)]


TOGETHER = ("fncall_synth", "gsm1k_synth", "mbpp_synth")


def about(family: BoundFamily, world: int) -> list[Problem]:
    return [problem_of(family, index) for index in range(family.asked * world, family.asked * (world + 1))]


@each_family(of_worlds)
def test_problems_about_one_world_have_one_library_and_ask_different_things(family: BoundFamily) -> None:
    for problems in (about(family, world) for world in (0, 1)):
        assert len({problem.library for problem in problems}) == 1
        assert {problem.group for problem in problems} == {problems[0].id}
        asked = {(problem.context, problem.question, problem.choices) for problem in problems}
        # A question has at least two wordings; with fewer than the world has questions, equal ones are dropped later.
        assert len(asked) >= min(len(problems), 2 * (problems[0].rung or len(problems)))
        if family.domain != "invented":  # there a world may be asked about one group of its entries
            assert len({problem.needed for problem in problems}) > 1
            assert len({problem.answer for problem in problems}) > 1


@each_family(of_worlds)
def test_another_world_has_another_library(family: BoundFamily) -> None:
    first, second = (about(family, world)[0] for world in (0, 1))
    assert first.library != second.library
    assert first.group != second.group


@pytest.mark.slow
@each_family(of_worlds)
def test_a_problem_is_the_same_made_alone_as_after_those_before_it(family: BoundFamily) -> None:
    assert isinstance(family, ContentFamily)
    last = about(family, 1)[-1]
    assert content_family(family.set, family.path).make(0, 2 * family.asked - 1) == last == remake(last.id)


@each_family(of_worlds)
def test_behind_its_own_libraries_a_problem_has_the_answers_it_says(family: BoundFamily) -> None:
    for problem in about(family, 0):
        changed, irrelevant, _ = problem.variants
        assert family.answer_with_library(problem, problem.library) == problem.answer
        assert family.answer_with_library(problem, changed.library) == changed.answer
        assert family.answer_with_library(problem, irrelevant.library) in (None, irrelevant.answer)


def test_what_another_problem_changed_leaves_most_answers_as_they_are() -> None:
    kept = moved = 0
    for name in ("land_process", "creature_adaptation", "taxonomy_deep"):
        family = families_of("arc_synth")[name]
        assert isinstance(family, Nature)
        for world in range(4):
            first, *others = about(family, world)
            answers = [(other, family.answer_with_library(other, first.variants[0].library)) for other in others]
            kept += sum(answer == other.answer for other, answer in answers)
            moved += sum(answer != other.answer for other, answer in answers)
    assert kept > 2 * moved


def test_without_its_entries_a_problem_has_no_answer_and_those_beside_it_have_theirs() -> None:
    family = families_of("boolq_synth")["register"]
    assert isinstance(family, OmittedFact)
    problem, other = about(family, 0)[:2]
    rest = tuple(text for place, text in enumerate(problem.library) if place not in problem.needed)
    assert family.answer_with_library(problem, rest) is None
    assert family.answer_with_library(other, rest) == other.answer


@each_family(drawn_together, *TOGETHER)
def test_questions_about_one_world_need_other_entries_and_have_other_answers(family: BoundFamily) -> None:
    for problems in (about(family, world) for world in (0, 1)):
        assert len({problem.functions for problem in problems}) == 1
        assert len({problem.question for problem in problems}) == 6
        assert len({problem.needed for problem in problems}) >= 2
        answered = [problem.answer for problem in problems if problem.answer != NO_CALL]
        assert len(set(answered)) >= len(answered) - 1


@each_family(drawn_together, *TOGETHER)
def test_a_change_for_one_question_leaves_those_alone_that_need_other_entries(family: BoundFamily) -> None:
    for problems in (about(family, world) for world in (0, 1)):
        for problem in problems:
            library = problem.variants[0].library
            pairs = enumerate(zip(problem.library, library, strict=True))
            changed = {place for place, (right, other) in pairs if right != other}
            for sibling in problems:
                if not changed & set(sibling.needed) and NO_CALL not in (sibling.answer, problem.answer):
                    assert family.solve(family.read(replace(sibling, library=library))) == sibling.answer
