"""What a change of code, of a library or of an installed package runs again: what depends on it, and nothing else."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pipeline.conftest import Run, ran

Experiment = tuple[Path, Run, str]
ASKED = {"evaluate.huggingface", "evaluate.vllm", "evaluate.openai", "evaluate.embedding", "evaluate.chance"}


def edited(path: str, old: str, new: str) -> Callable[[Path], None]:
    """Its first `old` becomes `new`."""

    def edit(folder: Path) -> None:
        text = (folder / path).read_text()
        assert old in text
        (folder / path).write_text(text.replace(old, new, 1))

    return edit


def longer(path: str, more: str = "OTHER = 1\n") -> Callable[[Path], None]:
    """With a line of code at its end."""

    def lengthen(folder: Path) -> None:
        with (folder / path).open("a") as file:
            file.write(more)

    return lengthen


def installed(package: str) -> Callable[[Path], None]:
    """Another version of a package, which is found before the installed one."""

    def install(folder: Path) -> None:
        place = folder / f"{package}-99.0.dist-info"
        place.mkdir()
        (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 99.0\n")

    return install


CHANGES: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "a docstring": (edited("pfe/calibration/attacks.py", '"""', '"""Said otherwise: '), set()),
    "a comment": (longer("pfe/screening/files.py", "# Said beside it.\n"), set()),
    "an attack": (longer("pfe/calibration/attacks.py"), {"calibrate"}),
    "a gate": (longer("pfe/firewall/structure.py"), {"calibrate", "firewall", "libraries"}),
    "a scorer": (longer("pfe/scorers/number.py"), {"answer_keys", "score"}),
    "the sandbox": (longer("pfe/sandbox/answers.py"), {"answer_keys", "calibrate", "firewall", "libraries", "score"}),
    "a rule of the judge": (longer("pfe/judging/judge.py"), {"judge", "leaderboard"}),
    "one engine": (longer("pfe/models/packed.py"), {"evaluate.huggingface", "answer_keys"}),
    "another engine": (longer("pfe/models/vllm.py"), {"evaluate.vllm"}),
    "a line of a library": (longer("pfe/icr/libraries/boolq.txt", "\n"), ASKED | {"corpus", "libraries"}),
    "the package trl": (installed("trl"), {"train"}),
    "the package sympy": (installed("sympy"), {"measure"}),
}


def codes(folder: Path) -> dict[str, str]:
    """What the stage `code` writes of a folder's code, stage by stage."""
    subprocess.run([sys.executable, "-m", "stages.code"], cwd=folder, check=True)
    return {path.name: path.read_text() for path in (folder / "code").iterdir()}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A copy of the code, and what the stage `code` writes of it."""
    folder = tmp_path_factory.mktemp("checkout")
    for part in ("pfe", "stages"):
        shutil.copytree(ROOT / part, folder / part)
    return folder, codes(folder)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_one_of_the_stages_that_depend_on_it(
    change: str, checkout: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    whole, before = checkout
    apply, expected = CHANGES[change]
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    apply(tmp_path)
    after = codes(tmp_path)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == expected


def test_a_changed_default_of_the_configuration_is_one_of_every_stage(
    checkout: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    whole, before = checkout
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    longer("pfe/config.py")(tmp_path)
    after = codes(tmp_path)
    assert all(before[name] != after[name] for name in before)


def test_dvc_runs_again_what_the_changed_code_is_of(experiment: Experiment) -> None:
    folder, run, _ = experiment
    files = {path: (folder / path).read_text() for path in ("pfe/calibration/attacks.py", "pfe/judging/judge.py")}
    try:
        CHANGES["a docstring"][0](folder)
        assert ran(run("dvc", "repro").stdout) == set()
        CHANGES["a rule of the judge"][0](folder)
        installed("sympy")(folder)
        assert ran(run("dvc", "repro", "measure", "leaderboard").stdout) == {"measure", "leaderboard"}
        assert ran(run("dvc", "repro", "--dry").stdout) == {"judge"}
    finally:
        for path, text in files.items():
            (folder / path).write_text(text)
        for made in folder.glob("*.dist-info"):
            shutil.rmtree(made)
        run("dvc", "repro")
