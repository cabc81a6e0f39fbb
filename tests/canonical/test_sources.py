"""Bad rows, missing files, wrong counts, and the hub's loader on a local data set."""

import gzip
import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pytest

from pfe.canonical.sources import load, load_shots
from pfe.config import Benchmark, Canonical, Config
from pfe.errors import UserError
from pfe.evaluation.prompts import canonical_prompt
from pfe.problem import Problem
from pfe.scorers import score
from tests.conftest import DEFAULT, SHARED

PUBLISHED = [name for name, benchmark in DEFAULT.benchmark.items() if benchmark.hub]
ROW = {
    "id": "x1", "question": "Which tool measures air pressure?", "answerKey": "B",
    "choices": {"text": ["ruler", "barometer", "scale"], "label": ["A", "B", "C"]},
}  # fmt: skip


@pytest.fixture
def arc(settings: Config) -> Benchmark:
    return settings.benchmark["arc_easy"]


def folder(path: Path, lines: list[str], name: str = "test.jsonl") -> Canonical:
    (path / "arc_easy").mkdir()
    (path / "arc_easy" / name).write_text("\n".join(lines) + "\n")
    return Canonical("files", str(path))


def test_rows_become_problems(tmp_path: Path, arc: Benchmark) -> None:
    (problem,) = load("arc_easy", arc, folder(tmp_path, [json.dumps(ROW)]))
    assert (problem.id, problem.answer, problem.domain) == ("arc_easy/x1", "barometer", "science")
    assert problem.choices == ("ruler", "barometer", "scale")


def test_rows_of_usual_columns_need_no_reader_of_their_own(tmp_path: Path, arc: Benchmark) -> None:
    rows = [{"question": f"{n} + {n}?", "answer": f"{2 * n}"} for n in range(2)]
    sums = replace(arc, columns="named", form="generate", domain="math", scorer="number")
    problems = load("arc_easy", sums, folder(tmp_path, [json.dumps(row) for row in rows]))
    assert [(problem.id, problem.question, problem.answer) for problem in problems] == [
        ("arc_easy/0", "0 + 0?", "0"), ("arc_easy/1", "1 + 1?", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"prompt": "{context} {question}"}, "prompt: no problem of arc_easy has anything for {context}; allowed: {qu"),
        ({"prompt": "{tests}"}, "prompt: no problem of arc_easy has anything for {tests}; allowed: {question}"),
        ({"form": "suffix"}, "form: suffix: arc_easy/x1 has no blank _ of its own; set it to choices"),
        ({"columns": "gsm"}, "form: choices: arc_easy/0 has no choices; set it to generate"),
    ],
)
def test_what_a_benchmark_asks_with_and_its_rows_lack_is_told(
    tmp_path: Path, arc: Benchmark, changes: dict[str, Any], told: str
) -> None:
    row = {"question": "2 + 2?", "answer": "#### 4"} if "columns" in changes else ROW
    with pytest.raises(UserError, match=re.escape(f"benchmark.arc_easy.{told}")):
        load("arc_easy", replace(arc, **changes), folder(tmp_path, [json.dumps(row)]))


