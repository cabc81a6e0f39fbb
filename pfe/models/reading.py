"""The vocabulary head of a causal model, applied only where its scores are read.

Example: 16 sequences of 100 tokens, of which 10 each are scored, need 160 rows of logits and not 1,600; with Gemma 2's
256,000 entries that is 0.2 and not 1.6 GB.
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
    """Computes logits with a causal language model; `largest` is the largest so far, where it is in half precision."""

    def __init__(self, model: Any, device: str) -> None:
        self.model, self.device = model, device
        self.vocabulary = int(model.config.get_text_config().vocab_size)
        self._head = model.get_output_embeddings()
        self.largest = 0.0
        self._check_head()

    @torch.inference_mode()
    def logits(self, rows: Tensor, columns: Tensor, **inputs: Any) -> Tensor:
        """Logits (n, vocabulary) in float32 at n places of a batch, given by their rows and columns.

        Args:
            inputs: what the model is called with; `input_ids` has shape (rows, columns).
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
        # A head that is not a layer of its own, or that is called for something else, is applied everywhere.
        logits = (logits[0] if calls == [True] else logits[rows, columns]).float()
        if self.model.dtype != torch.float32:
            self.largest = max(self.largest, float(logits.abs().max()))
        return logits

    @torch.inference_mode()
    def check_causal(self, tokens: Sequence[int]) -> None:
        """Compute a sequence as it is, with another last token, and without one: whether what follows changes what was.

        Raises:
            UserError: it does.
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
        """Apply the head everywhere, unless a few tokens show that picking its places first gives the same."""
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
        """By how much logits may differ where the arithmetic goes another way."""
        return 64 * torch.finfo(self.model.dtype).eps * max(1.0, float(logits.abs().max()))


@torch.inference_mode()
def log_probabilities(logits: Tensor, rows: Tensor, tokens: Tensor) -> Tensor:
    """Log-probabilities (nats) of n tokens, each by a row of the logits (…, vocabulary), shape (n,).

    What the logits hold is lost: they are the largest that there is in memory, and not copied.
    """
    values, most = logits[rows, tokens], logits.amax(-1, keepdim=True)
    return values - (logits.sub_(most).exp_().sum(-1).log_() + most[:, 0])[rows]
