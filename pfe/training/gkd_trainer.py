"""TRL's trainer for generalised knowledge distillation, for an ensemble of tutors and rows that share a library.

Example: `Gkd(model=student, teacher_model=ensemble, args=GKDConfig(…), context=2048, …).passes("on_policy")` counts the
passes in which the student generated the text. Importing this module loads TRL and wandb, so only distillation does.
"""

import warnings
from collections import Counter
from copy import copy
from typing import Any

from torch import Tensor

from pfe.training.prefix_sharing import Example, collate, joined, lay_out

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # trl.experimental warns that it may change: its version is pinned
    from trl.experimental.gkd import GKDConfig, GKDTrainer

__all__ = ["GKDConfig", "Gkd", "written"]


class Gkd(GKDTrainer):
    """TRL's trainer for batches of `batch_tensors` and an ensemble as teacher; `context` limits generation."""

    def __init__(self, *arguments: Any, context: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.context = context
        self._authors: Counter[str] = Counter()
        # The loss is averaged over the tokens that have one in the step, which are not those of the answer keys
        # if a model generated other texts.
        self.model_accepts_loss_kwargs = False

    def training_step(self, model: Any, inputs: dict[str, Tensor], num_items_in_batch: Any = None) -> Tensor:
        self.teacher_model.weights = inputs.pop("weights")
        return super().training_step(model, inputs, num_items_in_batch)

    def generate_on_policy_outputs(  # type: ignore[override]  # TRL's is static
        self, model: Any, inputs: dict[str, Tensor], generation_config: Any
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Generate completions of a batch's prompts, and lay them out in the batch's rows.

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
        """Add to the log, which checkpoints save, how many passes each author generated since the last entry."""
        super().log(logs | self._authors, *arguments)
        self._authors.clear()

    def passes(self, author: str) -> int:
        """Return the number of passes that an author generated: `on_policy` is the student, `by_tutors` a tutor."""
        return sum(int(entry.get(author, 0)) for entry in self.state.log_history)


def written(tokens: Tensor, mask: Tensor, labels: Tensor, places: Tensor) -> list[list[list[Example]]]:
    """Return generated texts as sequences of rows of lessons.

    Args:
        tokens: left-padded prompts and their completions, of shape (lessons, n).
        mask: 1 for the tokens of the lesson, 0 for padding, of the same shape.
        labels: the generated tokens, and -100 elsewhere, of the same shape.
        places: the indices of the sequence and the row of every lesson, of shape (lessons, 2).
    """
    sequences: dict[int, dict[int, list[Example]]] = {}
    for line, seen, asked, (sequence, row) in zip(tokens, mask.bool(), labels, places.tolist(), strict=True):
        prompt = int((seen & (asked == -100)).sum())
        lesson = Example(tuple(line[seen].tolist()), prompt)
        sequences.setdefault(sequence, {}).setdefault(row, []).append(lesson)
    return [list(rows.values()) for rows in sequences.values()]
