"""What is read is what dvc.lock says was written, by the real `dvc`'s own hashes."""

import os
import re
import subprocess
import sys
from copy import deepcopy
from io import StringIO
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from pfe.errors import UserError
from pfe.lock import hash_of, stages_of, verify
from tests.conftest import ROOT
from tests.pipeline.conftest import runner

PIPELINE = """
stages:
  write:
    foreach: {one: 1, two: 2}
    do:
      cmd: mkdir -p data/made/${key}/inner && echo ${item} > data/made/${key}/inner/a.txt && echo b > data/made/${key}/b
      outs: ["data/made/${key}"]
  sum:
    cmd: cat data/made/*/inner/a.txt > data/sum.txt && echo '{}' > metrics.json
    deps: [data/made, source.txt]
    outs: [data/sum.txt]
    metrics: [{metrics.json: {cache: false}}]
  use:
    foreach: {one: {of: data/made/one}, own: {of: source.txt}}
    do:
      cmd: cp -r ${item.of} data/used-${key}
      deps: ["${item.of}"]
      outs: ["data/used-${key}"]
  last:
    cmd: cp data/sum.txt data/last.txt
    deps: [data/sum.txt, metrics.json]
    outs: [data/last.txt]
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline of three stages after `dvc repro`."""
    folder = tmp_path_factory.mktemp("pipeline")
    (folder / "dvc.yaml").write_text(PIPELINE)
    (folder / "source.txt").write_text("here\n")
    (folder / ".dvcignore").write_text("*.tmp\n__pycache__\n")
    run = runner(folder)
    for command in (["git", "init", "-q"], ["dvc", "init", "-q"], ["dvc", "repro", "-q"]):
        run(*command)
    return folder


