"""GGUF files, the format of llama.cpp: whether transformers reads one as it is meant, and reading it.

Example: within `reading()`, `check("models/m.gguf")` returns the names that the file has for its model:
("Smollm2 135M 8k Lc100K Mix1 Ep2", "smollm2"); a file cut short raises a UserError that names llama-server.

Weights are dequantised to the number format that is computed in; nothing is written to the disk.
Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import gguf
from transformers import modeling_gguf_pytorch_utils

from pfe.errors import UserError, sentences

MAGIC = b"GGUF"
_PACKAGE: Any = gguf
_LOADER: Any = modeling_gguf_pytorch_utils
_PART = re.compile(r"-\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)
_NAMES = ("general.name", "general.basename", "general.finetune")
# Tensors that scale positions (Llama 3.1, Phi-3), which transformers drops without a word: texts would be read wrongly.
_SCALING = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")


def unreadable(path: str, reason: str) -> UserError:
    """Say that a file is not read here, and who may read it."""
    return UserError(
        f"cannot load the model '{path}' ({reason}); if llama.cpp reads it, serve it with `llama-server -m FILE` and "
        "name that server: --base-url http://localhost:8080/v1"
    )


@contextmanager
def reading() -> Iterator[None]:
    """Within it transformers parses a file's header once and maps the names of tensors once, and draws no bar.

    It would do the former at every call and the latter for every module: 15 seconds of SmolLM2-135M's 25.
    """
    slow, bar = ("GGUFReader", "get_tensor_name_map"), _LOADER.tqdm
    before = {name: getattr(_PACKAGE, name) for name in slow}
    for name, function in before.items():
        setattr(_PACKAGE, name, cache(function))
    _LOADER.tqdm = lambda tensors, **_: tensors
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(_PACKAGE, name, function)
        _LOADER.tqdm = bar


def check_kind(path: str) -> None:
    """See that a file is a whole GGUF file by its first bytes and its name.

    Raises:
        UserError: it is not.
    """
    with Path(path).open("rb") as content:
        if content.read(len(MAGIC)) != MAGIC:
            raise unreadable(path, "it is a file, but no GGUF file; of other formats give the folder with config.json")
    if _PART.search(path):
        raise unreadable(path, "it is one part of several")


def check(path: str) -> tuple[str, ...]:
    """Return the names that a file gives its model.

    Raises:
        UserError: it is damaged, a part of a model, or holds what transformers would leave out.
    """
    try:
        header = _PACKAGE.GGUFReader(path)
        values = {name: _value(header, name) for name in (*_NAMES, "general.architecture", "split.count")}
        scaling = _value(header, f"{values['general.architecture']}.rope.scaling.type")
    except Exception as error:  # numpy's and Python's own, whatever a damaged header makes of them
        raise unreadable(path, f"it is cut short or damaged: {sentences(error)}") from None
    if int(values["split.count"] or 1) > 1:
        raise unreadable(path, "it is one part of several")
    if scaling not in (None, "none") or any(tensor.name in _SCALING for tensor in header.tensors):
        raise unreadable(path, "transformers leaves out how it scales positions")
    return tuple(str(values[name]) for name in _NAMES if values[name])


def released(model: Any) -> Any:
    """Return a model that was read from a file as one of plain weights, which can be cast, trained and saved."""
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    for name in ("hf_quantizer", "quantization_method"):
        model.__dict__.pop(name, None)
    model.is_quantized = False
    return model


def _value(header: Any, name: str) -> Any:
    field = header.get_field(name)
    return None if field is None else field.contents()
