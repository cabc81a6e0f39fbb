"""The firewall's three commands, as a person types them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pfe.firewall.firewall import Finding, Verdict
from pfe.problem import Problem
from tests.conftest import ROOT

BAKER = "A baker sells 12 rolls in the morning and 8 in the afternoon. How many rolls does she sell in all?"
OTHER = "A train leaves at noon and travels for 3 hours at 80 km an hour. How far does it get before it stops?"


def firewall(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pfe.firewall", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def lines(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_check_screens_anybody_s_data_set(tmp_path: Path) -> None:
    mine = lines(
        tmp_path / "mine.jsonl",
        {"text": f"Question: {BAKER} Answer: 20"}, {"question": OTHER, "answer": "240"}, {"question": ""},
    )  # fmt: skip
    canonical = lines(tmp_path / "benchmark.jsonl", {"question": BAKER, "answer": "20"})
    done = firewall("check", str(mine), "--against", str(canonical), "--out", str(tmp_path / "out"))
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines() == [
        f"3 candidates against 1 canonical problems of {canonical}",
        "        1 passed",
        "        1 token_overlap",
        "        1 error",
        f"{tmp_path}/out/verdicts and {tmp_path}/out/findings say which and why",
    ]
    verdicts = Verdict.read(tmp_path / "out/verdicts/00000.parquet")
    assert [verdict.reason for verdict in verdicts] == ["token_overlap", "passed", "error"]
    assert {f.gate for f in Finding.read(tmp_path / "out/findings/00000.parquet")} >= {"token_overlap", "error"}


def test_check_of_clean_data_exits_with_0_and_takes_other_thresholds(tmp_path: Path) -> None:
    mine = lines(tmp_path / "mine.jsonl", {"question": f"{BAKER[:40]} and then {OTHER}", "answer": "240"})
    canonical = lines(tmp_path / "benchmark.jsonl", {"question": BAKER, "answer": "20"})
    against = ("check", str(mine), "--against", str(canonical), "--gates", "spec")
    assert firewall(*against).returncode == 0
    assert firewall(*against, "-S", "threshold=0.05").returncode == 1


def test_check_reads_the_benchmarks_as_their_authors_published_them(tmp_path: Path) -> None:
    mine = lines(tmp_path / "mine.jsonl", {"question": OTHER, "answer": "240"})
    published = sorted((ROOT / "data/sample").rglob("*.jsonl"))
    for path in published:
        few = tmp_path / path.relative_to(ROOT)
        few.parent.mkdir(parents=True)
        few.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    done = firewall("check", str(mine), "--against", str(tmp_path / "data/sample"), "--gates", "spec")
    assert done.returncode == 0, done.stderr
    assert f"1 candidates against {5 * len(published)} canonical problems" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "nowhere.jsonl", "--against", "data/sample"], "nowhere.jsonl: no such file or folder"),
        (["check", "README.md", "--against", "data/sample"], "README.md: no candidates' file by its name"),
        (["check", "data/fncall", "--against", "nowhere"], "nowhere: no such file or folder"),
        (["check", "data/fncall", "--against", "data/sample", "--gates", "strickt"], "did you mean 'strict'?"),
        (["check", "data/fncall", "--against", "data/sample", "-S", "treshold=1"], "did you mean 'threshold'?"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line(arguments: list[str], told: str) -> None:
    done = firewall(*arguments)
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_explain_shows_the_problem_beside_its_match(tmp_path: Path) -> None:
    canonical = Problem("gsm1k/1", "gsm1k", "math", BAKER, "20")
    Problem.write([canonical], tmp_path / "data/canonical/gsm1k.parquet")
    finding = Finding(
        "s/1", "s", "token_overlap", "token_overlap", 0.8, 0.3, 0.5, "gsm1k/1", 8, 10, "", 0.0, "",
        (), (), (), (), (), f"{BAKER} Show your work.",
    )  # fmt: skip
    Finding.write([finding], tmp_path / "data/rejections/s.parquet")
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    done = subprocess.run(
        [sys.executable, "-m", "pfe.firewall", "explain", "s/1"],
        cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "s/1: rejected: token_overlap",
        "",
        "token_overlap 0.800 > 0.3, 8 of 10 n-grams in gsm1k/1",
        f"  candidate   ⟦{BAKER[:-1]}⟧? Show your work.",
        f"  canonical   ⟦{BAKER[:-1]}⟧?",
    ], done.stderr
    nobody = subprocess.run(
        [sys.executable, "-m", "pfe.firewall", "explain", "s/2"],
        cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert "s/2: no rejection and no near miss of this id" in nobody.stderr
