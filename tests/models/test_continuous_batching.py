"""Answers written at once in lanes: each reads as if it were alone, whoever comes, goes, and stands beside it."""

import random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from pfe.models.continuous_batching import ContinuousBatch, lanes
from pfe.models.kv_cache import GrowingCache
from pfe.models.loading import LoadedModel, load
from pfe.models.packed import PackedModel
from pfe.models.reading import Reader
from tests.models.test_huggingface import Folder


@pytest.fixture
def loaded(model_folder: Folder) -> LoadedModel:
    return load(model_folder("qwen2"), None, "float32", "cpu")


def alone(model: Any, tokens: list[int]) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(torch.tensor([tokens])).logits[0, -1]
    return logits


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("count", "head"), [(1, 0), (1, 12), (2, 12), (5, 12), (5, 0)])
def test_every_answer_reads_as_if_it_were_alone(loaded: LoadedModel, seed: int, count: int, head: int) -> None:
    drawn = random.Random(f"{seed} {count} {head}")
    packed = PackedModel(Reader(loaded.model, "cpu"), 384, together=8)

    def tokens(most: int, least: int = 1) -> tuple[int, ...]:
        return tuple(drawn.randrange(10, 200) for _ in range(drawn.randint(least, most)))

    shared = tokens(head, head)
    running = ContinuousBatch(packed.read(shared), head, count, packed.forward)
    texts: dict[int, list[int]] = {}
    for _ in range(30):
        if not running.active or (len(running.active) < 8 and drawn.random() < 0.3):
            prompts = sorted(tokens(9) for _ in range(drawn.randint(1, 8 - len(running.active))))
            new = list(range(len(texts), len(texts) + len(prompts)))
            texts |= {index: [*shared, *prompt] for index, prompt in zip(new, prompts, strict=True)}
            logits, asked = running.join(new, prompts), new
        else:
            logits, asked = running.step(), list(running.active)
        for index, row in zip(asked, logits, strict=True):
            torch.testing.assert_close(row, alone(loaded.model, texts[index]), atol=2e-4, rtol=0)
        written = [drawn.randrange(10, 200) for _ in asked]
        for index, token in zip(asked, written, strict=True):
            texts[index].append(token)
        running.read(asked, written)
        running.leave([index for index in running.active if drawn.random() < 0.15])


@torch.inference_mode()
def test_room_that_nobody_needs_is_taken_again() -> None:
    """A long running of short answers holds as much as is seen, and not all that was ever written."""
    longest = 0

    def forward(cache: GrowingCache, tokens: Any, positions: Any, sees: Any, rows: Any, columns: Any) -> Tensor:
        nonlocal longest
        longest = max(longest, sees.shape[2])
        keys = torch.zeros(*tokens.shape, 1)[:, None]
        cache.update(keys, keys, 0)
        assert cache.get_seq_length() == sees.shape[2]
        assert sees.any(axis=2).all()  # a softmax over nothing is no number
        return torch.zeros(len(rows), 3)

    running = ContinuousBatch(GrowingCache(), 0, 2, forward)
    for index in range(400):
        running.join([index], [tuple(range(10))])
        running.step()
        running.leave([index - 3] if index >= 3 else [])
    assert len(running.active) == 3
    assert longest <= 2 * 2 * (10 + 4)  # two answers a lane, each of ten tokens and at most four written


@given(together=st.integers(1, 64), head=st.integers(0, 100_000), own=st.floats(1, 100_000), more=st.floats(1, 100_000))
def test_lanes_are_as_many_as_answers_at_most_and_grow_with_what_these_own(
    together: int, head: int, own: float, more: float
) -> None:
    assert 1 <= lanes(together, head, own) <= lanes(together, head, own + more) <= together
    assert lanes(together, head + 1, own) <= lanes(together, head, own)
    assert lanes(together, 0, 300) == together  # nothing is shared


def test_lanes_cost_least() -> None:
    def cost(count: int) -> float:
        return 16 * (count * 1200 + 16 * 364) + 16 * (1200 + 16 * 364 / count)

    assert abs(lanes(16, 1200, 364) - np.argmin([cost(count) for count in range(1, 17)]) - 1) <= 1
