"""What the page holds: texts escaped, the unlicensed kept back, prompts as asked, columns as they are read."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.calibration.record import Rates
from pfe.config import Config
from pfe.evaluation.reconstruction import prompt_of
from pfe.models.request import Option
from pfe.models.usage import Usage
from pfe.report.html import prompts as module
from pfe.report.html.browser import bits, columns, parts
from pfe.report.html.firewall import marked, sweep
from pfe.report.html.headline import verdict, visible_lift
from pfe.report.html.prompts import Prompts
from pfe.report.html.prose import html
from pfe.report.html.render import island, side_file
from pfe.scores.model import Average, Averages, ModelScore
from pfe.symreg.formulas_table import typeset
from tests.report.html.conftest import BENCHMARKS, NASTY, Rows, asked, canonical, written
from tests.report.html.further_parts import provenance_of

TEXTS = st.text(st.sampled_from("</script>!-& abc\u2028\n"), max_size=60)


class Scripts(HTMLParser):
    """The scripts of a page as a browser finds them."""

    def __init__(self) -> None:
        super().__init__()
        self.islands: dict[str, str] = {}
        self.sources: list[str] = []
        self._id: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._id = given.get("id") if tag == "script" else None
        self.sources += [str(given[key]) for key in ("src", "href") if given.get(key)]

    def handle_data(self, data: str) -> None:
        if self._id:
            self.islands[self._id] = self.islands.get(self._id, "") + data


@given(TEXTS)
def test_no_text_ends_an_island_and_every_one_comes_back(text: str) -> None:
    held = island({"text": text})
    assert json.loads(held) == {"text": text}
    assert not re.search(r"[<>&\u2028\u2029]", held)
    assert "</" not in side_file("a/b", text)


@given(st.sets(st.integers(0, 40)), st.integers(41, 60))
def test_bits_hold_which_places_are_marked(places: set[int], count: int) -> None:
    digits = bits(sorted(places), count)
    assert {at for at in range(count) if int(digits[at // 4], 16) >> at % 4 & 1} == places
    assert len(digits) == -(-count // 4)


@given(TEXTS, TEXTS)
def test_pieces_are_the_text_and_what_is_marked_stands_in_the_other(text: str, other: str) -> None:
    pieces = marked(text, other)
    assert "".join(piece for piece, _ in pieces) == text
    words = " ".join(re.findall(r"\w+", other.lower()))
    for piece, shared in pieces:
        grams = re.findall(r"\w+", piece.lower())
        assert not shared or " ".join(grams[:3]) in words


@pytest.mark.slow
def test_the_page_runs_nothing_of_what_a_model_wrote(page: str) -> None:
    found = Scripts()
    found.feed(page)
    assert NASTY not in page
    held = json.loads(found.islands["parts"])
    outputs = [answer[-1] for answers in held["student/gsm1k-0"] for answer in answers]
    assert all(output.startswith(NASTY) for output in outputs)
    assert all(source.startswith(("#", "data:")) for source in found.sources), "nothing is fetched"


def test_texts_that_may_not_be_passed_on_are_not_in_the_page(page: str, few: Config) -> None:
    assert not few.benchmark["race"].shareable
    for problem in canonical("race", few):
        for text in (problem.context, problem.question, *problem.choices):  # "protected" is a word of programs too
            assert len(text) < 30 or island(text)[1:-1] not in page, text
    shown = canonical("arc_easy", few)[0]
    assert island(shown.question)[1:-1] in page


def test_prompts_are_those_that_were_asked(few: Config, rows: dict[str, Rows], monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*given: Any) -> tuple[Option, ...]:
        made.append(given)
        return prompt_of(*given)

    monkeypatch.setattr(module, "prompt_of", counted)
    for name in BENCHMARKS:
        problems = canonical(name, few)
        prompts = Prompts(few, problems, [])
        made.clear()
        for problem in problems:
            own = [row for by_model in rows[name].values() for row in by_model if row.problem_id == problem.id]
            for row, prompt in zip(own, prompts.of(problem, own), strict=True):
                texts = prompt_of(row, problem, few, problems)
                assert texts[0].context.startswith(prompt.head + prompt.tail)
        assert len(made) < 2 * len(problems), "the heads of one problem serve the others"


def test_columns_say_what_the_rows_say(few: Config, rows: dict[str, Rows]) -> None:
    one = asked(few, "gsm1k", {"student": rows["gsm1k"]["student"], "half": rows["gsm1k"]["other"][:7]})
    held = columns(one)
    assert len(held["ids"]) == len(one.problems)
    assert set(held["asked"]) == {"half"}
    for row in one.rows["student"]:
        at = [problem.id for problem in one.problems].index(row.problem_id)
        assert bool(int(held["right"]["student"][row.arm][at // 4], 16) >> at % 4 & 1) == row.correct


def test_of_what_may_not_be_shown_the_choice_is_named_by_its_place(few: Config, rows: dict[str, Rows]) -> None:
    held = dict(parts(asked(few, "race", rows["race"]), Prompts(few, [], [])))
    assert held["race-0"]["problems"] == []
    assert all(re.fullmatch(r"(choice \d of \d)?", text) for text in held["race-0"]["strings"])


def test_the_verdict_needs_no_statistics() -> None:
    def said(lift: Average, content: Average | None = None) -> str:
        return verdict({"a": ModelScore({}, Averages(lift=lift, content_lift=content))}, {"a": "Ours"})

    helped = said(Average(13.8, 3, 900, 11.2, 16.4), Average(5.0, 3, 900, 2.0, 8.0))
    assert "Ours answers 13.8 more of every 100 problems correctly" in helped
    assert "the library's content helps" in helped
    assert "may help as much" in said(Average(13.8, 3, 900, 11.2, 16.4), Average(1.0, 3, 900, -2.0, 4.0))
    hurting = said(Average(0.2, 3, 900, -1.9, 2.3), Average(2.8, 3, 900, 0.6, 5.0))
    assert "do not show whether" in hurting
    assert "content helps" not in hurting
    assert "2.0 fewer of every 100" in said(Average(-2.0, 3, 900, -3.0, -1.0))
    assert "includes 0" in said(Average(0.5, 3, 900, -1.0, 2.0))
    assert "its use is unknown" in verdict({"a": ModelScore({}, Averages())}, {"a": "Ours"})


def test_the_smallest_lift_that_shows_is_2_8_standard_errors() -> None:
    assert visible_lift(Average(0.0, 3, 900, -1.96, 1.96)) == pytest.approx(2.80, abs=0.01)
    assert visible_lift(None) is None


def test_markdown_holds_no_html_of_its_own() -> None:
    assert "<script>" not in html(f"| a |\n|---|\n| {NASTY} |")
    assert html("## Gates") == "<h3>Gates</h3>\n"
    assert html("### Gates") == "<h3>Gates</h3>\n", "the highest heading is a section's"


@pytest.mark.parametrize(
    ("model", "expected"),
    [("1.5 + 2.0 * x1 * x2", "<msub>"), ("x1 / 3", "<mfrac>"), ("exp(", None), ("x1 + " * 200 + "x1", None)],
)
def test_a_model_is_typeset_where_it_is_a_short_formula(model: str, expected: str | None) -> None:
    made = typeset(model)
    assert made is None if expected is None else expected in str(made)


def test_the_sweep_has_the_gates_that_have_thresholds(rates: list[Rates]) -> None:
    held = sweep([*rates, Rates("language", 0.5, 4.0, None)])
    assert list(held) == ["token_overlap"]
    assert held["token_overlap"]["threshold"] == sorted(rate.threshold for rate in rates)


def test_provenance_tells_the_time_of_each_stage_and_what_the_tokens_cost() -> None:
    used = Usage(1_000_000, 200_000)
    part = provenance_of({"GPT": (used, (2.5, 10.0)), "Ours": (used, None)})
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", part.content["provenance"])
    rows = {cells[at]: cells[at + 1 : at + 4] for at in range(len(cells) - 3)}
    assert rows["evaluate@gpt"] == ["2.0", "3.5", "812"]
    assert rows["all"] == ["2.5", "4.0", "812"]
    assert rows["GPT"] == ["1,000,000", "200,000", "$4.50"]
    assert rows["Ours"] == ["1,000,000", "200,000", "–"]


@pytest.fixture(scope="module")
def page(few: Config, rows: dict[str, Rows], scores: dict[str, ModelScore]) -> str:
    return written(few, rows, scores)
