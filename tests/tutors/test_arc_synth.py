"""Science problems with faults that were once there: two right variables, impossible heat, answers in the choices."""

from collections import Counter

import pytest

from pfe.tutors.engines.facts import Engine
from pfe.tutors.families.arc_synth.matter import CONTACTS
from pfe.tutors.family import Family, families_of
from pfe.tutors.generate import candidates
from tests.each import problems_of

MANY = 300


def family(name: str) -> Family:
    return families_of("arc_synth")[name]


def test_every_variable_of_a_comparison_has_one_part_in_it() -> None:
    for problem in problems_of(family("fair_test"), MANY):
        facts = family("fair_test").read(problem)
        parts = {facts[part] for part in ("varied", "measured", "kept", "missed")}
        assert parts == set(problem.choices)
        assert all(problem.question.count(part) == 1 for part in parts)


def test_two_things_end_near_the_temperature_of_what_stores_more_heat() -> None:
    larger = {pair[0]: pair[1] for pair in CONTACTS}
    for problem in problems_of(family("heat_flow"), MANY):
        facts = family("heat_flow").read(problem)
        assert larger[facts["one"]] == facts["two"]
        end = int(problem.answer.rpartition(" at ")[2].removesuffix("°C."))
        assert min(facts["s"], facts["t"]) < end < max(facts["s"], facts["t"])
        assert abs(end - facts["t"]) < abs(end - facts["s"])


@pytest.mark.parametrize("name", ["natural_selection", "fair_test"])
def test_no_choice_is_right_wherever_it_stands(name: str) -> None:
    right, offered = Counter[str](), Counter[str]()
    for problem in problems_of(family(name), MANY):
        right[problem.answer] += 1
        offered.update(problem.choices)
    often = [choice for choice, times in offered.items() if times >= 10]
    assert often
    assert all(right[choice] < 0.7 * offered[choice] for choice in often)


def test_natural_selection_chooses_among_forms_of_one_part_of_the_body() -> None:
    assert isinstance(family("natural_selection"), Engine)
    forms = {"fur": 0, "beaks": 0, "roots": 0, "feet": 0}
    for problem in problems_of(family("natural_selection"), MANY):
        for form in forms:
            named = sum(choice.endswith(form) for choice in problem.choices)
            forms[form] += named == len(problem.choices)
            assert form not in ("fur", "beaks") or named in (0, len(problem.choices))
    assert forms["fur"]
    assert forms["beaks"]


def test_two_fifths_need_their_library_and_few_say_numbers() -> None:
    problems = candidates("arc_synth", 400, seed=0, library_bound=0.4)
    assert sum(problem.library_bound for problem in problems) >= 156
    assert sum(any(letter.isdigit() for letter in problem.question) for problem in problems) <= 48
