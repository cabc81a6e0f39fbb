"""Checks whether a model can be trained on shared rows: a proven architecture, and equal losses on a trial row.

Example: `refusal(mamba, row, 300)` is "the architecture mamba is not among the proven ones".
"""

from collections.abc import Sequence

from torch.nn.functional import cross_entropy
from transformers import PreTrainedModel

from pfe.models.schemes import unproven
from pfe.training.prefix_sharing import IGNORED, Example, collate, lay_out

TOLERANCE = 1e-4  # nats per token, and relative to the largest gradient; float32 is within 1e-5


def refusal(model: PreTrainedModel, row: Sequence[Example], longest: int) -> str:
    """Return the reason why a model cannot be trained on shared rows, or "" if it can.

    The loss on a row, and the gradient of every weight, are computed with shared prefixes and without, in float32 if
    the model supports it, without dropout. Weights and gradients are restored.

    Args:
        row: lessons that share a prefix; a single lesson proves nothing.
        longest: tokens of the longest lesson in the corpus, to check position and window limits.
    """
    if reason := unproven(model.config, longest):
        return reason
    was_training, kept = model.training, [weight.grad for weight in model.parameters()]
    model.eval()
    model.zero_grad(set_to_none=True)
    try:
        one = _backward(model, row, shares=False, sign=1)
        largest = _largest_gradient(model)
        other = _backward(model, row, shares=True, sign=-1)  # the sum of the gradients is now their difference
        apart = _largest_gradient(model)
    finally:
        for weight, gradient in zip(model.parameters(), kept, strict=True):
            weight.grad = gradient
        model.train(was_training)
    if abs(one - other) > TOLERANCE or apart > TOLERANCE * max(largest, 1e-6):
        return f"on a trial row its loss is {other:.5f} shared and {one:.5f} apart, gradients up to {apart:.1e} apart"
    return ""


def _backward(model: PreTrainedModel, row: Sequence[Example], shares: bool, sign: int) -> float:
    """Return the loss of a row; add its gradients, times the sign, to the model's."""
    batch = {name: values.to(model.device) for name, values in collate([lay_out(row, shares)], 0).items()}
    logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits[:, :-1]
    labels = batch["labels"][:, 1:]
    loss = cross_entropy(logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
    (sign * loss).backward()
    return loss.item()


def _largest_gradient(model: PreTrainedModel) -> float:
    return max(float(weight.grad.abs().max()) for weight in model.parameters() if weight.grad is not None)
