"""The reference travels with the repository: packed, pushed into it, cloned, pulled and asked, by the real `dvc`."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.pipeline.conftest import Experiment, Run, runner

POINTER, FOLDER, REMOTE = (
    Path(path) for path in ("data/models/reference.dvc", "data/models/reference", ".dvc/reference")
)
MOST = 10_000_000  # bytes of the weights


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def clone(source: Path, place: Path) -> Run:
    subprocess.run(["git", "clone", "-q", str(source), str(place)], check=True)
    return runner(place)


def test_what_the_repository_brings_is_small_whole_and_in_git() -> None:
    (out,) = yaml.safe_load((ROOT / POINTER).read_text())["outs"]
    assert out["remote"] == "reference", "no default remote: what experiments make is not pushed into the repository"
    listed = subprocess.run(["git", "ls-files", REMOTE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert REMOTE / f"files/md5/{out['md5'][:2]}/{out['md5'][2:]}" in map(Path, listed.stdout.splitlines())
    sizes = [path.stat().st_size for path in (ROOT / REMOTE).rglob("*") if path.is_file()]
    assert max(sizes) <= MOST
    assert sum(sizes) <= 1.2 * MOST, "nothing of before is left there"


@pytest.mark.slow
def test_a_new_clone_has_it_without_a_network_and_before_anything_else_runs(tmp_path: Path) -> None:
    run = clone(ROOT, tmp_path / "clone")
    run("dvc", "pull", str(POINTER))
    files = content(tmp_path / "clone" / FOLDER)
    assert {
        "README.md", "model.safetensors", "config.json", "tokenizer.json", "certificate.json", "provenance.json",
        "params.yaml", "figures.json", "training/plots/metrics/loss.tsv",
    } <= files.keys()  # fmt: skip
    assert run("git", "status", "--short").stdout == ""
    other = clone(ROOT, tmp_path / "other")
    printed = other("dvc", "repro", "code").stdout
    assert printed.startswith("Running stage 'code'")
    assert content(tmp_path / "other" / FOLDER) == files


@pytest.fixture(scope="module")
def repository(experiment: Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose reference is the student of the smallest experiment, by `make pack`."""
    trained, _, _ = experiment
    folder = tmp_path_factory.mktemp("reference") / "repository"
    run = clone(trained, folder)
    packed = run("make", "-o", ".venv/.ready", "pack", f"FROM={trained}").stdout
    assert "validation loss" in packed
    run("git", "add", "-A")
    run("git", "commit", "-q", "-m", "another reference")
    return folder


@pytest.mark.slow
def test_a_packed_student_is_asked_in_another_clone(repository: Path, tmp_path: Path) -> None:
    assert subprocess.run(["git", "status", "--short"], cwd=repository, capture_output=True, text=True).stdout == ""
    run = clone(repository, tmp_path / "clone")
    run("dvc", "pull", str(POINTER))
    assert content(tmp_path / "clone" / FOLDER) == content(repository / FOLDER)
    few = ("--benchmark", "arc_easy", "--limit", "2", "--arms", "canonical,icr")
    printed = run(sys.executable, "-m", "pfe", "eval", str(FOLDER), *few).stdout
    assert "Benchmark: ARC-Easy" in printed


@pytest.mark.slow
def test_what_a_user_pushes_does_not_come_into_the_repository(repository: Path, tmp_path: Path) -> None:
    run = clone(repository, tmp_path / "clone")
    run("dvc", "pull", str(POINTER))
    (tmp_path / "clone/large.bin").write_text("large")
    run("dvc", "add", "-q", "large.bin")
    before = content(tmp_path / "clone" / REMOTE)
    refused = run("dvc", "push", check=False)
    assert "no remote specified" in refused.stderr
    run("dvc", "remote", "add", "-q", "-d", "mine", str(tmp_path / "mine"))
    run("dvc", "push", "-q")
    assert content(tmp_path / "clone" / REMOTE) == before
    assert b"large" in content(tmp_path / "mine").values()


@pytest.mark.slow
def test_its_certificate_holds_where_its_data_are(experiment: Experiment, repository: Path) -> None:
    _, run, _ = experiment
    certificate = repository / FOLDER / "certificate.json"
    assert run("pfe", "verify", str(certificate)).stdout.startswith(f"{certificate} holds: ")
