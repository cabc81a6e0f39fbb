"""Attention that leaves out what a mask hides: the tokens of a row in blocks, each with the keys that it sees.

Example: of 24 questions of 100 tokens behind a library of 1,000, a block of two questions is compared with 1,200 keys
instead of 3,400.

It is transformers' own attention (`sdpa`), called once a block with fewer keys, so the outcome is that of the whole
mask up to rounding. What is left out weighs exactly nothing there: the softmax of what a mask hides is 0.

Which keys a block sees is found once for all layers. Keys and values are cut where that changes, and a block's are put
together of whole pieces: of a part that is picked by places, every block would fill up a gradient for all keys.

On processors alone: a GPU would wait for each block's keys to be found, and has the whole mask computed before. A mask
that does not hide alone, such as biases by distance, goes to transformers whole.
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
_HIDDEN = -0.5  # of the largest number: added to a score it leaves no weight, and no other type makes it infinite
BLOCK = 128  # queries; with fewer the calls cost more than the keys, with more a block sees more than its tokens do

_MADE: MutableMapping[Tensor, dict[torch.dtype, list["Layout"]]] = WeakTensorKeyDictionary()


@dataclass(frozen=True)
class Layout:
    """How the n keys of a row are cut, and of each block of queries the pieces that it sees and its mask.

    A mask (1, 1 or heads, queries, keys of these pieces) is what is added to the scores.
    """

    sizes: Sequence[int]
    blocks: Sequence[tuple[Sequence[int], Tensor]]


def attends_in_blocks(model: PreTrainedModel) -> None:
    """Make a model whose attention is transformers' `sdpa` leave out what its masks hide; any other stays as it is."""
    if model.config._attn_implementation == "sdpa":
        model.set_attn_implementation(_NAME)


def layouts(mask: Tensor, dtype: torch.dtype) -> list[Layout]:
    """Of every row of a mask (rows, 1 or heads, n, n) that hides alone: true, or zero, where a key is seen.

    Args:
        dtype: of the scores.
    """
    sees = mask if mask.dtype == torch.bool else mask == 0
    return [_layout(row, dtype) for row in sees]


def _layout(sees: Tensor, dtype: torch.dtype) -> Layout:
    """Of one row, of shape (1 or heads, n, n)."""
    seen = torch.stack([block.any(0) for block in sees.any(0).split(BLOCK)])  # (blocks, n)
    seen[:, 0] |= ~seen.any(1)  # padding alone, whose outcome nobody reads: one hidden key makes it finite
    changes = (seen[:, 1:] != seen[:, :-1]).any(0).nonzero()[:, 0] + 1
    starts = [0, *changes.tolist()]
    sizes = [end - start for start, end in zip(starts, [*starts[1:], seen.shape[1]], strict=True)]
    masks = [_added(block[..., places][None], dtype) for block, places in zip(sees.split(BLOCK, 1), seen, strict=True)]
    pieces = [places.nonzero()[:, 0].tolist() for places in seen[:, starts]]
    return Layout(sizes, list(zip(pieces, masks, strict=True)))


def _added(sees: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(sees.shape, dtype=dtype).masked_fill_(~sees, _HIDDEN * torch.finfo(dtype).max)


def _of_all_layers(mask: Tensor, dtype: torch.dtype) -> list[Layout]:
    """As `layouts`, made for the first layer that asks and kept for the others, as long as the mask is."""
    made = _MADE.setdefault(mask, {})
    if dtype not in made:
        made[dtype] = layouts(mask, dtype)
    return made[dtype]


def _in_blocks(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **named: Any
) -> tuple[Tensor, None]:
    """Attention of query (batch, heads, n, d) over key and value (batch, heads, n, d) as (batch, n, heads, d)."""
    if attention_mask is None or query.device.type != "cpu" or not _hides_alone(attention_mask, query, key):
        return sdpa_attention_forward(module, query, key, value, attention_mask, **named)
    of_rows = _of_all_layers(attention_mask, query.dtype) * (len(query) // len(attention_mask))
    rows = [
        _row(module, *row, **named) for row in zip(query.split(1), key.split(1), value.split(1), of_rows, strict=True)
    ]
    return torch.cat(rows), None


def _hides_alone(mask: Tensor, query: Tensor, key: Tensor) -> bool:
    """Whether a mask says of each query which keys it sees, and no more; of cached keys few are hidden."""
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
