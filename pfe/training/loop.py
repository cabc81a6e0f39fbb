"""Around the trainer: what it measures and keeps as it goes, how it is taken up again, and when it stops.

Example: `ValidatingTrainer(…, args=SFTConfig(**saving(folder, 250, 0)), validate=measure)` measures every 250 steps and
keeps a checkpoint; killed at step 600 it goes on from step 500 (`last_checkpoint(folder)`), and at its end the model
has the weights of the checkpoint whose validation loss was the least.

Checkpoints are those of transformers' Trainer: weights, optimizer, schedule, random numbers, and all that was logged.
"""

import json
import math
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import torch
from dvclive import Live
from safetensors import SafetensorError, safe_open
from torch import nn
from tqdm import tqdm
from transformers import PrinterCallback, ProgressCallback, Trainer, TrainerCallback
from trl import SFTTrainer

from pfe.errors import UserError
from pfe.quiet import quiet
from pfe.training.processes import is_first
from pfe.training.sharing import IGNORED

KINDS, NO_KIND = "kinds", -1  # of a batch: of what kind every token is; what is of none is not counted
LOOKED_UP = "looked_up/"  # of a log, before a kind or `ALL`: the share of first tokens that were right since the last
ASKED = "asked/"  # of a log, before a kind: how many first tokens these were
ALL = "all"
LOSS = "eval_loss"  # what the best checkpoint has the least of
EVERY = 10  # steps between two entries of the loss
_LAST = 5  # entries of the loss that are judged together
_WORSE = 1.5  # times the loss of who gives every token the same probability is a loss that diverges
_STATE = "trainer_state.json"  # the last file of a checkpoint that is written
_NEEDED = ("*model*", "optimizer*", "scheduler.pt", "rng_state*")  # beside it; of one process, of several, of LoRA
_DRAWN = {"loss": "loss", "learning_rate": "learning_rate"}
_REMEDY = "lower student.learning_rate, or raise student.batch_tokens"


