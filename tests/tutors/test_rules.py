"""Invented rules: what follows from them, which rule counts, and that the choices tell nothing."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.tutors.engines import roles, rules
from pfe.tutors.family import families_of
from tests.each import each_family, problems_of

SETS = ("hellaswag_synth", "winogrande_synth")
GAME = """engine: rules
skill: rules
slots: {square: [red, blue, green, gray, gold], card: [owl, fox, elk, hen], move: [a, b, c, d, e, f]}
rules:
  - {given: [square], gives: move, says: ["On {square}: {move}."]}
  - {given: [square, card], gives: move, says: ["On {square} with the {card}: {move}."]}
answer: move
question: ["{name} with the {card} lands on {square} and"]
"""


def ruled(set: str) -> list[rules.Engine]:
    return [family for family in families_of(set).values() if isinstance(family, rules.Engine)]


def with_exceptions(set: str) -> list[rules.Engine]:
    return [family for family in ruled(set) if family.skill == "rules"]


def of_people(set: str) -> list[roles.Engine]:
    return [family for family in families_of(set).values() if isinstance(family, roles.Engine)]


@pytest.mark.parametrize("set", SETS)
def test_each_set_has_rules_of_several_structures_from_one_to_three_hops(set: str) -> None:
    assert len({family.skill for family in ruled(set)}) >= 4
    assert {len(family.book.goals) for family in ruled(set)} == {1, 2, 3}


@each_family(ruled, "hellaswag_synth")
def test_all_endings_stand_in_the_library(family: rules.Engine) -> None:
    for problem in problems_of(family):
        library = "\n".join(problem.library)
        assert all(meaning in library for meaning in family.meanings(family.read(problem)).values())


def test_the_rule_with_more_conditions_counts_and_without_it_the_general_one(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME)
    family = rules.Engine("mine_synth", tmp_path / "game.yaml")
    problem = replace(
        family.make(0, 0),
        question="Mary with the owl lands on red and",
        choices=("a.", "b.", "c.", "d."),
        library=("On red: a.", "On red with the owl: b.", "On red with the fox: c.", "On blue: d."),
    )
    assert family.solve(family.read(problem)) == "b."
    assert [choice for choice in problem.choices if family.check(family.read(problem), choice)] == ["b."]
    general = replace(problem, library=("On red: a.", "On red with the fox: c.", "On blue: d."))
    assert family.solve(family.read(general)) == "a."


@each_family(with_exceptions, *SETS)
def test_exceptions_apply_in_some_problems_and_not_in_others(family: rules.Engine) -> None:
    said = ["more special" in problem.solution for problem in problems_of(family, 24)]
    assert 0.2 <= sum(said) / len(said) <= 0.8


@each_family(of_people, "winogrande_synth")
def test_of_two_people_each_is_the_answer_equally_often_and_the_changed_library_names_the_other(
    family: roles.Engine,
) -> None:
    first = Counter[bool]()
    for problem in problems_of(family, 24):
        first[problem.choices[0] == problem.answer] += 1
        assert {problem.answer, problem.variants[0].answer} == set(problem.choices)
    assert min(first.values()) > 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("answer: move", "answer: moves"),
            r"game\.yaml, line \d+: answer: no rule gives 'moves'; .*'move'",
        ),
        (("card: [owl, fox, elk, hen], ", ""), r"rules\.2: 'card': nothing in the family is called 'card'"),
        (("skill: rules", "skill: hard"), r"game\.yaml, line \d+: skill"),
    ],
)
def test_a_mistake_in_a_rulebook_is_told(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace(*change))
    with pytest.raises(UserError, match=words):
        rules.Engine("mine_synth", path)
