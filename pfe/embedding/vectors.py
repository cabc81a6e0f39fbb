"""Sentence vectors from a model, without a cache: all code that decides a vector is here and in `backends`.

Example: `Vectors(folder).compute(["one text"], "single")` is one (1, 384) float32 array of norm 1.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pfe.embedding.backends import (
    Floats,
    Ids,
    Precision,
    Run,
    Tokens,
    fastest,
    on_openvino,
    on_torch,
    one_thread,
    sentence_transformer,
    tokens_of,
)  # fmt: skip

Mode = Literal["fast", "single", "exact"]
Backend = Literal["openvino", "torch"]
_OVERLAP = 64  # word pieces that neighbouring chunks of one text share
_PIECES = 4096  # word pieces of one batch, padding included


@dataclass(frozen=True)
class _Source:
    """The key of a loaded model: the files of its folder with sizes and times, and the process id.

    A forked process has none of its parent's threads, so it must not use the model that the parent loaded.
    """

    path: str
    files: tuple[tuple[Path, int, int], ...]
    process: int


class Vectors:
    """A sentence-transformers model, loaded when first needed, once per process; `path` is a folder or a hub name."""

    def __init__(self, path: str) -> None:
        self._path = path

    @property
    def dimensions(self) -> int:
        """Return the length d of a vector."""
        return int(self._model("float32").get_embedding_dimension())

    @cached_property
    def folder(self) -> Path:
        """Return the folder of the model's files; a model on the hub is loaded first.

        Raises:
            UserError: it cannot be loaded.
        """
        if Path(self._path).is_dir():
            return Path(self._path)
        from huggingface_hub import try_to_load_from_cache

        self._model("float32")
        names = (self._path, f"sentence-transformers/{self._path}")
        files = (try_to_load_from_cache(name, "config.json") for name in names)
        return next((Path(file).parent for file in files if isinstance(file, str)), Path(self._path))

    def compute(self, texts: Sequence[str], mode: Mode) -> list[Floats]:
        """Return the vectors of each text; equal rows (the same passage) are embedded once.

        Rows of similar length share a batch, except in mode "exact".
        """
        pieces = self._tokens.pieces([text.encode("utf-8", "replace").decode() for text in texts])
        parts = [list(windows(ids, self._tokens.most)) for ids in pieces]
        places: dict[tuple[int, ...], int] = {}
        numbers = [[places.setdefault(tuple(part), len(places)) for part in text] for text in parts]
        rows = [self._tokens.framed(part) for part in places]
        order = sorted(range(len(rows)), key=lambda place: -len(rows[place]))
        vectors = np.zeros((len(rows), self.dimensions), np.float32)
        start = 0
        with one_thread() if mode == "exact" else nullcontext():
            while start < len(order):
                size = 1 if mode == "exact" else max(1, _PIECES // len(rows[order[start]]))
                batch = order[start : start + size]
                vectors[batch] = self._run(mode)([rows[place] for place in batch])
                start += size
        return [vectors[indexes] for indexes in numbers]

    @cached_property
    def _tokens(self) -> Tokens:
        return tokens_of(self._model("float32"))

    def _run(self, mode: Mode) -> Run:
        return _run(self._source, *arithmetic(mode))

    def _model(self, precision: Precision) -> Any:
        return _model(self._source, precision)

    @cached_property
    def _source(self) -> _Source:
        files = sorted(Path(self._path).rglob("*")) if Path(self._path).is_dir() else []
        states = tuple((file, file.stat().st_size, file.stat().st_mtime_ns) for file in files if file.is_file())
        return _Source(self._path, states, os.getpid())


@cache
def _model(source: _Source, precision: Precision) -> Any:
    return sentence_transformer(source.path, precision)


@cache
def _run(source: _Source, backend: Backend, precision: Precision) -> Run:
    if backend == "openvino":
        return on_openvino(_model(source, "float32"), precision)
    return on_torch(_model(source, precision))


def arithmetic(mode: Mode) -> tuple[Backend, Precision]:
    """Return the backend and the precision of a mode."""
    if mode == "exact":
        return "torch", "float32"
    backend, precision = fastest()
    return backend, precision if mode == "fast" else "float32"


def weights(folder: Path) -> list[Path]:
    """Return the files that contain a model's weights."""
    return sorted(folder.rglob("*.safetensors")) + sorted(folder.rglob("pytorch_model.bin"))


def settings_sha256(folder: Path) -> str:
    """Return the hash of all other files in a model's folder that decide its vectors, such as tokenizer and pooling."""
    digest = sha256()
    for file in sorted(file for suffix in ("json", "txt", "model") for file in folder.rglob(f"*.{suffix}")):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def windows(pieces: Ids, most: int) -> Iterator[Ids]:
    """Yield parts of at most `most` pieces, each beginning `_OVERLAP` pieces before the end of the previous one.

    The first part is the one that the model would read of the whole text.
    """
    yield pieces[:most]
    step = max(1, most - _OVERLAP)
    for start in range(step, len(pieces) - min(_OVERLAP, most - 1), step):
        yield pieces[start : start + most]