def test_a_gzipped_file_is_read_alike(tmp_path: Path, arc: Benchmark) -> None:
    plain = load("arc_easy", arc, folder(tmp_path, [json.dumps(ROW)]))
    path = tmp_path / "arc_easy" / "test.jsonl"
    with gzip.open(f"{path}.gz", "wt") as file:
        file.write(path.read_text())
    path.unlink()
    assert load("arc_easy", arc, Canonical("files", str(tmp_path))) == plain


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", r"test\.jsonl:2: not JSON"),
        ("[1]", r"test\.jsonl:2: not a JSON object"),
        (json.dumps({k: v for k, v in ROW.items() if k != "choices"}), r"test\.jsonl:2: .*column 'choices' is missing"),
        (json.dumps(ROW | {"answerKey": "Z"}), r"test\.jsonl:2: malformed arc_easy row"),
        (json.dumps(ROW | {"question": None}), r"test\.jsonl:2: malformed arc_easy row: expected text"),
        (json.dumps(ROW | {"choices": []}), r"test\.jsonl:2: malformed arc_easy row"),
        (json.dumps(ROW), "the id arc_easy/x1 occurs twice"),
    ],
)
def test_a_malformed_row_is_told_with_file_and_line(tmp_path: Path, arc: Benchmark, line: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        load("arc_easy", arc, folder(tmp_path, [json.dumps(ROW), line]))


def test_all_malformed_rows_are_told_at_once_and_alike_ones_together(tmp_path: Path, arc: Benchmark) -> None:
    rows = [json.dumps(ROW | {"question": None}), "{", json.dumps(ROW), json.dumps(ROW | {"question": None})]
    path = tmp_path / "arc_easy/test.jsonl"
    path.parent.mkdir()
    path.write_text("\n".join(rows))
    with pytest.raises(UserError) as told:
        load("arc_easy", arc, Canonical("files", str(tmp_path)))
    first, second = str(told.value).split("; ", 1)
    assert first.startswith(f"{path}:1, {path}:4: malformed arc_easy row: expected text")
    assert second.startswith(f"{path}:2: ")


def test_a_file_cut_short_is_told(tmp_path: Path, arc: Benchmark) -> None:
    canonical = folder(tmp_path, [], "test.jsonl")
    path = tmp_path / "arc_easy" / "test.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(ROW).encode() * 100)[:60])
    (tmp_path / "arc_easy" / "test.jsonl").unlink()
    with pytest.raises(UserError, match="damaged, cut short"):
        load("arc_easy", arc, canonical)


def test_a_missing_folder_says_which_parameter(tmp_path: Path, arc: Benchmark) -> None:
    with pytest.raises(UserError, match=r"no such folder; mend it with -S canonical\.path"):
        load("arc_easy", arc, Canonical("files", str(tmp_path / "nowhere")))


def test_a_missing_benchmark_says_what_to_do(tmp_path: Path, arc: Benchmark) -> None:
    with pytest.raises(UserError, match="add it, or leave arc_easy out"):
        load("arc_easy", arc, Canonical("files", str(tmp_path)))


def test_another_row_count_is_a_loud_warning_for_files(
    tmp_path: Path, arc: Benchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    load("arc_easy", arc, folder(tmp_path, [json.dumps(ROW)]))
    assert "WARNING: arc_easy: 1 rows" in capsys.readouterr().err


@pytest.fixture
def local_hub(tmp_path: Path) -> str:
    """A data set as the hub has them, on this disk: `load_dataset` takes its folder for a name."""
    rows: list[dict[str, Any]] = [ROW | {"id": f"x{i}"} for i in range(3)]
    (tmp_path / "set").mkdir()
    card = "---\nconfigs:\n- config_name: ARC-Easy\n  data_files:\n"
    for split in ("test", "train"):
        datasets.Dataset.from_list(rows).to_parquet(tmp_path / "set" / f"{split}-00000.parquet")
        card += f"  - split: {split}\n    path: {split}-*.parquet\n"
    (tmp_path / "set" / "README.md").write_text(f"{card}---\n")
    return str(tmp_path / "set")


def test_the_hub_s_loader_gives_the_same_problems(tmp_path: Path, arc: Benchmark, local_hub: str) -> None:
    local = replace(arc, hub=local_hub, revision=None, rows=(3,))
    problems = load("arc_easy", local, Canonical("hub", "-"))
    lines = [json.dumps(ROW | {"id": f"x{i}"}) for i in range(3)]
    assert problems == load("arc_easy", arc, folder(tmp_path, lines))


def test_another_row_count_is_an_error_for_the_hub(arc: Benchmark, local_hub: str) -> None:
    local = replace(arc, hub=local_hub, revision=None)
    with pytest.raises(UserError, match="3 rows on the hub, not 2,376"):
        load("arc_easy", local, Canonical("hub", "-"))


def test_no_network_is_one_line(arc: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(time, "sleep", lambda seconds: None)  # the hub's client waits 23 s between its tries
    with pytest.raises(UserError, match=r"cannot load arc_easy from the hub .* use -S canonical=files") as told:
        load("arc_easy", replace(arc, hub="nobody/nothing-at-all"), Canonical("hub", "-"))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("source", ["files", "gz", "hub", "path"])
@pytest.mark.parametrize(("count", "found"), [(2, 2), (200, 3)])
def test_shots_are_the_first_of_their_split_with_ids_of_their_own(
    tmp_path: Path, arc: Benchmark, local_hub: str, source: str, count: int, found: int
) -> None:
    arc = replace(arc, hub=local_hub, revision=None, shots=1, shots_split="train")
    lines = "".join(json.dumps(ROW | {"id": f"x{i}"}) + "\n" for i in range(3))
    canonical = folder(tmp_path, [], "test.jsonl") if source != "hub" else Canonical("hub", "-")
    if source == "path":
        arc = replace(arc, path=str(tmp_path / "arc_easy" / "test.jsonl"))
    if source in ("files", "path"):
        (tmp_path / "arc_easy" / "train.jsonl").write_text(lines)
    if source == "gz":
        (tmp_path / "arc_easy" / "train.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    shots = load_shots("arc_easy", arc, canonical, count)
    assert [shot.id for shot in shots] == [f"arc_easy/train/x{i}" for i in range(found)]
    assert {(shot.set, shot.question, shot.answer) for shot in shots} == {("arc_easy", ROW["question"], "barometer")}


@pytest.mark.parametrize("source", ["files", "hub"])
def test_a_source_without_the_split_has_no_shots(tmp_path: Path, arc: Benchmark, local_hub: str, source: str) -> None:
    arc = replace(arc, hub=local_hub, revision=None, shots=1)
    canonical = folder(tmp_path, [json.dumps(ROW)]) if source == "files" else Canonical("hub", "-")
    assert load_shots("arc_easy", replace(arc, shots_split="prompt"), canonical, 5) == []
    assert load_shots("arc_easy", replace(arc, shots_split=None), canonical, 5) == []
    assert load_shots("arc_easy", replace(arc, shots_split="test", shots=0), canonical, 5) == []


def test_what_goes_wrong_at_the_hub_is_told_for_shots_too(arc: Benchmark, local_hub: str) -> None:
    arc = replace(arc, hub=local_hub, revision=None, shots=1, shots_split="train")
    with pytest.raises(UserError, match=r"cannot load arc_easy from the hub .* use -S canonical=files"):
        load_shots("arc_easy", replace(arc, config="no-such-config"), Canonical("hub", "-"), 5)
    with pytest.raises(UserError, match=r"benchmark\.arc_easy\.hub is null"):
        load_shots("arc_easy", replace(arc, hub=None), Canonical("hub", "-"), 5)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_real_benchmarks_are_read_whole(name: str, settings: Config) -> None:
    if not (SHARED / "canonical" / name).is_dir():
        pytest.skip(f"no ../shared/canonical/{name} here: the real benchmark is not read")
    benchmark = settings.benchmark[name]
    problems = load(name, benchmark, Canonical("files", str(SHARED / "canonical")))
    assert name == "gsm1k" or len(problems) in benchmark.rows
    assert all(problem.answer in problem.choices for problem in problems if problem.choices)


@pytest.mark.parametrize("name", DEFAULT.benchmark)
def test_the_sample_has_its_number_of_distinct_problems_a_benchmark(name: str, settings: Config) -> None:
    benchmark = settings.benchmark[name]
    problems = load(name, benchmark, settings.canonical)
    assert len(problems) >= min(40, *benchmark.rows)
    assert len({problem.question + problem.context for problem in problems}) == len(problems)


TOOL = {
    "name": "send_email",
    "description": "Sends mail.",
    "parameters": {
        "type": "dict",
        "properties": {"recipient": {"type": "string"}, "from": {"type": "string"}, "copies": {"type": "integer"}},
        "required": ["recipient"],
    },
}
OURS: dict[str, Any] = {"id": "own-1", "request": "Mail Bo.", "functions": [TOOL, "get_weather"]}
LISTED = [{"send_email": {"recipient": ["Bo", "bo@x.org"], "from": ["", "me"], "copies": [1, ""]}}]


def calls(settings: Config, path: Path, row: dict[str, Any]) -> Problem:
    own = path / "own.jsonl"
    own.write_text(json.dumps(row), encoding="utf-8")
    benchmark = replace(settings.benchmark["fncall"], path=str(own), rows=(1,))
    (problem,) = load("own", benchmark, Canonical("sample", "data/sample"))
    return problem


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({"calls": 'send_email("Bo")'}, 'send_email("Bo")'),
        ({"calls": 'send_email("Bo")\nget_weather("Oslo")'}, 'send_email("Bo")\nget_weather("Oslo")'),
        ({"calls": "no call"}, "no call"),
        ({"possible_answer": LISTED}, 'send_email(recipient="Bo")'),
        ({"possible_answer": json.dumps(LISTED), "functions": json.dumps([TOOL])}, 'send_email(recipient="Bo")'),
        ({"possible_answer": [{"send_email": {"recipient": ["Bo"], "from": ["me"]}}]},
         '{"name": "send_email", "arguments": {"recipient": "Bo", "from": "me"}}'),
        ({"possible_answer": []}, "no call"),
    ],
)  # fmt: skip
def test_own_functions_and_the_values_that_count(
    settings: Config, tmp_path: Path, fields: dict[str, Any], answer: str
) -> None:
    problem = calls(settings, tmp_path, {**OURS, **fields})
    assert problem.answer == answer
    assert score("function_call", problem, answer).correct
    assert "send_email(recipient: str, from: str = ..., copies: int = ...)" in canonical_prompt(
        problem, settings.benchmark["fncall"]
    )
    Problem.write([problem], tmp_path / "own.parquet")
    assert Problem.read(tmp_path / "own.parquet") == [problem]


def test_the_columns_of_the_berkeley_leaderboard_are_read_as_they_are(settings: Config, tmp_path: Path) -> None:
    question = [[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Mail Bo."}]]
    row = {"id": "simple_0", "question": question, "function": [TOOL], "ground_truth": LISTED}
    problem = calls(settings, tmp_path, row)
    assert problem.question == "Be brief.\n\nMail Bo."
    assert score("function_call", problem, 'send_email(recipient="bo@x.org", from="me")').correct
    assert not score("function_call", problem, 'send_email(recipient="Al")').correct


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"calls": 'send_email(to="Bo")'}, "does not take these arguments"),
        ({"calls": "send_email()"}, "lacks an argument"),
        ({"calls": 'calculate("1")'}, "the answer calls calculate, not on offer"),
        ({"calls": "Mail him."}, "no calls: Mail him."),
        ({"calls": ""}, "expected text"),
        ({"possible_answer": [{"calculate": {}}]}, "the answer calls calculate, which is not on offer"),
        ({"possible_answer": [{"send_email": {"from": ["me"]}}]}, "send_email needs recipient"),
        ({"possible_answer": [{"send_email": {"recipient": ["Bo"], "cc": ["Al"]}}]}, "send_email does not take cc"),
        ({"possible_answer": [["send_email"]]}, "expected one"),
        ({}, "column 'possible_answer' is missing"),
        ({"calls": "no call", "functions": ["get_wether"]}, "did you mean 'get_weather'"),
        ({"calls": "no call", "functions": [{"title": "x"}]}, "cannot be called"),
        ({"calls": "no call", "request": None, "question": [["a"], ["b"]]}, "more than one turn"),
    ],
)
def test_a_gold_answer_that_its_functions_do_not_allow_is_told(
    settings: Config, tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=f"own.jsonl:1: .*{message}"):
        calls(settings, tmp_path, {**OURS, **fields})
