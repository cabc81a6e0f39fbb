"""Invented rules: what follows from them, which rule counts, and that the choices tell nothing."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.tutors.engines import roles, rules
from pfe.tutors.family import BoundFamily, families_of

FAMILIES = [
    family
    for set in ("hellaswag_synth", "winogrande_synth")
    for family in families_of(set).values()
    if isinstance(family, rules.Engine)
]
GAME = """engine: rules
tier: rule
slots: {square: [red, blue, green, gray, gold], card: [owl, fox, elk, hen], move: [a, b, c, d, e, f]}
rules:
  - {given: [square], gives: move, says: ["On {square}: {move}."]}
  - {given: [square, card], gives: move, says: ["On {square} with the {card}: {move}."]}
answer: move
question: ["{name} with the {card} lands on {square} and"]
"""


def test_each_set_has_rules_of_several_structures_from_one_to_three_hops() -> None:
    for set in ("hellaswag_synth", "winogrande_synth"):
        ours = [family for family in FAMILIES if family.set == set]
        assert len({family.tier for family in ours}) >= 4
        assert {len(family.book.goals) for family in ours} == {1, 2, 3}


def test_all_endings_stand_in_the_library() -> None:
    for family in FAMILIES:
        for index in range(5):
            problem = family.make(seed=3, index=index)
            if not isinstance(family, roles.Engine):
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


def test_exceptions_apply_in_some_problems_and_not_in_others() -> None:
    for family in FAMILIES:
        if family.tier == "rule":
            said = ["more special" in family.make(seed=4, index=index).solution for index in range(24)]
            assert 0.2 <= sum(said) / len(said) <= 0.8


def test_of_two_people_each_is_the_answer_equally_often_and_the_changed_library_names_the_other() -> None:
    for family in FAMILIES:
        if isinstance(family, roles.Engine):
            first = Counter[bool]()
            for index in range(30):
                problem = family.make(seed=5, index=index)
                first[problem.choices[0] == problem.answer] += 1
                assert {problem.answer, problem.variants[0].answer} == set(problem.choices)
            assert min(first.values()) > 5


def test_families_are_bound() -> None:
    assert all(isinstance(family, BoundFamily) for family in FAMILIES)
    assert len(FAMILIES) >= 8


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("answer: move", "answer: moves"),
            r"game\.yaml, line \d+: answer: no rule gives 'moves'; .*'move'",
        ),
        (("card: [owl, fox, elk, hen], ", ""), r"rules\.2: 'card': nothing in the family is called 'card'"),
        (("tier: rule", "tier: hard"), r"game\.yaml, line \d+: tier"),
    ],
)
def test_a_mistake_in_a_rulebook_is_told(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace(*change))
    with pytest.raises(UserError, match=words):
        rules.Engine("mine_synth", path)
