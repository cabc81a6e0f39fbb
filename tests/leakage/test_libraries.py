"""Libraries behind the wall: what is planted in one is named with its line, and the shipped ones hold nothing."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pfe.canonical.seal import write_sealed
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.embedding.encoder import Encoder
from pfe.firewall.reference import Reference
from pfe.icr.contexts import LIBRARIES
from pfe.leakage.excerpts import Excerpt, excerpts, lines
from pfe.leakage.libraries import Leak, by_answer, leaks, report, warning
from pfe.problem import Problem
from pfe.screening.sealed import reference_of
from tests.conftest import ROOT, SHARED

EVERY = sorted(path.name for path in LIBRARIES.iterdir())


def sealed(settings: Config, source: str, path: Path, most: int | None = None) -> list[Problem]:
    """The problems of every benchmark, at most `most` of each, drawn by seed."""
    problems = []
    for name, benchmark in settings.benchmark.items():
        own = replace(benchmark, path=str(ROOT / benchmark.path)) if benchmark.path else benchmark
        of_benchmark = load(name, own, Canonical(source, str(path)))  # type: ignore[arg-type]
        problems += of_benchmark if most is None else Random(0).sample(of_benchmark, min(most, len(of_benchmark)))
    return problems


@pytest.fixture(scope="module")
def reference(settings: Config) -> Reference:
    """A few problems of every benchmark of the sample."""
    return reference_of(sealed(settings, "sample", ROOT / "data/sample", 6), settings.firewall)


def planted(text: str, first: int = 1) -> tuple[Excerpt, ...]:
    return (Excerpt("mine.txt", first, text, True),)


def test_excerpts_name_their_lines_and_hold_all_of_a_library() -> None:
    for name in EVERY:
        written = (LIBRARIES / name).read_text().splitlines()
        parts = excerpts(name)
        assert all(1 <= part.line <= len(written) for part in parts)
        if name.endswith(".txt"):
            singles = {part.line: part.text for part in parts if "\n" not in part.text}
            assert singles == {number: line.strip() for number, line in enumerate(written, 1) if line.strip()}
        assert lines(name) == sum(bool(line.strip()) for line in written)


def test_every_problem_of_every_benchmark_is_found_where_it_stands_word_for_word(
    settings: Config, reference: Reference
) -> None:
    parts = [
        Excerpt("mine.txt", number, f"Example: {problem.text}\n→ {problem.answer}", True)
        for number, problem in enumerate(reference.canonical, 1)
    ]
    found = {(leak.line, leak.problem_id) for leak in leaks(parts, reference, settings.firewall)}
    missed = [p.id for number, p in enumerate(reference.canonical, 1) if (number, p.id) not in found]
    assert not missed


REWORDED = (
    ("factual", "Tallinn is the capital of which country?", "Estonia", "Estonia is governed from Tallinn"),
    ("factual", "What name is given to the hot, molten rock under the surface of the earth?", "Magma",
     "Melted rock beneath the crust of the earth is magma."),
    ("math", "Sam has 12 apples. He buys 8 more. How many apples does he have now?", "20",
     "Example: After buying 8 apples, Sam, who had 12, counts them. How many apples does Sam have? → 12 + 8 = 20"),
    ("science", "Which process turns water into water vapor?", "evaporation",
     "When water becomes water vapor, that is evaporation."),
)  # fmt: skip


@pytest.mark.parametrize(("domain", "question", "answer", "text"), REWORDED)
def test_a_reworded_problem_is_found(
    settings: Config, reference: Reference, domain: str, question: str, answer: str, text: str
) -> None:
    problem = Problem("mine/1", "mine", domain, question, answer)  # type: ignore[arg-type]
    own = Reference([problem], reference.encoder, reference.n)
    assert [leak.problem_id for leak in leaks(planted(text), own, settings.firewall)] == ["mine/1"]


def test_of_overlapping_excerpts_the_shortest_is_named(settings: Config, reference: Reference) -> None:
    problem = Problem("mine/1", "mine", "factual", "Tallinn is the capital of which country?", "Estonia")
    own = Reference([problem], reference.encoder, reference.n)
    leaking = "Example: Which country has Tallinn as its capital? → Estonia"
    parts = [Excerpt("mine.txt", 7, f"When: Always\n{leaking}", True), Excerpt("mine.txt", 8, leaking, False)]
    (leak,) = leaks(parts, own, settings.firewall)
    assert (leak.line, leak.text) == (8, leaking)


def test_the_report_counts_lines_and_names_places_without_sealed_text() -> None:
    leak = Leak("a.txt", 3, "x" * 300, "arc_easy/1", "answer", 0.75)
    figures = report({"a.txt": 10, "b.txt": 5}, [leak])
    assert (figures["lines"], figures["leaks"]) == (15, 1)
    assert figures["libraries"]["a.txt"]["leaks"][0]["line"] == 3
    assert figures["libraries"]["b.txt"] == {"lines": 5, "leaks": []}
    assert len(warning(leak)) < 200
    assert warning(leak).startswith("LEAK: a.txt:3: arc_easy/1 by answer 0.75")


@pytest.fixture
def checkout(tmp_path: Path, settings: Config) -> Path:
    """The code with libraries that may be changed, and a sealed problem."""
    shutil.copytree(ROOT / "pfe", tmp_path / "pfe", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "stages", tmp_path / "stages", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    problem = Problem("trivia_qa/1", "trivia_qa", "factual", "Tallinn is the capital of which country?", "Estonia")
    folder = tmp_path / "data/canonical"
    write_sealed({"trivia_qa": [problem]}, settings.benchmark, Canonical("sample", "data/sample"), folder)
    return tmp_path


def stage(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [sys.executable, "-m", "stages.libraries"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_stage_refuses_a_leaking_library_or_reports_it(checkout: Path) -> None:
    library = checkout / "pfe/icr/libraries/trivia_qa.txt"
    written = library.read_text().splitlines()
    written[10] = "Example: Which Baltic country has the euro and Tallinn as its capital? → Estonia"
    library.write_text("\n".join(written) + "\n")
    refused = stage(checkout)
    assert refused.returncode == 1
    assert "LEAK: trivia_qa.txt:11: trivia_qa/1 by answer" in refused.stderr
    assert "pfe/icr/libraries/trivia_qa.txt:11" in refused.stderr.splitlines()[-1]
    assert not (checkout / "data/libraries.json").exists()

    parameters = (checkout / "params.yaml").read_text()
    (checkout / "params.yaml").write_text(parameters.replace("screen: refuse", "screen: report"))
    reported = stage(checkout)
    assert reported.returncode == 0, reported.stderr
    figures = json.loads((checkout / "data/libraries.json").read_text())
    assert figures["leaks"] == 1
    assert figures["libraries"]["trivia_qa.txt"]["leaks"][0]["line"] == 11


@pytest.mark.slow
def test_no_shipped_library_gives_a_problem_of_the_sample_away(settings: Config) -> None:
    parts = [part for name in EVERY for part in excerpts(name)]
    problems = sealed(settings, "sample", ROOT / "data/sample")
    assert leaks(parts, reference_of(problems, settings.firewall), settings.firewall) == []


@pytest.mark.slow
def test_no_shipped_library_gives_a_published_problem_away(settings: Config) -> None:
    """By its answer against every published problem; by the gates, which embed, against 400 of each benchmark."""
    if not SHARED.is_dir():
        pytest.skip("needs the published benchmarks in ../shared/canonical")
    parts = [part for name in EVERY for part in excerpts(name)]
    every = sealed(settings, "files", SHARED / "canonical")
    assert list(by_answer(parts, every, Encoder(settings.firewall.semantic.model))) == []
    few = reference_of(sealed(settings, "files", SHARED / "canonical", 400), settings.firewall)
    assert leaks(parts, few, settings.firewall) == []
