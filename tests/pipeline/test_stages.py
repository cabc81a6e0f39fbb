"""Every stage, started by hand, with all that a hand can get wrong: one line and a status, no traceback."""

import json
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from pfe import config
from pfe.params import composed
from tests.conftest import ROOT

STAGES = sorted(path.stem for path in (ROOT / "stages").glob("*.py") if path.stem != "__init__")
ARGUMENTS = {"evaluate": ["base"], "source": ["fncall"], "tutor": ["wide"]}
KINDS = "(model|source|embedded tutor)"
DECLARED = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
each_stage = pytest.mark.parametrize("script", STAGES)
# The stage `code` reads no parameters: what code there is does not depend on them.
each_stage_with_parameters = pytest.mark.parametrize("script", [script for script in STAGES if script != "code"])


class Ended(NamedTuple):
    """How a script ended."""

    status: int
    printed: str
    errors: str


Start = Callable[..., Ended]


@cache
def parameters() -> str:
    """params.yaml with an embedded tutor, so that every stage has something to do."""
    return yaml.safe_dump(composed(["student=scratch", "embedded=[wide]", "student.gkd.steps=1"]))


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Start:
    """Start a stage as `python -m stages.<script>` does, in a folder of its own that has conf/ and params.yaml."""
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(parameters())

    def started(script: str, *arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", [script, *arguments])
        status: Any = 0
        try:
            runpy.run_module(f"stages.{script}", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            status = end.code
        return Ended(status, *capsys.readouterr())

    return started


def assert_one_line(ended: Ended, words: str = "") -> None:
    lines = [line for line in ended.errors.splitlines() if line.startswith("pfe: ")]
    assert ended.status == 2, ended
    assert len(lines) == 1, ended.errors
    assert "Traceback" not in ended.errors
    assert re.search(words, lines[0]), lines[0]


@each_stage
def test_help_is_the_stage_s_docstring(script: str, start: Start) -> None:
    ended = start(script, "--help")
    assert ended.status == 0
    assert re.search(r"^Writes: ", ended.printed, re.MULTILINE)
    assert re.search(rf"dvc (repro|exp run) .*\b{script}\b", ended.printed)


@each_stage_with_parameters
def test_a_defect_in_any_stage_has_a_status_of_its_own(
    script: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("pfe.config.load", load)
    ended = start(script, *ARGUMENTS.get(script, []))
    assert ended.status == 70
    assert ended.errors.startswith("pfe: an error of PFE itself")


@pytest.mark.parametrize("script", ARGUMENTS)
def test_an_argument_that_is_not_utf8_is_refused(script: str, start: Start) -> None:
    assert_one_line(start(script, "\udcff"), r"the argument '\\udcff' is not UTF-8; rename")


@each_stage
@pytest.mark.parametrize("more", [["one", "two", "three"], ["--force"], []], ids=["too many", "an option", "none"])
def test_other_arguments_than_it_takes_are_its_usage(script: str, more: list[str], start: Start) -> None:
    arguments = more if more else ARGUMENTS.get(script, ["surplus"])[:-1] if script in ARGUMENTS else ["surplus"]
    if script in ARGUMENTS and more == ["--force"]:
        assert_one_line(start(script, *arguments), f"unknown {KINDS} '--force'; allowed")
    else:
        assert_one_line(start(script, *arguments), f"usage: python -m stages.{script}")


DAMAGED: dict[str, tuple[bytes | None, str]] = {
    "missing": (None, "params.yaml: no such file here; run from the repository's root"),
    "empty": (b"", "params.yaml: empty; run `pfe params`"),
    "no mapping": (b"- a\n", "params.yaml: not a mapping"),
    "no YAML": (b"seed: [1\n", "params.yaml: not YAML"),
    "not UTF-8": (b"seed: \xe9\n", "params.yaml: not UTF-8"),
    "unfinished": (b"seed: 0\n", "params.yaml: experiment: missing.* canonical: missing"),
}


@each_stage_with_parameters
@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_parameter_file_is_named(script: str, damage: str, start: Start) -> None:
    content, words = DAMAGED[damage]
    if content is None:
        Path("params.yaml").unlink()
    else:
        Path("params.yaml").write_bytes(content)
    assert_one_line(start(script, *ARGUMENTS.get(script, [])), words)


@each_stage_with_parameters
def test_a_mistyped_parameter_names_the_nearest(script: str, start: Start) -> None:
    text = Path("params.yaml").read_text()
    Path("params.yaml").write_text(text.replace("  near_miss:", "  near_mis:"))
    words = r"params.yaml: firewall.near_mis: unknown key; did you mean 'near_miss'\?|near_miss: missing"
    assert_one_line(start(script, *ARGUMENTS.get(script, [])), words)


def inputs(script: str) -> list[Path]:
    """What a stage reads below data/ and metrics/, as dvc.yaml says."""
    declared = DECLARED[script].get("do", DECLARED[script])
    paths = [Path(path) for path in declared.get("deps", []) if path.startswith(("data/", "metrics/"))]
    # What stands in data/settings is read where it comes from: params.yaml and conf/.
    return [path for path in paths if path.name != "configuration.json" and path.parts[:2] != ("data", "settings")]


READERS = [script for script in STAGES if inputs(script)]


@pytest.mark.parametrize("script", [*READERS, "source"])
def test_a_stage_before_its_data_says_what_to_run(script: str, start: Start) -> None:
    assert_one_line(start(script, *ARGUMENTS.get(script, [])), "[Nn]o such")


@pytest.mark.slow
@pytest.mark.parametrize("script", READERS)
@pytest.mark.parametrize(
    "content", [b"", b"garbage\xff\x00", b"{}", b"[1]"], ids=["empty", "garbage", "object", "list"]
)
def test_a_stage_on_damaged_data_names_the_file(script: str, content: bytes, start: Start) -> None:
    settings = config.load()
    folders = {"canonical": settings.benchmark, "predictions": settings.models}
    for path in inputs(script):
        if path.suffix:
            files = [path]
        else:
            names = [f"{name}.parquet" for name in [*folders.get(path.name, {}), *settings.scale.targets]]
            files = [path / name for name in [*names, "SEAL.json", "state.json", "dataset_info.json"]]
        if path.name == "predictions":
            files = [path / model / f"{name}.parquet" for model in settings.models for name in settings.benchmark]
        if path.name == "tutors":
            files = [path / "wide" / name for name in ("config.json", "model.safetensors", "training/figures.json")]
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    for script_input in ("data/sample", "data/fncall"):
        for name in settings.benchmark:
            file = Path(script_input) / name / "test.jsonl"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    Path("data/fncall/test.jsonl").write_bytes(content)
    assert_one_line(start(script, *ARGUMENTS.get(script, [])), "data/|metrics/|no problems at all")


def test_a_folder_that_cannot_be_written_is_named(start: Start) -> None:
    Path("data").write_text("a file where a folder is wanted")
    values = yaml.safe_load(Path("params.yaml").read_text())
    values["scale"]["targets"] = {"winogrande_synth": 1}
    Path("params.yaml").write_text(json.dumps(values))
    assert_one_line(start("generate"), "data")


@pytest.mark.parametrize("name", ["../canonical", "x; touch F", "studnet", "", "-"])
@pytest.mark.parametrize("script", ARGUMENTS)
def test_a_name_that_is_none_names_the_nearest_and_touches_nothing(script: str, name: str, start: Start) -> None:
    before = sorted(Path().rglob("*"))
    assert_one_line(start(script, name), f"unknown {KINDS} '.*'; (did you mean|allowed)")
    assert sorted(Path().rglob("*")) == before


@each_stage_with_parameters
def test_a_model_called_like_a_path_is_refused_by_every_stage(script: str, start: Start) -> None:
    values = yaml.safe_load(Path("params.yaml").read_text())
    values["models"]["../canonical"] = values["models"]["chance"]
    Path("params.yaml").write_text(json.dumps(values))
    arguments = ["../canonical"] if script == "evaluate" else ARGUMENTS.get(script, [])
    assert_one_line(start(script, *arguments), r"models\.\.\./canonical: not a name")
