"""A Hugging Face model in plain batches: whole sequences of equal length, without padding or shared prefixes.

It computes architectures that do not support forests, and is the reference for the packed way. A state-space model
reads padding like text, and others count it in positions, so sequences of different lengths are never in one batch.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import (
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    StoppingCriteria,
    StoppingCriteriaList,
)

from pfe.models.decoding import Writing, advance
from pfe.models.packing import MOST_LOGITS, Tokens
from pfe.models.reading import Reader, log_probabilities
from pfe.models.tokens import Row


class PlainModel:
    """A causal language model that computes batches of at most `together` whole sequences of equal length.

    Args:
        cached: whether generation uses a KV cache (or states). Without it, and with one sequence at a time, the scores
            and texts are the model's by definition.
    """

    def __init__(self, reader: Reader, together: int, cached: bool = True) -> None:
        self._reader, self._together, self._cached = reader, together, cached

    def halve(self) -> bool:
        """Halve the batch size from now on; return False if it is 1 already."""
        changed = self._together > 1
        self._together = max(1, self._together // 2)
        return changed

    def score(self, head: Tokens, rows: Sequence[Row]) -> Iterator[tuple[list[int], list[float]]]:
        """Yield indices of rows, with the log-likelihoods (nats) of their scored tokens."""
        whole = [head + row.rest for row in rows]
        for batch in self._batches(whole, [row.scored for row in rows]):
            yield batch, self._scores([whole[i] for i in batch], [rows[i].scored for i in batch])

    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]:
        """Complete every prompt until its writing is done; yield the indices of those that are done."""
        whole = [head + row.rest for row in prompts]
        for batch in self._batches(whole, [1] * len(whole)):
            (self._generate if self._cached else self._repeat)([whole[i] for i in batch], [writings[i] for i in batch])
            yield batch

    def doubtful(self, rows: Sequence[Row]) -> list[int]:
        """Return the indices of rows that would reveal an error of this way first: the last of the first real batch."""
        batches = list(self._batches([row.tokens for row in rows], [max(1, row.scored) for row in rows]))
        return [next((batch for batch in batches if len(batch) > 1), batches[0])[-1]]

    def _scores(self, sequences: Sequence[Tokens], scored: Sequence[int]) -> list[float]:
        ids = self._tensor([tokens[:-1] for tokens in sequences])
        width = ids.shape[1]
        places = [(row, column) for row, count in enumerate(scored) for column in range(width - count, width)]
        rows, columns = self._tensor(places).T
        logits = self._reader.logits(rows, columns, input_ids=ids, use_cache=False)
        targets = self._tensor([t for tokens, count in zip(sequences, scored, strict=True) for t in tokens[-count:]])
        values = log_probabilities(logits, torch.arange(len(places), device=self._reader.device), targets)
        return [float(part.sum()) for part in values.cpu().split(list(scored))]

    def _repeat(self, prompts: Sequence[Tokens], writings: Sequence[Writing]) -> None:
        """Generate without a cache: compute the whole sequence again for every token."""
        texts, unfinished = [list(tokens) for tokens in prompts], list(writings)
        while unfinished:
            ids = self._tensor(texts)
            rows = torch.arange(len(texts), device=self._reader.device)
            last = torch.full_like(rows, ids.shape[1] - 1)
            over = advance(unfinished, self._reader.logits(rows, last, input_ids=ids, use_cache=False))
            stay = [place for place, ended in enumerate(over) if not ended]
            texts = [[*texts[place], unfinished[place].last] for place in stay]
            unfinished = [unfinished[place] for place in stay]

    @torch.inference_mode()
    def _generate(self, prompts: Sequence[Tokens], writings: Sequence[Writing]) -> None:
        """Generate with transformers' handling of caches and states, but without the model's generation settings."""
        model, ids, dictation = self._reader.model, self._tensor(prompts), _Dictation(writings)
        settings, model.generation_config = model.generation_config, GenerationConfig()
        try:
            model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=max(writing.max_tokens for writing in writings),
                do_sample=False,
                num_beams=1,
                pad_token_id=0,
                eos_token_id=None,
                logits_processor=LogitsProcessorList([dictation]),
                stopping_criteria=StoppingCriteriaList([_Over(dictation)]),
            )
        finally:
            model.generation_config = settings

    def _batches(self, sequences: Sequence[Tokens], reads: Sequence[int]) -> Iterator[list[int]]:
        """Yield indices of sequences of one length, the largest batch first, so that memory runs out early or never."""
        lengths: dict[int, list[int]] = defaultdict(list)
        for index in sorted(range(len(sequences)), key=sequences.__getitem__):
            lengths[len(sequences[index])].append(index)
        batches: list[list[int]] = []
        for same in lengths.values():
            most = max(1, min(self._together, MOST_LOGITS // self._reader.vocabulary // max(reads[i] for i in same)))
            batches += [same[start : start + most] for start in range(0, len(same), most)]
        yield from sorted(batches, key=lambda batch: -len(batch) * len(sequences[batch[0]]))

    def _tensor(self, values: Sequence[Any]) -> Tensor:
        return torch.tensor(values, device=self._reader.device)


class _Dictation(LogitsProcessor):
    """A logits processor that forces the tokens that the writings choose."""

    def __init__(self, writings: Sequence[Writing]) -> None:
        self._writings = writings
        self.over = [False] * len(writings)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        rows = [index for index, over in enumerate(self.over) if not over]
        tokens = torch.zeros(len(self._writings), dtype=torch.long)
        for index, over in zip(rows, advance([self._writings[index] for index in rows], scores[rows]), strict=True):
            self.over[index] = over
            tokens[index] = self._writings[index].tokens[-1] if self._writings[index].tokens else 0
        forced = torch.full_like(scores, -torch.inf)
        return forced.scatter(1, tokens[:, None].to(scores.device), 0.0)


class _Over(StoppingCriteria):
    def __init__(self, dictation: _Dictation) -> None:
        self._dictation = dictation

    def __call__(self, input_ids: Tensor, scores: Any, **_: Any) -> Tensor:
        return torch.tensor(self._dictation.over, device=input_ids.device)
