"""TRL's trainer of generalised knowledge distillation, for an ensemble of tutors and rows that share a library.

Example: `Gkd(model=student, teacher_model=ensemble, args=GKDConfig(…), context=2048, …).passes("on_policy")` counts the
passes in which the student wrote. It loads TRL and wandb, so it is imported where distillation begins.
"""

import warnings
from collections import Counter
from copy import copy
from typing import Any

from torch import Tensor

from pfe.training.sharing import Example, collate, joined, lay_out

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that trl.experimental may change: its version is pinned
    from trl.experimental.gkd import GKDConfig, GKDTrainer

__all__ = ["GKDConfig", "Gkd", "written"]


class Gkd(GKDTrainer):
    """TRL's, on batches of `batch_tensors`, with an ensemble for a teacher; `context` bounds what is written."""

    def __init__(self, *arguments: Any, context: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.context = context
        self._authors: Counter[str] = Counter()
        # The mean is over the tokens that take a loss in the step, which are not those of the answer keys
        # where something else is written.
        self.model_accepts_loss_kwargs = False

    def training_step(self, model: Any, inputs: dict[str, Tensor], num_items_in_batch: Any = None) -> Tensor:
        self.teacher_model.weights = inputs.pop("weights")
        return super().training_step(model, inputs, num_items_in_batch)

    def generate_on_policy_outputs(  # type: ignore[override]  # TRL's is static
        self, model: Any, inputs: dict[str, Tensor], generation_config: Any
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Completions of a batch's prompts, laid out as its rows were.

        Returns:
            tokens (sequences, n), mask (sequences, 1, n, n), labels (sequences, n)
        """
        self._authors["by_tutors" if model is self.teacher_model else "on_policy"] += 1
        bounded = copy(generation_config)
        bounded.max_new_tokens = min(bounded.max_new_tokens, self.context - inputs["prompts"].shape[1])
        tokens, mask, labels = GKDTrainer.generate_on_policy_outputs(model, inputs, bounded)  # type: ignore[no-untyped-call]
        sequences = written(tokens, mask, labels, inputs["places"])
        batch = collate([joined(list(map(lay_out, rows))) for rows in sequences], bounded.pad_token_id)
        first, second, third = (batch[name].to(tokens.device) for name in ("input_ids", "attention_mask", "labels"))
        return first, second, third

    def log(self, logs: dict[str, float], *arguments: Any) -> None:
        """Keep with the log, which checkpoints have too, who wrote since it was last written."""
        super().log(logs | self._authors, *arguments)
        self._authors.clear()

    def passes(self, author: str) -> int:
        """In how many passes the author wrote: `on_policy` the student, `by_tutors` a tutor."""
        return sum(int(entry.get(author, 0)) for entry in self.state.log_history)


def written(tokens: Tensor, mask: Tensor, labels: Tensor, places: Tensor) -> list[list[list[Example]]]:
    """What was written behind prompts, as sequences of rows of lessons.

    Args:
        tokens: prompts, filled up in front, and what follows them, of shape (lessons, n).
        mask: 1 where a token is one of the lesson, of the same shape.
        labels: the tokens that were written, and -100 elsewhere, of the same shape.
        places: the sequence and the row of every lesson, of shape (lessons, 2).
    """
    sequences: dict[int, dict[int, list[Example]]] = {}
    for line, seen, asked, (sequence, row) in zip(tokens, mask.bool(), labels, places.tolist(), strict=True):
        prompt = int((seen & (asked == -100)).sum())
        lesson = Example(tuple(line[seen].tolist()), prompt)
        sequences.setdefault(sequence, {}).setdefault(row, []).append(lesson)
    return [list(rows.values()) for rows in sequences.values()]