@pytest.fixture
def changed(pipeline: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    subprocess.run(["cp", "-r", f"{pipeline}/.", str(tmp_path)], check=True)
    return tmp_path


def test_what_dvc_wrote_is_what_is_read(pipeline: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for stage in ("write", "sum", "last"):
        verify(stage, root=pipeline)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("stage", "file", "named"),
    [
        ("sum", "data/made/one/inner/a.txt", "write@one"),
        ("sum", "data/made/two/b", "write@two"),
        ("sum", "data/made/two/a new file", "write@two"),
        ("last", "data/sum.txt", "sum"),
        ("last", "metrics.json", "sum"),
    ],
)
def test_a_changed_input_is_refused_with_the_stage_that_writes_it(
    changed: Path, stage: str, file: str, named: str
) -> None:
    (changed / file).unlink(missing_ok=True)
    (changed / file).write_text("1")
    with pytest.raises(UserError, match=rf"not what dvc.lock says {named} wrote; run `dvc repro {named}`"):
        verify(stage, root=changed)


def test_what_a_parameter_names_is_held_against_the_lock_too(changed: Path) -> None:
    verify("use", "one", changed)
    (changed / "data/made/one/b").write_text("forged")
    verify("use", "own", changed)
    with pytest.raises(UserError, match=r"data/made/one: not what dvc.lock says"):
        verify("use", "one", changed)


@pytest.mark.parametrize(
    ("stage", "file", "key"),
    [
        ("score", "data/predictions/base/arc_easy.parquet", None),
        ("answer_keys", "data/synthetic/arc_synth.parquet", None),
        ("corpus", "data/answer_keys/arc_synth.parquet", None),
        ("train", "data/corpus/problems.parquet", None),
        ("evaluate", "data/canonical/arc_easy.parquet", "base"),
        ("evaluate", "data/models/student/model.safetensors", "student"),
        ("report", "data/certificate.json", None),
        ("measure", "data/competition/runs.parquet", None),
        ("judge", "data/competition/measured.parquet", None),
    ],
)
def test_every_stage_refuses_forged_input(stage: str, file: str, key: str | None, tmp_path: Path) -> None:
    _forged(tmp_path, file)
    with pytest.raises(UserError, match=r"not what dvc.lock says"):
        verify(stage, key, root=tmp_path)


@pytest.mark.parametrize(
    ("stage", "file"),
    [("score", "data/predictions/base/arc_easy.parquet"), ("answer_keys", "data/synthetic/arc_synth.parquet")],
)
def test_a_stage_run_by_hand_says_so_in_one_line(stage: str, file: str, tmp_path: Path) -> None:
    _forged(tmp_path, file)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", f"stages.{stage}"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "not what dvc.lock says" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def _forged(folder: Path, file: str) -> None:
    """The pipeline of this checkout with a lock in which every stage was run, and a file that it does not name."""
    for name in ("dvc.yaml", "params.yaml"):
        (folder / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    lock = YAML().load(ROOT / "dvc.lock")
    lock["stages"]["train"] = {"cmd": "", "outs": [_locked("data/models/base"), _locked("data/models/student")]}
    for model in ("base", "student"):
        lock["stages"][f"evaluate@{model}"] = {
            "cmd": "",
            "deps": [{"path": f"data/models/{model}"}],
            "outs": [_locked(f"data/predictions/{model}")],
        }
    YAML().dump(lock, folder / "dvc.lock")
    (folder / file).parent.mkdir(parents=True)
    (folder / file).write_text("forged")


def _locked(path: str) -> dict[str, str]:
    return {"path": path, "md5": "0" * 32}


def test_a_deleted_file_of_a_folder_is_a_change(changed: Path) -> None:
    (changed / "data/made/one/b").unlink()
    with pytest.raises(UserError, match=r"data/made/one: not what dvc.lock says"):
        verify("sum", root=changed)


def test_ignored_files_are_no_change(changed: Path) -> None:
    (changed / "data/made/one/.a.txt.17.tmp").write_text("half")
    (changed / "data/made/one/__pycache__").mkdir()
    (changed / "data/made/one/__pycache__/x.pyc").write_text("")
    verify("sum", root=changed)


def test_what_the_lock_does_not_name_is_said_in_one_line(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "WARNING: not verified, for dvc.lock does not say what was written there:"
    (changed / "data/made/three").mkdir()
    verify("sum", root=changed)
    assert capsys.readouterr().err == f"{said} data/made/three\n"
    for number in range(4, 8):
        (changed / f"data/made/{number}").mkdir()
    verify("sum", root=changed)
    assert capsys.readouterr().err == f"{said} data/made/4, data/made/5, data/made/6 and 2 more\n"
    (changed / "dvc.lock").unlink()
    verify("last", root=changed)
    assert capsys.readouterr().err == f"{said} data/sum.txt, metrics.json\n"


def test_what_is_refused_is_not_buried_under_what_is_not_verified(
    changed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (changed / "data/made/three").mkdir()
    (changed / "data/made/two/b").write_text("forged")
    with pytest.raises(UserError, match=r"data/made/two: not what dvc.lock says"):
        verify("sum", root=changed)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("file", ["dvc.lock", "dvc.yaml"])
@pytest.mark.parametrize(
    "content",
    [
        b"<<<<<<< HEAD\nstages:\n", b"[]", b"stages:", b"\xff", b"{a: 2026-13-45}", b"[" * 10_000,
        b"{schema: '2.0', stages: [sum]}", b"{schema: '2.0', stages: {sum: }}", b"{schema: '2.0', stages: {sum: 1}}",
    ],
)  # fmt: skip
def test_a_damaged_file_of_dvc_is_told(changed: Path, file: str, content: bytes) -> None:
    (changed / file).write_bytes(content)
    with pytest.raises(UserError, match=rf"{file}: damaged \(.*\); take it from git again"):
        verify("sum", root=changed)


def test_what_dvc_takes_for_right_is_right(changed: Path) -> None:
    (changed / "dvc.yaml").write_text("")
    for content in ("schema: '2.0'\n", "schema: '2.0'\ndatasets: []\n"):
        (changed / "dvc.lock").write_text(content)
        verify("sum", root=changed)


def test_both_sides_of_a_merge_are_refused_by_line(changed: Path) -> None:
    lock = changed / "dvc.lock"
    stage = "  last:\n    cmd: cp data/sum.txt data/last.txt\n"
    lock.write_text(lock.read_text() + stage)
    with pytest.raises(UserError, match=r"dvc\.lock: damaged \(line \d+: 'last' stands there twice\)"):
        verify("last", root=changed)
    lock.write_text(lock.read_text().removesuffix(stage))
    (changed / "dvc.yaml").write_text(PIPELINE + stage)
    with pytest.raises(UserError, match=r"dvc\.yaml: damaged \(line \d+: 'last' stands there twice\)"):
        verify("last", root=changed)


def test_no_name_of_our_code_is_in_what_is_said_of_a_damaged_file(changed: Path) -> None:
    for content in ("[]", "1", "{}", "{schema: '2.0', stages: []}", "{schema: '2.0', stages: {a: {cmd: 1}}}",
                    "{schema: '2.0', stages: {1: {cmd: a}}}", "a: [",
                    "{schema: '2.0', stages: {a: {cmd: a, deps: 1}}}"):  # fmt: skip
        with pytest.raises(UserError) as refused:
            stages_of(content.encode(), changed / "dvc.lock")
        assert not re.search(r"instance|_Lock|Stage|dictionary|\[key\]|\.str|list\[", str(refused.value))


@pytest.mark.parametrize("kind", ["deps", "outs"])
@pytest.mark.parametrize(
    ("place", "values"),
    [((), (None, "x", 1, {"path": "x"})), ((0,), (None, "x", 1, ["x"], {"md5": "a"})), ((0, "path"), (None, 1)),
     ((0, "md5"), (1, []))],
)  # fmt: skip
def test_damaged_files_of_a_stage_of_a_lock_are_refused_by_file_and_place(
    changed: Path, kind: str, place: tuple[str | int, ...], values: tuple[object, ...]
) -> None:
    for value in values:
        check_refused(changed, (kind, *place), value)


@pytest.mark.parametrize(
    ("place", "values"),
    [(("params",), (None, "x", ["x"])), (("params", "params.yaml"), (None, "x", ["x"])), (("cmd",), (None, 1, {}))],
)
def test_what_else_is_damaged_of_a_stage_of_a_lock_is_refused_by_file_and_place(
    changed: Path, place: tuple[str | int, ...], values: tuple[object, ...]
) -> None:
    for value in values:
        check_refused(changed, place, value)


def check_refused(folder: Path, place: tuple[str | int, ...], value: object) -> None:
    """That `value` at a place of the stage `sum` in dvc.lock is refused in one line, by that place."""
    lock = yaml.safe_load((folder / "dvc.lock").read_text())
    inner = lock["stages"]["sum"]
    for part in place[:-1]:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else inner[part]
    inner[place[-1]] = value
    damaged = folder / "damaged.lock"
    damaged.write_text(yaml.safe_dump(lock))
    with pytest.raises(UserError) as refused:
        stages_of(damaged.read_bytes(), damaged)
    named = ".".join(map(str, ("stages", "sum", *place)))
    assert str(refused.value).startswith(f"{damaged}: damaged ({named}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("schema", ["'1.0'", "'3.0'", "2.0", "", "[]"])
def test_a_lock_of_another_schema_is_refused(changed: Path, schema: str) -> None:
    text = (changed / "dvc.lock").read_text()
    (changed / "dvc.lock").write_text(text.replace("schema: '2.0'", f"schema: {schema}"))
    with pytest.raises(UserError, match=r"dvc\.lock: damaged \(schema: Input should be '2\.0'\)"):
        verify("last", root=changed)


@pytest.mark.parametrize("kind", ["deps", "outs", "metrics", "plots"])
@pytest.mark.parametrize("value", [None, "x", [None], [1]])
def test_a_damaged_stage_of_a_pipeline_is_refused_by_file_and_place(changed: Path, kind: str, value: object) -> None:
    pipeline = yaml.safe_load(PIPELINE)
    for stage, place in (("sum", "sum"), ("write", "write.do")):
        damaged = deepcopy(pipeline)
        (damaged["stages"][stage].get("do") or damaged["stages"][stage])[kind] = value
        (changed / "dvc.yaml").write_text(yaml.safe_dump(damaged))
        with pytest.raises(UserError, match=rf"dvc\.yaml: damaged \(stages\.{place}\.{kind}"):
            verify("last", root=changed)


@pytest.mark.slow
def test_the_hash_of_an_empty_folder_and_of_odd_names_is_dvcs(tmp_path: Path) -> None:
    run = runner(tmp_path)
    for command in (["git", "init", "-q"], ["dvc", "init", "-q"]):
        run(*command)
    folder = tmp_path / "folder"
    for name in ("a b", "ä", "z/y/x", "z.y", "Z", ".hidden"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    run("dvc", "add", "-q", "folder")
    assert f"md5: {hash_of(folder)}" in (tmp_path / "folder.dvc").read_text()


LOOKS_ELSE = (
    "24:00:00",
    "1:30.5",
    "on",
    "off",
    "yes",
    "No",
    "y",
    "true",
    "1e3",
    "0o10",
    "010",
    "1_000",
    "~",
    "null",
    "",
)


EXPONENTS = (1e-05, 5e-324, 1e16, 1.5e-07, -1e-06, 1e22, -2.5e30, float("inf"), -float("inf"))


@given(
    st.one_of(st.sampled_from(LOOKS_ELSE), st.sampled_from(EXPONENTS),
              st.text("0123456789:.-+_eonyf", max_size=9), st.booleans(), st.none(),
              st.integers(-10**9, 10**9), st.floats(allow_nan=False))
)  # fmt: skip
def test_a_lock_says_the_parameters_that_dvc_wrote(value: str | bool | float | None) -> None:
    """By ruamel.yaml, with which DVC writes a lock: YAML 1.2, where 24:00:00 and on need no quotes."""
    text = StringIO()
    train = {"cmd": "train", "params": {"params.yaml": {"key": value}}}
    YAML().dump({"schema": "2.0", "stages": {"train": train}}, text)
    read = stages_of(text.getvalue().encode(), Path("dvc.lock"))["train"].parameters["key"]
    assert (type(read), read) == (type(value), value)
