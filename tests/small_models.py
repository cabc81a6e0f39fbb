"""Small causal language models of several architectures, with random weights and a tokenizer of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from transformers import PreTrainedModel

TEXT = [
    "Question: Which tool measures air pressure?\nAnswer: barometer",
    "[METHOD LIBRARY]\nMETHOD 1: add the parts. When: in total, altogether.",
    "The quick brown fox jumps over the lazy dog while 12 birds and 8 bees look on.",
]
_SMALL: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 512},
    "qwen2": {"num_key_value_heads": 2, **_SMALL},
    "gemma": {"num_key_value_heads": 1, "head_dim": 8, **_SMALL},
    "llama": {"max_position_embeddings": 256, **_SMALL},
    "mistral": {"num_key_value_heads": 2, "sliding_window": 32, **_SMALL},
    "mamba": {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8},
    "bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
}
PACKING = ("gpt2", "qwen2", "gemma", "llama")


def small_model(architecture: str, vocabulary: int) -> "PreTrainedModel":
    """A random model of one of ARCHITECTURES."""
    from transformers import AutoConfig, AutoModelForCausalLM  # imported here because it takes seconds

    config = AutoConfig.for_model(architecture, vocab_size=vocabulary, **ARCHITECTURES[architecture])
    model: PreTrainedModel = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    return model


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Threads cost such small models more than they give, sums are the same on as many, and a fork has none."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The folder of a small random model of one architecture."""
    import torch

    from pfe.training.student import new_tokenizer

    made: dict[str, Path] = {}

    def make(architecture: str) -> str:
        if architecture not in made:
            folder = tmp_path_factory.mktemp(architecture)
            tokenizer = new_tokenizer(TEXT, vocabulary=400, context=256)
            torch.manual_seed(0)
            model = small_model(architecture, len(tokenizer))
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
