"""`pfe check`, `pfe explain` and `pfe verify`, as a person types them."""

import csv
import gzip
import hashlib
import io
import json
import os
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pfe.__main__ import main
from pfe.canonical.seal import write_sealed
from pfe.config import Config
from pfe.firewall.firewall import Finding, Verdict
from pfe.problem import Problem
from pfe.screening.checking import Filed
from tests.conftest import ROOT

BAKER = "A baker sells 12 rolls in the morning and 8 in the afternoon. How many rolls does she sell in all?"
OTHER = "A train leaves at noon and travels for 3 hours at 80 km an hour. How far does it get before it stops?"


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def firewall(*arguments: str, cwd: Path = ROOT) -> Done:
    """A command in this process, which has loaded the models."""
    output, errors = io.StringIO(), io.StringIO()
    status = 0
    with chdir(cwd), redirect_stdout(output), redirect_stderr(errors):
        try:
            main(*arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Done(status, output.getvalue(), errors.getvalue())


def lines(path: Path, *rows: Mapping[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_check_says_what_it_compared_with_what_and_what_came_of_it(tmp_path: Path) -> None:
    mine = lines(
        tmp_path / "mine.jsonl",
        {"text": f"Question: {BAKER} Answer: 20"}, {"question": OTHER, "answer": "240"}, {"question": ""},
    )  # fmt: skip
    canonical = lines(tmp_path / "benchmark.jsonl", {"question": BAKER, "answer": "20"})
    out = tmp_path / "out"
    command = ("check", str(mine), "--against", str(canonical), "--out", str(out))
    done = firewall(*command)
    assert done.returncode == 1, done.stderr
    again = firewall(*command)
    assert (again.returncode, f"{out}: is there already (findings, " in again.stderr) == (2, True)
    said = done.stdout.splitlines()[:4]
    gates, passed, rejected, unjudged, *_, where = done.stdout.splitlines()[4:]
    assert said == [
        "canonical   1 problem in 1 file",
        f"          1  {sha256(canonical)}  {canonical}",
        "candidates  3 rows in 1 file",
        f"          3  {sha256(mine)}  {mine}",
    ]
    assert gates.startswith("gates       token_overlap > 0.3, semantic_similarity > 0.85, ")
    assert (passed, rejected) == ("        1 passed", "        1 token_overlap")
    assert unjudged == "        1 error, not judged: mine.jsonl:3: no text in 'question'"
    assert where == f"{out}/verdicts and {out}/findings say which and why: pfe explain --in {out} ID"
    verdicts = Verdict.read(out / "verdicts/00000.parquet")
    assert [verdict.reason for verdict in verdicts] == ["token_overlap", "passed", "error"]
    assert {f.gate for f in Filed.read(out / "findings/00000.parquet")} >= {"token_overlap", "error"}
    record = json.loads((out / "screening.json").read_text())
    assert record["canonical"] == {str(canonical): {"rows": 1, "sha256": sha256(canonical)}}
    assert record["reasons"] == {"passed": 1, "token_overlap": 1, "error": 1}


def test_check_of_clean_data_exits_with_0_and_takes_other_thresholds(tmp_path: Path) -> None:
    mine = lines(tmp_path / "mine.jsonl", {"question": f"{BAKER[:40]} and then {OTHER}", "answer": "240"})
    canonical = lines(tmp_path / "benchmark.jsonl", {"question": BAKER, "answer": "20"})
    against = ("check", str(mine), "--against", str(canonical), "--gates", "spec")
    assert firewall(*against).returncode == 0
    assert firewall(*against, "-S", "threshold=0.05").returncode == 1


@pytest.mark.slow
def test_check_reads_the_benchmarks_as_their_authors_published_them_and_every_other_file_too(tmp_path: Path) -> None:
    published = sorted((ROOT / "data/sample").rglob("*.jsonl"))
    for path in published:
        few = tmp_path / path.relative_to(ROOT)
        few.parent.mkdir(parents=True)
        few.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    (tmp_path / "data/sample/unheard_of").mkdir()
    lines(tmp_path / "data/sample/unheard_of/test.jsonl", {"prompt": OTHER, "completion": "240"})
    lines(tmp_path / "data/sample/gsm1k/train.jsonl", {"question": BAKER, "answer": "20"})
    (tmp_path / "data/sample/linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    lines(tmp_path / "elsewhere/a.jsonl", {"messages": [{"role": "user", "content": f"{BAKER} {OTHER}"}]})
    mine = lines(tmp_path / "mine.jsonl", {"question": OTHER}, {"question": BAKER})
    done = firewall("check", str(mine), "--against", str(tmp_path / "data/sample"), "--gates", "spec")
    assert done.returncode == 1, done.stderr
    files = len(published) + 3
    assert f"canonical   {5 * len(published) + 3} problems in {files} files" in done.stdout
    assert "2 token_overlap" in done.stdout
    assert "linked/a.jsonl" in done.stdout


COPIES: dict[str, dict[str, object]] = {
    "messages": {"messages": [{"role": "user", "content": BAKER}, {"role": "assistant", "content": "20"}]},
    "parts": {"messages": [{"role": "user", "content": [{"type": "text", "text": BAKER}]}]},
    "sharegpt": {"conversations": [{"from": "human", "value": BAKER}, {"from": "gpt", "value": "20"}]},
    "alpaca": {"instruction": "Solve this.", "input": BAKER, "output": "20"},
    "prompt": {"prompt": BAKER, "completion": "20"},
    "preference": {"chosen": [{"role": "user", "content": BAKER}], "rejected": []},
    "document": {"content": BAKER},
    "json": {"messages": json.dumps([{"role": "user", "content": BAKER}])},
    "nested": {"doc": {"question": BAKER}},
    "unasked": {"prompt": "", "completion": BAKER},
}


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_check_finds_a_copied_question_under_whatever_column(tmp_path: Path, suffix: str) -> None:
    canonical = lines(tmp_path / "benchmark.jsonl", {"question": BAKER, "answer": "20"})
    for name, row in COPIES.items():
        if suffix == "jsonl":
            lines(tmp_path / f"mine/{name}.jsonl", row)
        else:
            (tmp_path / "mine").mkdir(exist_ok=True)
            pq.write_table(pa.Table.from_pylist([row]), tmp_path / f"mine/{name}.parquet")
    done = firewall("check", str(tmp_path / "mine"), "--against", str(canonical), "--gates", "spec")
    assert done.returncode == 1, done.stderr
    assert f"{len(COPIES)} token_overlap" in done.stdout
    assert "0 passed" in done.stdout


SOLVED = (
    "In the morning she sells 12 rolls, and in the afternoon 8 more leave the counter, "
    "so that over the whole day 12 + 8 = 20 rolls are sold."
)
PROGRAM = '''def rolls_sold(morning, afternoon):
    """How many rolls a baker sells."""
    total = 0
    for sold in (morning, afternoon):
        if sold > 0:
            total += sold
    return total
'''
RENAMED = """def f(a, b):
    # count them
    t = 0
    for x in (a, b):
        if x > 0:
            t += x
    return t
"""
TESTS = ["assert rolls_sold(12, 8) == 20", "assert rolls_sold(0, 8) == 8", "assert rolls_sold(-1, 30) == 30"]
ANSWERED: dict[str, dict[str, object]] = {
    "answer": {"question": OTHER, "answer": SOLVED},
    "completion": {"prompt": OTHER, "completion": SOLVED},
    "output": {"instruction": OTHER, "input": "", "output": SOLVED},
    "solution": {"question": OTHER, "answer": "240", "solution": SOLVED},
    "assistant": {"messages": [{"role": "user", "content": OTHER}, {"role": "assistant", "content": SOLVED}]},
    "system": {"messages": [{"role": "system", "content": SOLVED}, {"role": "user", "content": OTHER}]},
    "tool": {"messages": [{"role": "user", "content": OTHER}, {"role": "tool", "content": SOLVED}]},
    "call": {"messages": [{"role": "user", "content": OTHER},
                          {"role": "assistant", "tool_calls": [{"function": {"arguments": json.dumps([SOLVED])}}]}]},
    "turn": {"conversations": [{"from": "human", "value": OTHER}, {"from": "gpt", "value": SOLVED},
                               {"from": "human", "value": "And?"}, {"from": "gpt", "value": "That is all."}]},
    "chosen": {"prompt": OTHER, "chosen": SOLVED, "rejected": "No."},
    "rejected": {"prompt": OTHER, "chosen": "No.", "rejected": SOLVED},
    "notes": {"question": OTHER, "notes": {"of": [SOLVED]}},
    "question": {"question": SOLVED, "answer": "none"},
    "asked": {"question": OTHER, "answer": BAKER},
    "ours": {"id": "1", "set": "s", "domain": "reading", "question": OTHER, "answer": "240", "completion": SOLVED},
    "code": {"question": OTHER, "code": PROGRAM},
    "renamed": {"prompt": OTHER, "completion": f"Here it is:\n```python\n{RENAMED}```"},
    "tests": {"question": OTHER, "test_list": TESTS},
}  # fmt: skip


def test_check_finds_copied_answers_solutions_programs_and_tests_under_whatever_column(tmp_path: Path) -> None:
    canonical = lines(
        tmp_path / "benchmark.jsonl",
        {"question": BAKER, "answer": f"{SOLVED}\n#### 20"},
        {"text": "Write a function that adds what a baker sells in two parts of a day.", "code": PROGRAM,
         "test_list": TESTS},
    )  # fmt: skip
    for name, row in ANSWERED.items():
        lines(tmp_path / f"mine/{name}.jsonl", row)
    done = firewall("check", str(tmp_path / "mine"), "--against", str(canonical), "--out", str(tmp_path / "out"))
    assert done.returncode == 1, done.stderr
    passed = [
        v.problem_id for path in sorted((tmp_path / "out/verdicts").iterdir()) for v in Verdict.read(path) if v.safe
    ]
    assert not passed
    assert "error" not in done.stdout


def silent(path: Path) -> None:
    """Canonical sides and candidates of which nothing, or not all, could be compared, each in a folder."""
    question = {"question": BAKER}
    lines(path / "good.jsonl", question)
    lines(path / "empty/a.jsonl")
    lines(path / "blank/a.jsonl").write_text("\n \r\n\n")
    (path / "nothing").mkdir()
    lines(path / "unknown/test.xml")
    lines(path / "skipped/a.jsonl", question)
    lines(path / "skipped/deep/b.xml")
    lines(path / "hidden/a.jsonl", question)
    lines(path / "hidden/.b.xml")
    lines(path / "part/gsm1k/test.jsonl", {"question": BAKER, "answer": "#### 20"})
    lines(path / "part/unheard/test.txt")
    (path / "columns").mkdir()
    pq.write_table(pa.table({"question": [1, 2]}), path / "columns/a.parquet")
    (path / "groups").mkdir()
    pq.write_table(pa.table({"question": pa.array([], pa.string())}), path / "groups/a.parquet")
    (path / "wide").mkdir()
    (path / "wide/a.jsonl").write_text(json.dumps(question), encoding="utf-16")
    (path / "packed").mkdir()
    (path / "packed/a.jsonl").write_bytes(gzip.compress(json.dumps(question).encode()))
    (path / "unpacked").mkdir()
    (path / "unpacked/a.jsonl.gz").write_text(json.dumps(question))
    (path / "misnamed").mkdir()
    pq.write_table(pa.table({"question": [BAKER]}), path / "misnamed/a.jsonl")
    lines(path / "link/a.jsonl", question)
    (path / "link/b.jsonl").symlink_to(path / "gone.jsonl")
    lines(path / "pipe/a.jsonl", question)
    os.mkfifo(path / "pipe/b.jsonl")


SILENT = (
    "empty blank nothing unknown skipped hidden part columns groups wide packed unpacked misnamed link pipe "
    "empty/a.jsonl unknown/test.xml columns/a.parquet gone.jsonl"
)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["against", "candidates"])
def test_nothing_passes_where_nothing_or_not_all_was_compared(tmp_path: Path, side: str) -> None:
    silent(tmp_path)
    good = str(tmp_path / "good.jsonl")
    for name in SILENT.split():
        path = str(tmp_path / name)
        candidates, against = (good, path) if side == "against" else (path, good)
        done = firewall("check", candidates, "--against", against)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), (name, done)
        assert name.partition("/")[0] in done.stderr


def canonical_rows(path: Path) -> dict[str, Path]:
    """Canonical files with one row that nothing could be compared with."""
    rows: dict[str, object] = {
        "null": None, "nulls": {"question": None, "answer": None}, "no messages": {"messages": []}, "list": [BAKER],
        "no word": {"question": "?! …"}, "cut": "cut", "no UTF-8": "bytes",
    }  # fmt: skip
    for name, row in rows.items():
        line = {"cut": b'{"question": "A baker se', "bytes": b'{"question": "\xff\xfe"}'}.get(str(row))
        (path / f"{name}.jsonl").write_bytes(b'{"question": "Which one?"}\n' + (line or json.dumps(row).encode()))
    return {name: path / f"{name}.jsonl" for name in rows}


@pytest.mark.slow
def test_every_canonical_row_must_be_one_to_compare_with(tmp_path: Path) -> None:
    good = lines(tmp_path / "good/mine.jsonl", {"question": OTHER})
    for name, path in canonical_rows(tmp_path).items():
        done = firewall("check", str(good), "--against", str(path))
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), (name, done)
        assert f"{name}.jsonl" in done.stderr


def test_candidates_that_cannot_be_judged_do_not_pass(tmp_path: Path) -> None:
    good = lines(tmp_path / "good/benchmark.jsonl", {"question": BAKER})
    files = canonical_rows(tmp_path)
    for path in files.values():
        path.write_bytes(path.read_bytes().partition(b"\n")[2])
    mine = lines(tmp_path / "mine.jsonl", {"question": OTHER})
    done = firewall("check", str(mine), *map(str, files.values()), "--against", str(good), "--gates", "spec")
    assert done.returncode == 1
    assert f"{len(files)} error, not judged" in done.stdout
    assert "        1 passed" in done.stdout


def test_where_no_row_can_be_read_the_columns_that_were_seen_are_named(tmp_path: Path) -> None:
    good = lines(tmp_path / "good/benchmark.jsonl", {"question": BAKER})
    mine = lines(tmp_path / "mine.jsonl", {"question": None, "body": 4}, {"question": "", "number": 7})
    done = firewall("check", str(mine), "--against", str(good), "--gates", "spec")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "none of 2 rows can be judged (mine.jsonl:1, mine.jsonl:2: no text in 'question')" in done.stderr
    assert "columns seen: question, body, number; say which holds what by --column question=COLUMN" in done.stderr


@pytest.mark.slow
def test_a_sealed_folder_is_compared_whole_or_not_at_all(tmp_path: Path, settings: Config) -> None:
    mine = lines(tmp_path / "mine.jsonl", {"question": BAKER})
    sealed = tmp_path / "data/canonical"
    problems = {"gsm1k": [Problem("gsm1k/1", "gsm1k", "math", OTHER, "240")]}
    write_sealed(problems, settings.benchmark, settings.canonical, sealed)
    assert firewall("check", str(mine), "--against", str(sealed), "--gates", "spec").returncode == 0
    around = firewall("check", str(mine), "--against", str(tmp_path / "data"))
    assert (around.returncode, f"holds the sealed folder {sealed}" in around.stderr) == (2, True)
    lines(sealed / "more.jsonl", {"question": BAKER})
    more = firewall("check", str(mine), "--against", str(sealed))
    assert (more.returncode, "more.jsonl: not under the seal" in more.stderr) == (2, True)
    (sealed / "more.jsonl").unlink()
    (sealed / "SEAL.json").write_text("{}")
    assert firewall("check", str(mine), "--against", str(sealed)).returncode == 2


def test_gates_that_could_reject_nothing_are_refused(tmp_path: Path) -> None:
    mine = lines(tmp_path / "mine.jsonl", {"question": BAKER})
    off = [f"-S{name}" for name in ("threshold=1", "semantic.threshold=1.0", "structure=false", "+gates.language=true")]
    done = firewall("check", str(mine), "--against", str(mine), "--gates", "spec", *off)
    assert (done.returncode, "every gate that compares is off" in done.stderr) == (2, True)


def test_files_without_data_are_left_out_by_name_only(tmp_path: Path) -> None:
    lines(tmp_path / "mine/a.jsonl", {"question": OTHER})
    for name in ("README.md", "notes.md", ".git/config", "deep/.git/x.jsonl", ".gitignore"):
        lines(tmp_path / "mine" / name)
    canonical = lines(tmp_path / "b.jsonl", {"question": BAKER})
    command = ("check", str(tmp_path / "mine"), "--against", str(canonical), "--gates", "spec")
    assert "--leave-out" in firewall(*command).stderr
    done = firewall(*command, "--leave-out", "*.md", "--leave-out", ".git")
    assert (done.returncode, "1 row in 1 file" in done.stdout) == (0, True), done.stderr
    (said,) = (line for line in done.stdout.splitlines() if line.startswith("left out    "))
    assert {Path(name).name.rstrip(",") for name in said.split()} >= {"README.md", "notes.md", "config", "x.jsonl"}


@pytest.mark.slow
def test_no_folder_of_the_user_s_is_replaced_by_results(tmp_path: Path) -> None:
    for name in ("conf", "params.yaml"):
        (tmp_path / name).symlink_to(ROOT / name)
    mine = lines(tmp_path / "corpus/mine.jsonl", {"question": BAKER})
    canonical = lines(tmp_path / "benchmark/b.jsonl", {"question": BAKER})
    lines(tmp_path / "other/precious.txt", {"x": 1})
    lines(tmp_path / "false/screening.json", {"made_by": "pfe check"})
    lines(tmp_path / "false/verdicts/notes.txt")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "other")
    before = sorted(path for path in tmp_path.rglob("*") if "conf" not in path.parts)
    outs = (
        "corpus", "corpus/new", "corpus/..", ".", "..", "", "benchmark", "benchmark/x", "other", "other/", "link",
        "empty/..", "empty/../other", "false", str(tmp_path), "/", "corpus/mine.jsonl", "corpus/mine.jsonl/x",
        "/proc/x",
    )  # fmt: skip
    for out in outs:
        done = firewall("check", str(mine.parent), "--against", str(canonical.parent), "--out", out, cwd=tmp_path)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), (out, done)
        assert sorted(path for path in tmp_path.rglob("*") if "conf" not in path.parts) == before, out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "a.jsonl"], "Missing option '--against'"),
        (["check", "nobody/nothing", "--against", "data/sample"], "nobody/nothing: no such file or folder here"),
        (["check", "data/fncall", "--against", "data/sample", "--column", "body"], "say what the column is, as"),
        (["check", "data/fncall", "--against", "data/sample", "--column", "asked=body"], "no column is a 'asked'; "),
        (["check", "data/fncall", "--against", "gsm2k"], "nor a benchmark of that name; did you mean 'gsm1k'?"),
        (["check", "nowhere.jsonl", "--against", "data/sample"], "nowhere.jsonl: no such file or folder"),
        (["check", "CHANGELOG.mdd", "--against", "data/sample"], "did you mean 'CHANGELOG.md'?"),
        (["check", "data/sampel", "--against", "data/sample"], "did you mean 'data/sample'?"),
        (["check", "data/fncall", "--against", "CHANGELOG.mdd"], "did you mean 'CHANGELOG.md'?"),
        (["check", "data/fncall", "--against", "sample/gsm2k"], "no benchmark of the sample; did you mean 'gsm1k'?"),
        (["check", "data/fncall", "--against", "sampel"], "did you mean 'sample'?"),
        (["check", "README.md", "--against", "data/sample"], "README.md: no data file by its name"),
        (["check", "data/fncall", "--against", "nowhere"], "nowhere: no such file or folder"),
        (["check", "data/fncall", "--against", "docs"], "no data file by its name, and nothing may go unread"),
        (["check", "data/fncall", "--against", "data/sample", "--gates", "strickt"], "did you mean 'strict'?"),
        (["check", "data/fncall", "--against", "data/sample", "-S", "treshold=1"], "did you mean 'threshold'?"),
        (["check", "a\x1b[2J.jsonl", "--against", "data/sample"], "a\\x1b[2J.jsonl: no such file"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line(arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    done = firewall(*arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_explain_shows_the_problem_beside_its_match(tmp_path: Path) -> None:
    canonical = Problem("gsm1k/1", "gsm1k", "math", BAKER, "20")
    Problem.write([canonical], tmp_path / "data/canonical/gsm1k.parquet")
    finding = Finding(
        "s/1", "s", "token_overlap", "token_overlap", 0.8, 0.3, 0.5, "gsm1k/1", 8, 10, "", 0.0, "",
        (), (), (), (), (), f"{BAKER} Show your work.",
    )  # fmt: skip
    narrow = replace(finding, problem_id="s/3", verdict="passed", score=0.28, margin=-0.02)
    Finding.write([narrow, finding], tmp_path / "data/rejections/s.parquet")
    Problem.write([replace(canonical, id=f"s/{place}") for place in (1, 3, 4)], tmp_path / "data/candidates/s.parquet")
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    done = firewall("explain", "s/1", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "s/1: rejected: token_overlap",
        "",
        f"  candidate   ⟦{BAKER[:-1]}⟧? Show your work.",
        "",
        "token_overlap 0.800 > 0.3, 8 of 10 n-grams in gsm1k/1",
        f"  canonical   ⟦{BAKER[:-1]}⟧?",
    ], done.stderr
    accepted = firewall("explain", "s/4", cwd=tmp_path)
    assert (accepted.returncode, accepted.stdout.splitlines()) == (
        0, ["s/4: accepted; no gate rejected it, and none came near its threshold"],
    )  # fmt: skip
    for id, hint in (("s/2", "did you mean 's/1'?"), ("nope", "rejected were s/1")):
        nobody = firewall("explain", id, cwd=tmp_path)
        assert nobody.returncode == 2
        assert nobody.stderr.endswith(f"{id}: no candidate of data/candidates has this id; {hint}\n")
    (tmp_path / "empty").mkdir()
    nowhere = firewall("explain", "s/1", cwd=tmp_path / "empty")
    assert (nowhere.returncode, nowhere.stderr) == (
        2, "pfe: there is no experiment here; name what `pfe check --out` wrote: pfe explain --in FOLDER ID\n",
    )  # fmt: skip


SAME = {"question": BAKER, "answer": "20"}
COLD = {
    "question": "A lake froze for nine weeks while the snow lay deep. Who measured the ice?",
    "answer": "the warden",
}
MIXED = [COLD, SAME, {"question": OTHER, "answer": "240"}]


def table(path: Path, rows: list[dict[str, str]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_worst_pairs_are_shown_side_by_side_with_the_place_of_the_row(tmp_path: Path) -> None:
    mine = table(tmp_path / "mine.csv", MIXED)
    canonical = lines(tmp_path / "b.jsonl", {"id": "bakery", "question": BAKER})
    done = firewall("check", str(mine), "--against", str(canonical), "--gates", "spec")
    assert (done.returncode, "1 token_overlap" in done.stdout) == (1, True), done.stderr
    (head,) = (line for line in done.stdout.splitlines() if line.startswith(" 1  "))
    assert head.startswith(f" 1  {mine}, line 3 (mine.csv:3) · bakery · ")
    assert "token_overlap 1.000 > 0.3, 17 of 17 n-grams" in head
    (first,) = (line for line in done.stdout.splitlines() if line.startswith("    ⟦A baker"))
    assert first.count("⟦A baker sells 12 rolls") == 2


def test_no_more_than_ten_pairs_are_shown_and_copies_before_what_is_only_near(tmp_path: Path) -> None:
    near = BAKER.replace("How many rolls does she sell in all?", "Nobody knows how warm the oven gets at night.")
    mine = lines(tmp_path / "mine.jsonl", *({"question": f"{near} {n}"} for n in range(12)), {"question": BAKER})
    canonical = lines(tmp_path / "b.jsonl", {"question": BAKER})
    shown = firewall("check", str(mine), "--against", str(canonical), "--gates", "spec").stdout
    assert (" 1  " + f"{mine}, line 13" in shown, "\n10  " in shown, "\n11  " in shown) == (True, True, False)


@pytest.mark.parametrize(
    ("column", "status"), [((), 2), (("--column", "question=body"), 1), (("--column", "question=bdy"), 2)]
)
def test_a_column_is_what_it_is_said_to_be(tmp_path: Path, column: tuple[str, ...], status: int) -> None:
    rows = [{"body": BAKER, "question": "", "key": "20"}, {"body": OTHER, "question": "", "key": "240"}]
    mine = table(tmp_path / "mine.csv", [{"body": "", "question": "", "key": "x"}] if not column else rows)
    canonical = lines(tmp_path / "b.jsonl", SAME)
    done = firewall("check", str(mine), "--against", str(canonical), "--gates", "spec", *column)
    assert done.returncode == status, done.stderr
    assert ("columns seen: body, question, key" in done.stderr) == (status == 2)
    assert status == 2 or "1 passed" in done.stdout


def test_clean_writes_the_data_without_what_was_found_in_their_own_format(tmp_path: Path) -> None:
    mine = table(tmp_path / "mine.csv", MIXED)
    canonical = lines(tmp_path / "b.jsonl", SAME)
    rest = tmp_path / "rest.csv"
    against = ("--against", str(canonical), "--gates", "spec")
    done = firewall("check", str(mine), *against, "--clean", str(rest))
    assert done.returncode == 1, done.stderr
    assert done.stdout.endswith(f"{rest} has the 2 rows that passed, without the other 1\n")
    before = mine.read_bytes().splitlines(keepends=True)
    assert rest.read_bytes() == b"".join([*before[:2], before[3]])
    assert firewall("check", str(rest), *against).returncode == 0
    again = firewall("check", str(mine), *against, "--clean", str(rest))
    assert (again.returncode, f"{rest}: is there already, and is not replaced" in again.stderr) == (2, True)
    other = firewall("check", str(mine), *against, "--clean", str(tmp_path / "rest.jsonl"))
    assert (other.returncode, "another format than" in other.stderr) == (2, True)
    assert not (tmp_path / "rest.jsonl").exists()


def test_clean_of_a_folder_is_a_folder_with_every_file_in_its_place(tmp_path: Path) -> None:
    data = tmp_path / "data"
    table(data / "deep/a.csv", MIXED)
    lines(data / "b.jsonl", SAME, {"question": None}, COLD)
    (data / "deep/c.json").write_text(json.dumps(MIXED, indent=2))
    pq.write_table(pa.Table.from_pylist([SAME]), data / "d.parquet")
    datasets.DatasetDict({"train": datasets.Dataset.from_list(MIXED)}).save_to_disk(data / "saved")
    (data / "README.md").write_text("notes")
    canonical = lines(tmp_path / "benchmark.jsonl", SAME)
    clean = tmp_path / "clean"
    command = ("check", str(data), "--against", str(canonical), "--gates", "spec", "--clean", str(clean))
    done = firewall(*command)
    assert done.returncode == 1, done.stderr
    assert "clean has the 7 rows that passed, without the other 6" in done.stdout
    assert json.loads((clean / "deep/c.json").read_text()) == [MIXED[0], MIXED[2]]
    assert (clean / "b.jsonl").read_text() == json.dumps(COLD) + "\n"
    assert pq.read_table(clean / "d.parquet").num_rows == 0
    loaded = datasets.load_from_disk(clean / "saved")["train"]
    assert loaded.to_list() == [MIXED[0], MIXED[2]]
    state = (json.loads((folder / "saved/train/state.json").read_text()) for folder in (data, clean))
    assert len({one["_fingerprint"] for one in state}) == 2
    assert not (clean / "README.md").exists()
    assert firewall("check", str(clean), "--against", str(canonical), "--gates", "spec").returncode == 0
    (clean / "b.jsonl").write_text("mine now\n")
    again = firewall(*command)
    assert (again.returncode, f"{clean}: is there already" in again.stderr) == (2, True)
    assert (clean / "b.jsonl").read_text() == "mine now\n"


@pytest.mark.slow
def test_clean_writes_nothing_into_what_is_screened_or_where_something_is(tmp_path: Path) -> None:
    mine = lines(tmp_path / "data/mine.jsonl", SAME)
    canonical = lines(tmp_path / "benchmark/b.jsonl", SAME)
    lines(tmp_path / "other/precious.txt")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for data, clean in (
        (mine.parent, "data"), (mine.parent, "data/new"), (mine.parent, "."), (mine.parent, "benchmark"),
        (mine.parent, "other"), (mine, "data/mine.jsonl"), (mine, "benchmark/b.jsonl"), (mine, "other"),
        (mine, "other/precious.txt"), (mine, "data/mine.jsonl/x.jsonl"),
    ):  # fmt: skip
        done = firewall(
            "check", str(data), "--against", str(canonical), "--clean", clean, "--gates", "spec", cwd=tmp_path
        )
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), (clean, done)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    both = firewall("check", str(mine), "--against", str(canonical), "--out", "new", "--clean", "new/x", cwd=tmp_path)
    assert (both.returncode, "one in the other" in both.stderr) == (2, True)


def test_findings_say_where_and_what_and_explain_shows_them_without_the_data(tmp_path: Path) -> None:
    mine = lines(tmp_path / "mine.jsonl", *({"id": "twice", **row} for row in (COLD, SAME, SAME)))
    canonical = lines(tmp_path / "b.jsonl", {"id": "bakery", **SAME})
    out = tmp_path / "out"
    assert firewall("check", str(mine), "--against", str(canonical), "--out", str(out)).returncode == 1
    overlap = [one for one in Filed.read(out / "findings/00000.parquet") if one.gate == "token_overlap"]
    assert [(one.problem_id, one.file, one.place) for one in overlap] == [
        ("twice", str(mine), 2),
        ("twice", str(mine), 3),
    ]
    assert {(one.text, one.canonical_text) for one in overlap} == {(BAKER, BAKER)}
    mine.unlink()
    canonical.unlink()
    told = firewall("explain", "--in", str(out), f"{mine}, line 3")
    assert told.stdout.splitlines()[:2] == [f"{mine}, line 3", "twice: rejected: token_overlap"], told.stderr
    assert told.stdout.count(BAKER) == 2  # once on each side, whatever the number of gates
    assert f"  canonical   ⟦{BAKER}" in told.stdout
    by_id = firewall("explain", "--in", str(out), "twice").stdout
    assert [line for line in by_id.splitlines() if line.startswith(str(mine))] == [f"{mine}, line {n}" for n in (2, 3)]
    nobody = firewall("explain", "--in", str(out), "twic")
    assert (nobody.returncode, "did you mean 'twice'?" in nobody.stderr) == (2, True)
    strange = firewall("explain", "--in", str(tmp_path), "twice")
    assert (strange.returncode, "no result of `pfe check`" in strange.stderr) == (2, True)


def test_canonical_problems_of_one_id_are_told_apart(tmp_path: Path) -> None:
    lines(tmp_path / "side/a.jsonl", {"id": 1, "question": BAKER}, {"id": 2, "question": COLD["question"]})
    lines(tmp_path / "side/b.jsonl", {"id": 1, "question": OTHER})
    mine = lines(tmp_path / "mine.jsonl", {"question": BAKER}, {"question": OTHER})
    out = tmp_path / "out"
    firewall("check", str(mine), "--against", str(tmp_path / "side"), "--gates", "spec", "--out", str(out))
    overlap = [one for one in Filed.read(out / "findings/00000.parquet") if one.gate == "token_overlap"]
    assert [one.canonical_text for one in overlap] == [BAKER, OTHER]
    assert [one.canonical_id for one in overlap] == [f"1 ({tmp_path}/side/{name}.jsonl, row 0)" for name in "ab"]


def test_a_benchmark_is_compared_with_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"question": BAKER, "answer": "She sells 12 + 8 = 20.\n#### 20"}] * 1205

    def loaded(hub: str, *_: object, **__: object) -> list[dict[str, str]]:
        return rows if hub == "ScaleAI/gsm1k" else []

    monkeypatch.setattr(datasets, "load_dataset", loaded)
    mine = lines(tmp_path / "mine.jsonl", SAME, COLD)
    done = firewall("check", str(mine), "--against", "gsm1k", "--gates", "spec")
    assert done.returncode == 1, done.stderr
    assert "canonical   1,205 problems in 1 file" in done.stdout
    assert "ScaleAI/gsm1k@bc09569d" in done.stdout


@pytest.mark.slow
def test_our_own_problems_are_compared_with_in_any_folder_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    copied = json.loads((ROOT / "data/sample/gsm1k/test.jsonl").read_text().splitlines()[0])["question"]
    lines(tmp_path / "mine.jsonl", {"question": copied})
    lines(tmp_path / "clean.jsonl", COLD)
    for side in ("sample", "sample/gsm1k"):
        done = firewall("check", "mine.jsonl", "--against", side, "--gates", "spec", cwd=tmp_path)
        assert (done.returncode, done.stderr.rpartition("\r")[2]) == (1, "")  # behind a bar, where it takes that long
        assert str(ROOT / "data/sample/gsm1k/test.jsonl") in done.stdout
    assert "in 1 file" in done.stdout.splitlines()[0]
    done = firewall("check", "clean.jsonl", "--against", "fncall", "--gates", "spec", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    offline = firewall("check", "clean.jsonl", "--against", "gsm1k", "--gates", "spec", cwd=tmp_path)
    assert offline.returncode == 2
    assert "--against sample/gsm1k" in offline.stderr
    (tmp_path / "sample").mkdir()
    lines(tmp_path / "sample/a.jsonl", {"question": OTHER})
    done = firewall("check", "mine.jsonl", "--against", "sample", "--gates", "spec", cwd=tmp_path)
    assert "sample/a.jsonl" in done.stdout
    assert done.returncode == 0


def test_rows_that_are_not_utf8_are_told_with_what_to_do(tmp_path: Path) -> None:
    rows = "".join(f"How many {noun}s does the café of Mr {noun} have?,4\n" for noun in ("cup", "chair", "spoon"))
    (tmp_path / "mine.csv").write_bytes(f"question,answer\nWhat is 2 + 2 and 3?,4\n{rows}".encode("latin-1"))
    canonical = lines(tmp_path / "benchmark.jsonl", {"question": BAKER})
    done = firewall("check", str(tmp_path / "mine.csv"), "--against", str(canonical), "--gates", "spec")
    assert done.returncode == 1
    assert "3 error, not judged: mine.csv:3, mine.csv:4, mine.csv:5: not UTF-8" in done.stdout
    assert "convert the file, as by iconv" in done.stdout
