"""The backends that run an embedding model: PyTorch, or OpenVINO if it is installed.

Example: `on_torch(sentence_transformer(folder, "float32"))([[101, 2028, 3793, 102]])` is a (1, 384) float32 array of
norm 1.

If the processor can multiply bfloat16 numbers, `fastest` chooses them. Cosines then change by up to 0.003
(docs/log/speed.md), so code that compares cosines with a threshold must recompute those near it.
"""

import importlib.util
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pfe.errors import UserError, sentences
from pfe.hub import cached_where_unreachable, failure
from pfe.quiet import quiet

Precision = Literal["float32", "bfloat16"]
Ids = Sequence[int]
Floats = NDArray[np.float32]


class Run(Protocol):
    """A function that returns unit vectors (b, d) for b rows of token ids, special tokens included."""

    def __call__(self, rows: Sequence[Ids]) -> Floats: ...


@dataclass(frozen=True)
class Tokens:
    """A model's tokenizer, the special tokens before and after a text, and the most word pieces between them."""

    tokenizer: Any
    before: tuple[int, ...]
    after: tuple[int, ...]
    most: int

    def pieces(self, texts: Sequence[str]) -> list[Ids]:
        """Return the word pieces of each text, without special tokens and without truncation."""
        pieces: list[Ids] = self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return pieces

    def framed(self, pieces: Ids) -> Ids:
        """Return at most `most` word pieces with the special tokens around them, as the model reads them."""
        return [*self.before, *pieces, *self.after]


def sentence_transformer(path: str, dtype: Precision) -> Any:
    """Load the sentence-transformers model in a folder or on the hub.

    Raises:
        UserError: it cannot be loaded, or cannot embed a word.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    from sentence_transformers import SentenceTransformer

    try:
        with quiet(), cached_where_unreachable(path):
            model = SentenceTransformer(
                path, device="cpu", trust_remote_code=False, model_kwargs={"dtype": getattr(torch, dtype)}
            ).eval()
            tokens = tokens_of(model)
            on_torch(model)([tokens.framed(tokens.pieces(["a"])[0])])  # some faults show only when it is used
    except Exception as error:  # transformers, huggingface_hub and safetensors each raise errors of their own
        known = failure(error, path)
        reason = known.reason if known else sentences(error)
        if "trust_remote_code" in str(error):
            reason = "it brings code of its own, which is never run here"
        raise UserError(
            f"cannot load the embedding model '{path}' ({reason}); "
            "set firewall.semantic.model to all-MiniLM-L6-v2, a folder, or a name your network reaches"
        ) from None
    return model


def tokens_of(model: Any) -> Tokens:
    """Return the tokenizer of a sentence-transformers model, with the special tokens that it adds."""
    tokenizer = model.tokenizer
    framed, bare = (tokenizer("a", add_special_tokens=special)["input_ids"] for special in (True, False))
    before = next(place for place in range(len(framed)) if framed[place : place + len(bare)] == bare)
    after = before + len(bare)
    most = model.max_seq_length - len(framed) + len(bare)
    return Tokens(tokenizer, tuple(framed[:before]), tuple(framed[after:]), most)


def on_torch(model: Any) -> Run:
    """Return a function that runs a sentence-transformers model in PyTorch."""
    import torch

    def run(rows: Sequence[Ids]) -> Floats:
        ids, mask = (torch.from_numpy(part) for part in _padded(rows, model.tokenizer.pad_token_id))
        with torch.inference_mode():
            embeddings = model({"input_ids": ids, "attention_mask": mask})["sentence_embedding"].float()
            vectors: Floats = torch.nn.functional.normalize(embeddings, dim=1).numpy()
        return vectors

    return run


@contextmanager
def one_thread() -> Iterator[None]:
    """Run PyTorch on one thread: the last bits of a product depend on the number of threads that share it."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def on_openvino(model: Any, precision: Precision) -> Run:
    """Return a function that runs a single-precision sentence-transformers model compiled by OpenVINO."""
    import openvino
    import torch

    class Normalized(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, mask: Any) -> Any:
            embeddings = self.model({"input_ids": ids, "attention_mask": mask})["sentence_embedding"]
            return torch.nn.functional.normalize(embeddings, dim=1)

    with warnings.catch_warnings(), quiet():  # tracing reads every property of the model, its loss too
        warnings.simplefilter("ignore")
        traced = openvino.convert_model(Normalized(), example_input=(torch.ones(2, 8).long(), torch.ones(2, 8).long()))
    hint = {"bfloat16": "bf16", "float32": "f32"}[precision]
    threads = int(os.environ.get("OMP_NUM_THREADS") or 0)  # 0 lets OpenVINO take all cores
    settings = {"INFERENCE_PRECISION_HINT": hint, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads}
    compiled = openvino.Core().compile_model(traced, "CPU", settings)

    def run(rows: Sequence[Ids]) -> Floats:
        vectors: Floats = compiled(list(_padded(rows, model.tokenizer.pad_token_id)))[0].copy()
        return vectors

    return run


@cache
def fastest() -> tuple[Literal["openvino", "torch"], Precision]:
    """Return the installed backend, OpenVINO first, and the narrowest arithmetic that this processor supports."""
    if importlib.util.find_spec("openvino"):
        import openvino

        narrow = "BF16" in openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        return "openvino", "bfloat16" if narrow else "float32"
    import torch

    return "torch", "bfloat16" if torch.ops.mkldnn._is_mkldnn_bf16_supported() else "float32"


def _padded(rows: Sequence[Ids], pad: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return padded token ids and the attention mask, both (b, longest)."""
    lengths = np.array([len(row) for row in rows])
    mask = np.arange(lengths.max())[None, :] < lengths[:, None]
    ids = np.full(mask.shape, pad, np.int64)
    ids[mask] = [id for row in rows for id in row]
    return ids, mask.astype(np.int64)
