"""Passages written as content: what is told is read back, questions fit their answers, mistakes are told."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.tutors.engines.passage import Engine
from pfe.tutors.engines.yes_no import Engine as YesNo
from pfe.tutors.family import Family, families_of
from pfe.tutors.omitted_fact import OmittedFact
from pfe.tutors.passage_questions import CHOICES, OfPoint
from pfe.tutors.passage_template import telling
from tests.each import each_family, every, problems_of

FILE = """
engine: passage
slots:
  hero: people
  n: {from: 3, to: 9}
points:
  why:
    ask: |
      Why did {hero} leave?
      {hero} left because  _  .
    ways: |
      {He} had <found|been offered> work in a mill. => {He} had a new job.
      The house was too <damp|cold>. => {He} did not like the house.
      {He} <missed|longed for> the sea. => {He} wanted to be near water.
      {His} <sister|aunt> was ill. => Somebody needed help.
passage:
- |
  {hero} lived in a village for {n:d} years.
  ? <It was|The place was> quiet.
  / Nothing happened there.
- why
"""


def passages(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


def annexed(set: str) -> list[OmittedFact]:
    return [family for family in families_of(set).values() if isinstance(family, OmittedFact)]


def family(tmp_path: Path, text: str) -> Engine:
    path = tmp_path / "race_synth" / "leaving.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return Engine("race_synth", path)


@each_family(passages, "race_synth")
def test_points_that_a_passage_tells_are_read_from_it(family: Engine) -> None:
    told = family.told
    for seed in range(8):
        facts = told.draw(Random(seed))
        always = {name for name in told.points if name in told.passage.always()}
        read = told.read(told.tell(facts, Random(seed)))
        assert {name: read.get(name) for name in always} == {name: facts[name] for name in always}


def test_a_question_that_ends_in_a_blank_has_choices_that_fill_it(tmp_path: Path) -> None:
    forms = set()
    for index in range(40):
        problem = family(tmp_path, FILE).make(0, index)
        blank = problem.question.endswith("  _  .")
        forms.add(blank)
        for choice in problem.choices:
            assert choice.endswith(".") != blank
            assert choice[0].islower() == blank
    assert forms == {True, False}


def test_a_title_that_fills_a_blank_keeps_its_capital(tmp_path: Path) -> None:
    titles = """asks:
  title:
    ask: "The best title is  _  ."
    answer: "{where}"
