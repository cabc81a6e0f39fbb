"""What is read is what dvc.lock says was written, by the real `dvc`'s own hashes."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
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
    assert done.returncode == 1
    assert "not what dvc.lock says" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def _forged(folder: Path, file: str) -> None:
    """Lock and pipeline of this checkout, and a file that is not what the lock says."""
    for name in ("dvc.yaml", "dvc.lock", "params.yaml"):
        (folder / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / file).parent.mkdir(parents=True)
    (folder / file).write_text("forged")


def test_a_deleted_file_of_a_folder_is_a_change(changed: Path) -> None:
    (changed / "data/made/one/b").unlink()
    with pytest.raises(UserError, match=r"data/made/one: not what dvc.lock says"):
        verify("sum", root=changed)


def test_ignored_files_are_no_change(changed: Path) -> None:
    (changed / "data/made/one/.a.txt.17.tmp").write_text("half")
    (changed / "data/made/one/__pycache__").mkdir()
    (changed / "data/made/one/__pycache__/x.pyc").write_text("")
    verify("sum", root=changed)


def test_what_the_lock_does_not_name_is_said(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (changed / "data/made/three").mkdir()
    verify("sum", root=changed)
    assert capsys.readouterr().err == (
        "WARNING: data/made/three: not verified, for dvc.lock does not say what was written there\n"
    )
    (changed / "dvc.lock").unlink()
    verify("last", root=changed)
    assert [line.split(":")[1] for line in capsys.readouterr().err.splitlines()] == [" data/sum.txt", " metrics.json"]


@pytest.mark.parametrize(
    "content", ["<<<<<<< HEAD\nstages:\n", "", "[]", "stages:", "stages: [sum]", "stages: {sum: }", "stages: {sum: 1}"]
)
def test_a_damaged_lock_is_told(changed: Path, content: str) -> None:
    (changed / "dvc.lock").write_text(content)
    with pytest.raises(UserError, match=r"dvc.lock: damaged; take it from git again"):
        verify("sum", root=changed)


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


@given(
    st.one_of(st.sampled_from(LOOKS_ELSE), st.text("0123456789:.-+_eonyf", max_size=9), st.booleans(), st.none(),
              st.integers(-10**9, 10**9), st.floats(allow_nan=False))
)  # fmt: skip
def test_a_lock_says_the_parameters_that_dvc_wrote(value: str | bool | float | None) -> None:
    """By ruamel.yaml, with which DVC writes a lock: YAML 1.2, where 24:00:00 and on need no quotes."""
    text = StringIO()
    YAML().dump({"stages": {"train": {"params": {"params.yaml": {"key": value}}}}}, text)
    read = stages_of(text.getvalue().encode(), Path("dvc.lock"))["train"]["params"]["params.yaml"]["key"]
    assert (type(read), read) == (type(value), value)
