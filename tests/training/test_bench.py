"""The comparisons of `python -m bench training distillation`: on the same lessons the first losses agree."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bench.figures import distillation, training
from bench.lessons import WORKLOADS
from bench.trainer_comparison import first_losses, lines
from pfe.tutors.generate import candidates
from tests.conftest import ROOT

TOKENS = ("tokens with shared prefixes", "plain TRL, repeated prefixes")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """With a few problems to learn from; the comparisons are cut to one round of one step."""
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
    monkeypatch.setattr(figure, "WORKLOADS", {"few": replace(WORKLOADS["few"], rows=2, lessons=3)})


def check(compared: dict[str, Any]) -> None:
    (ours,), (theirs,) = compared["ours"], compared["theirs"]
    assert ours["loss"] == pytest.approx(theirs["loss"], rel=1e-4)
    assert first_losses(compared).met
    assert 0 < ours["tokens"] < 0.7 * theirs["tokens"]
    printed = [line.name.strip() for line in lines("comparison", compared, lessons=6)]
    assert printed == ["comparison", "plain TRL", "ratio per round", *TOKENS]


@pytest.mark.slow
def test_on_answer_keys_both_sides_begin_with_one_loss(folder: str) -> None:
    check(training.compare(folder, "few"))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["off", "on"])
def test_in_distillation_both_sides_begin_with_one_loss(
    policy: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distillation, "NEW_TOKENS", 4)
    check(distillation.compare(folder, "few", policy))


def test_first_losses_that_differ_miss_the_target() -> None:
    sides = {side: [{"seconds": 1.0, "tokens": 1, "loss": loss}] for side, loss in (("ours", 0.02), ("theirs", 0.021))}
    assert first_losses(sides).met is False
