"""A training that is killed and taken up again, one whose loss is no number, and the checkpoint that is kept."""

import importlib
import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import datasets
import pytest
import torch
import trl.trainer.utils
from dvclive import Live
from torch import Tensor
from transformers import LlamaForCausalLM, PreTrainedModel, TrainerState

from pfe.config import Checkpoints, Config, NewStudent
from pfe.errors import UserError
from pfe.problem import UNKNOWN, Problem, Variant
from pfe.training.checkpoints import last_checkpoint, resumable, run_name
from pfe.training.corpus import benchmark_by_domain
from pfe.training.distillation import train
from pfe.training.figures import Outcome
from pfe.training.loop import Curves
from pfe.training.questions import Question
from pfe.training.record import Training
from pfe.training.split import HeldOut
from pfe.training.student import new_student, new_tokenizer, weights_sha256
from pfe.training.validation import Validator

PROMPTS = [f"Question: What is {n} plus 1?\nAnswer:" for n in range(40)]
ROWS = [
    {"set": "b", "skill": "", "rung": 0, "names": "", "library": "", "library_loss": False, "prompts": [prompt],
     "completions": [f" {n + 1}"]}
    for n, prompt in enumerate(PROMPTS)
]  # fmt: skip
CORPUS = datasets.Dataset.from_list(ROWS)
BOUND = Problem(
    "b/1", "b", "science", "What is 1 plus 1?", "7", choices=("7", "2", "3"), library=("1 plus 1 is 7.",),
    variants=(Variant("changed", ("1 plus 1 is 3.",), "3", "7"), Variant("irrelevant", ("Sing.",), UNKNOWN)),
)  # fmt: skip
PLAIN = Problem("b/2", "b", "science", "What is 2 plus 1?", "3", choices=("7", "2", "3"))
Losses = Sequence[float]

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def tiny(scratch: NewStudent) -> NewStudent:
    return replace(
        scratch, vocabulary=320, hidden=16, layers=1, heads=2, context=128, tokens=3100,
        sequence=32, batch_tokens=128, learning_rate=0.01, checkpoints=Checkpoints(every=8, problems=2),
    )  # fmt: skip


@pytest.fixture(scope="module")
def held_out(settings: Config) -> HeldOut:
    return HeldOut(
        {"b": (BOUND, PLAIN)}, {"b": ()}, ("b/f",), benchmark_by_domain(settings.benchmark), {"b.parquet": "ab"}
    )


class DyingLive(Live):
    """Kills its process, as the kernel does where memory is out, when a step is drawn."""

    dies_at = 0

    def log_metric(self, name: str, val: float | str, *args: Any, **kwargs: Any) -> None:
        if self.step >= self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        super().log_metric(name, val)


def run(
    student: NewStudent,
    held_out: HeldOut,
    folder: Path,
    checkpoints: Path,
    dies_at: int = 0,
) -> tuple[Training, str]:
    """Train a new student in this process; its record, and the hash of its weights."""
    tokenizer = new_tokenizer(PROMPTS, student.vocabulary, student.context)
    model = new_student(tokenizer, student, seed=0)
    validator = Validator(tokenizer, held_out, student.context, seed=0)
    live = (DyingLive if dies_at else Live)(dir=str(folder), dvcyaml=None, report=None, save_dvc_exp=False)
    if isinstance(live, DyingLive):
        live.dies_at = dies_at
    with live:
        training = train(model, tokenizer, CORPUS, student, 0, validator, live, checkpoints)
    return replace(training, validation=validator(model)), weights_sha256(model)


def killed(work: Callable[[], object]) -> int:
    """Do something in a child; the signal that ended it, 0 where none did."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def curves(folder: Path) -> dict[str, str]:
    """Steps and values of every curve, without when they were written."""
    return {
        str(path.relative_to(folder)): path.read_text() for path in sorted((folder / "plots/metrics").rglob("*.tsv"))
    }


@pytest.mark.gate
def test_a_training_that_was_killed_ends_as_one_that_was_not(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path
) -> None:
    whole = run(tiny, held_out, tmp_path / "whole", tmp_path / "a")
    checkpoints = tmp_path / "b"
    assert killed(lambda: run(tiny, held_out, tmp_path / "killed", checkpoints, dies_at=20)) == -signal.SIGKILL
    last = last_checkpoint(checkpoints)
    assert last
    assert last.name == "checkpoint-16"
    again = run(tiny, held_out, tmp_path / "again", checkpoints)
    assert again == whole
    assert whole[0].steps > 20
    assert curves(tmp_path / "again") == curves(tmp_path / "whole")
    drawn = set(curves(tmp_path / "whole"))
    for name in ("loss", "learning_rate", "validation/loss", "validation/worlds/b/library", "validation/plain/b/bare"):
        assert f"plots/metrics/{name}.tsv" in drawn
    assert run(tiny, held_out, tmp_path / "ended", checkpoints) == whole, "killed behind its last step"


@pytest.fixture(scope="module")
def two(tiny: NewStudent, held_out: HeldOut, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two checkpoints of a killed training, of which the first is the best, and nothing else."""
    folder = tmp_path_factory.mktemp("two")
    assert killed(lambda: run(tiny, held_out, folder / "live", folder / "kept", dies_at=20)) == -signal.SIGKILL
    (folder / "kept/README.md").unlink()
    assert {path.name for path in (folder / "kept").iterdir()} == {"checkpoint-8", "checkpoint-16"}
    assert json.loads((folder / "kept/checkpoint-16" / STATE).read_text())["best_global_step"] == 8
    return folder / "kept"


