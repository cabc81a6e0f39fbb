"""`pfe experiments`: what the real `dvc` knows of experiments, on one screen."""

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml
from dvc.repo.experiments import Experiments

from pfe.__main__ import main
from pfe.files import write_record
from pfe.params import written
from pfe.report.experiments import WIDTH
from pfe.scores.proportion import Proportion
from pfe.training.figures import LibraryUse, LookUps
from tests.conftest import ROOT
from tests.pipeline.conftest import Run, runner

PARAMS = {"seed": 0, "firewall": {"threshold": 0.3}, "benchmark": {"race": {}}}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Run]:
    """A repository with this one's metrics, and in it an experiment that changed a threshold and a benchmark."""
    run = runner(tmp_path)
    metrics = yaml.safe_load((ROOT / "dvc.yaml").read_text())["metrics"]
    (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"metrics": metrics}))
    (tmp_path / "metrics").mkdir()
    for path in metrics:
        (tmp_path / path).write_text((ROOT / path).read_text())
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(PARAMS))
    for command in (["git", "init", "-qb", "main"], ["dvc", "init", "-q"], ["git", "add", "-A"],
                    ["git", "commit", "-qm", "before"]):  # fmt: skip
        run(*command)
    (tmp_path / "params.yaml").write_text(
        yaml.safe_dump(PARAMS | {"firewall": {"threshold": 0.25}, "benchmark": {"race": {"max_tokens": 8}}})
    )
    values = json.loads((tmp_path / "metrics/pfe.json").read_text())
    values["student"] |= {"lift": 12.5, "verdict": "strong"}
    (tmp_path / "metrics/pfe.json").write_text(json.dumps(values))
    run("dvc", "exp", "save", "--name", "stricter")
    run("git", "checkout", "-q", ".")
    monkeypatch.chdir(tmp_path)
    return tmp_path, run


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    with pytest.raises(SystemExit) as ended:
        main("experiments", *words)
    assert ended.value.code == 0
    return capsys.readouterr().out.splitlines()


