"""Continuous batching of answers that share a prefix (`head`): their lanes in the KV cache and their attention masks.

Example: 16 answers with the same library of 1,200 tokens in context share three lanes (rows of the KV cache), at most
six to a lane. With one lane the library is read once for all answers, but each answer is also compared with the masked
tokens of the other 15. With 16 lanes each answer is compared only with its own tokens, but the library is read 16
times.

When one answer ends, the next one starts (continuous batching: Yu et al. 2022, Orca).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from pfe.models.kv_cache import GrowingCache
from pfe.models.packing import Forest, Tokens, forest

# Returns logits (n, vocabulary) at n places of a batch, given by rows and columns. Its arguments are a cache, tokens
# (lanes, new), positions (lanes, new), the attention mask (lanes, new, cached + new), rows and columns.
Forward = Callable[
    [GrowingCache, NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], Sequence[int], Sequence[int]], Tensor
]
# The cost of reading a cache entry from memory, relative to comparing one more token with it.
_READ_COST = 16
_SLACK = 1.25  # the cache is compacted if it has more than this many times the visible entries


def lanes(together: int, head: int, answer: float) -> int:
    """Return the cheapest number of lanes for `together` answers of about `answer` tokens after `head` shared tokens.

    With r lanes a step reads r·head + together·answer entries and makes together·(head + together·answer/r)
    comparisons. The sum, with reads weighted by `_READ_COST`, is least at r = together·√(answer/(head·_READ_COST)).
    """
    return max(1, min(together, math.ceil(together * math.sqrt(answer / max(1, head) / _READ_COST))))


def forest_logits(forward: Forward, cache: GrowingCache, length: int, tree: Forest, nodes: Sequence[int]) -> Tensor:
    """Return logits (len(nodes), vocabulary) at nodes of a forest after the `length` entries of a one-lane cache."""
    sees = np.concatenate([np.ones((len(tree.tokens), length), dtype=bool), tree.sees], axis=1)
    return forward(cache, tree.tokens[None], tree.depths[None] + length, sees[None], [0] * len(nodes), nodes)


@dataclass
class ContinuousBatch:
    """The answers in progress after a shared prefix of `length` tokens, whose keys and values come first in `head`."""

    head: GrowingCache
    length: int
    lanes: int
    forward: Forward
    active: list[int] = field(default_factory=list)
    _lane: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (active,)
    _sees: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))  # (active, entries)
    _depths: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (active,)
    _last: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (active,)
    _cache: GrowingCache | None = None

    def join(self, new: Sequence[int], prompts: Sequence[Tokens]) -> Tensor:
        """Add prompts (in ascending order); return the logits (new, vocabulary) after each."""
        tree = forest(prompts)
        try:
            logits = forest_logits(self.forward, self.head, self.length, tree, [int(path[-1]) for path in tree.paths])
            self._cache = self._cache or self.head.spread(self.lanes, self.length)
            for index, path in zip(new, tree.paths, strict=True):
                self._seat(index, path)
        finally:
            self.head.keep(self.length)
        return logits

    def step(self) -> Tensor:
        """Feed the last token of each active answer; return the next logits (active, vocabulary)."""
        assert self._cache is not None
        count, entries = len(self.active), self._sees.shape[1]
        rank = np.array([int((self._lane[:i] == lane).sum()) for i, lane in enumerate(self._lane)])
        width = int(rank.max()) + 1
        tokens = np.zeros((self.lanes, width), dtype=np.int64)
        positions = np.zeros((self.lanes, width), dtype=np.int64)
        # Padding in a lane with fewer answers attends only to itself, and no token attends to it.
        sees = np.concatenate(
            [
                np.zeros((self.lanes, width, self.length + entries), dtype=bool),
                np.broadcast_to(np.eye(width, dtype=bool), (self.lanes, width, width)),
            ],
            axis=2,
        )
        tokens[self._lane, rank] = self._last
        positions[self._lane, rank] = self._depths + self.length
        sees[self._lane, rank, : self.length] = True
        sees[self._lane, rank, self.length : self.length + entries] = self._sees
        logits = self.forward(self._cache, tokens, positions, sees, self._lane.tolist(), rank.tolist())
        self._sees = np.concatenate([self._sees, np.zeros((count, width), dtype=bool)], axis=1)
        self._sees[np.arange(count), entries + rank] = True
        self._depths = self._depths + 1
        return logits

    def read(self, indices: Sequence[int], tokens: Sequence[int]) -> None:
        """Set the token of each of these answers that the next step feeds."""
        for index, token in zip(indices, tokens, strict=True):
            self._last[self.active.index(index)] = token

    def leave(self, finished: Sequence[int]) -> None:
        """Remove finished answers; compact the cache once too many entries, or half of the lanes, are unused."""
        if not finished:
            return
        leaving = set(finished)
        stay = [place for place, index in enumerate(self.active) if index not in leaving]
        self.active = [self.active[place] for place in stay]
        self._lane, self._depths = self._lane[stay], self._depths[stay]
        self._last, self._sees = self._last[stay], self._sees[stay]
        if self.active:
            self._tidy()
        else:
            self._sees, self._cache = np.zeros((0, 0), dtype=bool), None

    def _tidy(self) -> None:
        assert self._cache is not None
        occupied = sorted(set(self._lane.tolist()))
        columns_seen = [np.flatnonzero(self._sees[self._lane == lane].any(axis=0)) for lane in occupied]
        size = max(len(columns) for columns in columns_seen)
        if self._sees.shape[1] <= _SLACK * size and 2 * len(occupied) > self.lanes:
            return
        places = np.zeros((len(occupied), size), dtype=np.int64)
        sees = np.zeros((len(self.active), size), dtype=bool)
        for row, (lane, columns) in enumerate(zip(occupied, columns_seen, strict=True)):
            places[row, : len(columns)] = columns
            in_lane = self._lane == lane
            sees[np.ix_(in_lane, np.arange(len(columns)))] = self._sees[np.ix_(in_lane, columns)]
        self._cache.gather(occupied, self.length, self.length + places)
        self._lane = np.searchsorted(occupied, self._lane)
        self.lanes, self._sees = len(occupied), sees

    def _seat(self, index: int, path: NDArray[np.int64]) -> None:
        """Copy a prompt's entries into unused columns of the lane with the fewest answers."""
        assert self._cache is not None
        lane = int(np.bincount(self._lane, minlength=self.lanes).argmin())
        free = np.flatnonzero(~self._sees[self._lane == lane].any(axis=0))[: len(path)]
        entries, more = self._sees.shape[1], len(path) - len(free)
        if more:
            self._cache.extend(more)
        columns = np.concatenate([free, np.arange(entries, entries + more)])
        self._sees = np.pad(self._sees, ((0, 1), (0, more)))
        self._sees[-1, columns] = True
        self._cache.fill(lane, self.length + columns, self.head, self.length + path)
        self.active.append(index)
        self._lane = np.append(self._lane, lane)
        self._depths, self._last = np.append(self._depths, len(path)), np.append(self._last, 0)
