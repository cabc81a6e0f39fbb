"""Sentence vectors from the user's cache alone, and whether the cache has all of them.

Example: `missing("/tmp/folder")` is True if the next run would have to embed texts first, which takes minutes.
"""

from collections.abc import Sequence
from typing import Any

from bench.data import settings, texts
from pfe.embedding.encoder import Encoder


class CachedEncoder(Encoder):
    """An encoder that reads vectors from the cache and computes none.

    Raises:
        LookupError: the vectors of a text are not in the cache.
    """

    def compute(self, texts: Sequence[str], mode: Any) -> Any:
        raise LookupError(f"{len(texts)} texts without vectors")

    @classmethod
    def configured(cls) -> "CachedEncoder":
        """Return the encoder for the firewall's model."""
        semantic = settings().firewall.semantic
        return cls(semantic.model, pinned=semantic.sha256 or "")


def missing(folder: str) -> bool:
    """Return whether the vectors of any text are missing from the cache."""
    try:
        for name in ("canonical", "synthetic"):
            CachedEncoder.configured().chunks(texts(folder, name), "fast")
    except LookupError:
        return True
    return False
