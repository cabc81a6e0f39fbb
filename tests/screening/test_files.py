"""Screening files: the same verdicts whatever the engine and the shards, resumption, unreadable rows."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from pfe import params
from pfe.config import Firewall
from pfe.embedding.encoder import Encoder
from pfe.errors import UserError
from pfe.firewall.firewall import screen
from pfe.firewall.reference import Reference
from pfe.problem import Problem, Variant
from pfe.rows.files import read, split
from pfe.screening import files as screening
from pfe.screening.files import findings, screen_files, verdicts
from pfe.screening.sealed import reference_of
from pfe.tutors.generate import candidates as generated
from tests.conftest import ROOT

PROBLEMS = generated("gsm1k_synth", 60, 0, library_bound=0.0)
CANONICAL = [replace(problem, id=f"gsm1k/{i}", set="gsm1k") for i, problem in enumerate(PROBLEMS[::6])]


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference(CANONICAL, Encoder("all-MiniLM-L6-v2"), 5)


@pytest.fixture
def candidates(tmp_path: Path) -> Path:
    """Sixty rows in two files; some are canonical, two cannot be read."""
    folder = tmp_path / "candidates"
    folder.mkdir()
    rows = [json.dumps({"id": p.id, "question": p.question, "answer": p.answer}) for p in PROBLEMS[:30]]
    rows[7] = '{"question": "cut sho'
    rows[11] = '{"question": null, "answer": "7"}'
    (folder / "a.jsonl").write_text("\n".join(rows))
    Problem.write(PROBLEMS[30:], folder / "b.parquet")
    return folder


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "split", lambda paths: split(paths, rows=9, size=2000))


def said(parts: list[screening.Part]) -> list[tuple[str, str]]:
    return [(verdict.problem_id, verdict.reason) for verdict in verdicts(parts)]


def test_shards_change_no_verdict(
    reference: Reference, strict: Firewall, candidates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = screen_files([candidates], reference, strict, tmp_path / "whole")
    monkeypatch.setattr(screening, "split", lambda paths: split(paths, rows=7, size=1500))
    parts = screen_files([candidates], reference, strict, tmp_path / "parts")
    assert len(parts) > 6 > len(whole)
    assert said(parts) == said(whole)
    rows = [row.problem for shard in split([candidates]) for batch in read(shard) for row in batch]
    problems = [row for row in rows if isinstance(row, Problem)]
    direct = [(verdict.problem_id, verdict.reason) for verdict in screen(problems, reference, strict).verdicts]
    assert [pair for pair in said(whole) if pair[1] != "error"] == direct
    assert {reason for _, reason in direct} >= {"passed", "token_overlap"}


def test_what_cannot_be_read_is_rejected_in_its_place(
    reference: Reference, strict: Firewall, candidates: Path, tmp_path: Path
) -> None:
    parts = screen_files([candidates], reference, strict, tmp_path / "work")
    found = list(verdicts(parts))
    assert len(found) == 60
    assert [place for place, verdict in enumerate(found) if verdict.reason == "error"] == [7, 11]
    assert found[7].detail.startswith("not JSON")
    assert [f.detail for f in findings(parts) if f.gate == "error"] == [found[7].detail, found[11].detail]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["datatrove", pytest.param("ray", marks=pytest.mark.slow)])
def test_every_engine_gives_the_verdicts_of_this_process(
    engine: Literal["datatrove", "ray"],
    reference: Reference,
    strict: Firewall,
    candidates: Path,
    tmp_path: Path,
    small_shards: None,
) -> None:
    """Two workers on this machine."""
    here = screen_files([candidates], reference, strict, tmp_path / "here")
    there = screen_files([candidates], reference, replace(strict, engine=engine, workers=2), tmp_path / "there")
    assert said(there) == said(here)
    assert [replace(f, score=round(f.score, 4), margin=0, runner_up_score=0) for f in findings(there)] == [
        replace(f, score=round(f.score, 4), margin=0, runner_up_score=0) for f in findings(here)
    ]


def test_another_threshold_measures_nothing_again(
    reference: Reference, strict: Firewall, candidates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = said(screen_files([candidates], reference, strict, tmp_path / "work"))

    def measured(*_: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(screening, "measure", measured)
    after = said(screen_files([candidates], reference, replace(strict, threshold=0.0), tmp_path / "work"))
    assert Counter(reason for _, reason in after)["token_overlap"] > Counter(r for _, r in before)["token_overlap"]
    fewer = replace(strict, gates={**strict.gates, "dilution": None})
    with pytest.raises(AssertionError, match="measured again"):
        screen_files([candidates], reference, fewer, tmp_path / "work")


def test_a_changed_shard_is_screened_again(
    reference: Reference, strict: Firewall, candidates: Path, tmp_path: Path
) -> None:
    screen_files([candidates], reference, strict, tmp_path / "work")
    rows = (candidates / "a.jsonl").read_text().splitlines()
    rows[1] = json.dumps({"id": "c/1", "question": CANONICAL[0].question, "answer": "7"})
    (candidates / "a.jsonl").write_text("\n".join(rows))
    assert said(screen_files([candidates], reference, strict, tmp_path / "work"))[1] == ("c/1", "token_overlap")


def test_a_truncated_shard_is_no_shard(
    reference: Reference, strict: Firewall, candidates: Path, tmp_path: Path
) -> None:
    whole = (candidates / "b.parquet").read_bytes()
    (candidates / "b.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=r"b\.parquet"):
        screen_files([candidates], reference, strict, tmp_path / "work")


KILLED = """
import os, signal, sys
from pathlib import Path
import yaml
from pfe import config, params
from pfe.embedding.encoder import Encoder
from pfe.screening import files as screening
from pfe.firewall.reference import Reference
from pfe.rows.files import split
from tests.screening.test_files import CANONICAL

