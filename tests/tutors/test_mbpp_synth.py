"""The programming tasks of mbpp_synth: five programs that pass, and tests that catch those that should not."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from pfe.problem import Problem
from pfe.tutors.families.mbpp_synth.programs import STYLE_OF, CodeFamily, PartTable
from pfe.tutors.family import ROUTES, Facts, Family, families_of

FAMILIES = [family for family in families_of("mbpp_synth").values() if isinstance(family, CodeFamily)]
EACH = 4


def passes(program: str, tests: Sequence[str]) -> bool:
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    try:
        for test in tests:
            exec(test, namespace)
    except Exception:
        return False
    return True


def problems(family: CodeFamily, count: int = EACH) -> list[tuple[Problem, Facts]]:
    made = [family.make(seed=2, index=index) for index in range(count)]
    return [(problem, family.read(problem)) for problem in made]


def named(family: Family) -> str:
    return family.name


each_family = pytest.mark.parametrize("family", FAMILIES, ids=named)


def test_every_family_of_the_set_is_a_code_family() -> None:
    assert len(FAMILIES) == len(families_of("mbpp_synth")) >= 14


@each_family
def test_all_five_programs_pass_all_three_tests_and_differ(family: CodeFamily) -> None:
    for problem, facts in problems(family):
        programs = family.programs(facts)
        assert len(problem.tests) == 3
        assert sorted(programs) == sorted(STYLE_OF.values())
        assert len(set(programs.values())) == 5
        for style, program in programs.items():
            assert passes(program, problem.tests), (problem.id, style, program, problem.tests)


@each_family
def test_no_test_is_passed_by_nothing_an_argument_or_a_constant(family: CodeFamily) -> None:
    for problem, facts in problems(family):
        name = family.function_name(facts)
        values = ["None", *(test.rpartition(" == ")[2] for test in problem.tests)]
        for value in values:
            assert not passes(f"def {name}(*arguments):\n    return {value}", problem.tests), (problem.tests, value)
        for place in (0, -1):
            assert not passes(f"def {name}(*arguments):\n    return arguments[{place}]", problem.tests)


@each_family
def test_most_programs_of_neighbouring_tasks_fail(family: CodeFamily) -> None:
    caught, rng = [], Random(0)
    for problem, facts in problems(family):
        name = family.function_name(facts)
        for slot, table in family.slots.items():
            other = {**facts, slot: table.draw(rng)}
            if slot not in family.decoration and other != facts and family.sound(other):
                program = f"{family.solve(other)}\n\n{name} = {family.function_name(other)}"
                caught.append(not passes(program, problem.tests))
    assert sum(caught) >= 0.75 * len(caught)


@each_family
def test_the_question_alone_gives_back_the_facts(family: CodeFamily) -> None:
    for index in range(20):
        problem = family.make(seed=5, index=index)
        assert family.read(problem) == family.facts(Random(f"{problem.id}:facts"))


def test_a_question_of_another_family_is_not_read() -> None:
    window, nested = families_of("mbpp_synth")["window"], families_of("mbpp_synth")["nested"]
    with pytest.raises(ValueError, match="is not of the family window"):
        window.read(nested.make(seed=0, index=0))


def test_each_route_answers_with_a_program_of_its_own_style() -> None:
    family = families_of("mbpp_synth")["key_values"]
    problem = family.make(seed=0, index=0)
    answers = [family.answer(problem, route) for route in ROUTES]
    assert len({key.answer for key in answers}) == len(ROUTES)
    assert answers[0].answer == problem.answer
    assert all(key.answer == key.text for key in answers)


def test_check_accepts_the_five_programs_and_refuses_a_neighbours() -> None:
    family = families_of("mbpp_synth")["digit_work"]
    problem = family.make(seed=0, index=0)
    facts = family.read(problem)
    assert all(family.check(facts, program) for program in family.candidates(problem))
    assert not family.check(facts, problem.answer.replace("d = divmod(number, 10)", "d = divmod(number, 9)"))


def test_replay_refuses_a_solution_whose_program_is_wrong() -> None:
    family = families_of("mbpp_synth")["recurrence"]
    problem = family.make(seed=0, index=0)
    spoilt = Problem(**{**vars(problem), "solution": problem.solution.replace("range(3,", "range(4,")})
    with pytest.raises(ValueError, match="fails the tests"):
        family.replay(spoilt)


def test_a_list_in_braces_makes_one_part_of_each_word() -> None:
    table = PartTable("""
        phrase | code
        from {1 2} to {8 9} | {0} <= x <= {1}
        odd | x % 2 == 1
    """)
    assert list(table.parts) == ["from 1 to 8", "from 1 to 9", "from 2 to 8", "from 2 to 9", "odd"]
    assert table.parts["from 2 to 9"]["code"] == "2 <= x <= 9"