class ValidatingTrainer(SFTTrainer):
    """TRL's trainer, with the validation that it is given in the place of a loss on a data set.

    It logs the share of first tokens of answers that were right, of all that have a kind and by the kinds of `KINDS`.

    Args:
        validate: figures of the model by name; `loss` among them chooses the best checkpoint.
        kinds: names of kinds, by the number that a batch has for each.
    """

    def __init__(
        self, *args: Any, validate: Callable[[], Mapping[str, float]], kinds: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._validate, self._kinds = validate, kinds
        self._counts = torch.zeros(2, len(kinds), dtype=torch.int64)  # right, and asked, since the last entry

    def compute_loss(
        self, model: nn.Module, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        kinds = inputs.pop(KINDS)
        made: list[Any] = []

        def answer(**named: Any) -> Any:
            made.append(model(**named))
            return made[-1]

        loss = super().compute_loss(answer, inputs, return_outputs, num_items_in_batch)  # type: ignore[no-untyped-call]
        asked = (inputs["labels"] != IGNORED).to(torch.int8)
        first = (asked.diff(dim=1) > 0) & (kinds[:, 1:] != NO_KIND)
        right = first & made[0].is_top1.bool()
        counts = torch.stack([kinds[:, 1:][which].bincount(minlength=len(self._kinds)) for which in (right, first)])
        self._counts += self.accelerator.gather_for_metrics(counts[None]).sum(0).cpu()
        return loss

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        right, asked = ([int(of_all.sum()), *of_all.tolist()] for of_all in self._counts)
        counted = [of for of in zip((ALL, *self._kinds), right, asked, strict=True) if of[2]]
        logs |= {LOOKED_UP + kind: good / count for kind, good, count in counted}
        logs |= {ASKED + kind: count for kind, _, count in counted if kind != ALL}
        self._counts.zero_()
        super().log(logs, start_time)

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        figures = dict(self._validate())
        self.state.log_history.append(
            {f"validation/{name}": value for name, value in figures.items()} | {"step": self.state.global_step}
        )
        metrics = {LOSS: figures["loss"]}
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics


class Curves(TrainerCallback):
    """Draws losses, learning rate and validation with DVCLive, and stops where the loss is no number or diverges.

    All that a run logged before it was killed is drawn again when it is taken up, so its curves are those of one run.

    Args:
        uniform: the loss in nats of who gives every token the same probability.
        names: what of the log is drawn beside validation, and as what.
        remedy: what to change where the loss diverges.
    """

    def __init__(
        self, live: Live, every: int, uniform: float, names: Mapping[str, str] = _DRAWN, remedy: str = _REMEDY
    ) -> None:
        self._live, self._every, self._uniform, self._names, self._remedy = live, every, uniform, names, remedy
        self.losses: list[float] = []

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        for entry in state.log_history:
            self._draw(entry)
        self._live.sync()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step % self._every == 0 or state.global_step == state.max_steps:
            control.should_log = True  # what a checkpoint does not know of would be lost when it is taken up

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **kwargs: Any) -> None:
        entry = (logs or {}) | {"step": state.global_step}
        self._draw(entry)
        self._live.sync()
        if state.is_world_process_zero and "loss" in entry and state.global_step % self._every == 0:
            tqdm.write(f"step {state.global_step:,} of {state.max_steps:,}: {self._told(entry)}")

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._draw(state.log_history[-1])
        self._live.sync()

    def _draw(self, entry: Mapping[str, float]) -> None:
        step = int(entry["step"])
        self._live.step = step
        if "loss" in entry:
            self.losses.append(float(entry["loss"]))
            self._check(step)
        for name, value in entry.items():
            if name in self._names or name.startswith(("validation/", LOOKED_UP)):
                self._live.log_metric(self._names.get(name, name), float(value))

    def _told(self, entry: Mapping[str, float]) -> str:
        right = entry.get(LOOKED_UP + ALL)
        begin = "" if right is None else f", {100 * right:.0f} % of the answers begin right"
        return f"{self._names['loss']} {self.losses[-1]:.3f} nats a token{begin}"

    def _check(self, step: int) -> None:
        last = self.losses[-_LAST:]
        if not math.isfinite(last[-1]):
            raise UserError(f"the loss is no finite number any more at step {step:,}; {self._remedy}")
        if len(last) == _LAST and sum(last) / _LAST > _WORSE * self._uniform:
            raise UserError(
                f"the loss diverges: {sum(last) / _LAST:.1f} nats a token at step {step:,}, where "
                f"{self._uniform:.1f} would be those of a guess; {self._remedy}"
            )


def saving(folder: Path, every: int, validated_from: int | None = None) -> dict[str, Any]:
    """The trainer's options for checkpoints in a folder, the last one and, where it validates, the best one kept.

    Args:
        validated_from: the first step that may be validated, and so be the best: who has read nothing but exercises
            may have the least loss by guessing alike, and looks nothing up yet. None validates none.
    """
    options: dict[str, Any] = {
        "output_dir": str(folder),
        "save_strategy": "steps",
        "save_steps": every,
        "save_total_limit": 2,
        "logging_steps": EVERY,
        "logging_first_step": True,
        "logging_nan_inf_filter": False,
        "disable_tqdm": not sys.stderr.isatty(),
    }
    if validated_from is not None:
        options |= {
            "eval_strategy": "steps",
            "eval_steps": every,
            "eval_delay": validated_from,
            "load_best_model_at_end": True,
            "metric_for_best_model": LOSS,
            "greater_is_better": False,
        }
    return options


class _Bar(ProgressCallback):
    """Steps alone: `Curves` says what is logged."""

    def on_log(self, *args: Any, **kwargs: Any) -> None:
        pass


def trained(trainer: Trainer, checkpoints: Path) -> None:
    """Train from the last checkpoint in a folder on, or from the start where there is none.

    A bar stands on a terminal alone, and the trainer's dictionaries nowhere.
    """
    last = last_checkpoint(checkpoints)
    trainer.remove_callback(PrinterCallback)
    if trainer.pop_callback(ProgressCallback):
        trainer.add_callback(_Bar)
    with quiet():  # it takes tied weights for missing ones where it loads the best
        trainer.train(resume_from_checkpoint=str(last) if last else None)


def last_checkpoint(folder: Path) -> Path | None:
    """The last checkpoint in a folder that can be gone on from; damaged ones, and those that need one, are deleted.

    The trainer's state is written last, so what a kill left half-written has none. One whose best checkpoint is gone
    would silently end with other weights than a training that was not killed.
    """
    found = list(folder.glob("checkpoint-*"))
    whole = {path.name: state for path in found if (state := _state(path))}
    usable = {state.step: folder / name for name, state in whole.items() if state.best is None or state.best in whole}
    for path in found:
        if path not in usable.values() and is_first():
            _delete(path)
    return usable[max(usable)] if usable else None


@dataclass(frozen=True)
class _State:
    """What a checkpoint says of itself: its step, and the name of the checkpoint that was the best so far."""

    step: int
    best: str | None


def _state(checkpoint: Path) -> _State | None:
    """What a checkpoint says of itself; None where a file of it is missing or cannot be read to its end."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        state = json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
        best = state.get("best_model_checkpoint")
        said = _State(int(state["global_step"]), best and Path(best).name)
        if all(map(_is_whole, checkpoint.iterdir())) and all(any(checkpoint.glob(name)) for name in _NEEDED):
            return said
    return None


def _is_whole(path: Path) -> bool:
    """Whether a file of tensors can be read to its end: safetensors, or an archive of torch, whose sums are checked."""
    try:
        if path.suffix == ".safetensors":
            with safe_open(path, "pt"):
                return True
        if path.suffix in (".pt", ".pth", ".bin"):
            with ZipFile(path) as archive:
                return archive.testzip() is None
    except (SafetensorError, BadZipFile, EOFError, NotImplementedError):
        return False
    return True


@contextmanager
def resumable(folder: Path, run: str) -> Iterator[Path]:
    """A folder for the checkpoints of one run, which outlives its death; at its end, if all went well, it is deleted.

    Those of other runs are deleted at once: something that decides a run has changed since. Of several processes the
    first deletes.

    Args:
        folder: for the checkpoints of all runs, and nothing else.
        run: what decides the run, as `run_name` has it.
    """
    if folder.is_file() and is_first():
        _delete(folder)
    for other in folder.iterdir() if folder.is_dir() and is_first() else ():
        if other.name != run or not other.is_dir():
            _delete(other)
    (folder / run).mkdir(parents=True, exist_ok=True)
    yield folder / run
    if is_first():
        shutil.rmtree(folder)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def run_name(*decides: str | bytes) -> str:
    """One name for all that decides a run; no two different sequences of parts share one."""
    digest = sha256()
    for part in decides:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:32]
