"""A KV cache in buffers with room to grow, for several rows ("lanes") that share a prefix.

Example: after `cache = head.spread(4, length)` four lanes continue the same library. `cache.fill(2, columns,
cache_of_prompts, nodes)` copies a prompt that was computed elsewhere into the third of them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers.cache_utils import Cache, DynamicLayer

Places = NDArray[np.int64]


class GrowingLayer(DynamicLayer):
    """One layer's keys and values (lanes, heads, entries, width); they are copied only when the buffer must grow."""

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        start = self.get_seq_length()
        end = start + key_states.shape[-2]
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self._keys, self._values = key_states[..., :0, :], value_states[..., :0, :]
        self._make_room(start, end)
        self._keys[..., start:end, :] = key_states
        self._values[..., start:end, :] = value_states
        return self._show(end)

    def keep(self, length: int) -> None:
        """Drop all but the first `length` entries."""
        if self.is_initialized:
            self._show(length)

    def gather(self, lanes: Sequence[int], start: int, places: Tensor) -> None:
        """Reduce the cache to these lanes, their first `start` entries and those at `places` (lanes, entries)."""
        if not self.is_initialized:
            return
        end, rows = start + places.shape[1], torch.arange(len(lanes), device=places.device)[:, None]
        if len(lanes) < len(self._keys):
            self._keys, self._values = self._keys[list(lanes)], self._values[list(lanes)]
        for buffer in (self._keys, self._values):
            buffer[..., start:end, :] = buffer.transpose(1, 2)[rows, places].transpose(1, 2)
        self._show(end)

    def extend(self, count: int) -> None:
        """Append `count` masked entries: zeros, since even masked entries must be finite."""
        if not self.is_initialized:
            return
        start = self.get_seq_length()
        self._make_room(start, start + count)
        for buffer in (self._keys, self._values):
            buffer[..., start : start + count, :] = 0
        self._show(start + count)

    def fill(self, lane: int, columns: Tensor, other: "GrowingLayer", places: Tensor) -> None:
        """Copy the entries in the first lane of `other` at `places` into a lane at `columns`."""
        if self.is_initialized:
            self._keys[lane][:, columns] = other._keys[0][:, places]
            self._values[lane][:, columns] = other._values[0][:, places]

    def spread(self, lanes: int, length: int) -> "GrowingLayer":
        """Return a layer of `lanes` lanes, each with the first `length` entries of this layer's only lane."""
        layer = type(self)()
        if self.is_initialized:
            keys, values = (buffer[..., :length, :].expand(lanes, -1, -1, -1) for buffer in (self._keys, self._values))
            layer.update(keys, values)
        return layer

    def _make_room(self, filled: int, end: int) -> None:
        if end > self._keys.shape[-2]:
            self._keys, self._values = (_enlarge(buffer, filled, 2 * end) for buffer in (self._keys, self._values))

    def _show(self, length: int) -> tuple[Tensor, Tensor]:
        self.keys, self.values = self._keys[..., :length, :], self._values[..., :length, :]
        return self.keys, self.values


class GrowingCache(Cache):
    """A KV cache of growing layers, as many as the model uses."""

    layers: list[Any]  # of growing layers

    def __init__(self) -> None:
        super().__init__(layer_class_to_replicate=GrowingLayer)

    @torch.inference_mode()
    def keep(self, length: int) -> None:
        """Drop all but the first `length` entries in every layer."""
        for layer in self.layers:
            layer.keep(length)

    @torch.inference_mode()
    def gather(self, lanes: Sequence[int], start: int, places: Places) -> None:
        """Reduce the cache to these lanes, their first `start` entries and those at `places` (lanes, entries)."""
        index = self._index(places)
        for layer in self.layers:
            layer.gather(lanes, start, index)

    @torch.inference_mode()
    def extend(self, count: int) -> None:
        """Append `count` masked entries."""
        for layer in self.layers:
            layer.extend(count)

    @torch.inference_mode()
    def fill(self, lane: int, columns: Places, other: "GrowingCache", places: Places) -> None:
        """Copy the entries of `other`, which has one lane, at `places` into a lane at `columns`."""
        here, there = self._index(columns), self._index(places)
        for layer, source in zip(self.layers, other.layers, strict=True):
            layer.fill(lane, here, source, there)

    @torch.inference_mode()
    def spread(self, lanes: int, length: int) -> "GrowingCache":
        """Return a cache of `lanes` lanes, each with the first `length` entries of this cache's only lane."""
        cache = GrowingCache()
        cache.layers = [layer.spread(lanes, length) for layer in self.layers]
        return cache

    def _index(self, places: Places) -> Tensor:
        """Return places as a tensor on the device of the entries, moved once for all layers."""
        device = next((layer.device for layer in self.layers if layer.is_initialized), None)
        return torch.from_numpy(places).to(device)


def _enlarge(buffer: Tensor, filled: int, size: int) -> Tensor:
    larger = buffer.new_empty((*buffer.shape[:-2], size, buffer.shape[-1]))
    larger[..., :filled, :] = buffer[..., :filled, :]
    return larger
