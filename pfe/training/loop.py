"""The training loop around TRL's trainer: it logs curves, stops diverging runs and resumes from the last checkpoint.

Example: `trained(trainer, folder)` resumes at step 500 if the training was killed at step 600 and has a checkpoint
every 250 steps; with `Curves` among its callbacks it stops when the loss is not finite.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dvclive import Live
from tqdm import tqdm
from transformers import PrinterCallback, ProgressCallback, Trainer, TrainerCallback

from pfe.errors import UserError
from pfe.quiet import quiet
from pfe.training.checkpoints import last_checkpoint

_LAST = 5  # log entries of the loss that are averaged
_WORSE = 1.5  # a loss above this multiple of the uniform distribution's loss diverges
_DRAWN = {"loss": "loss", "learning_rate": "learning_rate"}
_REMEDY = "lower student.learning_rate, or raise student.batch_tokens"


class Curves(TrainerCallback):
    """Logs losses, learning rate and validation with DVCLive, and stops if the loss is not finite or diverges.

    A resumed run logs again all that it had logged before it was killed, so its curves are complete.

    Args:
        uniform: the loss in nats of a uniform distribution over tokens.
        names: the log entries to plot besides validation, with the names of their curves.
        remedy: the advice in the message about a diverging loss.
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
            control.should_log = True  # entries later than the checkpoint would be lost on resuming

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **kwargs: Any) -> None:
        entry = (logs or {}) | {"step": state.global_step}
        self._draw(entry)
        self._live.sync()
        if state.is_world_process_zero and "loss" in entry and state.global_step % self._every == 0:
            said = f"{self._names['loss']} {self.losses[-1]:.3f} nats a token"
            tqdm.write(f"step {state.global_step:,} of {state.max_steps:,}: {said}")

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
            if name in self._names or name.startswith("validation/"):
                self._live.log_metric(self._names.get(name, name), float(value))

    def _check(self, step: int) -> None:
        last = self.losses[-_LAST:]
        if not math.isfinite(last[-1]):
            raise UserError(f"the loss is no finite number any more at step {step:,}; {self._remedy}")
        if len(last) == _LAST and sum(last) / _LAST > _WORSE * self._uniform:
            raise UserError(
                f"the loss diverges: {sum(last) / _LAST:.1f} nats a token at step {step:,}, where "
                f"{self._uniform:.1f} would be those of a guess; {self._remedy}"
            )


class _Bar(ProgressCallback):
    """A progress bar of the steps alone: `Curves` prints the log entries."""

    def on_log(self, *args: Any, **kwargs: Any) -> None:
        pass


def trained(trainer: Trainer, checkpoints: Path) -> None:
    """Train from the last checkpoint in a folder, or from the start if there is none.

    The progress bar is shown on a terminal only, and the trainer's log dictionaries are not printed.
    """
    last = last_checkpoint(checkpoints)
    trainer.remove_callback(PrinterCallback)
    if trainer.pop_callback(ProgressCallback):
        trainer.add_callback(_Bar)
    with quiet():  # it warns of tied weights as missing when it loads the best checkpoint
        trainer.train(resume_from_checkpoint=str(last) if last else None)
