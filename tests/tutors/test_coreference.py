"""Twin sentences: another trigger, the other answer."""

import re
from pathlib import Path
from random import Random

import pytest

from pfe.errors import UserError
from pfe.tutors.engines.coreference import Engine
from pfe.tutors.family import families_of

FAMILIES = [family for family in families_of("winogrande_synth").values() if isinstance(family, Engine)]
TWINS = """engine: coreference
why: Who has lends.
sentences:
  - "{a} lent {b} a pen because _ [had two~had none]."
"""


def test_there_are_many_triggers_about_people_and_about_things() -> None:
    people = [s for family in FAMILIES for s in family.twins.sentences if isinstance(s, str)]
    things = [s for family in FAMILIES for s in family.twins.sentences if not isinstance(s, str)]
    assert len(people) >= 120
    assert len(things) >= 60


def test_of_each_pair_of_twins_either_participant_is_the_answer() -> None:
    for family in FAMILIES:
        sides: dict[int, set[str]] = {}
        for seed in range(40 * len(family.twins.sentences)):
            facts = family.facts(Random(seed))
            sides.setdefault(facts["sentence"], set()).add(facts["side"])
        assert sides == {number: {"a", "b"} for number in range(len(family.twins.sentences))}, family.name


def test_a_sentence_has_one_blank_and_names_both() -> None:
    for family in FAMILIES:
        for index in range(20):
            problem = family.make(seed=1, index=index)
            assert len(re.findall(r"(?<!\w)_(?!\w)", problem.question)) == problem.question.count("_") == 1
            assert all(choice in problem.question for choice in problem.choices)
            assert "  " not in problem.question


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("{a} lent {b} a pen because _ had two.", "write one trigger"),
        ("{a} lent {b} a pen because she [had two~had none].", "write one blank"),
        ("{a} lent a pen because _ [had two~had none].", r"name both \{a\} and \{b\}"),
    ],
)
def test_a_mistake_in_a_sentence_is_told(sentence: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(TWINS)
    assert Engine("mine_synth", path).make(0, 0).answer
    path.write_text(f'engine: coreference\nwhy: So it is.\nsentences:\n  - "{sentence}"\n')
    with pytest.raises(UserError, match=words):
        Engine("mine_synth", path)
