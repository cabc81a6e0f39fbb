"""Pages of problems: everything of a problem, nothing obeyed that stands in one."""

from dataclasses import fields, replace
from html.parser import HTMLParser

import pytest

from pfe.errors import UserError
from pfe.problem import UNKNOWN, Problem, Variant
from pfe.report.gallery import as_html, as_markdown, as_text, samples
from pfe.report.problem import parts, readable
from pfe.tutors.family import families_of, remake

PROBLEM = Problem(
    id="a_synth/gorms/s0/1", set="a_synth", domain="science", question="How heavy is a gorm?", answer="four tils",
    context="A passage.", choices=("four tils", "five <b>tils</b>"), solution="See ```the``` entry.",
    tests=("f(1) == 2",), functions=("weigh",), family="gorms", seed=7, tutor="procedural", skill="lookup",
    library=("Gorms sing.", "A gorm weighs four tils."), needed=(1,),
    variants=(
        Variant("changed", ("Gorms sing.", "A gorm weighs nine tils."), "nine tils", "four tils"),
        Variant("bare", (), UNKNOWN),
    ),
)  # fmt: skip


class Page(HTMLParser):
    """The tags of a page that are open at its end, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open += [] if tag == "meta" else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_problem_is_shown_with_all_that_it_has() -> None:
    shown = readable(PROBLEM)
    hidden = {"set", "aliases", "setup", "group", "family", "needed", "variants", "domain", "seed", "rung"}
    for name in {field.name for field in fields(Problem)} - hidden:
        value = getattr(PROBLEM, name)
        for text in value if isinstance(value, tuple) else (value,):
            assert str(text) in shown
    assert "2. * A gorm weighs four tils." in shown
    assert "1. Gorms sing." in shown


def test_of_a_changed_library_what_differs_is_shown_with_both_answers() -> None:
    assert parts(PROBLEM)["with another library: changed"] == (
        "- A gorm weighs nine tils.\n→ nine tils  (otherwise: four tils)"
    )
    assert parts(PROBLEM)["with another library: bare"] == f"→ {UNKNOWN}"


def test_of_a_function_that_the_library_tells_of_the_name_is_enough() -> None:
    definition = '{"name": "weigh", "parameters": {}}'
    assert parts(replace(PROBLEM, functions=(definition, "lift")))["functions"] == "weigh\nlift"
    assert parts(replace(PROBLEM, functions=(definition,), library=()))["functions"] == definition


@pytest.mark.slow
def test_the_samples_are_the_first_of_every_family_under_the_seed() -> None:
    page = samples(["winogrande_synth", "arc_synth"], None, 2, seed=3)
    assert {set: list(families) for set, families in page.items()} == {
        set: list(families_of(set)) for set in ("winogrande_synth", "arc_synth")
    }
    for families in page.values():
        for problems in families.values():
            assert [problem.id.rsplit("/", 2)[1:] for problem in problems] == [["s3", "0"], ["s3", "1"]]
            assert problems[0] == remake(problems[0].id)


def test_one_family_is_taken_from_the_set_that_has_it_and_a_wrong_name_is_told() -> None:
    page = samples(["gsm1k_synth", "arc_synth"], "coupon_change", 1, seed=0)
    assert {set: list(families) for set, families in page.items()} == {"gsm1k_synth": ["coupon_change"]}
    with pytest.raises(UserError, match="did you mean 'coupon_change'"):
        samples(["gsm1k_synth"], "coupon_chang", 1, seed=0)


def test_the_html_page_is_whole_and_shows_markup_as_text() -> None:
    page = Page(as_html({"a_synth": {"gorms": [PROBLEM, replace(PROBLEM, id="a_synth/gorms/s0/2")]}}))
    assert not page.open
    assert page.text.count("five <b>tils</b>") == 2
    assert "a_synth/gorms/s0/2" in page.text


def test_in_markdown_no_problem_ends_its_own_block() -> None:
    text = as_markdown({"a_synth": {"gorms": [PROBLEM]}})
    assert "### gorms\n\n````text\n" in text
    assert text.endswith("\n````\n")


def test_on_the_screen_problems_stand_apart() -> None:
    assert as_text({"a_synth": {"gorms": [PROBLEM, PROBLEM]}}).count(f"\n{'-' * 72}\n") == 1
