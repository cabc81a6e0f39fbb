"""Slips of English: each planted one is found, what only looks like one is not, and a set's figure names an example."""

from dataclasses import replace
from time import perf_counter

import pytest

from pfe.problem import Problem, Variant
from pfe.quality.english import RULES, english, slips
from pfe.quality.goals import missed
from pfe.quality.measure import measure
from pfe.tutors.generate import candidates
from tests.quality.made import drawn_problems

PROBLEM = Problem(id="a/1", set="a", domain="reading", question="Who ate an apple?", answer="Ada", context="Ada did.")


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("Ada bought a ice cream.", "article", "a ice"),
        ("A eagle sat there.", "article", "A eagle"),
        ("It took an long time.", "article", "an long"),
        ("It is an useful tool.", "article", "an useful"),
        ("She bought a 8-foot ladder.", "article", "a 8"),
        ("He put it in in the bag.", "repeated word", "in in"),
        ("It is a the best.", "repeated word", "a the"),
        ("Ada left.. Bo stayed.", "punctuation", ".."),
        ("Ada,, who left, is here.", "punctuation", ",,"),
        ("Bring a cat,; it may sleep.", "punctuation", ",;"),
        ("Who was it?. Ada.", "punctuation", "?."),
        ("Ada , who left, is here.", "punctuation", "a ,"),
        ("Ada left,then came back.", "punctuation", "left,then"),
        ("It rained. the dog ran off.", "capital", "the"),
        ("They hunted in groups, and tomatoes was rare.", "agreement", ", and tomatoes was"),
        ("The ripe plums was sold.", "agreement", "The ripe plums was"),
        ("He waits while the pancakes gets cold.", "agreement", "while the pancakes gets"),
        ("Each player have a ball.", "agreement", "Each player have"),
        ("Bo says they was late.", "agreement", "they was"),
        ("She has 1 apples.", "agreement", "has 1 apples"),
        ("How many pens is left?", "agreement", "How many pens is left"),
        ("Ada sold three apple.", "number", "three apple"),
        ("There is no tax either.", "no with either", "no tax either"),
        ("She found a block of wool.", "measure word", "block of wool"),
        ("A bag of salad lay there.", "measure word", "bag of salad"),
    ],
)
def test_a_planted_slip_is_found(text: str, kind: str, words: str) -> None:
    assert [(slip.kind, slip.words) for slip in slips(text)] == [(kind, words)]


@pytest.mark.parametrize(
    "text",
    [
        "A unit, a European, a one-way street, an hour, an honest man, an X-ray, an 8 and an 11.",
        "Library A asks for $3. A is left of B, and the word has an n.",
        "She had had enough... and left at 5 p.m., as ever. Wait?! No.",
        "The news is good, and physics is fun. The glass has a crack. The species was rare.",
        "Whoever has two cannot see all three fly, and twelve people paid ten pence each.",
        "If a path for people on bicycles was closed, Dr. Kim's bag of tricks is heavy.",
        "When drakres is heated, it melts.",  # invented, of syllables
        "Which of these is a mammal? How many dollars does she pay?",
        "A block of wood, a loaf of bread, a cup of tea, a bag of rice, a bunch of keys.",
    ],
)
def test_what_only_looks_like_a_slip_is_none(text: str) -> None:
    assert list(slips(text)) == []


def test_every_text_that_a_reader_sees_is_looked_at() -> None:
    wrong = "It is a ice."
    assert english([PROBLEM]).slips.value == 0
    assert english([replace(PROBLEM, solution=wrong)]).slips.value == 0
    for changes in (
        {"context": wrong},
        {"question": wrong},
        {"choices": ("Ada", wrong)},
        {"library": (wrong,)},
        {"variants": (Variant("changed", (wrong,), "Bo", "Ada"),)},
    ):
        assert english([replace(PROBLEM, **changes), PROBLEM]).slips.value == 50, changes


def test_where_data_and_code_are_shown_only_words_are_judged() -> None:
    data = replace(PROBLEM, domain="format", question="Sort these lines. they are names:\nolives..2.05")
    assert english([data]).slips.value == 0
    assert english([replace(PROBLEM, question=data.question)]).slips.value == 100
    assert english([replace(data, question="Sort a apple.")]).slips.value == 100


def test_the_first_slip_of_the_first_problems_is_an_example() -> None:
    problems = [replace(PROBLEM, id=f"a/{n:02}", question="Is it a ice..") for n in range(30)]
    found = english(problems[::-1])
    assert (found.slips.n, found.slips.value) == (30, 100)
    assert found.examples[0] == 'article "a ice" (a/00)'
    assert len(found.examples) == 10


def test_a_slip_misses_the_goal_of_a_set_and_is_named() -> None:
    problems = drawn_problems(50, 1)
    assert not any("English" in line for line in missed(measure("made", problems, [], seed=0)))
    planted = replace(problems[7], question=f"{problems[7].question} The plums was ripe.")
    (line,) = missed(measure("made", [*problems[:7], planted, *problems[8:]], [], seed=0))
    assert line == (f'problems with a slip of English, % 2: agreement "The plums was" ({planted.id}), at most 0')


@pytest.mark.parametrize("set", ["gsm1k_synth", "race_synth", "boolq_synth"])
def test_a_set_as_its_families_write_it_has_no_slip_and_is_searched_in_seconds(set: str) -> None:
    problems = candidates(set, 150, seed=3, library_bound=0.4)
    start = perf_counter()
    assert english(problems).examples == ()
    assert perf_counter() - start < 5


def test_every_kind_has_a_rule_that_matches_no_empty_text() -> None:
    assert all(not rule.search("") for rule in RULES.values())
