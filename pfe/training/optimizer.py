"""Muon for a model's matrices and AdamW for the rest, as one optimizer.

Muon (Jordan et al. 2024, github.com/KellerJordan/Muon) makes every update of a matrix nearly orthogonal, so that rare
directions are learned as fast as common ones. It is meant for hidden layers alone: embeddings and vectors stay with
AdamW. Its steps have the size of AdamW's (Liu et al. 2025, arXiv:2502.16982), so one learning rate serves both.

`torch.optim.Muon` is the same in bfloat16, a matrix at a time: on a processor without instructions for that type a step
takes longer than the model does. Here matrices of one shape are one batch, in bfloat16 on a GPU alone.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of Jordan's quintic, which goes to about 1
_ITERATIONS = 5
_MOMENTUM = 0.95
_DECAY = 0.01
_ADAMW_RMS = 0.2  # of an update of AdamW's (Liu et al.)
_LEAST = 1e-7  # norm


class Muon(Optimizer):
    """Muon with Nesterov momentum and decoupled weight decay, for matrices alone."""

    def __init__(self, matrices: Iterable[Tensor], lr: float) -> None:
        super().__init__(matrices, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        assert closure is None
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[Tensor]] = {}
            for weights in group["params"]:
                if weights.grad is not None:
                    by_shape.setdefault(weights.shape, []).append(weights)
            for same in by_shape.values():
                updates = orthogonal(torch.stack([self._momentum(weights) for weights in same]))
                for weights, update in zip(same, updates, strict=True):
                    weights.mul_(1 - group["lr"] * _DECAY)
                    weights.add_(update, alpha=-group["lr"] * _ADAMW_RMS * max(weights.shape) ** 0.5)

    def _momentum(self, weights: Tensor) -> Tensor:
        assert weights.grad is not None
        state = self.state[weights]
        if not state:
            state["momentum_buffer"] = torch.zeros_like(weights)
        moved: Tensor = state["momentum_buffer"].lerp_(weights.grad, 1 - _MOMENTUM)
        return weights.grad.lerp(moved, _MOMENTUM)


def orthogonal(matrices: Tensor) -> Tensor:
    """Matrices of shape (count, rows, columns) with singular values of about 1 each, 0.7 to 1.2, by Newton-Schulz."""
    wide = matrices if matrices.shape[1] <= matrices.shape[2] else matrices.mT
    made = wide.bfloat16() if wide.is_cuda else wide.float()
    made = made / made.norm(dim=(1, 2), keepdim=True).clamp(min=_LEAST)
    a, b, c = _COEFFICIENTS
    for _ in range(_ITERATIONS):
        gram = made @ made.mT
        made = torch.baddbmm(made, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), made, beta=a)
    return (made if wide is matrices else made.mT).to(matrices.dtype)


class MuonAdamW(Optimizer):
    """Both optimizers, step by step; their groups of parameters are its own, so a schedule reaches them all."""

    def __init__(self, model: nn.Module, learning_rate: float) -> None:
        embeddings = {id(layer.weight) for layer in model.modules() if isinstance(layer, nn.Embedding)}
        weights = [weight for weight in model.parameters() if weight.requires_grad]
        matrices = [weight for weight in weights if weight.ndim == 2 and id(weight) not in embeddings]
        chosen = {id(weight) for weight in matrices}
        self.parts: Sequence[Optimizer] = [
            Muon(matrices, learning_rate),
            AdamW([weight for weight in weights if id(weight) not in chosen], lr=learning_rate, betas=(0.9, 0.98)),
        ]
        super().__init__(weights, {"lr": learning_rate})
        self.param_groups = [group for part in self.parts for group in part.param_groups]

    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        assert closure is None
        for part in self.parts:
            part.step()

    def state_dict(self) -> dict[str, Any]:
        return {"parts": [part.state_dict() for part in self.parts]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        for part, state in zip(self.parts, state_dict["parts"], strict=True):
            part.load_state_dict(state)
        self.param_groups = [group for part in self.parts for group in part.param_groups]
