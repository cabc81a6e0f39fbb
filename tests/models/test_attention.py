"""Attention over keys that heads share: what transformers' own attention gives, and no key is copied for it."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.integrations import sdpa_attention

from pfe.models.attention import grouped
from pfe.models.continuous_batching import ContinuousBatch
from pfe.models.loading import load
from pfe.models.packed import PackedModel
from pfe.models.reading import Reader
from tests.models.test_huggingface import Folder


class Layer(torch.nn.Module):
    """What transformers asks of a layer of attention: how many heads share a head of keys."""

    def __init__(self, each: int) -> None:
        super().__init__()
        self.num_key_value_groups: int = each


@given(
    groups=st.integers(1, 4), each=st.integers(1, 4), batch=st.integers(1, 3), queries=st.integers(1, 40),
    more=st.integers(0, 40), rows=st.booleans(), bias=st.booleans(), seed=st.integers(0, 99),
)  # fmt: skip
def test_it_is_transformers_attention(
    groups: int, each: int, batch: int, queries: int, more: int, rows: bool, bias: bool, seed: int
) -> None:
    random = torch.Generator().manual_seed(seed)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=random)

    keys = queries + more
    query = drawn(batch, queries, groups * each, 8).transpose(1, 2)
    key, value = drawn(batch, groups, keys, 8), drawn(batch, groups, keys, 8)
    sees = drawn(batch if rows else 1, 1, queries, keys) > 0
    sees[..., 0] = True
    mask = torch.zeros(sees.shape).masked_fill_(~sees, torch.finfo(torch.float32).min) if bias else sees
    module = Layer(each)
    expected, _ = sdpa_attention.sdpa_attention_forward(module, query, key, value, mask, scaling=0.3)
    torch.testing.assert_close(grouped(module, query, key, value, mask, scaling=0.3)[0], expected)


def test_answers_that_are_being_written_copy_no_keys(
    model_folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    model = load(model_folder("qwen2"), None, "float32", "cpu").model
    assert model.config.num_key_value_heads < model.config.num_attention_heads
    packed = PackedModel(Reader(model, "cpu"), 384, together=4)
    head = packed.read((11, 12, 13))

    def copied(*_: object) -> torch.Tensor:
        raise AssertionError("keys are copied for the heads that share them")

    monkeypatch.setattr(sdpa_attention, "repeat_kv", copied)
    running = ContinuousBatch(head, 3, 2, packed.forward)
    running.join([0, 1, 2], [(14, 15), (14, 16), (17,)])
    running.read([0, 1, 2], [21, 22, 23])
    assert running.step().isfinite().all()
