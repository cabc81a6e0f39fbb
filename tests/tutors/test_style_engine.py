"""Instructions in the style of an invented house: every line is rewritten, as its guide says."""

import re

from pfe.tutors.engines.style import Engine
from pfe.tutors.family import families_of
from tests.each import each_family, problems_of


def houses(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


def test_there_are_four_kinds_of_houses() -> None:
    assert len(houses("format_synth")) >= 4


@each_family(houses, "format_synth")
def test_every_line_is_rewritten_and_slips_are_not_accepted(family: Engine) -> None:
    for problem in problems_of(family):
        data = problem.question.partition("\n\n")[2].split("\n")
        assert len(problem.answer.split("\n")) == len(data) == 3
        facts = family.read(problem)
        slips = [answer for answer in family.candidates(problem) if answer != problem.answer]
        assert len(slips) >= 3
        assert family.check(facts, problem.answer)
        assert not any(family.check(facts, slip) for slip in slips)


@each_family(houses, "format_synth")
def test_the_solution_writes_the_name_of_a_house_as_the_question_does(family: Engine) -> None:
    for problem in problems_of(family):
        (name,) = re.findall(r"Apply the style of (\w+) to each line", problem.solution)
        assert name.istitle()
        assert name in problem.question
