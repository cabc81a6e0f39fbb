"""Laws of invented nature: coined names, borrowed values, choices of one form."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.problem import UNKNOWN
from pfe.tutors.engines.nature import Engine
from pfe.tutors.facts import facts
from pfe.tutors.family import families_of
from tests.each import each_family, problems_of

ORGANS = """
engine: nature
skill: lookup
coined: {organ: word, animal: word}
borrowed: {job: organ_job}
slots: {}
rules:
  - given: [organ]
    gives: job
    says: ["The {organ} is an organ that {job}."]
answer: job
question: ["What does the {organ} of a {animal} do?"]
choice: <It {job}.|The {organ} {job}.>
"""


def nature(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


def engine(folder: Path, text: str) -> Engine:
    path = folder / "organ.yaml"
    path.write_text(text)
    return Engine("arc_synth", path)


def test_four_kinds_of_worlds_with_one_to_three_steps() -> None:
    families = nature("arc_synth")
    assert len(families) >= 20
    assert {family.skill for family in families} == {"lookup", "hops", "rules", "procedures"}


@each_family(nature, "arc_synth")
def test_all_choices_stand_in_the_library_and_the_question_says_none_of_them(family: Engine) -> None:
    for problem in problems_of(family, 12):
        library = "\n".join(problem.library).lower()
        for said in map(str.lower, family.meanings(family.read(problem)).values()):
            assert said in library
            assert said not in problem.question.lower()
        assert problem.variants[2].answer == UNKNOWN


def test_values_are_borrowed_from_a_table_of_facts(tmp_path: Path) -> None:
    family = engine(tmp_path, ORGANS)
    jobs = {fact.object for fact in facts() if fact.relation == "organ_job"}
    for index in range(20):
        assert set(family.meanings(family.read(family.make(seed=0, index=index))).values()) <= jobs


def test_choices_are_all_of_one_form_and_may_name_what_is_asked_about(tmp_path: Path) -> None:
    family = engine(tmp_path, ORGANS)
    starts = {frozenset(choice.split()[0] for choice in family.make(0, index).choices) for index in range(20)}
    assert starts == {frozenset({"It"}), frozenset({"The"})}


def test_an_unknown_table_of_facts_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="unknown table of facts 'organ_jobs'; did you mean 'organ_job'"):
        engine(tmp_path, ORGANS.replace("organ_job}", "organ_jobs}"))


def test_a_changed_library_says_every_value_as_often() -> None:
    """Two values are exchanged: who takes the one that is said most often does not follow the changed library."""
    for family in families_of("arc_synth").values():
        if isinstance(family, Engine):
            for index in range(5):
                problem = family.make(0, index)
                right = Counter(law.gives for law in family.read(problem)["laws"])
                changed = replace(problem, library=problem.variants[0].library)
                assert Counter(law.gives for law in family.read(changed)["laws"]) == right, problem.id
