"""Attention over keys that several heads share, read where they are instead of copied for every head.

Example: with 9 heads over 3 of keys and values, 8 tokens of an answer are compared with 1,900 entries as 24 tokens of
3 heads are; transformers would first copy every entry three times (`repeat_kv`), at every token and in every layer.

It is transformers' own attention (`sdpa`) of other shapes. On processors alone, and with a mask that all heads share,
as long as copying that mask for the heads is less than copying the keys.
"""

from typing import Any

from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

_NAME = "pfe_grouped"
_SHARING_NONE = nn.Module()  # a layer with as many heads of keys as of queries


def read_keys_in_place(model: PreTrainedModel) -> None:
    """Make a model whose attention is transformers' `sdpa` copy no keys for its heads; any other stays as it is."""
    if model.config._attn_implementation == "sdpa" and model._can_set_attn_implementation():
        model.set_attn_implementation(_NAME)


def grouped(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **named: Any
) -> tuple[Tensor, None]:
    """Attention of query (batch, heads, n, d) over key and value (batch, groups, m, d) as (batch, n, heads, d)."""
    if attention_mask is None or named.get("position_bias") is not None or not _pays(query, key, attention_mask):
        return sdpa_attention_forward(module, query, key, value, attention_mask, **named)
    batch, heads, n, width = query.shape
    groups, each = key.shape[1], heads // key.shape[1]
    folded = query.reshape(batch, groups, each * n, width)
    mask = attention_mask.expand(-1, each, -1, -1).reshape(len(attention_mask), 1, each * n, -1)
    out, _ = sdpa_attention_forward(_SHARING_NONE, folded, key, value, mask, **named)
    return out.view(batch, each, n, groups, -1).permute(0, 2, 3, 1, 4).reshape(batch, n, heads, -1), None


def _pays(query: Tensor, key: Tensor, mask: Tensor) -> bool:
    """Whether heads share keys and a mask, and a mask for each of them is smaller than keys and values for each."""
    shared = key.shape[1] < query.shape[1] and mask.dim() == 4 and mask.shape[1] == 1
    return query.device.type == "cpu" and shared and query.shape[2] < 2 * key.shape[1] * key.shape[3]


AttentionInterface.register(_NAME, grouped)
AttentionMaskInterface.register(_NAME, sdpa_mask)
