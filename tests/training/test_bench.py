"""The races of `python -m bench training distillation`: both sides learn from the same, so they begin with one loss."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bench.figures import distillation, training
from bench.lessons import WORK
from bench.turns import first_losses, lines
from pfe.tutors.generate import candidates
from tests.conftest import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """With a few problems to learn from; the races are cut to a round of one step."""
    monkeypatch.chdir(ROOT)
    file = tmp_path / "data/candidates/gsm1k_synth.parquet"
    file.parent.mkdir(parents=True)
    problems = candidates("gsm1k_synth", 12, seed=0, library_bound=0.0)
    type(problems[0]).write(problems, file)
    for figure in (training, distillation):
        cut(monkeypatch, figure)
    return str(tmp_path)


def cut(monkeypatch: pytest.MonkeyPatch, figure: ModuleType) -> None:
    monkeypatch.setattr(figure, "ROUNDS", 1)
    monkeypatch.setattr(figure, "STEPS", 1)
    monkeypatch.setattr(figure, "WORK", {"few": replace(WORK["few"], rows=2, lessons=3)})


def check(raced: dict[str, Any]) -> None:
    (ours,), (theirs,) = raced["ours"], raced["theirs"]
    assert ours["loss"] == pytest.approx(theirs["loss"], rel=1e-4)
    assert first_losses(raced).kept
    assert 0 < ours["tokens"] < 0.7 * theirs["tokens"]
    printed = [line.what.strip() for line in lines("race", raced, lessons=6)]
    assert printed == ["race", "plain TRL", "ratio, round by round", "tokens as laid out", "plain TRL, its tokens"]


@pytest.mark.slow
def test_on_answer_keys_both_sides_begin_with_one_loss(folder: str) -> None:
    check(training.race(folder, "few"))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["off", "on"])
def test_in_distillation_both_sides_begin_with_one_loss(
    policy: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distillation, "NEW_TOKENS", 4)
    check(distillation.race(folder, "few", policy))


def test_first_losses_that_differ_are_told() -> None:
    sides = {side: [{"seconds": 1.0, "tokens": 1, "loss": loss}] for side, loss in (("ours", 0.02), ("theirs", 0.021))}
    assert first_losses(sides).kept is False
