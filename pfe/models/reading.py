"""Logits of a causal model, computed only at the positions where they are needed.

Example: 16 sequences of 100 tokens, of which 10 each are scored, need 160 rows of logits instead of 1,600. With Gemma
2's vocabulary of 256,000 tokens this is 0.2 GB instead of 1.6 GB.
"""

import contextlib
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from pfe.errors import UserError
from pfe.models.decoding import finite
from pfe.models.packing import MOST_LOGITS

_SHORT = 8  # tokens


class Reader:
    """A causal language model that computes logits.

    In half precision `largest` is the largest magnitude of the last ones, otherwise 0.
    """

    def __init__(self, model: Any, device: str) -> None:
        self.model, self.device = model, device
        self.vocabulary = int(model.config.get_text_config().vocab_size)
        self._head = model.get_output_embeddings()
        self.largest = 0.0
        self._check_head()

    @torch.inference_mode()
    def logits(self, rows: Tensor, columns: Tensor, **inputs: Any) -> Tensor:
        """Return logits (n, vocabulary) in float32 at n places of a batch, given by their rows and columns.

        Args:
            inputs: the model's arguments; `input_ids` has shape (rows, columns).
        """
        shape, calls = inputs["input_ids"].shape, []

        def pick(_: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
            calls.append(arguments[0].shape[:2] == shape)
            return (arguments[0][rows, columns][None], *arguments[1:]) if calls[-1] else arguments

        handle = self._head.register_forward_pre_hook(pick) if self._head is not None else None
        try:
            logits: Tensor = self.model(**inputs).logits
        finally:
            if handle is not None:
                handle.remove()
        # A head that is not a layer of its own, or that is also called for something else, was applied everywhere.
        logits = (logits[0] if calls == [True] else logits[rows, columns]).float()
        if self.model.dtype != torch.float32:
            self.largest = float(logits.abs().max())
        return logits

    @torch.inference_mode()
    def check_causal(self, tokens: Sequence[int]) -> None:
        """Check that the last token of a sequence does not change the logits before it.

        The sequence is computed as it is, with another last token, and without its last token.

        Raises:
            UserError: the logits differ.
        """
        ids = torch.tensor([list(tokens)], device=self.device)
        most = max(_SHORT, MOST_LOGITS // self.vocabulary)
        columns = torch.arange(max(0, len(tokens) - 1 - most), len(tokens) - 1, device=self.device)
        rows = torch.zeros_like(columns)
        changed = torch.cat([ids[:, :-1], (ids[:, -1:] + 1) % self.vocabulary], dim=1)
        logits = self.logits(rows, columns, input_ids=ids, use_cache=False)
        finite(logits)
        for other in (changed, ids[:, :-1]):
            differs = self.logits(rows, columns, input_ids=other, use_cache=False).sub_(logits).abs_().max()
            if not float(differs) <= self._noise(logits):
                raise UserError(
                    f"a model of the architecture {self.model.config.model_type} reads what follows a token (in "
                    f"sequences of {len(tokens):,}), so it has no log-likelihoods; take a causal language model "
                    "(BERT's kin: is_decoder: true in config.json)"
                )

    @torch.inference_mode()
    def _check_head(self) -> None:
        """Test on a few tokens whether the head may be applied to selected places only; if not, apply it everywhere."""
        inputs = {"input_ids": torch.arange(_SHORT, device=self.device)[None] % self.vocabulary, "use_cache": False}
        rows, columns = torch.zeros(2, dtype=torch.long, device=self.device), torch.tensor([2, 5], device=self.device)
        sparse, head = None, self._head
        with contextlib.suppress(RuntimeError, ValueError, TypeError, LookupError, AttributeError):
            sparse = self.logits(rows, columns, **inputs)
        self._head = None
        whole = self.logits(rows, columns, **inputs)
        if sparse is not None and sparse.shape == whole.shape:
            self._head = head if float((sparse - whole).abs().max()) <= self._noise(whole) else None

    def _noise(self, logits: Tensor) -> float:
        """Return by how much logits may differ if the same result is computed in another order."""
        return 64 * torch.finfo(self.model.dtype).eps * max(1.0, float(logits.abs().max()))


@torch.inference_mode()
def log_probabilities(logits: Tensor, rows: Tensor, tokens: Tensor) -> Tensor:
    """Return the log-probabilities (nats) of n tokens, each from a row of the logits (…, vocabulary), as shape (n,).

    The logits are overwritten: they are the largest tensor in memory, so they are not copied.
    """
    values, most = logits[rows, tokens], logits.amax(-1, keepdim=True)
    return values - (logits.sub_(most).exp_().sum(-1).log_() + most[:, 0])[rows]
