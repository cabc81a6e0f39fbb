"""Sentence vectors without waiting for them: those that the user's cache has, and whether it has all.

Example: `missing("/tmp/folder")` is True where the run that comes would have to embed first, which takes minutes.
"""

from collections.abc import Sequence
from typing import Any

from bench.data import settings, texts
from pfe.embedding.encoder import Encoder


class CachedEncoder(Encoder):
    """An encoder that looks vectors up and computes none.

    Raises:
        LookupError: on a text whose vectors are not in the cache.
    """

    def compute(self, texts: Sequence[str], mode: Any) -> Any:
        raise LookupError(f"{len(texts)} texts without vectors")

    @classmethod
    def configured(cls) -> "CachedEncoder":
        """Of the firewall's model."""
        semantic = settings().firewall.semantic
        return cls(semantic.model, pinned=semantic.sha256 or "")


def missing(folder: str) -> bool:
    """Whether the vectors of any text are not in the cache."""
    try:
        for name in ("canonical", "synthetic"):
            CachedEncoder.configured().chunks(texts(folder, name), "fast")
    except LookupError:
        return True
    return False
