"""The page in a browser: it sorts, filters, opens by link, turns dark, prints, fits a phone, and asks nobody."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

WIDTHS = (1280, 390)

pytestmark = pytest.mark.gate


class Opened:
    """The page in a browser, with what it asked for and complained of."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.page = browser.new_page(**options)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.url = path.as_uri()

    def open(self, hash: str = "") -> Any:
        self.page.goto(self.url + hash)
        return self.page


@pytest.fixture
def opened(browser_of: Any, page_file: Path) -> Iterator[Opened]:
    """The page, which must end without a complaint and without having asked for anything but itself."""
    one = Opened(browser_of, page_file, viewport={"width": 1280, "height": 900}, color_scheme="light")
    yield one
    one.page.close()
    assert one.complaints == []
    assert {url.partition("#")[0] for url in one.requests if not url.startswith(("data:", "blob:"))} == {one.url}


def column(page: Any, place: int) -> list[str]:
    cells: list[str] = page.locator("#scores tbody tr").evaluate_all(
        """(rows, place) => rows.filter(row => !row.hidden).map(row => row.cells[place])
           .map(cell => cell.dataset.value ?? cell.textContent)""",
        place,
    )
    return cells


def test_the_table_sorts_by_click_and_by_keyboard_and_shows_one_benchmark(opened: Opened) -> None:
    page = opened.open()
    head = page.get_by_role("button", name="Lift, points")
    head.click()
    assert column(page, 4) == sorted(column(page, 4), key=float, reverse=True)
    assert page.locator('#scores th[aria-sort="descending"]').inner_text().startswith("Lift")
    head.press("Enter")
    assert column(page, 4) == sorted(column(page, 4), key=float)
    page.locator("#table").get_by_role("combobox", name="Benchmark").select_option("GSM1K")
    assert set(column(page, 0)) == {"GSM1K"}


def test_problems_are_filtered_and_searched(opened: Opened) -> None:
    page = opened.open()
    count = page.locator("#problem-count")
    everything = count.inner_text()
    page.locator("#problem-outcome").select_option("fixed")
    assert count.inner_text() != everything
    assert set(page.locator(".line .outcome").all_inner_texts()) == {"fixed"}
    page.locator("#problem-outcome").select_option("")
    page.locator("#problem-benchmark").select_option("gsm1k")
    page.locator("#problem-search").fill("no such words")
    page.wait_for_function("document.getElementById('problem-count').textContent === '0 answers'")
    page.locator("#problem-search").fill("dollars")
    page.wait_for_function("/^[1-9]\\d* answers?$/.test(document.getElementById('problem-count').textContent)")


def test_a_problem_opens_by_its_link_with_its_arms_and_what_was_written_is_text(opened: Opened) -> None:
    page = opened.open()
    page.locator("#problem-benchmark").select_option("gsm1k")
    link = page.locator(".line").first.get_attribute("href")
    page = opened.open(link)
    shown = page.locator("#problem")
    shown.locator(".arm").first.wait_for()
    assert {title.split()[0] for title in shown.locator(".arm h4").all_inner_texts()} >= {"canonical", "icr", "placebo"}
    assert "</script>" in shown.locator(".output").first.inner_text()
    assert page.evaluate("window.broken") is None
    shown.locator("details summary").first.click()
    assert "LIBRARY" in shown.locator("details pre").first.inner_text()
    page.get_by_role("button", name="Close").click()
    assert shown.is_hidden()


def test_what_may_not_be_shown_says_so_and_a_wrong_link_too(opened: Opened) -> None:
    page = opened.open()
    page.locator("#problem-benchmark").select_option("race")
    page = opened.open(page.locator(".line").first.get_attribute("href"))
    page.locator(".arm").first.wait_for()
    assert "licence" in page.locator("#problem").inner_text()
    opened.open("#student/race/nothing")
    page.locator("#problem", has_text="no such problem").wait_for()


def test_it_is_dark_where_the_reader_is_and_where_it_is_asked_to_be(opened: Opened) -> None:
    page = opened.open()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Dark or light").click()
    dark = page.evaluate(paper)
    assert dark != light
    page.get_by_role("button", name="Dark or light").click()
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == light, "what was asked for stays"
    page.evaluate("document.documentElement.dataset.theme = 'auto'")
    assert page.evaluate(paper) == dark


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen_and_every_plot_is_drawn(opened: Opened, width: int) -> None:
    opened.page.set_viewport_size({"width": width, "height": 800})
    page = opened.open()
    page.evaluate("pfe.drawAll()")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    drawn = page.locator(".chart svg[role=img]")
    assert drawn.count() == page.locator(".chart").count() > 0
    assert all(drawn.evaluate_all("all => all.map(one => one.getAttribute('aria-label').length > 20)"))
    sizes = drawn.evaluate_all(
        "all => all.map(one => [one.clientWidth, one.parentElement.closest('.chart').clientWidth])"
    )
    assert all(inner <= outer + 1 for inner, outer in sizes), "no plot is cut off"


def test_no_table_is_cut_off_on_a_desk_and_no_drawing_shrinks_to_a_phone(opened: Opened) -> None:
    """But for formulas, which may be of any length."""
    page = opened.open()
    wide = page.locator(".scroll:not(:has(.formulas))").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent.slice(0, 200))"
    )
    assert wide == []
    page.set_viewport_size({"width": 390, "height": 800})
    widths = page.locator(".drawing").evaluate_all("all => all.map(one => one.clientWidth)")
    assert widths
    assert min(widths) > 500


def test_words_of_the_program_are_said_in_words_of_the_reader(opened: Opened) -> None:
    page = opened.open()
    page.locator("#browser summary").first.click()
    assert "placebo" in page.locator("#browser dl").inner_text()
    page.locator("#problem-benchmark").select_option("arc_easy")
    page.locator(".line").first.click()
    page.locator("#problem .arm").first.wait_for()
    assert page.locator("#problem .arm .note").first.inner_text().startswith("a choice was scored; ")


def test_the_slider_says_what_a_threshold_would_do(opened: Opened) -> None:
    page = opened.open()
    said = page.locator("#threshold-said")
    assert "0.300 (the threshold in use)" in said.inner_text()
    page.locator("#threshold").press("ArrowRight")
    assert "threshold 0.400" in said.inner_text()
    assert "detects 60.0 %" in said.inner_text()


def test_it_prints_without_what_is_only_for_the_screen(opened: Opened) -> None:
    page = opened.open()
    page.emulate_media(media="print")
    assert page.locator("#theme").is_hidden()
    assert page.locator(".verdict").is_visible()
    assert len(page.pdf()) > 10_000


def test_every_control_can_be_reached_by_keyboard_and_has_a_name(opened: Opened) -> None:
    page = opened.open()
    nameless = page.locator("button, select, input, a, img, [role=region]").evaluate_all(
        """all => all.filter(one => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.alt
           || one.textContent.trim() || one.labels?.length)).map(one => one.outerHTML)"""
    )
    assert nameless == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("#problem-list a").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.row") == "1"
    page.keyboard.press("Enter")
    page.locator("#problem .arm").first.wait_for()
    assert page.evaluate("document.activeElement.id") == "problem-title"


def test_the_rules_of_accessibility_are_kept(opened: Opened) -> None:
    """Those of axe, on the whole page in either colour, every fold and one problem opened."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="accessibility is checked by axe").Axe()
    page = opened.open()
    page.locator(".line").first.click()
    page.locator("#problem .arm").first.wait_for()
    page.evaluate("pfe.drawAll(); document.querySelectorAll('details').forEach(one => one.open = true)")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
