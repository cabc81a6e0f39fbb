"""The race of `python -m bench training`: both sides train on the same lessons, so they begin with the same loss."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench.figures import training
from pfe.tutors.generate import candidates
from tests.conftest import ROOT


def test_both_sides_begin_with_one_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    file = tmp_path / "data/candidates/gsm1k_synth.parquet"
    file.parent.mkdir(parents=True)
    problems = candidates("gsm1k_synth", 12, seed=0, library_bound=0.0)
    type(problems[0]).write(problems, file)
    monkeypatch.setattr(training, "ROUNDS", 1)
    monkeypatch.setattr(training, "STEPS", 1)
    monkeypatch.setattr(training, "WORK", {"few": replace(training.WORK["few"], rows=1, lessons=3)})
    raced = training.race(str(tmp_path), "few")
    assert raced["ours"]["loss"] == pytest.approx(raced["theirs"]["loss"], abs=1e-4)
    assert raced["ours"]["tokens"] < 0.7 * raced["theirs"]["tokens"]
