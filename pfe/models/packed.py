"""A Hugging Face model that computes forests: log-likelihoods and text for many problems in one row.

Example: `PackedModel(model, device).score(head, rows)` yields `([4, 5, 6, 7], [-3.1, -2.7, -9.0, -4.4])`
for the four options of a problem, whose text was computed once, behind a library computed once before.

How answers are written stands in `pfe.models.flight`.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pfe.models.attention import read_keys_in_place
from pfe.models.decoding import Writing, advance
from pfe.models.flight import Flight, forest_logits, lanes
from pfe.models.growing import GrowingCache
from pfe.models.packing import MOST_LOGITS, Tokens, forest, packs
from pfe.models.reading import Reader, log_probabilities
from pfe.models.tokens import Row

JOINING = 4  # an answer is waited for until one in so many may begin
NODES_EACH = 128  # tokens of a row for each answer at once: who wants few at once wants little memory


class PackedModel:
    """Computes forests with a causal language model that is proven to take such a mask (`pfe.models.schemes`).

    Args:
        most_nodes: the longest row, in tokens, beside the head; shorter where `together` is small, but as long as
            a head, which is computed in one piece anyway.
        together: the most answers that are written at once.
    """

    def __init__(self, reader: Reader, most_nodes: int, together: int) -> None:
        read_keys_in_place(reader.model)
        self._reader, self._device = reader, reader.device
        self._head: tuple[Tokens, GrowingCache] = ((), GrowingCache())
        self._most_nodes, self._together = most_nodes, together

    def halve(self) -> bool:
        """Take half as much at a time from now on; False where it is one already."""
        smaller = (max(64, self._most_nodes // 2), max(1, self._together // 2))
        changed = smaller != (self._most_nodes, self._together)
        self._most_nodes, self._together = smaller
        self._head = ((), GrowingCache())
        return changed

    def score(self, head: Tokens, rows: Sequence[Row]) -> Iterator[tuple[list[int], list[float]]]:
        """Indices of rows behind `head`, with the sums of the log-probabilities (nats) of their scored tokens."""
        cache = self.read(head)
        for pack in self._packs(head, rows):
            yield pack, self._scores(cache, len(head), [rows[i] for i in pack])

    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]:
        """Go on from every prompt until its writing is done; yields the indices of the done."""
        size = sum(len(prompt.rest) + writing.max_tokens / 2 for prompt, writing in zip(prompts, writings, strict=True))
        together = min(self._together, len(prompts))
        flight = Flight(
            self.read(head), len(head), lanes(together, len(head), size / max(1, len(prompts))), self.forward
        )
        waiting = deque(sorted(range(len(prompts)), key=lambda i: prompts[i].rest))
        while waiting or flight.active:
            free = self._together - len(flight.active)
            # New prompts are a pass of their own: several at a time.
            if waiting and (not flight.active or free >= min(len(waiting), math.ceil(together / JOINING))):
                indices = self._next_prompts(waiting, prompts, free, self._room(head))
                logits = flight.join(indices, [prompts[i].rest for i in indices])
            else:
                indices = list(flight.active)
                logits = flight.step()
            over = advance([writings[index] for index in indices], logits)
            finished = [index for index, ended in zip(indices, over, strict=True) if ended]
            unfinished = [index for index, ended in zip(indices, over, strict=True) if not ended]
            flight.read(unfinished, [writings[index].last for index in unfinished])
            flight.leave(finished)
            if finished:
                yield finished

    def doubtful(self, rows: Sequence[Row]) -> list[int]:
        """Indices of rows by which this way would soon show that it errs: the one farthest out in the fullest row."""
        return [next(self._packs(rows[0].head, rows))[-1]]

    def _packs(self, head: Tokens, rows: Sequence[Row]) -> Iterator[list[int]]:
        most_reads = MOST_LOGITS // self._reader.vocabulary
        return packs([row.rest[:-1] for row in rows], [row.scored for row in rows], self._room(head), most_reads)

    def _room(self, head: Tokens) -> int:
        return min(self._most_nodes, max(NODES_EACH * self._together, len(head)))

    @staticmethod
    def _next_prompts(waiting: deque[int], prompts: Sequence[Row], free: int, room: int) -> list[int]:
        """The next prompts that there is room for, in flight and in one row."""
        new: list[int] = []
        while waiting and len(new) < free and (not new or len(prompts[waiting[0]].rest) <= room):
            new.append(waiting.popleft())
            room -= len(prompts[new[-1]].rest)
        return new

    @torch.inference_mode()
    def read(self, head: Tokens) -> GrowingCache:
        """Keys and values of a head; those of the last one are kept."""
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
        """See `pfe.models.flight.Forward`; the logits are in float32."""
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
