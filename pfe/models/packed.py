"""Tree attention with a Hugging Face model: log-likelihoods and text for many problems in one row.

Example: `PackedModel(reader, 384, 16).score(head, rows)` yields `([4, 5, 6, 7], [-3.1, -2.7, -9.0, -4.4])` for the four
options of a problem. The text of the problem was computed once, and so was the library before it (`head`).

`pfe.models.continuous_batching` has the batching of answers that are generated.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pfe.models.attention import read_keys_in_place
from pfe.models.continuous_batching import ContinuousBatch, forest_logits, lanes
from pfe.models.decoding import Writing, advance
from pfe.models.kv_cache import GrowingCache
from pfe.models.packing import MOST_LOGITS, Tokens, forest, packs
from pfe.models.reading import Reader, log_probabilities
from pfe.models.tokens import Row

JOINING = 4  # new prompts join once one in so many of the answers at once has ended
NODES_EACH = 128  # tokens of a row for each answer at once: few answers at once mean that memory is scarce


class PackedModel:
    """A causal language model that computes forests; `pfe.models.schemes` says which models accept such a mask.

    Args:
        most_nodes: the longest row, in tokens, in addition to the head; rows are shorter if `together` is small, but
            may be as long as the head, which is computed in one piece anyway.
        together: the most answers that are generated at once.
    """

    def __init__(self, reader: Reader, most_nodes: int, together: int) -> None:
        read_keys_in_place(reader.model)
        self._reader, self._device = reader, reader.device
        self._head: tuple[Tokens, GrowingCache] = ((), GrowingCache())
        self._most_nodes, self._together = most_nodes, together

    def halve(self) -> bool:
        """Halve rows and batches from now on; return False if they have their least size already."""
        smaller = (max(64, self._most_nodes // 2), max(1, self._together // 2))
        changed = smaller != (self._most_nodes, self._together)
        self._most_nodes, self._together = smaller
        self._head = ((), GrowingCache())
        return changed

    def score(self, head: Tokens, rows: Sequence[Row]) -> Iterator[tuple[list[int], list[float]]]:
        """Yield indices of rows that follow `head`, with the log-likelihoods (nats) of their scored tokens."""
        cache = self.read(head)
        for pack in self._packs(head, rows):
            yield pack, self._scores(cache, len(head), [rows[i] for i in pack])

    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]:
        """Complete every prompt until its writing is done; yield the indices of those that are done."""
        size = sum(len(prompt.rest) + writing.max_tokens / 2 for prompt, writing in zip(prompts, writings, strict=True))
        together = min(self._together, len(prompts))
        running = ContinuousBatch(
            self.read(head), len(head), lanes(together, len(head), size / max(1, len(prompts))), self.forward
        )
        waiting = deque(sorted(range(len(prompts)), key=lambda i: prompts[i].rest))
        while waiting or running.active:
            free = self._together - len(running.active)
            # New prompts need a forward pass of their own, so several join at a time.
            if waiting and (not running.active or free >= min(len(waiting), math.ceil(together / JOINING))):
                indices = self._next_prompts(waiting, prompts, free, self._room(head))
                logits = running.join(indices, [prompts[i].rest for i in indices])
            else:
                indices = list(running.active)
                logits = running.step()
            over = advance([writings[index] for index in indices], logits)
            finished = [index for index, ended in zip(indices, over, strict=True) if ended]
            unfinished = [index for index, ended in zip(indices, over, strict=True) if not ended]
            running.read(unfinished, [writings[index].last for index in unfinished])
            running.leave(finished)
            if finished:
                yield finished

    def doubtful(self, rows: Sequence[Row]) -> list[int]:
        """Return the indices of rows that would reveal an error of this way first: the last one in the fullest row."""
        return [next(self._packs(rows[0].head, rows))[-1]]

    def _packs(self, head: Tokens, rows: Sequence[Row]) -> Iterator[list[int]]:
        most_reads = MOST_LOGITS // self._reader.vocabulary
        return packs([row.rest[:-1] for row in rows], [row.scored for row in rows], self._room(head), most_reads)

    def _room(self, head: Tokens) -> int:
        return min(self._most_nodes, max(NODES_EACH * self._together, len(head)))

    @staticmethod
    def _next_prompts(waiting: deque[int], prompts: Sequence[Row], free: int, room: int) -> list[int]:
        """Remove and return the next prompts that fit into the batch and into one row."""
        new: list[int] = []
        while waiting and len(new) < free and (not new or len(prompts[waiting[0]].rest) <= room):
            new.append(waiting.popleft())
            room -= len(prompts[new[-1]].rest)
        return new

    @torch.inference_mode()
    def read(self, head: Tokens) -> GrowingCache:
        """Return the KV cache of a head; that of the last head is reused."""
        last_head, cache = self._head
        if last_head != head:
            cache = GrowingCache()
            if head:
                ids = torch.tensor([head], device=self._device)
                end = torch.tensor([len(head) - 1], device=self._device)
                self._reader.logits(torch.zeros_like(end), end, input_ids=ids, past_key_values=cache, use_cache=True)
            self._head = (head, cache)
        return cache

    def _scores(self, cache: GrowingCache, length: int, rows: Sequence[Row]) -> list[float]:
        tree = forest([row.rest[:-1] for row in rows])
        nodes_by_row = [path[-row.scored :] for path, row in zip(tree.paths, rows, strict=True)]
        nodes = sorted({int(node) for path in nodes_by_row for node in path})
        place = {node: index for index, node in enumerate(nodes)}
        try:
            logits = forest_logits(self.forward, cache, length, tree, nodes)
        finally:
            cache.keep(length)
        at = torch.tensor([place[int(node)] for path in nodes_by_row for node in path], device=self._device)
        targets = torch.tensor([token for row in rows for token in row.rest[-row.scored :]], device=self._device)
        values = log_probabilities(logits, at, targets)
        return [float(part.sum()) for part in values.cpu().split([row.scored for row in rows])]

    def forward(
        self,
        cache: GrowingCache,
        tokens: NDArray[np.int64],
        positions: NDArray[np.int64],
        sees: NDArray[np.bool_],
        rows: Sequence[int],
        columns: Sequence[int],
    ) -> Tensor:
        """Return logits in float32, as described at `pfe.models.continuous_batching.Forward`."""
        visible = torch.from_numpy(sees).to(self._device)
        mask = torch.zeros(visible.shape, dtype=self._reader.model.dtype, device=self._device)
        mask.masked_fill_(~visible, torch.finfo(mask.dtype).min)
        return self._reader.logits(
            torch.tensor(rows, device=self._device),
            torch.tensor(columns, device=self._device),
            input_ids=torch.from_numpy(tokens).to(self._device),
            position_ids=torch.from_numpy(positions).to(self._device),
            attention_mask=mask[:, None],
            past_key_values=cache,
            use_cache=True,
        )
