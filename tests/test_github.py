"""What GitHub, pre-commit and citation tools read: its commands exist, and those that can run here are run."""

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from tests.conftest import ROOT
from tests.pipeline.conftest import copy_checkout, runner

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


WORKFLOWS = {path.name: read(f".github/workflows/{path.name}") for path in (ROOT / ".github/workflows").iterdir()}
HOOKS = [hook for repository in read(".pre-commit-config.yaml")["repos"] for hook in repository["hooks"]]


def commands() -> Iterator[list[str]]:
    """The words of every command that a workflow or a hook runs."""
    for workflow in WORKFLOWS.values():
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                for line in step.get("run", "").splitlines():
                    yield shlex.split(line)
    for hook in HOOKS:
        yield shlex.split(hook["entry"])


def test_every_target_module_and_tool_that_is_called_exists() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    seen = set()
    for words in commands():
        if words[0] == "make":
            assert words[1] in targets, words
        elif words[:2] == ["python", "-m"]:
            assert find_spec(words[2]), words
        elif words[0] in ("ruff", "dvc", "pfe"):
            assert shutil.which(words[0]), words
        elif words[:2] == ["pip", "install"]:
            *_, constraints, package = words
            assert f"\n{package}==" in (ROOT / constraints).read_text(), words
        seen.add(words[0])
    assert seen >= {"make", "dvc", "pip", "ruff"}


def test_the_tests_run_on_every_python_that_the_project_is_for() -> None:
    supported = SpecifierSet(PROJECT["requires-python"])
    pythons = [f"3.{minor}" for minor in range(8, 30) if f"3.{minor}" in supported]
    assert WORKFLOWS["test.yml"]["jobs"]["test"]["strategy"]["matrix"]["python"] == pythons


def test_no_workflow_may_write_or_reads_a_text_of_strangers_as_code() -> None:
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {"contents": "read"}, name
        for job in workflow["jobs"].values():
            assert not any("${{" in step.get("run", "") for step in job["steps"]), name


def test_the_review_shows_what_an_experiment_changed(tmp_path: Path) -> None:
    checkout, summary = tmp_path / "checkout", tmp_path / "summary.md"
    checkout.mkdir()
    copy_checkout(checkout)
    params, metrics = checkout / "params.yaml", checkout / "metrics/pfe.json"
    params.write_text(re.sub(r"^seed: 0$", "seed: 7", params.read_text(), flags=re.MULTILINE))
    metrics.write_text(re.sub(r"\d+\.\d+", "77.7", metrics.read_text(), count=1))
    run = runner(checkout)
    run("git", "commit", "-q", "-am", "an experiment")
    (*_, step) = WORKFLOWS["review.yml"]["jobs"]["metrics"]["steps"]
    environment = {"BASE": "HEAD~1", "GITHUB_STEP_SUMMARY": str(summary)}
    run("env", *(f"{name}={value}" for name, value in environment.items()), "bash", "-e", "-c", step["run"])
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in summary.read_text().splitlines()]
    assert ["params.yaml", "seed", "0", "7", "7"] in [row[:4] + row[3:4] for row in rows if len(row) > 3]
    assert any("77.7" in row for row in rows)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_passes_on_this_checkout(hook: dict[str, Any]) -> None:
    files = ["tests/test_github.py"] if hook.get("pass_filenames", True) else []
    done = subprocess.run([*shlex.split(hook["entry"]), *files], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_forms_ask_each_thing_once() -> None:
    for path in (ROOT / ".github/ISSUE_TEMPLATE").iterdir():
        form = read(f".github/ISSUE_TEMPLATE/{path.name}")
        assert {"name", "description", "body"} <= form.keys()
        ids = [part["id"] for part in form["body"]]
        assert len(set(ids)) == len(ids)
        assert all(part["attributes"]["label"] for part in form["body"])


def test_what_is_cited_is_this_version_under_this_licence() -> None:
    cited = read("CITATION.cff")
    assert cited["version"] == PROJECT["version"]
    assert cited.get("license") == PROJECT.get("license")
