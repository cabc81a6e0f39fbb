"""What GitHub, pre-commit and citation tools read: its commands exist, and those that can run here are run."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from pfe.problem import ScoredPrediction
from tests.conftest import ROOT
from tests.pipeline.conftest import Run, copy_checkout, runner
from tests.scores.made import predictions, two_arms

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
    assert seen >= {"make", "dvc", "gh", "ruff"}


def test_the_tests_run_on_every_python_that_the_project_is_for() -> None:
    supported = SpecifierSet(PROJECT["requires-python"])
    pythons = [f"3.{minor}" for minor in range(8, 30) if f"3.{minor}" in supported]
    assert WORKFLOWS["test.yml"]["jobs"]["test"]["strategy"]["matrix"]["python"] == pythons


def test_what_may_write_runs_no_code_and_no_text_of_strangers_is_read_as_code() -> None:
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {"contents": "read"}, name
        for job in workflow["jobs"].values():
            assert not any("${{" in step.get("run", "") for step in job["steps"]), name
            if "permissions" in job:
                ours = r"checkout|\b(make|pfe|dvc|pip|python|bash|sh)\b"
                assert not any(re.search(ours, step.get("uses", "") + step.get("run", "")) for step in job["steps"])
                assert "head.repo.full_name == github.repository" in job["if"]


def steps(job: str) -> dict[str, str]:
    """The commands of a job of the review, by the names of its steps."""
    return {step["name"]: step["run"] for step in WORKFLOWS["review.yml"]["jobs"][job]["steps"] if "run" in step}


@pytest.fixture
def checkout(tmp_path: Path) -> tuple[Path, Run]:
    """A copy of this checkout with an experiment on top, and the program that is tested in its environment."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    copy_checkout(folder)
    binaries = folder / ".venv/bin"
    binaries.mkdir(parents=True)
    (binaries / "pfe").write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m pfe "$@"\n')
    (binaries / "pfe").chmod(0o755)
    (folder / ".venv/.ready").touch()
    metrics = read("dvc.yaml")["metrics"]
    (folder / "dvc.yaml").write_text(yaml.safe_dump({"metrics": metrics, "params": ["params.yaml"]}))
    run = runner(folder)
    for output, scores in (("before", two_arms(wrong=30)), ("after", two_arms(kept=25, wrong=5))):
        if output == "after":
            params, points = folder / "params.yaml", folder / "metrics/pfe.json"
            params.write_text(re.sub(r"^seed: 0$", "seed: 7", params.read_text(), flags=re.MULTILINE))
            points.write_text(re.sub(r"\d+\.\d+", "77.7", points.read_text(), count=1))
        (folder / "data/scores/student/gsm1k.parquet").unlink(missing_ok=True)
        ScoredPrediction.write(predictions(scores), folder / "data/scores/student/gsm1k.parquet")
        run("dvc", "add", "-q", "data/scores")
        run("git", "add", "-A")
        run("git", "commit", "-qm", output)
    return folder, run


@pytest.mark.slow
def test_the_review_shows_what_an_experiment_changed_and_the_comment_its_plot(
    checkout: tuple[Path, Run], tmp_path: Path
) -> None:
    folder, run = checkout
    summary, posted = tmp_path / "summary.md", tmp_path / "posted"
    run("env", "BASE=HEAD~1", f"GITHUB_STEP_SUMMARY={summary}", "bash", "-ec", steps("compare")["Compare"])
    text = summary.read_text()
    assert "- **student**: a significant change in" in text
    assert "Parameters: seed 0 → 7." in text
    assert "in the artifact `review` of this run." in text
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert ["params.yaml", "seed", "0", "7"] in [row[:4] for row in rows]
    assert any("77.7" in row for row in rows)
    (tmp_path / "gh").write_text(f'#!/bin/sh\necho "$@" >> {posted}\ncase "$*" in *--jq*) echo 1234abcd;; esac\n')
    (tmp_path / "gh").chmod(0o755)
    environment = {"REPOSITORY": "owner/name", "NUMBER": "5", "GITHUB_SERVER_URL": "https://github.com"}
    job = runner(folder / "review", tmp_path)
    job("env", *(f"{name}={value}" for name, value in environment.items()), "bash", "-ec", steps("comment")["Comment"])
    body = (folder / "review/body.md").read_text()
    assert "](https://github.com/owner/name/blob/1234abcd/review.svg?raw=true)" in body
    assert posted.read_text().splitlines()[-1].startswith("pr comment 5 --repo owner/name --body-file body.md")


@pytest.mark.slow
def test_where_there_are_no_answers_the_review_says_so_and_shows_what_git_has(
    checkout: tuple[Path, Run], tmp_path: Path
) -> None:
    folder, run = checkout
    shutil.rmtree(folder / ".dvc/cache")
    shutil.rmtree(folder / ".dvc/tmp")
    summary = tmp_path / "summary.md"
    run("env", "BASE=HEAD~1", f"GITHUB_STEP_SUMMARY={summary}", "bash", "-ec", steps("compare")["Compare"])
    assert "Not there, so not compared, of commit " in summary.read_text()
    assert "77.7" in summary.read_text()


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
    assert " AND ".join(cited["license"]) == PROJECT["license"]
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
