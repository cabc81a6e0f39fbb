"""A Hugging Face model in plain batches: whole sequences, padded, nothing shared.

The way for architectures that cannot compute forests (sliding windows, recurrent layers), and what
the packed way is held against.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor, LogitsProcessorList, StoppingCriteria, StoppingCriteriaList

from pfe.models.decoding import Writing, taken
from pfe.models.packing import Tokens
from pfe.models.tokens import Row


class PlainModel:
    """Computes batches of at most `together` whole sequences with a causal language model."""

    def __init__(self, model: Any, device: str, pad: int, together: int) -> None:
        self._model, self._device, self._pad, self._together = model, device, pad, together

    def halve(self) -> bool:
        """Take half as much at a time from now on; False where it is one already."""
        changed = self._together > 1
        self._together = max(1, self._together // 2)
        return changed

    def score(self, head: Tokens, rows: Sequence[Row]) -> Iterator[tuple[list[int], list[float]]]:
        """Indices of rows, with the sums of the log-probabilities (nats) of their scored tokens."""
        for batch in self._batches([head + row.rest for row in rows]):
            yield batch, self._scores([head + rows[i].rest for i in batch], [rows[i].scored for i in batch])

    @torch.inference_mode()
    def _scores(self, sequences: Sequence[Tokens], scored: Sequence[int]) -> list[float]:
        # Padding on the right needs no mask: no token looks to its right.
        width = max(map(len, sequences)) - 1
        ids = torch.tensor([(*tokens[:-1], *[self._pad] * (width - len(tokens) + 1)) for tokens in sequences])
        logits = self._model(input_ids=ids.to(self._device), use_cache=False).logits
        scores = []
        for tokens, count, out in zip(sequences, scored, logits, strict=True):
            read = out[len(tokens) - 1 - count : len(tokens) - 1].float().log_softmax(-1)
            targets = torch.tensor(tokens[-count:], device=self._device)
            scores.append(float(read.gather(-1, targets[:, None]).sum()))
        return scores

    @torch.inference_mode()
    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]:
        """Go on from every prompt until its writing is done; yields the indices of the done."""
        for batch in self._batches([head + row.rest for row in prompts]):
            tokens = [head + prompts[i].rest for i in batch]
            width = max(map(len, tokens))
            ids = torch.tensor([(*[self._pad] * (width - len(row)), *row) for row in tokens])
            mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in tokens])
            dictation = _Dictation([writings[i] for i in batch])
            self._model.generate(
                input_ids=ids.to(self._device),
                attention_mask=mask.to(self._device),
                max_new_tokens=max(writings[i].max_tokens for i in batch),
                do_sample=False,
                num_beams=1,
                pad_token_id=self._pad,
                eos_token_id=None,
                logits_processor=LogitsProcessorList([dictation]),
                stopping_criteria=StoppingCriteriaList([_Over(dictation)]),
            )
            yield batch

    def _batches(self, sequences: Sequence[Tokens]) -> Iterator[list[int]]:
        """Indices of sequences of similar length, the longest first, so that memory runs out at once or never."""
        order = sorted(range(len(sequences)), key=lambda i: (-len(sequences[i]), sequences[i]))
        start = 0
        while start < len(order):
            batch = order[start : start + self._together]
            yield batch
            start += len(batch)


class _Dictation(LogitsProcessor):
    """Lets the writings choose the tokens, and Transformers only see to keys, values and states."""

    def __init__(self, writings: Sequence[Writing]) -> None:
        self._writings = writings
        self.over = [False] * len(writings)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        left = [index for index, over in enumerate(self.over) if not over]
        chosen = torch.zeros(len(self._writings), dtype=torch.long)
        for index, over in zip(left, taken([self._writings[index] for index in left], scores[left]), strict=True):
            self.over[index] = over
            chosen[index] = self._writings[index].tokens[-1] if self._writings[index].tokens else 0
        forced = torch.full_like(scores, -torch.inf)
        return forced.scatter(1, chosen[:, None].to(scores.device), 0.0)


class _Over(StoppingCriteria):
    def __init__(self, dictation: _Dictation) -> None:
        self._dictation = dictation

    def __call__(self, input_ids: Tensor, scores: Any, **_: Any) -> Tensor:
        return torch.tensor(self._dictation.over, device=input_ids.device)
