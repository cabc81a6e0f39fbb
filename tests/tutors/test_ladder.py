"""Families of the ladder: problems as those of `invented`, with content of their own."""

from collections import Counter
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.invented.making import invented_families
from pfe.problem import SKILLS
from pfe.tutors.engines.ladder import RUNGS, Engine
from pfe.tutors.family import content_family, families_of

SET = "ladder_synth"
FAMILIES = families_of(SET)


def test_every_skill_is_practiced_by_two_families_and_more() -> None:
    worlds = range(12)  # each of one of the skills of a file
    skills = Counter(
        skill
        for family in FAMILIES.values()
        for skill in {family.make(0, family.asked * world).skill for world in worlds}
    )
    assert set(skills) == set(SKILLS)
    assert min(skills.values()) >= 2


def test_no_family_has_the_name_or_a_wording_of_the_benchmark() -> None:
    sealed = {family.path.stem: family.path.read_text(encoding="utf-8") for family in invented_families().values()}
    assert not set(sealed) & set(FAMILIES)
    wordings = {line.strip(' -"') for text in sealed.values() for line in text.splitlines() if len(line) > 40}
    for family in FAMILIES.values():
        assert isinstance(family, Engine)
        assert not wordings & {line.strip(' -"') for line in family.path.read_text(encoding="utf-8").splitlines()}


def test_the_questions_of_a_world_have_one_library() -> None:
    family = FAMILIES["meals"]
    problems = [family.make(0, index) for index in range(family.asked)]
    assert len({problem.library for problem in problems}) == 1
    assert len({problem.question for problem in problems}) > 1
    assert problems[0].rung in RUNGS


def test_an_unknown_engine_is_named_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("engine: ladder.chain\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"mine\.yaml.*unknown engine 'ladder\.chain'; did you mean 'chains'\?"):
        content_family(SET, path)
