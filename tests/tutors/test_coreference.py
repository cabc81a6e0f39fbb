"""Twin sentences: another trigger, the other answer."""

import re
from pathlib import Path
from random import Random

import pytest

from pfe.errors import UserError
from pfe.tutors.engines.coreference import Engine
from pfe.tutors.family import families_of
from tests.each import each_family, problems_of

TWINS = """engine: coreference
why: Who has lends.
sentences:
  - "{a} lent {b} a pen because _ [had two~had none]."
"""


def twins(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


each_twin_family = each_family(twins, "winogrande_synth")


def test_there_are_many_triggers_about_people_and_about_things() -> None:
    sentences = [sentence for family in twins("winogrande_synth") for sentence in family.twins.sentences]
    people = sum(isinstance(sentence, str) for sentence in sentences)
    assert people >= 120
    assert len(sentences) - people >= 60


@each_twin_family
def test_of_each_pair_of_twins_either_participant_is_the_answer(family: Engine) -> None:
    sides: dict[int, set[str]] = {}
    for seed in range(40 * len(family.twins.sentences)):
        facts = family.facts(Random(seed))
        sides.setdefault(facts["sentence"], set()).add(facts["side"])
    assert sides == {number: {"a", "b"} for number in range(len(family.twins.sentences))}


@each_twin_family
def test_a_sentence_has_one_blank_and_names_both(family: Engine) -> None:
    for problem in problems_of(family, 20):
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
