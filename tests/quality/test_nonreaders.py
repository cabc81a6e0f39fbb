"""Rules that do not read: each finds what it looks for, and those of a fair set find no more than chance."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pfe.embedding.encoder import Encoder
from pfe.invented.ladder import SEALED_RUNGS
from pfe.invented.making import invent
from pfe.problem import SKILLS, UNKNOWN, Problem
from pfe.quality.nonreaders import RULES, context_of, non_readers
from tests.conftest import ROOT
from tests.invented.test_invented import sealed

LIBRARY = (
    "What the zorp likes are nuts.",
    "Of the gorm it is told that moss is what it eats.",
    "The tafo eats figs.",
    "The tafo drinks with figs in it.",
)
PROBLEM = Problem(
    "b/1", "b", "invented", "What does the gorm eat?", "moss", choices=("nuts", "moss", "figs", "sunflowers"),
    library=LIBRARY,
)  # fmt: skip
CHOSEN = [skill for skill in SKILLS if skill != "calls"]


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("most frequent", {"figs"}), ("nearest to the name", {"nuts"}), ("first", {"nuts"}), ("last", {"figs"}),
        ("longest", {"sunflowers"}), ("bag of words", {"moss"}), ("BM25", {"moss"}),
        ("a statement of the name", {"moss"}),
    ],
)  # fmt: skip
def test_every_rule_gives_what_it_looks_for(rule: str, given: set[str]) -> None:
    scores = RULES[rule](context_of(PROBLEM, set()))
    assert {value for value, score in scores.items() if score == max(scores.values())} == given


def test_of_equals_each_is_as_likely_and_chance_is_one_of_the_values() -> None:
    others = [replace(PROBLEM, answer=answer) for answer in ("nuts", "figs", "sunflowers")]
    found = {one.rule: one for one in non_readers([PROBLEM, *others], lambda _, texts: [0.0] * len(texts))}
    assert found["similarity of sentences"].value == pytest.approx(25)  # nobody mentions sunflowers
    assert {one.chance for one in found.values()} == {25.0}
    assert found["bag of words"].value == 25
    assert found["bag of words"].errors == pytest.approx(0)


def test_chance_is_the_best_constant_answer() -> None:
    unknown = replace(PROBLEM, choices=("nuts", "moss", "figs", UNKNOWN), answer=UNKNOWN)
    found = {one.rule: one for one in non_readers([PROBLEM, unknown, unknown, unknown])}
    assert {one.chance for one in found.values()} == {75}
    assert found["longest"].value == 75


def test_a_written_answer_is_one_of_those_of_its_family_that_the_library_mentions() -> None:
    written = [
        Problem(f"b/{n}", "b", "invented", PROBLEM.question, answer, family="f", library=LIBRARY)
        for n, answer in enumerate(("moss", "figs", "stars"))
    ]
    assert context_of(written[0], {"moss", "figs", "stars"}).values == ("figs", "moss")
    assert non_readers([PROBLEM, *written])[0].n == 4
    assert non_readers([]) == []


def by_arm(problems: Sequence[Problem]) -> Iterator[tuple[str, list[Problem]]]:
    """The problems as each arm asks them."""
    yield "icr", list(problems)
    for arm in ("changed", "contradicted", "agreeing"):
        asked = [(problem, problem.variant(arm)) for problem in problems]
        yield arm, [replace(one, library=other.library, answer=other.answer) for one, other in asked if other]


def above_chance(problems: Sequence[Problem], rungs: bool, limit: float = 3) -> list[str]:
    """The rules that are more than `limit` standard errors above chance, by arm, skill and, if asked for, rung."""
    found = []
    for arm, asked in by_arm(problems):
        for skill in CHOSEN:
            for rung in SEALED_RUNGS if rungs else ("all",):
                group = [one for one in asked if one.skill == skill and rung in (one.rung, "all")]
                found += [f"{arm}, {skill}, {rung}: {one}" for one in non_readers(group) if one.errors > limit]
    return found


def test_nobody_is_above_chance_in_the_sealed_thousand_without_reading() -> None:
    """Of some 250 groups of 42 problems one may be above three standard errors by chance; none is above four."""
    assert above_chance(sealed(), rungs=True, limit=4) == []
    assert above_chance(sealed(), rungs=False) == []


@cache
def drawn(seed: int) -> list[Problem]:
    return sealed() if seed == 0 else invent(seed, 1000)


@pytest.mark.slow
def test_nobody_is_above_chance_on_three_seeds_without_reading() -> None:
    assert above_chance([problem for seed in range(3) for problem in drawn(seed)], rungs=True) == []


def test_the_table_of_the_documentation_is_measured() -> None:
    """Rules that need no model, on the sealed problems, as `python -m bench nonreaders` prints them."""
    text = (ROOT / "docs/invented.md").read_text(encoding="utf-8")
    cells = {
        row.split("|")[1].strip(): [cell.strip() for cell in row.split("|")[2:-1]]
        for row in text.partition("| rule ")[2].splitlines()
        if row.startswith("| ")
    }
    for place, rule in enumerate(RULES):
        measured = [non_readers([one for one in sealed() if one.skill == skill])[place].value for skill in CHOSEN]
        printed = [float(re.split(r"[ /]", cell)[0]) for cell in cells[rule]]
        assert printed == [round(value, 1) for value in measured], rule


@pytest.mark.slow
def test_a_similarity_model_is_at_chance() -> None:
    encoder = Encoder("all-MiniLM-L6-v2")

    def similarity(question: str, statements: Sequence[str]) -> list[float]:
        vectors = encoder.encode([question, *statements])
        return np.asarray(vectors[1:] @ vectors[0]).tolist()  # type: ignore[no-any-return]

    for skill in CHOSEN:
        problems = [problem for problem in sealed() if problem.skill == skill]
        assert non_readers(problems, similarity)[-1].errors < 3, skill
