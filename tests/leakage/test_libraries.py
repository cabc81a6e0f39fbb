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
from pfe.evaluation.arms import libraries_in_context
from pfe.firewall.reference import Reference
from pfe.icr.contexts import LIBRARIES
from pfe.icr.retrieval import Entry
from pfe.leakage.excerpts import Excerpt, entry_excerpts, entry_lines, excerpts, lines
from pfe.leakage.libraries import Leak, by_answer, leaks, remedy, report, warning, withheld_sources
from pfe.problem import Problem
from pfe.screening.sealed import reference_of
from pfe.tutors.base import base
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


@pytest.mark.slow
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


def test_entries_of_the_base_are_screened_line_by_line_and_whole_and_solved_problems_as_a_whole() -> None:
    method = Entry("math", "base/math.txt", 7, "METHOD: A\nWhen: B\nDo: C", "METHOD: A\nWhen: B\nDo: C")
    fact = Entry("factual", "base/factual.txt", 3, "Cats purr.", "Cats purr.")
    solved = Entry("math", "gsm1k_synth/x/s1/2", 1, "2 + 3?", "Example: 2 + 3?\n→ 2 + 3 = 5")
    assert [(part.line, part.text) for part in entry_excerpts(method)] == [
        (7, "METHOD: A"), (8, "When: B"), (9, "Do: C"), (7, "METHOD: A\nWhen: B"), (8, "When: B\nDo: C"),
        (7, method.text),
    ]  # fmt: skip
    assert [part.text for part in entry_excerpts(fact)] == ["Cats purr."]
    assert entry_excerpts(solved) == (Excerpt("gsm1k_synth/x/s1/2", 1, solved.text, True, solved=True),)
    assert entry_lines([method, fact, solved, solved]) == {"base/math.txt": 3, "base/factual.txt": 1, "gsm1k_synth": 4}


def test_a_solved_problem_is_judged_by_the_gates_and_a_fact_by_its_answer_too(
    settings: Config, reference: Reference
) -> None:
    trivia = Problem("trivia/1", "trivia", "factual", "How many muffins does Ivy bake for guests?", "24")
    sums = Problem("sums/1", "sums", "math", "Ivy bakes 4 trays of 6 muffins for guests. How many muffins?", "24")
    own = Reference([trivia, sums], reference.encoder, reference.n)
    text = "Example: Ivy bakes 4 trays of 6 muffins for guests. How many muffins?\n→ 4 * 6 = 24"
    solved, told = Excerpt("a/b/s1/1", 1, text, True, solved=True), Excerpt("base/factual.txt", 1, text, True)
    assert [leak.problem_id for leak in leaks([solved], own, settings.firewall)] == ["sums/1"]
    assert [leak.problem_id for leak in leaks([told], own, settings.firewall)] == ["sums/1", "trivia/1"]


def test_what_tutors_made_is_withheld_and_what_is_written_has_to_be_mended() -> None:
    made = Entry("science", "arc_synth/organ_job/heart: pumps", 1, "The heart pumps.", "The heart pumps.")
    mine = Entry("science", "base/science.txt", 4, "Iron rusts.", "Iron rusts.")
    leaking = [Leak(entry.source, entry.line, entry.text, "arc_easy/1", "answer", 1.0) for entry in (made, mine)]
    assert withheld_sources([made, mine], leaking) == [made.source]
    assert remedy(leaking[1]) == "pfe/icr/base/science.txt:4; write another entry there"
    assert report({"arc_synth": 1}, [], [made.source])["withheld"] == [made.source]


@pytest.fixture
def checkout(tmp_path: Path, settings: Config) -> Path:
    """The code with the beginnings of libraries, which may be changed, and a sealed problem."""
    shutil.copytree(ROOT / "pfe", tmp_path / "pfe", ignore=shutil.ignore_patterns("__pycache__"))
    for library in (tmp_path / "pfe/icr/libraries").glob("*.txt"):
        library.write_text("".join(library.read_text().splitlines(keepends=True)[:20]))
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


@pytest.mark.slow
def test_the_stage_refuses_a_leaking_library_or_reports_it(checkout: Path) -> None:
    library = checkout / "pfe/icr/libraries/trivia_qa.txt"
    written = library.read_text().splitlines()
    written[10] = "Example: Which Baltic country has the euro and Tallinn as its capital? → Estonia"
    library.write_text("\n".join(written) + "\n")
    refused = stage(checkout)
    assert refused.returncode == 2
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
def test_the_stage_writes_the_base_of_the_chosen_arm_without_what_leaks(checkout: Path) -> None:
    folder = checkout / "pfe/icr/base"
    for file in folder.glob("*.txt"):
        file.unlink()
    (folder / "factual.txt").write_text("CATEGORY: Cities\n- Riga lies on the Daugava.\n")
    tutors = checkout / "pfe/tutors/base.py"
    tutors.write_text(
        tutors.read_text()
        .replace('"gsm1k_synth": 200, "mbpp_synth": 150', '"gsm1k_synth": 2')
        .replace("told = sentence(fact)", 'told = "Tallinn, the capital, lies in the country of Estonia."')
        .replace("in facts(SCIENCE):", "in facts(SCIENCE)[:1]:")
    )
    parameters = (checkout / "params.yaml").read_text()
    (checkout / "params.yaml").write_text(parameters.replace("  - placebo\n", "  - placebo\n  - retrieved\n"))
    done = stage(checkout)
    assert done.returncode == 0, done.stderr
    entries = Entry.read(checkout / "data/base.parquet")
    assert [entry.source.partition("/")[0] for entry in entries] == ["base", "gsm1k_synth", "gsm1k_synth"]
    figures = json.loads((checkout / "data/libraries.json").read_text())
    assert figures["leaks"] == 0
    assert [source.partition("/")[0] for source in figures["withheld"]] == ["arc_synth"]

    (folder / "factual.txt").write_text("CATEGORY: Cities\n- Tallinn is the capital of the country Estonia.\n")
    refused = stage(checkout)
    assert refused.returncode == 2
    assert "pfe/icr/base/factual.txt:2; write another entry there" in refused.stderr.splitlines()[-1]


def shipped() -> list[Excerpt]:
    """All that any arm may show: the libraries and the base."""
    libraries = [part for name in EVERY for part in excerpts(name)]
    return libraries + [part for entry in base() for part in entry_excerpts(entry)]


@pytest.mark.gate
def test_the_default_experiment_shows_no_library_that_gives_a_problem_of_its_sample_away(settings: Config) -> None:
    names = libraries_in_context(settings.benchmark.values(), settings.evaluate.arms)
    problems = [one for one in sealed(settings, "sample", ROOT / "data/sample") if not one.library_bound]
    parts = [part for name in names for part in excerpts(name)]
    assert leaks(parts, reference_of(problems, settings.firewall), settings.firewall) == []


@pytest.mark.slow
@pytest.mark.parametrize(("source", "path"), [("sample", ROOT / "data/sample"), ("files", SHARED / "canonical")])
def test_no_shipped_library_gives_a_problem_away(source: str, path: Path, settings: Config) -> None:
    """By its answer against every problem; by the gates, which embed, against 100 of each benchmark.

    The stage of every experiment holds the libraries to all that it examines by.
    """
    if not path.is_dir():
        pytest.skip("needs the published benchmarks in ../shared/canonical")
    parts = shipped()
    unsolved = [part for part in parts if not part.solved]
    assert list(by_answer(unsolved, sealed(settings, source, path), Encoder(settings.firewall.semantic.model))) == []
    few = reference_of(sealed(settings, source, path, 100), settings.firewall)
    assert leaks(parts, few, settings.firewall) == []
