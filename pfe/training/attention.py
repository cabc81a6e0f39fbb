"""Block-sparse attention: the queries of a row are split into blocks, each computed with only the keys that it sees.

Example: of 24 questions of 100 tokens after a library of 1,000, a block of two questions is compared with 1,200 keys
instead of 3,400.

It calls transformers' own attention (`sdpa`) once per block with fewer keys, so the result is that of the full mask up
to rounding: masked keys have a softmax weight of exactly 0.

The keys that a block sees are computed once for all layers. Keys and values are split where that set changes, and the
keys of a block are concatenated from whole pieces: if they were picked by index, every block would allocate a gradient
for all keys.

It runs on CPUs alone: a GPU would wait for the keys of each block, and computes the full mask in less time. A mask
that does more than hide keys, such as a bias by distance, is passed to transformers unchanged.
"""

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.weak import WeakTensorKeyDictionary
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

_NAME = "pfe_blocks"
_HIDDEN = -0.5  # times the largest number: added to a score it leaves no weight, and it overflows in no type
BLOCK = 128  # queries; with fewer the calls cost more than the keys, with more a block has keys few of its tokens see

_MADE: MutableMapping[Tensor, dict[torch.dtype, list["Layout"]]] = WeakTensorKeyDictionary()


@dataclass(frozen=True)
class Layout:
    """The split of the n keys of a row into pieces, and for each block of queries its pieces and its mask.

    A mask (1, 1 or heads, queries, keys of these pieces) is added to the scores.
    """

    sizes: Sequence[int]
    blocks: Sequence[tuple[Sequence[int], Tensor]]


def attends_in_blocks(model: PreTrainedModel) -> None:
    """Switch a model from transformers' `sdpa` attention to attention in blocks; leave any other attention as it is."""
    if model.config._attn_implementation == "sdpa":
        model.set_attn_implementation(_NAME)


def layouts(mask: Tensor, dtype: torch.dtype) -> list[Layout]:
    """Return the layout of each row of a mask (rows, 1 or heads, n, n) that only hides: true or zero is a visible key.

    Args:
        dtype: of the scores.
    """
    sees = mask if mask.dtype == torch.bool else mask == 0
    return [_layout(row, dtype) for row in sees]


def _layout(sees: Tensor, dtype: torch.dtype) -> Layout:
    """Return the layout of one row, of shape (1 or heads, n, n)."""
    seen = torch.stack([block.any(0) for block in sees.any(0).split(BLOCK)])  # (blocks, n)
    seen[:, 0] |= ~seen.any(1)  # a block of padding, whose result is unused: one hidden key makes it finite
    changes = (seen[:, 1:] != seen[:, :-1]).any(0).nonzero()[:, 0] + 1
    starts = [0, *changes.tolist()]
    sizes = [end - start for start, end in zip(starts, [*starts[1:], seen.shape[1]], strict=True)]
    masks = [_added(block[..., places][None], dtype) for block, places in zip(sees.split(BLOCK, 1), seen, strict=True)]
    pieces = [places.nonzero()[:, 0].tolist() for places in seen[:, starts]]
    return Layout(sizes, list(zip(pieces, masks, strict=True)))


def _added(sees: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(sees.shape, dtype=dtype).masked_fill_(~sees, _HIDDEN * torch.finfo(dtype).max)


def _of_all_layers(mask: Tensor, dtype: torch.dtype) -> list[Layout]:
    """Return the `layouts` of a mask, computed for the first layer that asks and cached as long as the mask exists."""
    made = _MADE.setdefault(mask, {})
    if dtype not in made:
        made[dtype] = layouts(mask, dtype)
    return made[dtype]


def _in_blocks(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **named: Any
) -> tuple[Tensor, None]:
    """Return the attention of query over key and value, each (batch, heads, n, d), as (batch, n, heads, d)."""
    if attention_mask is None or query.device.type != "cpu" or not _hides_alone(attention_mask, query, key):
        return sdpa_attention_forward(module, query, key, value, attention_mask, **named)
    of_rows = _of_all_layers(attention_mask, query.dtype) * (len(query) // len(attention_mask))
    rows = [
        _row(module, *row, **named) for row in zip(query.split(1), key.split(1), value.split(1), of_rows, strict=True)
    ]
    return torch.cat(rows), None


def _hides_alone(mask: Tensor, query: Tensor, key: Tensor) -> bool:
    """Return whether a mask only hides keys, and there are as many keys as queries; with a KV cache few are hidden."""
    n = query.shape[2]
    if key.shape[2] != n or mask.shape[2:] != (n, n):
        return False
    return mask.dtype == torch.bool or bool(((mask == 0) | (mask <= _HIDDEN * torch.finfo(mask.dtype).max)).all())


def _row(module: nn.Module, query: Tensor, key: Tensor, value: Tensor, layout: Layout, **named: Any) -> Tensor:
    keys, values = key.split(layout.sizes, 2), value.split(layout.sizes, 2)
    blocks = [
        sdpa_attention_forward(module, asking, _together(keys, seen), _together(values, seen), mask, **named)[0]
        for asking, (seen, mask) in zip(query.split(BLOCK, 2), layout.blocks, strict=True)
    ]
    return torch.cat(blocks, 1)


def _together(pieces: Sequence[Tensor], seen: Sequence[int]) -> Tensor:
    return pieces[seen[0]] if len(seen) == 1 else torch.cat([pieces[place] for place in seen], 2)


AttentionInterface.register(_NAME, _in_blocks)
AttentionMaskInterface.register(_NAME, sdpa_mask)
