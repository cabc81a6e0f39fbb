"""The commands of other tools that docs/exports.md prints, run as they stand there on what the others export."""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.export.conftest import status
from tests.pipeline.commands import commands

PRINTED = {  # by their first two words, the longest of each
    " ".join(command.words[:2]): list(command.words)
    for command in sorted(commands(), key=lambda command: len(command.words))
    if command.where == "docs/exports.md"
}
HERE = {"owner/model": "{llama}", "openai/gpt-4o": "mockllm/model"}


def there(words: list[str], llama: Path) -> list[str]:
    """The command with models that are here, by the program beside this interpreter; skipped where that is not."""
    program = Path(sys.executable).with_name(words[0])
    if not program.exists():
        pytest.skip(f"{words[0]} is not installed")
    for printed, instead in HERE.items():
        words = [word.replace(printed, instead.format(llama=llama)) for word in words]
    return [str(program), *words[1:]]


def run(words: list[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


@pytest.mark.slow
def test_lm_eval_runs_the_tasks_by_the_printed_command(workplace: Path, llama: Path) -> None:
    assert status("export", "lm-eval", "sample", "--benchmark", "arc_easy", "--out", "tasks") == 0
    printed = run([*there(PRINTED["lm_eval --include_path"], llama), "--limit", "2", "--device", "cpu"], workplace)
    assert "pfe_canonical" in printed
    assert "pfe_icr" in printed


@pytest.mark.slow
def test_inspect_runs_the_task_by_the_printed_command(workplace: Path, llama: Path) -> None:
    assert status("export", "inspect-task", "sample", "--benchmark", "arc_easy", "--out", "task") == 0
    printed = run([*there(PRINTED["inspect eval"], llama), "--limit", "2", "--display", "plain"], workplace)
    assert "accuracy" in printed


@pytest.mark.slow
def test_inspect_view_lists_the_logs_by_the_printed_command(workplace: Path, llama: Path, examined: Path) -> None:
    words = [*there(PRINTED["inspect view"], llama), "--port", "7597"]
    assert status("export", "inspect", str(examined), "--benchmark", "arc_easy", "--out", "logs") == 0
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            listed = fetched("http://localhost:7597/api/logs")
        finally:
            server.terminate()
    assert "llama_pfe_arc_easy_icr.eval" in listed


def fetched(address: str) -> str:
    """What a server answers, once it is up."""
    for _ in range(120):
        try:
            with urllib.request.urlopen(address) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"{address}: nothing answers")
