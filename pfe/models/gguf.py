"""GGUF files (the format of llama.cpp): a check that transformers reads them correctly, and faster loading.

Example: within `reading()`, `check("models/m.gguf")` returns the names that the file gives its model,
("Smollm2 135M 8k Lc100K Mix1 Ep2", "smollm2"). A truncated file raises a UserError that suggests llama-server.

Weights are dequantised to the dtype of the computation; nothing is written to disk.
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
# Tensors that scale positions (Llama 3.1, Phi-3). transformers drops them silently, so positions would be incorrect.
_SCALING = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")


def unreadable(path: str, reason: str) -> UserError:
    """Return an error that says that a file cannot be read here, and how to serve it instead."""
    return UserError(
        f"cannot load the model '{path}' ({reason}); if llama.cpp reads it, serve it with `llama-server -m FILE` and "
        "name that server: --base-url http://localhost:8080/v1"
    )


@contextmanager
def reading() -> Iterator[None]:
    """Make transformers parse a file's header and map tensor names only once, without a progress bar.

    By default it parses the header at every call and maps the names for every module, which takes 15 of the 25 seconds
    of loading SmolLM2-135M.
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
    """Check by its first bytes and its name that a file is a GGUF file and not one part of several.

    Raises:
        UserError: it is not GGUF, or is one part of several.
    """
    with Path(path).open("rb") as content:
        if content.read(len(MAGIC)) != MAGIC:
            raise unreadable(path, "it is a file, but no GGUF file; of other formats give the folder with config.json")
    if _PART.search(path):
        raise unreadable(path, "it is one part of several")


def check(path: str) -> tuple[str, ...]:
    """Return the names that a file gives its model.

    Raises:
        UserError: it is damaged, is one part of several, or scales positions, which transformers would leave out.
    """
    try:
        header = _PACKAGE.GGUFReader(path)
        values = {name: _value(header, name) for name in (*_NAMES, "general.architecture", "split.count")}
        scaling = _value(header, f"{values['general.architecture']}.rope.scaling.type")
    except Exception as error:  # a damaged header can raise any exception of numpy or Python
        raise unreadable(path, f"it is cut short or damaged: {sentences(error)}") from None
    if int(values["split.count"] or 1) > 1:
        raise unreadable(path, "it is one part of several")
    if scaling not in (None, "none") or any(tensor.name in _SCALING for tensor in header.tensors):
        raise unreadable(path, "transformers leaves out how it scales positions")
    return tuple(str(values[name]) for name in _NAMES if values[name])


def released(model: Any) -> Any:
    """Mark a model that was loaded from GGUF as unquantised, so that it can be cast, trained and saved; return it."""
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    for name in ("hf_quantizer", "quantization_method"):
        model.__dict__.pop(name, None)
    model.is_quantized = False
    return model


def _value(header: Any, name: str) -> Any:
    field = header.get_field(name)
    return None if field is None else field.contents()
