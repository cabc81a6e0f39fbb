"""Science problems with faults that were once there: two right variables, impossible heat, answers in the choices."""

from collections import Counter

import pytest

from pfe.tutors.engines.facts import Engine
from pfe.tutors.families.arc_synth.matter import CONTACTS
from pfe.tutors.family import families_of
from pfe.tutors.generate import candidates

FAMILIES = families_of("arc_synth")
MANY = range(300)


def test_every_variable_of_a_comparison_has_one_part_in_it() -> None:
    for index in MANY:
        problem = FAMILIES["fair_test"].make(seed=1, index=index)
        facts = FAMILIES["fair_test"].read(problem)
        parts = {facts[part] for part in ("varied", "measured", "kept", "missed")}
        assert parts == set(problem.choices)
        assert all(problem.question.count(part) == 1 for part in parts)


def test_two_things_end_near_the_temperature_of_what_stores_more_heat() -> None:
    larger = {pair[0]: pair[1] for pair in CONTACTS}
    for index in MANY:
        problem = FAMILIES["heat_flow"].make(seed=1, index=index)
        facts = FAMILIES["heat_flow"].read(problem)
        assert larger[facts["one"]] == facts["two"]
        end = int(problem.answer.rpartition(" at ")[2].removesuffix("°C."))
        assert min(facts["s"], facts["t"]) < end < max(facts["s"], facts["t"])
        assert abs(end - facts["t"]) < abs(end - facts["s"])


@pytest.mark.parametrize("name", ["natural_selection", "fair_test"])
def test_no_choice_is_right_wherever_it_stands(name: str) -> None:
    right, offered = Counter[str](), Counter[str]()
    for index in MANY:
        problem = FAMILIES[name].make(seed=1, index=index)
        right[problem.answer] += 1
        offered.update(problem.choices)
    often = [choice for choice, times in offered.items() if times >= 10]
    assert often
    assert all(right[choice] < 0.7 * offered[choice] for choice in often)


def test_natural_selection_chooses_among_forms_of_one_part_of_the_body() -> None:
    family = FAMILIES["natural_selection"]
    assert isinstance(family, Engine)
    forms = {"fur": 0, "beaks": 0, "roots": 0, "feet": 0}
    for index in MANY:
        choices = family.make(seed=1, index=index).choices
        for form in forms:
            named = sum(choice.endswith(form) for choice in choices)
            forms[form] += named == len(choices)
            assert form not in ("fur", "beaks") or named in (0, len(choices))
    assert forms["fur"]
    assert forms["beaks"]


def test_two_fifths_need_their_library_and_few_say_numbers() -> None:
    problems = candidates("arc_synth", 400, seed=0, library_bound=0.4)
    assert sum(problem.library_bound for problem in problems) >= 156
    assert sum(any(letter.isdigit() for letter in problem.question) for problem in problems) <= 48
