"""The laws of retrieval: the nearest, ties, limits, nothing that is the problem itself; and how the base is read."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pfe.cache import Cache
from pfe.config import Config
from pfe.embedding.backends import Floats
from pfe.embedding.encoder import Encoder
from pfe.errors import UserError
from pfe.icr import entries
from pfe.icr.contexts import library
from pfe.icr.entries import written
from pfe.icr.functions import toolboxes
from pfe.icr.retrieval import Base, Entry, query
from pfe.problem import Problem

SUBJECTS = ("The heart", "A river", "The moon", "An oak", "A magnet", "Steam")
VERBS = ("pulls iron nails", "pumps blood", "drops its leaves", "carries sand to the sea", "turns a wheel")
FACTS = [f"{subject} {verb}." for subject in SUBJECTS for verb in VERBS]
QUESTIONS = ("What moves blood around the body?", "Why do trees lose leaves?", "What attracts iron?", FACTS[0])


@pytest.fixture(scope="module")
def encoder(settings: Config, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    """The default model, with every text of these tests embedded."""
    own = Encoder(settings.firewall.semantic.model, Cache(tmp_path_factory.mktemp("cache") / "c.sqlite"))
    own.chunks([*FACTS, *QUESTIONS], "exact")
    return own


def fact(text: str, line: int = 1) -> Entry:
    return Entry("factual", "base/factual.txt", line, text, text)


def asked(question: str, place: int = 0) -> Problem:
    return Problem(f"mine/{place}", "mine", "factual", question, "x")


@pytest.fixture(scope="module")
def vectors(encoder: Encoder) -> dict[str, Floats]:
    texts = list({*FACTS, *QUESTIONS})
    return dict(zip(texts, encoder.encode(texts), strict=True))


def nearest(base: Sequence[Entry], question: str, vectors: dict[str, Floats], k: int) -> list[Entry]:
    """The k nearest entries, plainly: every cosine on its own, the best first, of equals the first."""
    cosines = [float(np.dot(vectors[entry.key], vectors[question])) for entry in base]
    places = sorted(range(len(base)), key=lambda place: (-round(cosines[place], 5), place))
    return [base[place] for place in places if base[place].key != question][:k]


@hypothesis_settings(max_examples=25)
@given(
    facts=st.lists(st.sampled_from(FACTS), min_size=1, max_size=12),
    questions=st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3),
    k=st.integers(1, 15),
)
def test_the_k_nearest_come_the_nearest_first_and_of_equals_the_first(
    encoder: Encoder, vectors: dict[str, Floats], facts: list[str], questions: list[str], k: int
) -> None:
    base = [fact(text, line) for line, text in enumerate(facts, 1)]
    problems = [asked(question, place) for place, question in enumerate(questions)]
    together = Base(base, encoder, k).retrieve(problems)
    assert [list(found) for found in together] == [nearest(base, question, vectors, k) for question in questions]
    assert [Base(base, encoder, k).retrieve([problem])[0] for problem in problems] == together


@pytest.mark.parametrize("key", ["Why do trees lose leaves?", "  why do TREES\nlose leaves? "])
def test_a_solved_problem_that_is_the_problem_itself_is_never_retrieved(encoder: Encoder, key: str) -> None:
    itself = replace(fact(FACTS[1]), key=key, text=f"Example: {key}\n→ To save water.")
    assert Base([itself, fact(FACTS[2], 2)], encoder, 5).retrieve([asked("Why do trees lose leaves?")]) == [
        (fact(FACTS[2], 2),)
    ]
    with_context = replace(asked("Why?"), context="Trees lose leaves.")
    known = replace(itself, key="Trees lose leaves. Why?")
    assert Base([known], encoder, 5).retrieve([with_context]) == [()]


def test_entries_serve_the_problems_of_their_domain(encoder: Encoder) -> None:
    own, other = fact(FACTS[3]), replace(fact(FACTS[3]), domain="science")
    assert Base([other, own], encoder, 8).retrieve([asked(QUESTIONS[0])]) == [(own,)]
    with pytest.raises(UserError, match=r"no entry for the domain factual; write pfe/icr/base/factual\.txt"):
        Base([other], encoder, 8).retrieve([asked(QUESTIONS[0])])


def test_functions_on_offer_are_a_problem_s_own_base(encoder: Encoder) -> None:
    functions = toolboxes()["everyday"]
    problem = replace(asked("What does a share of Tesla cost?"), domain="function_call", functions=functions)
    (found,) = Base([], encoder, 2).retrieve([problem])
    documented = [method.strip() for method in library("fncall.yaml", functions).methods]
    assert found[0].text.startswith("get_stock_price(")
    assert len(found) == 2
    (every,) = Base([], encoder, 8).retrieve([problem])
    assert sorted(entry.text for entry in every) == sorted(documented)


def test_in_science_the_choices_are_looked_up_too() -> None:
    problem = replace(asked("Which of these is renewable?"), choices=("coal", "wind"))
    assert query(problem) == "Which of these is renewable?"
    assert query(replace(problem, domain="science")) == "Which of these is renewable?\ncoal\nwind"


def test_the_written_base_is_facts_line_by_line_and_methods_block_by_block() -> None:
    base = written()
    for entry in base:
        lines = (entries.FOLDER.parent / entry.source).read_text().splitlines()
        first, *rest = entry.text.splitlines()
        assert lines[entry.line - 1].removeprefix("- ") == first
        assert lines[entry.line : entry.line + len(rest)] == rest
    kinds = {"math": "METHOD: ", "code": "PATTERN: ", "reading": "STRATEGY: ", "boolean": "STRATEGY: "}
    for domain, kind in kinds.items():
        assert all(entry.text.startswith(kind) for entry in base if entry.domain == domain)
    assert not [entry for entry in base if "CATEGORY" in entry.text or entry.text.startswith("- ")]


def test_no_entry_of_the_base_stands_there_twice() -> None:
    texts = [entry.key.casefold() for entry in written()]
    assert not {text for text in texts if texts.count(text) > 1}


def test_a_file_of_no_domain_and_a_line_that_is_no_fact_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "FOLDER", tmp_path)
    (tmp_path / "sciense.txt").write_text("CATEGORY: Rocks\n- A stone sinks.\n")
    with pytest.raises(UserError, match="no domain is called 'sciense'; did you mean 'science'"):
        written()
    (tmp_path / "sciense.txt").rename(tmp_path / "science.txt")
    assert written() == [Entry("science", "base/science.txt", 2, "A stone sinks.", "A stone sinks.")]
    (tmp_path / "science.txt").write_text("METHOD: Look\nDo: See.\n\nCATEGORY: Rocks\n- A stone sinks.\nSand\n")
    with pytest.raises(UserError, match=r"science\.txt:6: below a category every line is a fact"):
        written()
