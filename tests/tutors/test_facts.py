"""Tables of facts: what they hold, what is asked about them, and what is told about a wrong file."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pfe.errors import UserError
from pfe.tutors.engines.facts import Engine
from pfe.tutors.facts import facts, sentence
from pfe.tutors.family import families_of
from tests.each import each_family

TOOLS = """
engine: facts
topic: tools
level: easy
sentence: "{subject:A} measures {object}."
facts:
  thermometer: temperature
  ruler: length
  balance: mass
  stopwatch: [time, the length of a race]
  clock: time
alike:
  - [stopwatch, clock]
ask:
  subject:
    - Which tool measures {object}?
"""


def asked_about(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


def engine(folder: Path, text: str) -> Engine:
    path = folder / "tool.yaml"
    path.write_text(text)
    return Engine("arc_synth", path)


def test_a_fact_reads_as_a_sentence() -> None:
    told = {sentence(fact) for fact in facts()}
    assert "The heart pumps blood to every part of the body." in told
    for text in told:
        assert text[0] == text[0].upper()
        assert text[-1] in ".?"
        assert not {"{", "<", "|"} & set(text)


def test_the_facts_are_many_and_all_different() -> None:
    assert len({(fact.relation, fact.subject, fact.object) for fact in facts()}) == len(facts())
    assert {fact.level for fact in facts()} == {"easy", "challenge"}


@each_family(asked_about, "arc_synth")
def test_no_choice_is_right_more_often_than_its_rivals(family: Engine) -> None:
    right, offered = Counter[str](), Counter[str]()
    for index in range(400):
        facts = family.facts(Random(f"{index}"))
        choices = {text: value for value, text in facts["choices"].items()}
        right[choices[family.solve(facts)]] += 1
        offered.update(choices.values())
    for choice, times in offered.items():
        assert right[choice] <= times / 4 + 5 * (times * 3 / 16) ** 0.5, choice


def test_what_is_like_the_right_choice_is_not_offered(tmp_path: Path) -> None:
    family = engine(tmp_path, TOOLS)
    problems = [family.make(seed=0, index=index) for index in range(100)]
    pairs = {(problem.answer, choice) for problem in problems for choice in problem.choices}
    assert not pairs & {("clock", "stopwatch"), ("stopwatch", "clock")}
    assert {("balance", "clock"), ("clock", "balance")} <= pairs


def test_every_choice_reads_in_the_same_way(tmp_path: Path) -> None:
    family = engine(tmp_path, TOOLS.replace("{object}?", "{object}? => <the|this> {subject}"))
    for index in range(20):
        problem = family.make(seed=0, index=index)
        assert len({choice.split()[0] for choice in problem.choices}) == 1


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("topic: tools", "topics: tools", "topics: unknown key; did you mean 'topic'.*topic: missing"),
        ("level: easy", "level: simple", "level: input should be 'easy' or 'challenge'"),
        ("measures {object}?", "measures this?", r"ask.subject: 'Which tool .* must say \{object\}"),
        ("measures {object}?", "measures {object>?", "ask.subject: .* stands alone"),
        ("  ruler: length\n  balance: mass\n", "", "ask.subject needs 4 subjects of which none is right for another"),
        ("  subject:\n", "  odd:\n", "ask.odd: 'Which tool"),
        (
            "  subject:\n    - Which tool measures {object}?",
            "  odd:\n    - Which is no {subject}?",
            "3 objects or more",
        ),
        ("    - Which tool measures {object}?\n", "    []\n", "nothing is asked"),
    ],
)
def test_a_mistake_is_told_with_file_and_key(tmp_path: Path, right: str, wrong: str, words: str) -> None:
    assert right in TOOLS
    with pytest.raises(UserError, match=words):
        engine(tmp_path, TOOLS.replace(right, wrong))


def test_another_object_of_the_subject_may_stand_in_for_it(tmp_path: Path) -> None:
    text = TOOLS.replace(
        "subject:\n    - Which tool measures {object}?", "object:\n    - What is measured like {like}?"
    )
    family = engine(
        tmp_path,
        text.replace("balance: mass", "balance: [mass, weight, heaviness]").replace(
            "stopwatch: [time, the length of a race]", "stopwatch: time"
        ),
    )
    for index in range(20):
        problem = family.make(seed=0, index=index)
        like = problem.question.rpartition("What is measured like ")[2].removesuffix("?")
        assert {problem.answer, like} < {"mass", "weight", "heaviness"}
        assert problem.answer != like
