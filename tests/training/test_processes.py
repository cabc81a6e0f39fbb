"""One training in several processes: the first writes, and the result is that of one process."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from pfe.config import Config
from pfe.errors import UserError
from pfe.files import read_record, write_record
from pfe.models.loading import load
from pfe.params import written
from pfe.training.checkpoints import last_checkpoint, resumable
from pfe.training.embedded import NOBODY
from pfe.training.processes import check_launch, outputs
from pfe.training.record import Training
from pfe.training.split import HeldOut, write_held_out
from tests.conftest import ROOT
from tests.training.test_hub import CORPUS

# Dies as a process does whose memory is out, while it writes the state of its second checkpoint.
DIES = """
import os, signal, sys

def dies(event, arguments):
    if event == "open" and str(arguments[0]).endswith("checkpoint-2/trainer_state.json"):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(dies)
"""
LAUNCHES = {"full": ("--config_file", str(ROOT / "conf/accelerate/fsdp.yaml")), "qwen": ("--multi_gpu",)}


def test_only_the_first_process_replaces_what_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    paths = (tmp_path / "data/student", tmp_path / "metrics.json")
    for rank, left in (("1", {}), ("0", {"data", "metrics.json"})):
        monkeypatch.setenv("RANK", rank)
        with outputs(*paths) as (folder, file):
            folder.mkdir(exist_ok=True)
            (folder / "weights").write_text(rank)
            file.write_text(rank)
        assert {path.name for path in tmp_path.iterdir()} == set(left)
    assert (paths[0] / "weights").read_text() == paths[1].read_text() == "0"


def test_only_the_first_process_deletes_checkpoints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    broken = folder / "run/checkpoint-8"
    broken.mkdir(parents=True)
    for rank, left in (("1", True), ("0", False)):
        monkeypatch.setenv("RANK", rank)
        with resumable(folder, "run") as checkpoints:
            assert last_checkpoint(checkpoints) is None
            assert broken.exists() == left
        assert folder.exists() == left


def test_distillation_takes_one_process(settings: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    taught = replace(settings.student, gkd=replace(settings.student.gkd, steps=5))
    check_launch(taught)
    monkeypatch.setenv("WORLD_SIZE", "2")
    check_launch(settings.student)
    with pytest.raises(UserError, match=r"student\.gkd\.steps: 5 steps .* one process; start it with `dvc"):
        check_launch(taught)


def experiment(folder: Path, name: str, model: str, accumulation: int) -> Path:
    """A folder in which `python -m stages.train` trains the model of a folder for two steps."""
    (folder / "conf").parent.mkdir()
    (folder / "conf").symlink_to(ROOT / "conf")
    CORPUS.save_to_disk(folder / "data/corpus")
    (folder / "data/validation").mkdir()
    write_held_out(folder / "data/validation", HeldOut({"s": ()}, {"s": ()}, (), {}, {"s.parquet": "ab"}))
    write_record(folder / "data/ensemble.json", NOBODY)
    overrides = [
        f"student={name}", f"student.path={model}", "student.revision=null", "student.context=256",
        "student.sequence=300", "student.batch_tokens=300", f"student.accumulation={accumulation}",
        "student.precision=float32", "student.learning_rate=0.01", "student.checkpoints.every=1",
    ]  # fmt: skip
    (folder / "params.yaml").write_text(written(overrides, ROOT / "conf"))
    return folder


def run(folder: Path, launch: Sequence[str], *first: Path) -> subprocess.CompletedProcess[str]:
    """What `python -m stages.train` prints; modules are looked for in `first` before all other folders."""
    path = os.pathsep.join(map(str, [*first, ROOT]))
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    return subprocess.run([*launch, "-m", "stages.train"], cwd=folder, env=environment, capture_output=True, text=True)


def train(folder: Path, launch: Sequence[str], begins_at: int = 1) -> tuple[dict[str, torch.Tensor], Training]:
    done = run(folder, launch)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^step (\d) of 2", done.stdout, re.MULTILINE) == [str(step) for step in range(begins_at, 3)]
    assert done.stdout.count("nats per token") == 1, "the first process alone tells"
    trained = read_record(folder / "data/training/figures.json", Training)
    return load(str(folder / "data/models/student"), None, "float32", "cpu").model.state_dict(), trained


@pytest.mark.slow
@pytest.mark.parametrize("name", LAUNCHES)
def test_two_processes_one_of_which_was_killed_train_as_one_does(
    name: str, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    path = model_folder("qwen2")
    one, alone = train(experiment(tmp_path / "one", name, path, accumulation=2), [sys.executable])
    launch = [str(Path(sys.executable).with_name("accelerate")), "launch", *LAUNCHES[name], "--num_processes", "2"]
    folder = experiment(tmp_path / "two", name, path, accumulation=1)
    (tmp_path / "dying").mkdir()
    (tmp_path / "dying/sitecustomize.py").write_text(DIES)
    assert run(folder, launch, tmp_path / "dying").returncode
    left = folder.glob("data/checkpoints.tmp/*/checkpoint-*")
    assert {path.name for path in left} == {"checkpoint-1", "checkpoint-2"}, "the second is half-written"
    two, together = train(folder, launch, begins_at=2)
    assert alone.steps == together.steps == 2
    assert together.first_loss == pytest.approx(alone.first_loss, rel=1e-5)
    base = load(path, None, "float32", "cpu").model.state_dict()
    assert set(two) == set(one) == set(base)
    for key, weights in one.items():
        torch.testing.assert_close(two[key], weights, rtol=1e-4, atol=1e-5)
        assert name == "qwen" or not torch.equal(two[key], base[key]), key
    assert any(not torch.equal(two[key], base[key]) for key in two)
