"""On a Mac everything works but running strangers' programs: played on Linux, without what only Linux has."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pfe.__main__ import main
from pfe.firewall.behaviour import Behaviour, BehaviourMatch
from pfe.problem import Problem
from pfe.sandbox.process import converse
from tests.conftest import ROOT
from tests.test_imports import MODULES

COLUMNS = ("x1", "x2", "x3")
HANGS = "sin(x1)*" + "*".join(f"cos({number}*x{number % 3 + 1} + 1)" for number in range(1, 12))


def on_a_mac(code: str) -> list[str]:
    """What a program of its own prints there, line by line."""
    path = os.pathsep.join((str(ROOT / "tests/mac"), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_every_module_can_be_imported() -> None:
    """Libraries are those of Linux, so they are loaded first; ours then a second time."""
    code = f"""
import importlib, sys
modules = {MODULES!r}
for name in modules: importlib.import_module(name)
for name in [name for name in sys.modules if name.partition(".")[0] == "pfe"]: del sys.modules[name]
from tests.mac.sitecustomize import play
play()
for name in modules: importlib.import_module(name)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.slow
def test_formulas_are_measured_and_what_hangs_is_ended() -> None:
    code = f"""
import sys
from pfe.symreg.expressions.measure import Question, StepLimits, measure
print(sys.platform)
questions = [Question(text, {COLUMNS!r}) for text in ("x1 + x1", {HANGS!r}, "x1/x2")]
for one in measure(questions, StepLimits(seconds=1), None, workers=2): print(one.status, one.simplified)
"""
    platform, first, hanging, last = on_a_mac(code)
    assert platform == "darwin"
    assert (first, last) == ("simplified 3", "simplified 5")
    assert hanging.startswith("timeout")


@pytest.mark.slow
def test_a_benchmark_of_programs_is_left_out_with_a_line_and_the_others_are_scored(
    model_folder: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def converse_there(*given: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr("sys.platform", "darwin")
            return converse(*given)

    monkeypatch.setattr("pfe.sandbox.programs.converse", converse_there)
    monkeypatch.chdir(tmp_path)
    few = ("--benchmark", "mbpp,arc_easy", "--limit", "3", "-S", "benchmark.mbpp.max_tokens=4")
    with pytest.raises(SystemExit) as ended:
        main("eval", model_folder("gpt2"), "--out", "out", *few)
    assert ended.value.code == 0
    assert list(json.loads(Path("out/scores.json").read_text())["benchmarks"]) == ["arc_easy"]
    shown = capsys.readouterr()
    assert "is not scored on MBPP: mbpp/" in shown.err
    assert "Linux only, not on darwin" in shown.err
    assert "Benchmark: ARC-Easy" in shown.out


def test_where_programs_cannot_be_run_none_is_let_through_and_other_problems_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = "def double(n):\n    return 2 * n"
    task = Problem("c/1", "c", "code", "Double it", program, tests=("assert double(4) == 8",))
    why = Problem("s/1", "s", "science", "Why?", "Because")
    monkeypatch.setattr("sys.platform", "darwin")
    behaved, other = Behaviour([task, replace(task, id="c/2", tests=())]).find([replace(task, id="x/1"), why])
    assert "Linux only, not on darwin" in behaved.error
    assert other == BehaviourMatch(-1)
