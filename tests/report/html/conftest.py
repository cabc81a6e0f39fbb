"""A page of a small experiment made on the spot: two models that guess, three benchmarks, one that may not be shown."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pfe.calibration.record import Rates
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.evaluation.runner import examine
from pfe.models.chance import Chance
from pfe.models.usage import Usage
from pfe.problem import Problem, ScoredPrediction
from pfe.report.html.browser import Asked, browser, columns, parts
from pfe.report.html.parts import assembled
from pfe.report.html.prompts import Prompts
from pfe.report.html.render import render
from pfe.report.html.results import Part, results
from pfe.scores.benchmark import score_benchmark
from pfe.scores.model import ModelScore, score_model
from pfe.scores.scored import score_predictions

BENCHMARKS = ("arc_easy", "gsm1k", "race")
LABELS = {"student": "Ours", "other": "Another"}
NASTY = '</script><script>window.broken = "yes"</script><!-- <img src=x onerror="window.broken = 1">'
Rows = dict[str, list[ScoredPrediction]]  # by model


def canonical(name: str, settings: Config) -> list[Problem]:
    return load(name, settings.benchmark[name], Canonical("sample", "data/sample"))


@pytest.fixture(scope="session")
def few(settings: Config) -> Config:
    """Three benchmarks in three arms."""
    evaluate = replace(settings.evaluate, arms=("canonical", "icr", "placebo"))
    benchmarks = {name: settings.benchmark[name] for name in BENCHMARKS}
    return replace(settings, benchmark=benchmarks, evaluate=evaluate)


@pytest.fixture(scope="session")
def rows(few: Config) -> dict[str, Rows]:
    """Every answer by benchmark and model; what is written holds what would break a page."""
    return {name: {model: answers(few, name, model) for model in LABELS} for name in BENCHMARKS}


def answers(settings: Config, name: str, model: str) -> list[ScoredPrediction]:
    problems = canonical(name, settings)
    guessing = Chance(settings.seed)
    told = [
        replace(row, model=model, output=f"{NASTY} {row.output}" if settings.benchmark[name].form == "generate" else "")
        for row in examine(guessing, model, name, settings, problems, problems, [])
    ]
    scored = score_predictions(told, problems, settings.benchmark[name])
    # Guesses are the same in all arms: every third problem is fixed, every fifth broken.
    place = {problem.id: at for at, problem in enumerate(problems)}
    return [replace(row, correct=_is_right(place[row.problem_id], row.arm)) for row in scored]


def _is_right(place: int, arm: str) -> bool:
    return arm == "icr" if place % 3 == 0 else arm == "canonical" if place % 5 == 0 else place % 2 == 0


@pytest.fixture(scope="session")
def scores(rows: dict[str, Rows]) -> dict[str, ModelScore]:
    scored: dict[str, ModelScore] = {}
    for model in LABELS:
        by_name = {name: score_benchmark(by_model[model], 0, resamples=50) for name, by_model in rows.items()}
        scored[model] = score_model({name: score for name, score in by_name.items() if score})
    return scored


def asked(few: Config, name: str, by_model: Rows) -> Asked:
    benchmark = few.benchmark[name]
    return Asked.create(name, benchmark.title, benchmark.shareable, canonical(name, few), by_model)


def written(few: Config, rows: dict[str, Rows], scores: dict[str, ModelScore], more: Sequence[Part] = ()) -> str:
    """The whole page, with further parts."""
    every = [asked(few, name, by_model) for name, by_model in rows.items()]
    held = {name: content for one in every for name, content in parts(one, Prompts(few, list(one.problems), []))}
    sections = {
        "result": ("Result", results(scores, few.titles, LABELS)),
        "browser": ("Problems", browser([columns(one) for one in every], LABELS, "problems")),
        **{f"more-{number}": ("More", part) for number, part in enumerate(more)},
    }
    whole = assembled(sections)
    content = {
        **whole.content, "experiment": None, "alarms": [NASTY], "samples": "", "titles": few.titles, "labels": LABELS,
        "and_beside": "",
    }  # fmt: skip
    return render(content, {**whole.islands, "parts": held})


@pytest.fixture(scope="session")
def rates() -> list[Rates]:
    """A gate over ten thresholds."""
    return [Rates("token_overlap", at / 10, 100.0 - 10 * at, 10.0 - at) for at in range(10)]


@pytest.fixture(scope="module")
def browser_of() -> Iterator[Any]:
    """Chromium, Debian's or Playwright's own; the tests are skipped where there is neither.

    Of a module: Playwright's event loop runs for as long as it does, and no other can in the same thread.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="the page is tried in a browser by playwright")
    from shutil import which

    with playwright.sync_playwright() as started:
        try:
            chromium = started.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no browser to try the page in: {str(error).splitlines()[0]}")
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def page_file(
    few: Config, rows: dict[str, Rows], scores: dict[str, ModelScore], rates: list[Rates],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:  # fmt: skip
    """report.html, alone in a folder."""
    from tests.report.html.further_parts import competed, firewalled, provenance_of, trained

    path = tmp_path_factory.mktemp("page") / "report.html"
    more = [firewalled(rates), trained(), competed(), provenance_of({"Ours": (Usage(10, 20), None)})]
    path.write_text(written(few, rows, scores, more), encoding="utf-8")
    return path
