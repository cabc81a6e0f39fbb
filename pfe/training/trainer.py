"""TRL's trainer as the student needs it. It loads TRL and wandb, so it is imported where training begins.

Example: `ValidatingTrainer(…, args=SFTConfig(**saving(folder, 250, 0)), validate=measure, kinds=())` measures every 250
steps and keeps a checkpoint; at its end the model has the weights of the checkpoint with the least validation loss.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn
from trl import SFTTrainer

from pfe.training.checkpoints import LOSS
from pfe.training.loop import ALL, ASKED, KINDS, LOOKED_UP, NO_KIND
from pfe.training.sharing import IGNORED


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
