"""Rules that do not read: each finds what it looks for, and those of a fair set find no more than chance."""

import pytest

from pfe.invented.making import invent
from pfe.problem import Problem
from pfe.quality.nonreaders import RULES, context_of, non_readers
from tests.conftest import ROOT

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
    found = {one.rule: one for one in non_readers([PROBLEM], lambda _, statements: [0.0] * len(statements))}
    assert found["similarity of sentences"].value == pytest.approx(100 / 3)  # nobody mentions sunflowers
    assert {one.chance for one in found.values()} == {25.0}
    assert found["most frequent"].value == 0
    assert found["bag of words"].errors == pytest.approx(0.75 / (0.25 * 0.75) ** 0.5)


def test_a_written_answer_is_one_of_those_of_its_family_that_the_library_mentions() -> None:
    written = [
        Problem(f"b/{n}", "b", "invented", PROBLEM.question, answer, family="f", library=LIBRARY)
        for n, answer in enumerate(("moss", "figs", "stars"))
    ]
    assert context_of(written[0], {"moss", "figs", "stars"}).values == ("figs", "moss")
    assert non_readers([PROBLEM, *written])[0].n == 4
    assert non_readers([]) == []


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_two_hops_are_at_chance_for_whoever_does_not_read(seed: int) -> None:
    problems = [problem for problem in invent(seed, 1000) if problem.skill == "hops" and problem.choices]
    assert {one.rule for one in non_readers(problems) if one.errors > 3} == set()


def test_the_table_of_the_documentation_is_measured() -> None:
    text = (ROOT / "docs/invented.md").read_text(encoding="utf-8")
    cells = {
        row.split("|")[1].strip(): [cell.strip() for cell in row.split("|")[2:-1]]
        for row in text.splitlines()
        if row.startswith("| ")
    }
    problems = invent(0, 1000)
    groups = [(skill, bool(choices)) for skill in ("lookup", "hops", "rules", "procedures") for choices in (1, 0)][:-1]
    measured = [
        non_readers([one for one in problems if (one.skill, bool(one.choices)) == group]) for group in groups
    ]  # fmt: skip
    for place, rule in enumerate(RULES):
        found = [column[place] for column in measured]
        assert cells[rule] == [f"**{one.value:.1f}**" if one.errors > 3 else f"{one.value:.1f}" for one in found], rule
