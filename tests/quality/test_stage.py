"""The stage `quality` on little: what it writes and leaves out, where it stops, and that no sealed word gets out."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pfe.canonical.seal import write_sealed
from pfe.config import Canonical, Config
from pfe.files import read_record
from pfe.problem import Problem
from pfe.quality.record import Qualities
from pfe.report.quality import screen, section
from stages.quality import main
from tests.conftest import ROOT
from tests.quality.made import drawn_problems

Stage = Callable[[dict[str, list[Problem]]], None]


@pytest.fixture
def stage(settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Run the stage on accepted problems, by set; a canary stands in every part of every sealed problem."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    sealed = [
        replace(
            problem,
            set="arc_easy",
            question=f"Canary {problem.question} canary",
            context="The canary sings, and the canary sleeps.",
            choices=(f"canary {problem.id}", "canary"),
            answer="canary",
            solution="A canary <<1+1=2>>",
            family="canary",
            group=f"canary {problem.id}",
        )
        for problem in drawn_problems(60, 9)
    ]
    write_sealed({"arc_easy": sealed}, settings.benchmark, Canonical("sample", "-"))

    def run(accepted: dict[str, list[Problem]]) -> None:
        values = yaml.safe_load((ROOT / "params.yaml").read_text())
        values["scale"]["targets"] = dict.fromkeys(accepted, 100)
        Path("params.yaml").write_text(yaml.safe_dump(values))
        for name, problems in accepted.items():
            Problem.write(problems, Path("data/synthetic") / f"{name}.parquet")
        main()

    return run


def test_every_set_with_problems_is_measured_and_no_sealed_word_comes_out(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    format_problems = [replace(problem, domain="format") for problem in drawn_problems(60, 3)]
    stage({"arc_synth": drawn_problems(80, 1), "format_synth": format_problems, "race_synth": []})
    qualities = read_record(Path("data/quality.json"), Qualities)
    assert {name: quality.real for name, quality in qualities.items()} == {
        "arc_synth": ("arc_easy",),
        "format_synth": (),
    }
    assert qualities["arc_synth"].giveaways
    shown = json.loads(Path("metrics/corpus.json").read_text())
    assert shown["arc_synth"]["auc"] > 0.9
    outputs = [path.read_text() for path in (Path("data/quality.json"), Path("metrics/corpus.json"))]
    outputs += [*section(qualities), *map(screen, qualities.values()), *capsys.readouterr()]
    assert len("".join(outputs)) > 1000
    assert not [output for output in outputs if "canary" in output.lower()]


def test_a_set_that_repeats_itself_stops_the_stage_before_anything_is_written(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = drawn_problems(100, 1)
    copies = [replace(problem, id=f"{problem.id}/copy") for problem in problems]
    with pytest.raises(SystemExit):
        stage({"arc_synth": [*problems, *copies]})
    assert "100.0 % of its problems have a near-duplicate" in capsys.readouterr().err
    assert not Path("data/quality.json").exists()
    assert not Path("metrics/corpus.json").exists()
