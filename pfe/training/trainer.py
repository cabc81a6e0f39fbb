"""TRL's trainer with our validation. Importing this module loads TRL and wandb, so only training does.

Example: `ValidatingTrainer(…, args=SFTConfig(**saving(folder, 250, validates=True)), validate=measure)` validates every
250 steps and saves a checkpoint; in the end the model has the weights of the checkpoint with the lowest validation
loss.
"""

from collections.abc import Callable, Mapping
from typing import Any

import trl.trainer.utils
from trl import SFTTrainer

from pfe.training.checkpoints import LOSS

# TRL asks this whether it may leave out tokens without a label before the output layer, and does so on GPUs alone. On a
# CPU too the result is the same, and the output layer would take a fifth of the time.
vars(trl.trainer.utils)["_use_triton"] = lambda device: True


class ValidatingTrainer(SFTTrainer):
    """TRL's trainer with a validation function in place of the loss on a data set.

    Args:
        validate: returns results of the model by name; the `loss` among them chooses the best checkpoint.
    """

    def __init__(self, *args: Any, validate: Callable[[], Mapping[str, float]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._validate = validate

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        figures = dict(self._validate())
        self.state.log_history.append(
            {f"validation/{name}": value for name, value in figures.items()} | {"step": self.state.global_step}
        )
        metrics = {LOSS: figures["loss"]}
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics
