"""The wheel: it holds all that the program needs, and the program works from it in an empty folder."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run([sys.executable, *command], check=True)
    (built,) = folder.glob("pfe-*.whl")
    return built


Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """`pfe` of a fresh environment with nothing but the wheel; the libraries are those that run this test."""
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    python = place / "bin/python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    (Path(packages) / "libraries.pth").write_text(sysconfig.get_path("purelib"))

    def run(*words: str, cwd: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run([place / "bin/pfe", *words], cwd=cwd, env=environment, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return run


@pytest.mark.gate
def test_the_wheel_holds_the_configuration_the_libraries_and_our_own_problems(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    for folder, place in (("conf", "pfe/resources/conf"), ("data/sample", "pfe/resources/data/sample"),
                          ("data/fncall", "pfe/resources/data/fncall"), ("pfe", "pfe")):  # fmt: skip
        listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
        files = {name.removeprefix(f"{folder}/") for name in listed.stdout.split() if (ROOT / name).is_file()}
        assert files
        assert {f"{place}/{name}" for name in files} <= held
    assert not {name for name in held if not name.startswith(("pfe/", "pfe-"))}
    assert "pfe/py.typed" in held


@pytest.mark.gate
def test_a_model_is_examined_in_an_empty_folder(
    program: Program, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    where = program("doctor", cwd=tmp_path).stdout
    assert "pfe/resources/conf" in where
    few = ("--limit", "2", "-S", "benchmark.gsm1k.max_tokens=4", "-S", "benchmark.fncall.max_tokens=4")
    asked = ("--benchmark", "arc_easy,gsm1k,fncall", "--out", "out")
    done = program("eval", model_folder("gpt2"), *asked, *few, cwd=tmp_path)
    assert "PFE: averages over benchmarks" in done.stdout
    assert set(json.loads((tmp_path / "out/scores.json").read_text())["benchmarks"]) == {"arc_easy", "gsm1k", "fncall"}
    assert "mean" in program("compare", "out", "out", cwd=tmp_path).stdout
    first = ("all-MiniLM-L6-v2", "--kind", "embedding", "--benchmark", "arc_easy", "--limit", "3")
    assert "all-MiniLM-L6-v2" in program("eval", *first, cwd=tmp_path).stdout


@pytest.mark.gate
def test_a_data_set_is_checked_and_cleaned_in_an_empty_folder(program: Program, tmp_path: Path) -> None:
    sample = (ROOT / "data/sample/gsm1k/test.jsonl").read_text().splitlines()
    copied = json.loads(sample[0])
    clean = "a kite and a lantern drift over the harbour wall at dusk"
    rows = ["instruction,output", f'"{copied["question"]}","{copied["answer"]}"', f"{clean},seven"]
    (tmp_path / "mine.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "bench.jsonl").write_text("\n".join(sample) + "\n")
    program("check", "mine.csv", "--against", "bench.jsonl", "--clean", "rest.csv", cwd=tmp_path, status=1)
    assert (tmp_path / "rest.csv").read_text() == f"{rows[0]}\n{rows[2]}\n"
