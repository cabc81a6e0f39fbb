"""Loading a causal language model in Hugging Face's format, and knowing which one it is.

Example: `load("data/models/student", None, "float32", "auto")` has the identity
"sha256 5c1d… float32 on cpu".
"""

import os
import sys
from dataclasses import dataclass
from typing import Any

import psutil
import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
from transformers.utils.logging import disable_progress_bar

from pfe.errors import UserError
from pfe.models.identity import weights_of


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode with its tokenizer; `window` is the longest sequence it takes, in tokens."""

    model: Any
    tokenizer: Any
    device: str
    window: int
    identity: str


def load(path: str, revision: str | None, dtype: str, device: str) -> Loaded:
    """Load a model from a folder or the hub.

    Args:
        device: "cpu", "cuda", or "auto" for the accelerator where there is one.

    Raises:
        UserError: it does not exist, is damaged, does not fit into memory, or its files are no model's.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    disable_progress_bar()
    where = _device(device)
    try:
        config = AutoConfig.from_pretrained(path, revision=revision)
        tokenizer: Any = AutoTokenizer.from_pretrained(path, revision=revision)
        _check_room(config, path, dtype, where)
        model: Any = AutoModelForCausalLM.from_pretrained(path, revision=revision, dtype=getattr(torch, dtype))
        model = model.eval().to(where)
    except torch.OutOfMemoryError:
        raise UserError(_too_large(path, dtype, where)) from None
    except UserError:
        raise
    except Exception as error:  # transformers, huggingface_hub and safetensors each raise their own kinds
        reason = " ".join(str(error).split())[:200]
        raise UserError(
            f"cannot load the model '{path}' ({reason}); give a folder with config.json, weights and tokenizer, "
            "or a hub name your network and token reach"
        ) from None
    tokenizer.model_max_length = sys.maxsize  # what is too long for the window is cut here, not warned of there
    return Loaded(model, tokenizer, where, _window(config), f"{weights_of(path, config)} {dtype} on {where}")


def _device(device: str) -> str:
    if device == "cuda" and not torch.cuda.is_available():
        raise UserError("device: cuda, but PyTorch sees no such device here; set device: auto or cpu")
    return ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device


def _window(config: Any) -> int:
    text = config.get_text_config()
    sizes = (getattr(text, name, None) for name in ("max_position_embeddings", "n_positions", "n_ctx"))
    return next((int(size) for size in sizes if size), 2048)


def _check_room(config: Any, path: str, dtype: str, device: str) -> None:
    """Count parameters without making them, and compare with the memory that is free."""
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    needed = sum(parameter.numel() for parameter in model.parameters()) * getattr(torch, dtype).itemsize
    free = torch.cuda.mem_get_info()[0] if device == "cuda" else psutil.virtual_memory().available
    if needed > free:
        raise UserError(f"{_too_large(path, dtype, device)} (needs {needed / 2**30:.1f} GiB, {free / 2**30:.1f} free)")


def _too_large(path: str, dtype: str, device: str) -> str:
    smaller = "set dtype: bfloat16, or " if dtype == "float32" else ""
    return (
        f"the model '{path}' does not fit into the memory of {device}; {smaller}take a smaller model or another machine"
    )