screening.split = lambda paths: split(paths, rows=9, size=2000)
settings = config.load(Path("params.yaml")).firewall
measure, calls = screening.measure, []

def counted(problems, reference, settings):
    calls.append(1)
    if len(calls) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(problems, reference, settings)

screening.measure = counted
reference = Reference(CANONICAL, Encoder("all-MiniLM-L6-v2"), 5)
screening.screen_files([Path(sys.argv[1])], reference, settings, Path(sys.argv[2]))
print(len(calls))
"""


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_at_the_shard(candidates: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(candidates), str(tmp_path / "work")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    killed = subprocess.run([*command, "4"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    resumed = subprocess.run([*command, "-1"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert resumed.returncode == 0, resumed.stderr
    shards = len(split([candidates], rows=9, size=2000))
    assert int(resumed.stdout) == shards - 3
    leftovers = [path.name for path in (tmp_path / "work").rglob("*.tmp")]
    assert len([name for name in leftovers if "parquet" in name]) <= 2


def test_engine_and_workers_are_parameters_of_the_experiment() -> None:
    composed = params.composed(["firewall.engine=ray", "firewall.workers=8"])
    assert (composed["firewall"]["engine"], composed["firewall"]["workers"]) == ("ray", 8)


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    """Configurations are composed from the repository's root."""
    before = Path.cwd()
    os.chdir(ROOT)
    yield
    os.chdir(before)


def test_a_kept_result_that_was_damaged_is_made_again(
    candidates: Path, strict: Firewall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pfe.embedding.vectors.fastest", lambda: ("torch", "float32"))  # the quickest to load
    reference = Reference(CANONICAL, Encoder("all-MiniLM-L6-v2"), 5)

    def screened() -> list[object]:
        parts = screen_files([candidates], reference, strict, tmp_path / "work")
        return [*verdicts(parts), *findings(parts)]

    first = screened()
    for pattern in ("*.verdicts.parquet", "*.findings.parquet", "*.npz", "*.sha256"):
        files = sorted((tmp_path / "work").rglob(pattern))
        assert files, pattern
        for file in files:
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            file.write_bytes(content)
        assert screened() == first, pattern
    for file in (tmp_path / "work").rglob("*.*"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert screened() == first


def test_what_stands_in_a_library_of_a_problem_is_screened_too(
    tmp_path: Path, reference: Reference, strict: Firewall
) -> None:
    copied = CANONICAL[0].question
    entries = tuple(f"In the hall of number {n} nobody may whistle or carry a lamp." for n in range(30))
    clean = Problem("s/0", "s", "reading", "Who may whistle in the hall?", "nobody", library=entries, skill="lookup")
    changed = Variant("changed", (*entries[1:], copied), "the keeper", "nobody")
    rows = [
        clean,
        replace(clean, id="s/1", library=(*entries, copied)),
        replace(clean, id="s/2", question=copied),
        replace(clean, id="s/3", library=entries[1:], variants=(changed,)),
        replace(clean, id="s/4", library=entries[1:]),
    ]
    Problem.write(rows, tmp_path / "s.parquet")
    parts = screen_files([tmp_path / "s.parquet"], reference, strict, tmp_path / "work")
    assert [reason == "passed" for _, reason in said(parts)] == [True, False, False, False, False]
    rejected = {finding.problem_id for finding in findings(parts) if finding.verdict != "passed"}
    assert rejected == {"s/1", "s/2", "s/3", "s/4"}, "problems that share a library are judged by all that any brings"


def test_libraries_that_answer_sealed_problems_are_compared_with_too(tmp_path: Path, strict: Firewall) -> None:
    told = "Whoever enters the granary of Ossel after dark pays seven coins to the miller, unless it rains."
    against = (
        "Since the flood, who enters the granary of Ossel after dark owes nine sacks of barley to nobody but the duke."
    )
    elsewhere = "No ferry leaves the harbour of Quenn while a bell is ringing on the hill above the salt works."
    variants = (
        Variant("contradicted", (against,), "nine sacks", "seven coins"),
        Variant("irrelevant", (elsewhere,), "unknown"),
    )
    sealed = Problem("i/1", "i", "invented", "What is paid?", "seven coins", library=(told,), variants=variants)
    rows = [Problem(f"s/{number}", "s", "reading", text, "x") for number, text in enumerate((told, against, elsewhere))]
    Problem.write(rows, tmp_path / "s.parquet")
    parts = screen_files([tmp_path / "s.parquet"], reference_of([sealed], strict), strict, tmp_path / "work")
    assert [reason == "passed" for _, reason in said(parts)] == [False, False, True]
