"""Muon for a model's matrices and AdamW for the rest, as one optimizer.

Muon (Jordan et al. 2024, github.com/KellerJordan/Muon; `torch.optim.Muon`) makes every update of a matrix nearly
orthogonal, so that rare directions are learned as fast as common ones. It is meant for hidden layers alone: embeddings
and vectors stay with AdamW. Its steps have the size of AdamW's (Liu et al. 2025, arXiv:2502.16982), so one learning
rate serves both.
"""

from collections.abc import Callable
from typing import Any

from torch import nn
from torch.optim import AdamW, Muon, Optimizer


class MuonAdamW(Optimizer):
    """Both optimizers, step by step; their groups of parameters are its own, so a schedule reaches them all."""

    def __init__(self, model: nn.Module, learning_rate: float) -> None:
        embeddings = {id(layer.weight) for layer in model.modules() if isinstance(layer, nn.Embedding)}
        weights = [weight for weight in model.parameters() if weight.requires_grad]
        matrices = [weight for weight in weights if weight.ndim == 2 and id(weight) not in embeddings]
        chosen = {id(weight) for weight in matrices}
        self.parts: list[Optimizer] = [
            Muon(matrices, lr=learning_rate, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"),
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
