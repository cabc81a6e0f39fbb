"""Whether a text answers a problem: however it is worded, and not where it merely has the answer."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.leakage.answers import Questions
from pfe.problem import Problem
from tests.conftest import ROOT

QUESTIONS = (
    ("Tallinn is the capital of which country?", "Estonia", ("Republic of Estonia",)),
    ("In which Jane Austen novel is Frederick Wentworth the lover of Anne Elliot?", "Persuasion", ()),
    ("What name is given to the hot, molten rock found under the surface of the earth?", "Magma", ()),
    ("Which gas do plants take in from the air to make their food?", "carbon dioxide", ()),
    ("Who painted the ceiling of the Sistine Chapel?", "Michelangelo", ("Michelangelo Buonarroti",)),
    ("How many strings does a violin have?", "4", ("four",)),
    ("Which planet is known as the red planet?", "Mars", ()),
    ("What is the capital of Peru?", "Lima", ()),
)


@pytest.fixture(scope="module")
def trivia() -> Questions:
    return Questions([
        Problem(f"trivia_qa/{number}", "trivia_qa", "factual", question, answer, aliases=aliases)
        for number, (question, answer, aliases) in enumerate(QUESTIONS)
    ])  # fmt: skip


def asked(questions: Questions, text: str) -> set[int]:
    return {int(one.problem.id.split("/")[1]) for one in questions.matches(text) if one.has_question}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Example: Which Baltic country has the euro and Tallinn as its capital? → Estonia", 0),
        ("Tallinn is the capital of the Republic of Estonia.", 0),
        ("- Countries and capitals: Estonia, Tallinn", 0),
        ("Q: capital of which country is TALLINN\nA: estonia", 0),
        ("Which Jane Austen novel has Anne Elliot as its heroine? → Persuasion", 1),
        ("In Persuasion, Anne Elliot and Frederick Wentworth find each other again.", 1),
        ("What do geologists call molten rock below the surface? → magma", 2),
        ("Magma: hot molten rock under the surface", 2),
        ("Plants take carbon dioxide from the air and make food.", 3),
        ("The ceiling of the Sistine Chapel was painted by Michelangelo.", 4),
        ("A violin has four strings.", 5),
        ("→ 4 strings (violin)", 5),
        ("Mars, the red planet", 6),
    ],
)
def test_an_answer_beside_what_asks_for_it_is_recognised(trivia: Questions, text: str, number: int) -> None:
    assert asked(trivia, text) == {number}


@pytest.mark.parametrize(
    "text",
    [
        "Estonia lies on the Baltic Sea.",
        "Tallinn has a medieval centre and a harbour.",
        "Persuasion is the art of changing minds.",
        "Magma",
        "The capital of a country is a city.",
        "Give the bare number: 4",
        "Plants need air, water and light.",
        "Michelangelo was a sculptor too.",
        "Lima beans grow in summer.",
        "Which planet has rings? → Saturn",
    ],
)
def test_an_answer_alone_or_a_question_alone_is_no_leak(trivia: Questions, text: str) -> None:
    assert asked(trivia, text) == set()


@pytest.fixture(scope="module")
def sample(settings: Config) -> list[Problem]:
    source = Canonical("sample", str(ROOT / "data/sample"))
    return [
        problem
        for name, benchmark in settings.benchmark.items()
        if benchmark.path is None
        for problem in load(name, benchmark, source)
    ]


@pytest.fixture(scope="module")
def sealed(sample: Sequence[Problem]) -> Questions:
    return Questions(sample)


@given(data=st.data())
def test_every_question_with_its_answer_is_a_leak_in_any_form(
    sample: Sequence[Problem], sealed: Questions, data: st.DataObject
) -> None:
    problem = data.draw(st.sampled_from([p for p in sample if p.domain not in ("code", "boolean")]))
    words = problem.question.split()
    form = data.draw(st.sampled_from(["{q} → {a}", "Q: {q}\nA: {a}", "{a}: {q}", "- {a}, where {q}", "{Q}\t{A}"]))
    question = " ".join(data.draw(st.permutations(words)))
    text = form.format(q=question, a=problem.answer, Q=question.upper(), A=problem.answer.upper())
    hits = [one for one in sealed.matches(text) if one.problem.id == problem.id]
    assert len(hits) == 1
    few = len(hits[0].shared) < 2  # "What floats?" has no two words that ask
    assert hits[0].has_question or few


def test_a_yes_needs_what_it_is_said_to(settings: Config) -> None:
    problem = Problem("boolq/1", "boolq", "boolean", "can a violin be tuned by its fine tuners", "yes")
    other = Problem("boolq/2", "boolq", "boolean", "is there a new season of the show", "no")
    questions = Questions([problem, other])
    assert [
        one.problem.id for one in questions.matches("Can a violin be tuned by fine tuners? → yes") if one.has_question
    ]
    assert not [
        one for one in questions.matches("Answer with one word: yes or no. A violin is an example.") if one.has_question
    ]


def test_a_gold_call_is_a_leak_by_itself() -> None:
    gold = Problem("fncall/1", "fncall", "function_call", "show joint acct", 'get_balance("joint")')
    questions = Questions([gold])
    assert [one.has_question for one in questions.matches('Example: get_balance("joint") → 12.5')] == [True]
    assert not list(questions.matches('Example: get_balance("business") → 12.5'))


def test_an_answer_of_many_words_is_a_leak_by_itself() -> None:
    answer = "they lose water through their leaves faster than roots supply it"
    problem = Problem("arc_easy/1", "arc_easy", "science", "Why do plants wilt?", answer, choices=(answer, "b"))
    assert [one.verbatim for one in Questions([problem]).matches(f"Remember: {answer.capitalize()}.")] == [True]
