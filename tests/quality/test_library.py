"""Problems that have a library of their own: what the records must keep to, and what a search finds."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.problem import UNKNOWN, Problem, Variant
from pfe.quality.library import bound
from pfe.quality.record import Bound
from tests.quality.made import drawn_problems

RIGHT = ("Tils are weights.", "A gorm weighs four tils.", "Gorms sing at night.")
CHANGED = ("Tils are weights.", "A gorm weighs seven tils.", "Gorms sing at night.")
EXCHANGED = "needed entries changed, or exchanged with one other"  # a check
PROBLEM = Problem(
    id="a/1", set="a", domain="science", question="How many tils does a gorm weigh?", answer="four",
    choices=("four", "seven", "nine"), library=RIGHT, needed=(1,), skill="lookup",
    variants=(
        Variant("changed", CHANGED, "seven", "four"),
        Variant("irrelevant", ("A prell costs nine dabs.",), UNKNOWN),
        Variant("bare", (), UNKNOWN),
    ),
)  # fmt: skip


def figures(*problems: Problem) -> Bound:
    measured = bound(problems)
    assert measured is not None
    return measured


def test_a_consistent_record_passes_every_check_and_its_library_is_measured() -> None:
    figure = figures(PROBLEM, *drawn_problems(3, 1))
    assert (figure.share.value, figure.share.n) == (25, 4)
    assert {share.value for share in figure.consistent.values()} == {100}
    assert (figure.stated.value, figure.entries.mean, figure.words.mean, figure.hops.mean) == (100, 3, 12, 1)
    assert figure.searched is not None
    assert figure.searched.value == 100
    assert figure.places == {"first": 0, "middle": 100, "last": 0}
    assert figure.skills == {"lookup": 100}


def test_the_best_rule_that_does_not_read_is_named_by_skill() -> None:
    library = ("A gorm weighs four tils.", "A prell weighs seven tils.", "A vem weighs nine tils.")
    figure = figures(replace(PROBLEM, library=library, needed=(0,)))
    assert figure.unread["lookup"].value == 100
    assert figure.unread["lookup"].chance == pytest.approx(100 / 3)


def test_a_set_without_libraries_has_no_figures() -> None:
    assert bound(drawn_problems(3, 1)) is None


def with_variant(name: str, **changes: object) -> Callable[[Problem], Problem]:
    def change(problem: Problem) -> Problem:
        variants = tuple(
            replace(variant, **changes) if variant.name == name else variant  # type: ignore[arg-type]
            for variant in problem.variants
        )
        return replace(problem, variants=variants)

    return change


@pytest.mark.parametrize(
    ("mistake", "check"),
    [
        (with_variant("changed", answer="four"), "another answer with the changed library"),
        (with_variant("changed", otherwise="nine"), "the right library's answer named beside it"),
        (with_variant("changed", library=RIGHT), EXCHANGED),
        (with_variant("changed", library=CHANGED[:2]), EXCHANGED),
        (
            with_variant("changed", library=("Tils are sums.", CHANGED[1], "Gorms sleep.")),
            EXCHANGED,
        ),
        (with_variant("irrelevant", library=RIGHT), "the irrelevant library lacks what is needed"),
        (with_variant("bare", answer="four"), "another answer without a library"),
        (with_variant("bare", library=RIGHT), "another answer without a library"),
    ],
)
def test_a_record_that_breaks_a_rule_is_counted(mistake: Callable[[Problem], Problem], check: str) -> None:
    consistent = figures(PROBLEM, mistake(PROBLEM)).consistent
    assert {name: share.value for name, share in consistent.items() if share.value != 100} == {check: 50}


def test_a_record_without_variants_passes_no_check() -> None:
    assert {share.value for share in figures(replace(PROBLEM, variants=())).consistent.values()} == {0}


def test_a_search_finds_whole_words_of_one_entry_only() -> None:
    assert figures(replace(PROBLEM, answer="for")).stated.value == 0
    spread = figures(replace(PROBLEM, answer="sing(four, tils)"))
    assert (spread.stated.value, spread.worded.value) == (0, 100)
    assert figures(replace(PROBLEM, answer="tils")).worded.value == 0  # the question says it
    assert figures(replace(PROBLEM, answer="four men")).worded.value == 0
    ambiguous = replace(PROBLEM, library=(*RIGHT, "A prell costs nine dabs."))
    measured = figures(ambiguous)
    assert measured.searched is not None
    assert (measured.stated.value, measured.searched.value) == (100, 0)
    assert figures(replace(PROBLEM, choices=())).searched is None


@given(st.integers(1, 30), st.data())
def test_every_needed_place_lies_in_one_third(size: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, size - 1))
    places = figures(replace(PROBLEM, library=("A text.",) * size, needed=(place,))).places
    assert sum(places.values()) == 100
    assert places["first"] == (100 if place * 3 < size else 0)
