"""A student that an embedded tutor teaches, by the real `dvc`: who runs when, and what is written."""

from dataclasses import asdict
from pathlib import Path

import datasets
import pytest

from pfe.files import read_record
from pfe.models.loading import load
from pfe.problem import Problem
from pfe.training.record import Training
from pfe.training.rows import CorpusRow
from pfe.training.split import HeldOut, write_held_out
from tests.pipeline.conftest import copy_checkout, overrides, ran, runner

TAUGHT = (
    "student=scratch", "embedded=[wide]", "embedded.wide.hidden=48", "embedded.wide.layers=1", "embedded.wide.heads=2",
    "model=[base,student,wide]", "student.gkd.steps=4", "student.gkd.max_new_tokens=4", "student.gkd.ensemble=route",
)  # fmt: skip
ROWS = [
    CorpusRow(
        f"set_{number % 2}", "icr", f"[LIBRARY] A kralo pays {number}. ", (f"A kralo pays {number}.",), False,
        (f"set_{number % 2}/tolls/s0/{number}",) * 2, ("derive verify", "derive"),
        ("Question: What does a kralo pay?\nAnswer:", "A kralo"), (f" {number}", f" pays {number}."),
    )
    for number in range(60)
]  # fmt: skip
ASKED = {
    name: tuple(
        Problem(f"{name}/{number}", name, "science", "What does a mivet pay?", "2", choices=("2", "3"))
        for number in range(4)
    )
    for name in ("set_0", "set_1")
}
HELD_OUT = HeldOut(ASKED, dict.fromkeys(ASKED, ()), (), {}, {f"{name}.parquet": "ab" for name in ASKED})
STAGES = ("tutor@wide", "ensemble", "train")


@pytest.mark.slow
def test_a_tutor_is_trained_once_and_teaches_the_student(tmp_path: Path, binaries: Path) -> None:
    from pfe.training.teachers import TeacherRecord  # brings TRL with it

    folder = tmp_path / "clone"
    folder.mkdir()
    copy_checkout(folder)
    datasets.Dataset.from_list(list(map(asdict, ROWS))).save_to_disk(folder / "data/corpus")
    (folder / "data/validation").mkdir()
    write_held_out(folder / "data/validation", HELD_OUT)
    run = runner(folder, binaries)

    def repro(*more: str) -> tuple[set[str], str]:
        chosen = [value for value in overrides(*TAUGHT, *more) if value != "-S"]
        run("pfe", "params", *chosen)
        printed = run("dvc", "repro", "--single-item", "code", *STAGES).stdout
        return ran(printed), printed

    first, printed = repro()
    assert first == set(STAGES)
    assert "token probabilities: wide" in printed
    taught = read_record(folder / "data/training/taught.json", TeacherRecord)
    assert taught.answer_keys == {"derive": 120, "verify": 60}
    assert taught.embedded.weights == {"set_0": {"wide": 1.0}, "set_1": {"wide": 1.0}}
    assert taught.distillation
    assert taught.distillation.steps == 4
    assert (folder / "data/training/plots/metrics/divergence.tsv").is_file()
    assert (folder / "data/training/plots/metrics/loss.tsv").is_file()
    tutor = load(str(folder / "data/models/tutors/wide"), None, "float32", "cpu")
    assert taught.embedded.files == {"wide": tutor.weights}
    trained = read_record(folder / "data/models/tutors/wide/training/figures.json", Training)
    assert trained.validation
    assert trained.validation.sets["set_0"].plain
    assert taught.embedded.accuracy["wide"]["set_0"].value == trained.validation.sets["set_0"].plain.value
    assert (folder / "data/models/tutors/wide/training/plots/metrics/loss.tsv").is_file()
    assert not list((folder / "data").glob("*.tmp")), "who has ended keeps no checkpoints"

    assert repro()[0] == set()
    assert repro("student.gkd.lmbda=1.0")[0] == {"train"}
    assert repro("embedded.wide.seed=9")[0] == set(STAGES)
