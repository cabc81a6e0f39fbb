"""The page of ten models and 36,000 problems: its size, and how long it takes to open, to filter and to search."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pfe.config import Config
from pfe.problem import Problem, ScoredPrediction
from pfe.report.html.browser import Asked, browser, columns, parts
from pfe.report.html.parts import assembled
from pfe.report.html.prompts import Prompts
from pfe.report.html.render import render
from pfe.report.html.results import results
from pfe.report.html.texts import Texts
from pfe.scores.model import ModelScore
from tests.report.html.conftest import LABELS, Rows

MODELS, BENCHMARKS, PROBLEMS = 10, 10, 3600
ARMS = ("canonical", "icr", "placebo", "format")
LARGEST = 5_000_000  # bytes


def benchmark(name: str, row: ScoredPrediction) -> Asked:
    """Problems of a hundred words, answered by every model in four arms."""
    words = " ".join(f"word{number}" for number in range(100))
    problems = [
        Problem(f"{name}/problem_{at:05}", name, "science", f"{words} {at}?", "a", choices=("a", "b", "c", "d"))
        for at in range(PROBLEMS)
    ]
    made = {
        (at, arm, right): replace(
            row, problem_id=problem.id, arm=arm, correct=right, prompt_sha256="", scores=(-1.5, -2.25, -3.125, -4.0)
        )
        for at, problem in enumerate(problems)
        for arm in ARMS
        for right in (True, False)
    }
    rows = {
        f"model{model}": [
            made[at, arm, (at * 7 + model * 3 + place * 5) % 11 < 5]
            for at in range(PROBLEMS)
            for place, arm in enumerate(ARMS)
        ]
        for model in range(MODELS)
    }
    return Asked.create(name, name, True, problems, rows)


@pytest.mark.slow
def test_a_large_page_is_small_enough_and_opens_what_lies_beside_it(
    few: Config, rows: dict[str, Rows], scores: dict[str, ModelScore], browser_of: Any, tmp_path: Path
) -> None:
    (row,) = [row for row in rows["arc_easy"]["student"] if row.arm == "canonical"][:1]
    texts, held = Texts(tmp_path / "problems"), []
    for number in range(BENCHMARKS):
        asked = benchmark(f"benchmark{number}", row)
        held.append(columns(asked))
        for name, content in parts(asked, Prompts(few, [], [])):
            texts.add(name, content)
    labels = {f"model{number}": f"Model {number}" for number in range(MODELS)}
    titles = {one["name"]: one["title"] for one in held}
    whole = assembled(
        {
            "result": ("Result", results(scores, few.titles, LABELS)),
            "browser": ("Problems", browser(held, labels, "problems")),
        }
    )
    content = {**whole.content, "experiment": None, "alarms": [], "samples": "", "titles": titles, "labels": labels}
    path = tmp_path / "report.html"
    path.write_text(render(content | {"and_beside": ""}, {**whole.islands, "parts": texts.held}), encoding="utf-8")
    assert path.stat().st_size <= LARGEST
    page = browser_of.new_page(viewport={"width": 1280, "height": 900})
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.locator(".line").first.wait_for()
    opened = time.perf_counter() - start
    took = {
        f"{name} = {value or 'all'}": page.evaluate(
            """([id, value]) => {
                const [select, start] = [document.getElementById(id), performance.now()];
                select.value = value;
                select.dispatchEvent(new Event(select.type === "search" ? "input" : "change"));
                document.getElementById("problem-list").offsetHeight;
                return performance.now() - start;
            }""",
            [f"problem-{name}", value],
        )
        for name, value in (
            ("model", ""), ("outcome", "broken"), ("outcome", ""), ("benchmark", "benchmark9"), ("benchmark", ""),
            ("search", "problem_03599"),
        )
    }  # fmt: skip
    assert page.locator(".line").count() < 100, "of all lines those in view exist"
    start = time.perf_counter()
    page.goto(f"{path.as_uri()}#model9/benchmark9/problem_03599")
    page.locator("#problem .arm").first.wait_for()
    beside = time.perf_counter() - start
    assert "word99 3599?" in page.locator("#problem").inner_text()
    size, files = path.stat().st_size / 1e6, [one.stat().st_size for one in tmp_path.rglob("*.js")]
    print(f"\npage {size:.1f} MB, {len(files):,} files beside it ({sum(files) / 1e6:.0f} MB)")
    print(f"opened in {opened:.2f} s, a problem beside it in {beside:.2f} s")
    print("; ".join(f"{name}: {milliseconds:.0f} ms" for name, milliseconds in took.items()))
    page.close()