"""
    one = family(tmp_path, FILE.replace("slots:\n", "slots:\n  where: [Mills, Seas, Hills, Roads]\n") + titles)
    asked = [problem for problem in (one.make(0, index) for index in range(40)) if "title" in problem.question]
    assert asked
    assert {choice for problem in asked for choice in problem.choices} == {"Mills", "Seas", "Hills", "Roads"}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), low=st.integers(0, 3000), span=st.integers(0, 50), within=st.integers(2, 30))
def test_what_comes_after_a_number_is_more_than_it(seed: int, low: int, span: int, within: int) -> None:
    slots = {"year": {"from": low, "to": low + span}, "end, more": {"after": "year", "within": within}}
    facts = telling(slots, {}, ["It ran from {year:d} to {end:d} and {more:d}."], "a file").draw(Random(seed))
    assert {facts["end"], facts["more"]} <= {*range(facts["year"] + 1, facts["year"] + within + 1)}
    assert facts["end"] != facts["more"]


@each_family(every, "race_synth")
def test_the_choices_of_a_question_have_one_grammar(one: Family) -> None:
    for problem in problems_of(one, 25):
        blank = problem.question.endswith("  _  .")
        assert len(problem.choices) == 4
        assert problem.question.endswith(("?", "."))
        assert len({choice.endswith(".") for choice in problem.choices}) == 1, problem
        assert not (blank and any(choice.endswith(".") for choice in problem.choices)), problem
        assert blank or all(choice[0].isupper() or choice[0].isdigit() for choice in problem.choices), problem
        assert not re.search(r"\b(?:a [aeio]|an [bcdfgjklmnpqrstvwxyz])|\s{2}(?!_|\.)[a-z]", problem.context), problem


@each_family(every, "boolq_synth")
def test_questions_for_yes_or_no_are_typed_in_lower_case_and_mostly_answered_yes(one: Family) -> None:
    problems = problems_of(one, 40)
    assert all(problem.question == problem.question.lower() and "?" not in problem.question for problem in problems)
    assert 0.4 < sum(problem.answer == "yes" for problem in problems) / len(problems) < 0.85
    assert all(" -- " in problem.context for problem in problems)


@each_family(annexed, "race_synth", "boolq_synth")
def test_what_stands_in_the_library_does_not_stand_in_the_passage(one: OmittedFact) -> None:
    for problem in problems_of(one, 10):
        facts = one.read(problem)
        gap = one.gaps[facts["gap"]]
        assert gap.point.name not in gap.family.told.read(one.passage_of(problem))
        assert [entry for entry in problem.library if re.match(r"(?:[A-Z]\w+ )?\d+[:)] [a-z]", entry)] == []


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [
        ("{n:d} years", "{m:d} years", r"passage\.1: .*nothing in the family is called 'm'"),
        ("{from: 3, to: 9}", "{after: year, within: 9}", r"slots\.n: after: nothing is drawn for \{year\}"),
        ("- why\n", "- reason\n", r"passage\.2: 'reason': no such point"),
        (" => Somebody needed help.", "", r"points\.why\.ways: .*: write how it is told => what it means"),
        ("hero: people", "hero: persons", r"slots\.hero: unknown table 'persons'"),
        ("<damp|cold>", "<damp|cold", "'<' is not closed"),
        ("engine: passage\n", "engine: passage\nask: x\n", "ask: "),
    ],
)
def test_a_mistake_is_told_with_its_file_and_place(tmp_path: Path, wrong: str, right: str, words: str) -> None:
    assert wrong in FILE
    with pytest.raises(UserError, match=words):
        family(tmp_path, FILE.replace(wrong, right))


def test_optional_sentences_are_told_where_they_are_needed() -> None:
    told = telling(
        {"n": {"from": 1, "to": 5}},
        {"why": {"ask": "Why?", "ways": "It rained. => Rain.\nIt snowed. => Snow."}},
        [[{"maybe": "why"}, {"one": ["Nothing else.", "{n:d} people came."]}]],
        "here",
    )
    facts = told.draw(Random(1))
    texts = {told.tell(facts, Random(seed), frozenset({"why", "n"})) for seed in range(20)}
    assert all("It " in text and "people came" in text for text in texts)
    assert len({told.tell(facts, Random(seed)) for seed in range(20)}) == 4


def test_a_number_that_is_asked_for_lies_on_either_side() -> None:
    bridge = families_of("boolq_synth")["bridge"]
    assert isinstance(bridge, YesNo)
    answers = {
        problem.answer
        for problem in (bridge.make(0, index) for index in range(120))
        if "longer than" in problem.question or "more than" in problem.question
    }
    assert answers == {"yes", "no"}


def test_a_question_may_say_that_its_answer_stands_in_the_passage(tmp_path: Path) -> None:
    leaving = family(tmp_path, FILE)
    problems = [leaving.make(1, index) for index in range(60)]
    sourced = [problem for problem in problems if re.search("passage|text|author|writer|read|told", problem.question)]
    assert 0 < len(sourced) < len(problems)
    assert all(leaving.read(problem)["ask"] is not None for problem in sourced)


def test_wrong_choices_are_more_often_the_shorter_ones() -> None:
    asked: list[int] = []
    left: list[int] = []
    for told in passages("race_synth"):
        for ask in (ask for ask in told.asks if isinstance(ask, OfPoint)):
            wrong = ask.wrong(told.told.draw(Random(told.name)), Random(told.name))
            asked += map(len, wrong[: CHOICES - 1])
            left += map(len, wrong[CHOICES - 1 :])
    assert sum(asked) / len(asked) < sum(left) / len(left)
