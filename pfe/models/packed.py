"""A Hugging Face model that computes forests: log-likelihoods and text for many problems in one row.

Example: `PackedModel(model, device).score(head, rows)` yields `([4, 5, 6, 7], [-3.1, -2.7, -9.0, -4.4])`
for the four options of a problem, whose text was computed once, behind a library computed once before.

Generation is the same pass: what the problems in flight read and write stands in one row, each seeing
its own, and as one ends the next comes in (continuous batching: Yu et al. 2022, Orca).
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers.cache_utils import Cache, DynamicLayer

from pfe.models.decoding import Writing, taken
from pfe.models.packing import MOST_LOGITS, Forest, Tokens, forest, packs
from pfe.models.reading import Reader
from pfe.models.tokens import Row

NODES_EACH = 128  # tokens of a row for each answer at once: who wants few at once wants little memory


class GrowingLayer(DynamicLayer):
    """Keys and values in buffers with room to grow, so that adding to them copies nothing that is there."""

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        start = self.get_seq_length()
        end = start + key_states.shape[-2]
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self._keys, self._values = key_states[..., :0, :], value_states[..., :0, :]
        if end > self._keys.shape[-2]:
            self._keys, self._values = (_grown(buffer, start, 2 * end) for buffer in (self._keys, self._values))
        self._keys[..., start:end, :] = key_states
        self._values[..., start:end, :] = value_states
        return self._show(end)

    def keep(self, places: Tensor | int) -> None:
        """Forget all but the first so many entries, or the ones at these places."""
        if not self.is_initialized:
            return
        if isinstance(places, int):
            self._show(places)
            return
        for buffer in (self._keys, self._values):
            buffer[..., : len(places), :] = buffer[..., places, :]
        self._show(len(places))

    def _show(self, length: int) -> tuple[Tensor, Tensor]:
        self.keys, self.values = self._keys[..., :length, :], self._values[..., :length, :]
        return self.keys, self.values


class GrowingCache(Cache):
    """Growing layers, as many as the model turns out to have."""

    def __init__(self) -> None:
        super().__init__(layer_class_to_replicate=GrowingLayer)

    @torch.inference_mode()
    def keep(self, places: Tensor | int) -> None:
        """Forget all but the first so many entries, or the ones at these places, in every layer."""
        for layer in self.layers:
            assert isinstance(layer, GrowingLayer)
            layer.keep(places)


class PackedModel:
    """Computes forests with a causal language model that is proven to take such a mask (`pfe.models.schemes`).

    Args:
        most_nodes: the longest row, in tokens, beside the head; shorter where `together` is small, but as long as
            a head, which is computed in one piece anyway.
        together: the most answers that are written at once.
    """

    def __init__(self, reader: Reader, most_nodes: int, together: int) -> None:
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
        cache = self._behind(head)
        for pack in self._packs(head, rows):
            yield pack, self._scores(cache, len(head), [rows[i] for i in pack])

    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]:
        """Go on from every prompt until its writing is done; yields the indices of the done."""
        flight = _Flight(self._behind(head), len(head))
        waiting = deque(sorted(range(len(prompts)), key=lambda i: prompts[i].rest))
        try:
            while waiting or flight.active:
                new = self._next_prompts(waiting, prompts, self._together - len(flight.active), self._room(head))
                places, tokens, positions, sees = flight.next_row(new, [prompts[i].rest for i in new])
                logits = self._forward(flight.cache, tokens, positions, sees, places)
                over = taken([writings[index] for index in flight.active], logits)
                done = [index for index, ended in zip(flight.active, over, strict=True) if ended]
                flight.leave(done)
                flight.read([writings[index].last for index in flight.active])
                if done:
                    yield done
        finally:
            flight.cache.keep(len(head))

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
    def _behind(self, head: Tokens) -> GrowingCache:
        """Keys and values of a head; those of the last one are kept."""
        known, cache = self._head
        if known != head:
            cache = GrowingCache()
            if head:
                ids = torch.tensor([head], device=self._device)
                last = torch.tensor([len(head) - 1], device=self._device)
                self._reader.logits(torch.zeros_like(last), last, input_ids=ids, past_key_values=cache, use_cache=True)
            self._head = (head, cache)
        return cache

    def _scores(self, cache: GrowingCache, length: int, rows: Sequence[Row]) -> list[float]:
        laid = forest([row.rest[:-1] for row in rows])
        nodes = [path[-row.scored :] for path, row in zip(laid.paths, rows, strict=True)]
        read = sorted({int(node) for path in nodes for node in path})
        place = {node: index for index, node in enumerate(read)}
        try:
            logits = self._forward(cache, laid.tokens, laid.depths + length, _behind(laid, length), read)
        finally:
            cache.keep(length)
        at = torch.tensor([place[int(node)] for path in nodes for node in path], device=self._device)
        targets = torch.tensor([token for row in rows for token in row.rest[-row.scored :]], device=self._device)
        chosen = logits[at, targets] - logits.logsumexp(-1)[at]
        return [float(part.sum()) for part in chosen.cpu().split([row.scored for row in rows])]

    def _forward(
        self,
        cache: GrowingCache,
        tokens: NDArray[np.int64],
        positions: NDArray[np.int64],
        sees: NDArray[np.bool_],
        read: Sequence[int],
    ) -> Tensor:
        """Logits (len(read), vocabulary) in float32 after the nodes `read`; `sees` is (new, known and new)."""
        seen = torch.from_numpy(sees).to(self._device)
        mask = torch.zeros(seen.shape, dtype=self._reader.model.dtype, device=self._device)
        mask.masked_fill_(~seen, torch.finfo(mask.dtype).min)
        columns = torch.tensor(read, device=self._device)
        return self._reader.logits(
            torch.zeros_like(columns),
            columns,
            input_ids=torch.from_numpy(tokens)[None].to(self._device),
            position_ids=torch.from_numpy(positions)[None].to(self._device),
            attention_mask=mask[None, None],
            past_key_values=cache,
            use_cache=True,
        )


@dataclass
class _Flight:
    """What is being written: who sees which of the entries behind the head."""

    cache: GrowingCache
    length: int
    active: list[int] = field(default_factory=list)
    _sees: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))  # (active, entries)
    _depths: list[int] = field(default_factory=list)
    _last: list[int] = field(default_factory=list)

    def next_row(
        self, new: Sequence[int], prompts: Sequence[Tokens]
    ) -> tuple[list[int], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Places to read, tokens, positions and mask of the next pass: one token of each active, all of the new."""
        laid = forest(prompts) if prompts else None
        old, entries = len(self.active), self._sees.shape[1]
        size = old + (len(laid.tokens) if laid else 0)
        among = np.zeros((size, entries + size), dtype=bool)
        among[:old, :entries] = self._sees
        among[np.arange(old), entries + np.arange(old)] = True
        places, tokens, depths = list(range(old)), list(self._last), list(self._depths)
        if laid:
            among[old:, entries + old :] = laid.sees
            places += [old + int(path[-1]) for path in laid.paths]
            tokens += laid.tokens.tolist()
            depths += laid.depths.tolist()
        self.active += new
        self._sees = among[places]
        self._depths = [depths[place] + 1 for place in places]
        mask = np.concatenate([np.ones((size, self.length), dtype=bool), among], axis=1)
        return places, np.array(tokens), np.array(depths) + self.length, mask

    def read(self, tokens: list[int]) -> None:
        """The token of each active one that the next pass reads."""
        self._last = tokens

    def leave(self, done: Sequence[int]) -> None:
        """Take out the done, and their entries once these are the greater part."""
        stay = [place for place, index in enumerate(self.active) if index not in set(done)]
        self.active = [self.active[place] for place in stay]
        self._depths = [self._depths[place] for place in stay]
        self._sees = self._sees[stay]
        needed: NDArray[np.bool_] = np.any(self._sees, axis=0)
        if 2 * needed.sum() < len(needed):
            places = self.length + np.flatnonzero(needed)
            self.cache.keep(torch.from_numpy(np.concatenate([np.arange(self.length), places])))
            self._sees = self._sees[:, needed]


def _behind(laid: Forest, length: int) -> NDArray[np.bool_]:
    return np.concatenate([np.ones((len(laid.tokens), length), dtype=bool), laid.sees], axis=1)


def _grown(buffer: Tensor, filled: int, size: int) -> Tensor:
    grown = buffer.new_empty((*buffer.shape[:-2], size, buffer.shape[-1]))
    grown[..., :filled, :] = buffer[..., :filled, :]
    return grown