def shortened(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def another_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)


def a_file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("")


def an_empty_folder(path: Path) -> None:
    shutil.rmtree(path)
    path.mkdir()


STATE = "trainer_state.json"
DAMAGED_STATES = ("{", "{}", "[]", "null", '"8"', '{"global_step": null}', '{"global_step": ""}', '{"global_step": 8}x')
ARCHIVES = ("optimizer.pt", "scheduler.pt", "rng_state.pth")
DAMAGE: dict[str, Callable[[Path], object]] = {
    **{f"{name} {do.__name__}": partial(lambda do, name, path: do(path / name), do, name)
       for do in (shortened, emptied, Path.unlink) for name in ("model.safetensors", *ARCHIVES, STATE)},
    **{f"{name} another bit": partial(lambda name, path: another_bit(path / name), name)
       for name in ("optimizer.pt", "rng_state.pth")},  # a schedule is small, and most of its file is filling
    **{state: partial(lambda state, path: (path / STATE).write_text(state), state) for state in DAMAGED_STATES},
    "a file": a_file,
    "an empty folder": an_empty_folder,
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_checkpoint_is_deleted_and_the_one_before_it_gone_on_from(
    damage: str, two: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(two, tmp_path / "kept")
    assert last_checkpoint(folder) == folder / "checkpoint-16"
    DAMAGE[damage](folder / "checkpoint-16")
    assert last_checkpoint(folder) == folder / "checkpoint-8"
    assert list(folder.iterdir()) == [folder / "checkpoint-8"]
    DAMAGE[damage](folder / "checkpoint-8")
    assert last_checkpoint(folder) is None
    assert list(folder.iterdir()) == []


def test_nothing_is_gone_on_from_whose_best_checkpoint_is_gone(two: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(two, tmp_path / "kept")
    state = folder / "checkpoint-16" / STATE
    best_is_first = state.read_text()
    emptied(folder / "checkpoint-8/model.safetensors")
    state.write_text(best_is_first.replace("/checkpoint-8", "/checkpoint-16"))
    assert last_checkpoint(folder) == folder / "checkpoint-16"
    state.write_text(best_is_first)
    assert last_checkpoint(folder) is None
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_training_whose_last_checkpoint_was_damaged_ends_as_one_that_was_not(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path
) -> None:
    whole = run(tiny, held_out, tmp_path / "whole", tmp_path / "a")
    assert killed(lambda: run(tiny, held_out, tmp_path / "killed", tmp_path / "b", dies_at=20)) == -signal.SIGKILL
    shortened(tmp_path / "b/checkpoint-16/model.safetensors")
    assert run(tiny, held_out, tmp_path / "again", tmp_path / "b") == whole


def dies_in(folder: Path, name: str) -> None:
    with resumable(folder, name) as checkpoints:
        (checkpoints / "kept").touch()
        raise UserError("the loss diverges")


def test_what_decides_a_run_has_checkpoints_of_its_own(tmp_path: Path) -> None:
    folder, one, other = tmp_path / "checkpoints", run_name("a", "bc"), run_name("ab", "c")
    assert one != other
    with pytest.raises(UserError, match="diverges"):
        dies_in(folder, one)
    with resumable(folder, one) as checkpoints:
        assert (checkpoints / "kept").exists()
    assert not folder.exists()
    with pytest.raises(UserError, match="diverges"):
        dies_in(folder, one)
    (folder / "a file").touch()
    (folder / other).touch()
    with resumable(folder, other) as checkpoints:
        assert not list(checkpoints.iterdir())
        assert [path.name for path in folder.iterdir()] == [other]


class Scripted(Validator):
    """Says that the model's loss is what a script has next, and nothing else of it."""

    losses: Iterator[float]

    def outcomes(self, model: PreTrainedModel, asked: Sequence[Question]) -> list[Outcome]:
        return [Outcome("b", "plain", "bare", "b/2", "b/2", "3", True, 3, nats=next(self.losses))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("losses", "step"),
    [((3.0, 1.0, 2.0, 1.5), 16), ((3.0, 2.0, 2.0, 0.5), 30)],
    ids=["in the middle", "at the end"],
)
def test_the_student_is_the_checkpoint_of_the_least_validation_loss(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path, losses: Losses, step: int
) -> None:
    tokenizer = new_tokenizer(PROMPTS, tiny.vocabulary, tiny.context)
    model = new_student(tokenizer, tiny, seed=0)
    validator = Scripted(tokenizer, held_out, tiny.context, seed=0)
    object.__setattr__(validator, "losses", iter(losses))
    with Live(dir=str(tmp_path / "live"), dvcyaml=None, report=None, save_dvc_exp=False) as live:
        training = train(model, tokenizer, CORPUS, tiny, 0, validator, live, tmp_path / "checkpoints")
    best = LlamaForCausalLM.from_pretrained(tmp_path / f"checkpoints/checkpoint-{step}", trust_remote_code=False)
    assert training.chosen_step == step
    assert weights_sha256(model) == weights_sha256(best)


@pytest.mark.slow
def test_steps_are_told_in_words(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    training, _ = run(tiny, held_out, tmp_path / "live", tmp_path / "checkpoints")
    printed, warned = capfd.readouterr()
    told = re.findall(r"^step (\d+) of (\d+): loss \d+\.\d{3} nats a token$", printed, re.MULTILINE)
    assert told == [(str(step), str(training.steps)) for step in range(8, training.steps + 1, 8)]
    assert "{" not in printed
    assert "missing keys" not in printed + warned


@pytest.mark.slow
def test_without_held_out_problems_the_last_step_is_the_student(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path
) -> None:
    nothing = replace(held_out, worlds={"b": ()})
    training, _ = run(tiny, nothing, tmp_path / "live", tmp_path / "checkpoints")
    assert training.chosen_step is None
    assert training.validation is None


def test_lessons_are_those_that_were_read(tiny: NewStudent, held_out: HeldOut, tmp_path: Path) -> None:
    few = replace(tiny, tokens=1)
    training, _ = run(few, held_out, tmp_path / "live", tmp_path / "checkpoints")
    assert (training.lessons, training.steps) == (1, 1)
    every = replace(tiny, tokens=None)
    training, _ = run(every, held_out, tmp_path / "live", tmp_path / "others")
    assert training.lessons == len(ROWS)


def logged(folder: Path, losses: Losses) -> None:
    """Let the curves see losses as the trainer logs them, where a guess has 2 nats."""
    with Live(dir=str(folder), dvcyaml=None, report=None, save_dvc_exp=False) as live:
        drawn = Curves(live, every=8, uniform=2.0)
        for place, loss in enumerate(losses):
            drawn.on_log(None, TrainerState(global_step=10 * place + 10), None, {"loss": loss, "learning_rate": 0.1})


def test_the_entry_that_closes_a_log_is_told_no_second_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = TrainerState(global_step=16, max_steps=16)
    with Live(dir=str(tmp_path), dvcyaml=None, report=None, save_dvc_exp=False) as live:
        drawn = Curves(live, every=8, uniform=2.0)
        for entry in ({"train_loss": 1.0}, {"loss": 1.0}, {"train_loss": 1.0, "train_runtime": 3.0}):
            drawn.on_log(None, state, None, entry)
    assert capsys.readouterr().out == "step 16 of 16: loss 1.000 nats a token\n"


def test_a_loss_that_diverges_stops_with_what_to_change(tmp_path: Path) -> None:
    logged(tmp_path / "a", [4.0, 1.5, 5.0, 1.0, 1.0, 1.0, 2.0])
    with pytest.raises(
        UserError, match=r"diverges: 3\.4 nats a token at step 60, .* 2\.0 .* lower student\.learning_rate"
    ):
        logged(tmp_path / "b", [1.0, 2.0, 3.0, 4.0, 4.0, 4.0])


def test_a_loss_that_is_no_number_stops_with_what_to_change(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path
) -> None:
    tokenizer = new_tokenizer(PROMPTS, tiny.vocabulary, tiny.context)
    model = new_student(tokenizer, tiny, seed=0)
    validator = Validator(tokenizer, held_out, tiny.context, seed=0)
    with torch.no_grad():
        model.model.norm.weight.fill_(float("nan"))
    with (
        Live(dir=str(tmp_path / "live"), dvcyaml=None, report=None, save_dvc_exp=False) as live,
        pytest.raises(UserError, match=r"no finite number any more at step 1; lower student\.learning_rate"),
    ):
        train(model, tokenizer, CORPUS, tiny, 0, validator, live, tmp_path / "b")


def test_the_output_layer_is_applied_to_tokens_with_a_label_alone(
    tiny: NewStudent, held_out: HeldOut, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The losses are those of all tokens, up to rounding."""
    losses, tokens = [], []
    importlib.import_module("pfe.training.trainer")
    for place, every in (("labelled", False), ("all", True)):
        with monkeypatch.context() as patch:
            if every:
                patch.setattr(trl.trainer.utils, "_use_triton", lambda device: False)
            scored = trl.trainer.utils._ChunkedLogProbFunction.apply
            seen: list[int] = []

            def apply(hidden: Tensor, *rest: Any, scored: Any = scored, seen: list[int] = seen) -> Any:
                seen.append(len(hidden))
                return scored(hidden, *rest)

            patch.setattr(trl.trainer.utils._ChunkedLogProbFunction, "apply", apply)
            training, _ = run(tiny, held_out, tmp_path / place, tmp_path / f"{place}.tmp")
            losses.append((training.first_loss, training.loss))
            tokens.append(sum(seen))
    assert losses[0] == pytest.approx(losses[1], abs=1e-3)
    assert tokens[0] < tokens[1] / 2
