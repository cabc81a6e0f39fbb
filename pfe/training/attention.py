"""Attention that leaves out what a mask hides: the tokens of a row in blocks, each with the keys that it sees.

Example: of 24 questions of 100 tokens behind a library of 1,000, a block of two questions is compared with 1,200 keys
instead of 3,400.

It is transformers' own attention (`sdpa`), called once a block with fewer keys, so the outcome is that of the whole
mask up to rounding. What is left out weighs exactly nothing there: the softmax of what a mask hides is 0.

On processors alone: a GPU would wait for each block's keys to be found, and has the whole mask computed before.
"""

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

_NAME = "pfe_blocks"
BLOCK = 128  # queries; with fewer the calls cost more than the keys, with more a block sees more than its tokens do


def attends_in_blocks(model: PreTrainedModel) -> None:
    """Make a model whose attention is transformers' `sdpa` leave out what its masks hide; any other stays as it is."""
    if model.config._attn_implementation == "sdpa":
        model.set_attn_implementation(_NAME)


def _in_blocks(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **named: Any
) -> tuple[Tensor, None]:
    """Attention of query (batch, heads, n, d) over key and value (batch, heads, n, d) as (batch, n, heads, d)."""
    one_piece = query.device.type != "cpu" or query.shape[2] != key.shape[2]  # of cached keys few are hidden
    if attention_mask is None or one_piece:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **named)
    attention_mask = attention_mask.expand(len(query), -1, -1, -1)
    sees = attention_mask if attention_mask.dtype == torch.bool else attention_mask == 0
    rows = []
    for row in range(len(query)):
        blocks = []
        for start in range(0, query.shape[2], BLOCK):
            block = slice(start, start + BLOCK)
            seen = _places(sees[row, :, block].flatten(0, 1).any(0))
            asking, mask = query[row : row + 1, :, block], sees[row : row + 1, :, block, seen]
            keys, values = key[row : row + 1, :, seen], value[row : row + 1, :, seen]
            blocks.append(sdpa_attention_forward(module, asking, keys, values, mask, **named)[0])
        rows.append(torch.cat(blocks, 1))
    return torch.cat(rows), None


def _places(seen: Tensor) -> slice | Tensor:
    """Where a vector of booleans is true, as a slice where one will do: it takes no copy of keys and values."""
    places = seen.nonzero()[:, 0]
    if not len(places):  # padding alone, whose outcome nobody reads: one hidden key makes it finite
        return slice(0, 1)
    first, end = int(places[0]), int(places[-1]) + 1
    return slice(first, end) if end - first == len(places) else places


AttentionInterface.register(_NAME, _in_blocks)
AttentionMaskInterface.register(_NAME, sdpa_mask)
