"""Small causal language models of several architectures, with random weights and a tokenizer of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import (
    BloomConfig,
    BloomForCausalLM,
    GemmaConfig,
    GemmaForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MambaConfig,
    MambaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from pfe.training.student import new_tokenizer

TEXT = [
    "Question: Which tool measures air pressure?\nAnswer: barometer",
    "[METHOD LIBRARY]\nMETHOD 1: add the parts. When: in total, altogether.",
    "The quick brown fox jumps over the lazy dog while 12 birds and 8 bees look on.",
]
_SMALL: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Threads cost such small models more than they give, sums are the same on as many, and a fork has none."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def _gpt2(vocabulary: int) -> PreTrainedModel:
    return GPT2LMHeadModel(GPT2Config(vocab_size=vocabulary, n_embd=32, n_layer=2, n_head=4, n_positions=512))


def _qwen2(vocabulary: int) -> PreTrainedModel:
    return Qwen2ForCausalLM(Qwen2Config(vocab_size=vocabulary, num_key_value_heads=2, **_SMALL))


def _gemma(vocabulary: int) -> PreTrainedModel:
    return GemmaForCausalLM(GemmaConfig(vocab_size=vocabulary, num_key_value_heads=1, head_dim=8, **_SMALL))


def _llama(vocabulary: int) -> PreTrainedModel:
    return LlamaForCausalLM(LlamaConfig(vocab_size=vocabulary, max_position_embeddings=256, **_SMALL))


def _mistral(vocabulary: int) -> PreTrainedModel:
    return MistralForCausalLM(MistralConfig(vocab_size=vocabulary, num_key_value_heads=2, sliding_window=32, **_SMALL))


def _mamba(vocabulary: int) -> PreTrainedModel:
    return MambaForCausalLM(MambaConfig(vocab_size=vocabulary, hidden_size=32, num_hidden_layers=2, state_size=8))


def _bloom(vocabulary: int) -> PreTrainedModel:
    return BloomForCausalLM(BloomConfig(vocab_size=vocabulary, hidden_size=32, n_layer=2, n_head=4))


ARCHITECTURES: dict[str, Callable[[int], PreTrainedModel]] = {
    "gpt2": _gpt2, "qwen2": _qwen2, "gemma": _gemma, "llama": _llama,
    "mistral": _mistral, "mamba": _mamba, "bloom": _bloom,
}  # fmt: skip
PACKING = ("gpt2", "qwen2", "gemma", "llama")


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The folder of a small random model of one architecture."""
    made: dict[str, Path] = {}

    def make(architecture: str) -> str:
        if architecture not in made:
            folder = tmp_path_factory.mktemp(architecture)
            tokenizer = new_tokenizer(TEXT, vocabulary=400, context=256)
            torch.manual_seed(0)
            model = ARCHITECTURES[architecture](len(tokenizer))
            # Weights larger than usual: what a token sees must show in its scores.
            with torch.no_grad():
                for parameter in model.parameters():
                    if parameter.ndim > 1:
                        parameter.mul_(4)
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            made[architecture] = folder
        return str(made[architecture])

    return make
