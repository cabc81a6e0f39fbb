"""Grouped-query attention that does not copy the shared keys and values for every query head.

Example: with 9 query heads over 3 key/value heads, 8 answer tokens attend to 1,900 cache entries in the shape of 24
tokens with 3 heads. transformers would first copy every entry three times (`repeat_kv`), at every token and layer.

This is transformers' own attention (`sdpa`) with other shapes. It is used only on CPUs and with a mask that all heads
share, as long as repeating the mask for the heads takes less memory than repeating the keys and values.
"""

from typing import Any

from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

_NAME = "pfe_grouped"
_SHARING_NONE = nn.Module()  # a layer with as many key heads as query heads


def read_keys_in_place(model: PreTrainedModel) -> None:
    """Replace a model's `sdpa` attention of transformers by `grouped`; leave any other attention unchanged."""
    if model.config._attn_implementation == "sdpa" and model._can_set_attn_implementation():
        model.set_attn_implementation(_NAME)


def grouped(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **named: Any
) -> tuple[Tensor, None]:
    """Compute the attention of query (batch, heads, n, d) over key and value (batch, groups, m, d).

    Returns:
        The output (batch, n, heads, d), and None in place of the attention weights.
    """
    if attention_mask is None or named.get("position_bias") is not None or not _pays(query, key, attention_mask):
        return sdpa_attention_forward(module, query, key, value, attention_mask, **named)
    batch, heads, n, width = query.shape
    groups, each = key.shape[1], heads // key.shape[1]
    folded = query.reshape(batch, groups, each * n, width)
    mask = attention_mask.expand(-1, each, -1, -1).reshape(len(attention_mask), 1, each * n, -1)
    out, _ = sdpa_attention_forward(_SHARING_NONE, folded, key, value, mask, **named)
    return out.view(batch, each, n, groups, -1).permute(0, 2, 3, 1, 4).reshape(batch, n, heads, -1), None


def _pays(query: Tensor, key: Tensor, mask: Tensor) -> bool:
    """Return whether `grouped` pays: on a CPU, if heads share keys and a mask whose copies are the smaller ones."""
    shared = key.shape[1] < query.shape[1] and mask.dim() == 4 and mask.shape[1] == 1
    return query.device.type == "cpu" and shared and query.shape[2] < 2 * key.shape[1] * key.shape[3]


AttentionInterface.register(_NAME, grouped)
AttentionMaskInterface.register(_NAME, sdpa_mask)
