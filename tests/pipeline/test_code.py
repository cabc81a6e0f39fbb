"""What a change of code, of a library or of an installed package runs again: what depends on it, and nothing else."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pipeline.conftest import Experiment, ran

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
    "a docstring": (edited("pfe/calibration/attack.py", '"""', '"""Said otherwise: '), set()),
    "a comment": (longer("pfe/screening/files.py", "# Said beside it.\n"), set()),
    "an attack": (longer("pfe/calibration/attacks/dilution.py"), {"calibrate"}),
    "a gate": (longer("pfe/firewall/gates/edits.py"), {"calibrate", "configuration", "firewall", "libraries", "page"}),
    "a scorer": (longer("pfe/scorers/number.py"), {"answer_keys", "generate", "lookups", "score", "train", "tutor"}),
    "the sandbox": (
        longer("pfe/sandbox/answers.py"),
        {
            "answer_keys",
            "calibrate",
            "configuration",
            "corpus",
            "firewall",
            "generate",
            "libraries",
            "lookups",
            "page",
            "score",
            "train",
            "tutor",
        },
    ),
    "a scorer that finds every name right": (
        edited("pfe/scorers/alias.py", "if _names(wording, answers):", "if True:"),
        {"answer_keys", "generate", "lookups", "score", "train", "tutor"},
    ),
    "a rule of the judge": (longer("pfe/judging/judge.py"), {"judge", "leaderboard"}),
    "one engine": (
        longer("pfe/models/packed.py"),
        {"evaluate.huggingface", "answer_keys", "generate", "lookups", "train", "tutor"},
    ),
    "another engine": (longer("pfe/models/vllm.py"), {"evaluate.vllm"}),
    "a line of a library": (
        longer("pfe/icr/libraries/boolq.txt", "\n"),
        ASKED | {"corpus", "libraries", "lookups", "page", "train", "tutor"},
    ),
    "the package torch": (
        installed("torch"),
        ASKED
        | {"answer_keys", "calibrate", "configuration", "firewall", "generate", "libraries", "lookups", "page", "train"}
        | {"tutor"},
    ),
    "the package trl": (installed("trl"), {"train", "tutor"}),
    "the package sympy": (installed("sympy"), {"measure", "page"}),
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_changed_code_of_the_configuration_is_one_of_every_stage(
    checkout: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    whole, before = checkout
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    longer("pfe/config/records.py")(tmp_path)
    after = codes(tmp_path)
    assert all(before[name] != after[name] for name in before)


@pytest.fixture
def changed(experiment: Experiment) -> Iterator[Callable[[str], None]]:
    """Make a change in the experiment, which is as it was at the end."""
    folder, run, _ = experiment
    before = {path: path.read_bytes() for path in (folder / "pfe").rglob("*.*") if path.suffix in (".py", ".txt")}
    yield lambda change: CHANGES[change][0](folder)
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)
    for made in folder.glob("*.dist-info"):
        shutil.rmtree(made)
    run("dvc", "repro")


@pytest.mark.gate
def test_dvc_runs_again_what_the_changed_code_is_of(experiment: Experiment, changed: Callable[[str], None]) -> None:
    _, run, _ = experiment
    changed("a docstring")
    assert ran(run("dvc", "repro").stdout) == set()
    changed("a rule of the judge")
    changed("the package sympy")
    assert ran(run("dvc", "repro", "measure", "leaderboard").stdout) == {"measure", "leaderboard"}
    assert ran(run("dvc", "repro", "--dry").stdout) == {"judge", "page"}


@pytest.mark.slow
def test_a_mended_scorer_makes_every_figure_again_and_asks_the_student_alone(
    experiment: Experiment, changed: Callable[[str], None]
) -> None:
    _, run, _ = experiment
    changed("a scorer that finds every name right")
    made = {"answer_keys", "generate", "score", "report", "leaderboard", "lookups", "train", "evaluate@student", "page"}
    assert ran(run("dvc", "repro").stdout) == made


WEIGHTS = {"evaluate@base", "evaluate@student", "evaluate@reference"}


@pytest.mark.gate
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("one engine", WEIGHTS | {"answer_keys", "generate", "lookups", "train"}),
        ("another engine", set()),
        ("the package torch",
         WEIGHTS | {"evaluate@minilm", "evaluate@chance", "answer_keys", "calibrate", "configuration", "firewall",
                    "generate", "libraries", "lookups", "page", "train"}),
        ("a line of a library",
         WEIGHTS | {"evaluate@minilm", "evaluate@chance", "corpus", "libraries", "lookups", "page", "train"}),
    ],
)  # fmt: skip
def test_a_change_is_one_of_the_stages_of_dvc_that_depend_on_it(
    change: str, expected: set[str], experiment: Experiment, changed: Callable[[str], None]
) -> None:
    _, run, _ = experiment
    changed(change)
    run("dvc", "repro", "code")
    assert set(json.loads(run("dvc", "status", "--json").stdout)) - {"code"} == expected


@pytest.mark.gate
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("max_tokens: 512", "max_tokens: 513  # of a server", {"answer_keys", "generate"}),
        ("concurrency: 8", "concurrency: 9", WEIGHTS | {"evaluate@chance", "evaluate@minilm", "leaderboard", "lookups",
                                                        "page", "report", "score"}),
    ],
)  # fmt: skip
def test_dvc_runs_again_what_a_changed_default_is_of(
    experiment: Experiment, old: str, new: str, expected: set[str]
) -> None:
    folder, run, _ = experiment
    path = folder / "conf/defaults.yaml"
    text = path.read_text()
    try:
        edited("conf/defaults.yaml", old, new)(folder)
        run("dvc", "repro", "configuration")
        status = json.loads(run("dvc", "status", "--json").stdout)
    finally:
        path.write_text(text)
        run("dvc", "repro", "configuration")
    stale = {name for name, changes in status.items() if "data/settings" in json.dumps(changes)}
    assert stale == expected