def test_every_experiment_is_a_line_with_what_it_changed_and_what_came_of_it(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys)
    before = next(line for line in lines if line.startswith("main"))
    place = next(place for place, line in enumerate(lines) if line.startswith("└─ stricter"))
    stricter, more = lines[place : place + 2]
    figures = {name: json.loads((ROOT / f"metrics/{name}.json").read_text()) for name in ("pfe", "firewall")}
    assert before.endswith(f"  {figures['pfe']['student']['verdict']}")
    assert "benchmark.race.max_tokens=8," in stricter
    assert "firewall.threshold=0.25" in more
    assert not any("seed" in line or "~" in line for line in lines)
    assert stricter.split()[-3:] == ["+12.5", f"{figures['firewall']['accepted']:,}", "strong"]
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.slow
def test_experiments_are_drawn_with_what_the_firewall_of_each_rejected(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, run = repository
    counts = {"target": 0, "candidates": 9, "passed": 5, "accepted": 5, "short": 0, "rejected": {"edits": 4}}
    screened = {"total": counts, "sets": {}, "libraries": {"lines": 1, "leaks": 0}}
    (folder / "data").mkdir()
    (folder / "data/firewall.json").write_text(json.dumps(screened))
    (folder / "params.yaml").write_text(yaml.safe_dump(PARAMS | {"experiment": "without_edits"}))
    run("git", "add", "data")
    run("dvc", "exp", "save", "--name", "sweep")
    lines = printed(capsys, "--plot", "sweep.svg")
    row = next(line for line in lines if line.startswith("without_edits"))
    assert row.split() == ["without_edits", "5", "4", "–", "–"]
    drawn = (folder / "sweep.svg").read_text()
    assert all(words in drawn for words in ("without_edits", "stricter", "accepted"))


ARMS = {"bare": 1.0, "library": 2.0}


@pytest.mark.slow
def test_ablations_are_kept_beside_those_of_before(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = repository
    save(repository, "plain_only")
    kept = [{"experiment": name, "seed": 0, "arms": ARMS, "n": 7} for name in ("plain_only", "sft")]
    (folder / "kept.json").write_text(json.dumps(kept))
    lines = printed(capsys, "--ablations", "--out", "kept.json")
    assert [line.split()[1] for line in lines[2:]] == ["plain_only", "sft"]
    tried, before = json.loads((folder / "kept.json").read_text())
    assert before == kept[1] | {"looked_up": None, "look_ups": None}
    measured = json.loads((ROOT / "metrics/train.json").read_text())["validation"]
    assert tried == {
        "experiment": "plain_only", "seed": 0, "n": measured.pop("n"), "arms": measured, "looked_up": measured_lift(),
        "look_ups": None,
    }  # fmt: skip
    with pytest.raises(SystemExit):
        main("experiments", "--out", "kept.json")
    assert "add --ablations" in capsys.readouterr().err


def save(repository: tuple[Path, Run], experiment: str) -> None:
    """An experiment of a file of conf/experiment, with the metrics that are there."""
    folder, run = repository
    (folder / "params.yaml").write_text(yaml.safe_dump(PARAMS | {"experiment": experiment}))
    run("dvc", "exp", "save", "--name", f"tried-{experiment}")


def measured_lift() -> list[float]:
    """What the experiments of `save` gained in look-ups, with its interval."""
    figures = json.loads((ROOT / "metrics/lookups.json").read_text())["student"]
    return [figures[name] for name in ("lift", "lift_low", "lift_high")]


@pytest.mark.slow
@pytest.mark.parametrize(("tried", "kept"), [("plain_only", "shared_rows"), ("shared_rows", "plain_only")])
def test_what_a_file_kept_and_what_is_tried_are_compared_with_each_other(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str], tried: str, kept: str
) -> None:
    """Whichever of them is the control."""
    folder, _ = repository
    save(repository, tried)
    rows = [{"experiment": kept, "seed": 0, "arms": ARMS, "n": 7, "looked_up": [1.0, 0.0, 2.0]}]
    (folder / "kept.json").write_text(json.dumps(rows))
    lines = printed(capsys, "--ablations", "--out", "kept.json")
    beside = {line.split()[1]: line.split()[-2] for line in lines[2:]}
    gained, *_ = measured_lift()
    more = gained - 1.0 if tried == "plain_only" else 1.0 - gained
    assert beside == {"plain_only": f"{more:+.1f}", "shared_rows": "–"}


@pytest.mark.slow
def test_of_a_kept_ablation_it_is_known_how_many_look_ups_were_asked(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, run = repository
    asked = LookUps(LibraryUse(432, Proportion(25.0, 432, 21.1, 29.3), Proportion(33.0, 432, 28.7, 37.6), None, None,
                               None, None), {}, {})  # fmt: skip
    write_record(folder / "data/lookups.json", {"student": asked}, dict[str, LookUps])
    run("git", "add", "data")
    save(repository, "sft")
    printed(capsys, "--ablations", "--out", "kept.json")
    (kept,) = json.loads((folder / "kept.json").read_text())
    assert kept["look_ups"] == 432


@pytest.mark.slow
def test_where_nothing_was_tried_it_names_the_stage_that_makes_every_figure_of_the_table(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main("experiments", "--ablations")
    assert "dvc exp run lookups -S experiment=NAME -S seed=SEED" in capsys.readouterr().err


def test_where_nothing_was_tried_a_file_is_shown_and_left_as_it_is(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = repository
    before = json.dumps([{"experiment": name, "seed": 0, "arms": ARMS, "n": 7} for name in ("gone, seed=1", "sft")])
    (folder / "kept.json").write_text(before)
    with pytest.raises(SystemExit) as ended:
        main("experiments", "--ablations", "--out", "kept.json")
    assert ended.value.code == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 2 + 2
    assert "nothing is added to kept.json" in told.err
    assert "gone is no file of conf/experiment" in told.err
    assert "sft is no file" not in told.err
    assert (folder / "kept.json").read_text() == before


@pytest.mark.slow
def test_an_experiment_without_an_arm_is_left_out_with_a_notice(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = repository
    save(repository, "sft")
    (folder / "metrics/train.json").write_text(json.dumps({"validation": {"bare": 25.0, "n": 8}}))
    save(repository, "plain_only")
    with pytest.raises(SystemExit) as ended:
        main("experiments", "--ablations", "--plot", "sweep.svg")
    assert ended.value.code == 0
    told = capsys.readouterr()
    assert "NOTE: experiment tried-plain_only (plain_only) is left out, for it lacks validation.library" in told.err
    assert any(line.startswith("| sft") for line in told.out.splitlines())
    assert not any(line.startswith("| plain_only") for line in told.out.splitlines())


@pytest.mark.slow
def test_a_damaged_file_is_refused_and_left_as_it_is(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = repository
    before = json.dumps([{"experiment": "sft", "seed": 3, "arms": {"bare": 1.0}, "n": 7}])
    (folder / "kept.json").write_text(before)
    with pytest.raises(SystemExit) as ended:
        main("experiments", "--ablations", "--out", "kept.json")
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert "kept.json: not what PFE writes there (0: sft, seed 3: arms lack library)" in told.err
    assert not told.out
    assert (folder / "kept.json").read_text() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("out", "said"), [("metrics", "a folder; give a file"), ("gone/kept.json", "gone is no folder")]
)
def test_where_nothing_can_be_kept_is_told_before_anything_is_read(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str], out: str, said: str
) -> None:
    folder, _ = repository
    with pytest.raises(SystemExit) as ended:
        main("experiments", "--ablations", "--out", out)
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert f"--out {out}: {said}" in told.err
    assert len(told.err.splitlines()) == 1
    assert not told.out
    assert not (folder / "gone").exists()


@pytest.mark.slow
def test_an_ablation_that_changed_more_than_its_file_is_another_one(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, run = repository
    copytree(ROOT / "conf", folder / "conf")
    (folder / "params.yaml").write_text(written())
    run("git", "add", ".")
    run("git", "commit", "-qm", "the parameters of conf")
    for number, (experiment, *more) in enumerate((
        ("sft", "seed=7"), ("sft", "student.tokens=200"), ("sft", "corpus.per_library=6"), ("gkd_offpolicy",),
        ("gkd_offpolicy", "student.gkd.steps=2"), ("gkd_offpolicy", "embedded=[wide]"), ("mixed_library",),
        ("mixed_library", "corpus.problems=plain"),
    )):  # fmt: skip
        (folder / "params.yaml").write_text(written([f"experiment={experiment}", *more]))
        run("dvc", "exp", "save", "--name", f"tried-{number}")
    printed(capsys, "--ablations", "--out", "kept.json")
    kept = {(one["experiment"], one["seed"]) for one in json.loads((folder / "kept.json").read_text())}
    without_deep = [name for name, _ in kept if name.startswith("gkd_offpolicy, ") and "embedded.deep" in name]
    assert len(without_deep) == 1
    assert kept - {(without_deep[0], 0)} == {
        ("sft", 7), ("sft, student.tokens=200", 0), ("sft, corpus.per_library=6", 0), ("gkd_offpolicy", 0),
        ("gkd_offpolicy, student.gkd.steps=2", 0), ("mixed_library", 0), ("mixed_library, corpus.problems=plain", 0),
    }  # fmt: skip


def lock(weights: str) -> str:
    """dvc.lock where stage `train` wrote some weights, and `score` read those of "a"."""
    written, read = ({"path": "data/models/student", "md5": md5 * 32} for md5 in (weights, "a"))
    train = {"cmd": "train", "outs": [written]}
    score = {"cmd": "score", "deps": [read], "outs": [{"path": "metrics/pfe.json", "md5": "b" * 32}]}
    return yaml.safe_dump({"schema": "2.0", "stages": {"train": train, "score": score}})


@pytest.mark.slow
def test_metrics_of_what_was_not_run_again_are_none_of_an_experiment(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    """As behind `dvc exp run train`, whose metrics/pfe.json is of the student before."""
    folder, run = repository
    (folder / "dvc.lock").write_text(lock("a"))
    run("git", "add", ".")
    run("git", "commit", "-qm", "a whole run")
    (folder / "dvc.lock").write_text(lock("c"))
    run("dvc", "exp", "save", "--name", "trained")
    _, _, _, before, trained = printed(capsys)
    assert before.split()[0] == "main"
    assert "–" not in before
    assert trained.split()[:2] == ["└─", "trained"]
    assert trained.split()[-5:-2] == ["–", "–", "–"]


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [("c", "a"), ("a", "c")])
def test_metrics_that_are_written_while_they_are_read_are_none_of_the_workspace(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    before: str, after: str,
) -> None:  # fmt: skip
    """A stage that ends, or begins, behind DVC's reading of metrics and before the lock is read."""
    folder, _ = repository
    (folder / "dvc.lock").write_text(lock(before))
    read = Experiments.show

    def slow(self: Experiments, *words: Any, **options: Any) -> Any:
        states = read(self, *words, **options)
        (folder / "dvc.lock").write_text(lock(after))
        return states

    monkeypatch.setattr(Experiments, "show", slow)
    workspace = next(line for line in printed(capsys) if line.startswith("workspace "))
    assert workspace.split()[-4:-2] == ["–", "–"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "content", "status", "said"),
    [
        ("dvc.lock", 'schema: "2.0"\nstages:\n  train: 3\n', 2,
         "dvc.lock: damaged (stages.train: no mapping); take it from git again"),
        ("dvc.yaml", "<<<<<<< HEAD\nstages: {}\n", 0, "NOTE: workspace: no figures; "),
    ],
)  # fmt: skip
def test_a_damaged_file_of_the_workspace_is_told(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str], file: str, content: str, status: int, said: str
) -> None:
    (repository[0] / file).write_text(content)
    with pytest.raises(SystemExit) as ended:
        main("experiments")
    assert ended.value.code == status
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_the_workspace_has_its_name(repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]) -> None:
    assert any(line.startswith("workspace ") for line in printed(capsys))


@pytest.mark.slow
def test_of_a_model_that_nobody_examined_it_says_which_there_are(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main("experiments", "--model", "studnet")
    assert "did you mean 'student'?" in capsys.readouterr().err


@pytest.mark.slow
def test_where_no_student_was_examined_nothing_is_said_of_it(
    repository: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = repository
    figures = json.loads((folder / "metrics/pfe.json").read_text())
    (folder / "metrics/pfe.json").write_text(json.dumps({"base": figures["base"]}))
    workspace = next(line for line in printed(capsys) if line.startswith("workspace"))
    assert workspace.split()[1:4] == ["–", "–", "–"]


def test_outside_an_experiment_it_says_where_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main("experiments")
    assert ended.value.code == 2
    assert "run it in the folder of an experiment" in capsys.readouterr().err
