"""The response cache: earlier answers of models and replies of servers.

Example: `Responses("server http://localhost:8000/v1 qwen", cache).put({key: {"text": "18", "stop": "end"}})`

A response is stored under a hash of the model, the prompt, the decoding settings, and the code and libraries that
computed it. So another model or a changed engine never finds it, and a change of some prompts invalidates only theirs.
The raw reply of a server does not depend on our code, so its key contains no version of it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from hashlib import sha256
from typing import Any

from pfe.cache import Cache, folder

# Modules that fingerprints in keys leave out: they define requests and the cache, and the request is in the key anyway.
APART = ("pfe.config", "pfe.models.responses", "pfe.problem")


class Responses:
    """JSON values by key, written to the append-only cache as soon as they are put.

    Args:
        identity: all that determines an answer in addition to the request: weights or server, revision, precision.
    """

    def __init__(self, identity: str, cache: Cache) -> None:
        self._identity, self._cache = sha256(identity.encode()), cache

    @staticmethod
    def user_cache() -> Cache:
        """Return the user's response cache."""
        return Cache(folder() / "responses.sqlite")

    def key(self, kind: str, *parts: bytes) -> bytes:
        """Return the key of one response; different sequences of parts have different keys."""
        digest = self._identity.copy()
        for part in (kind.encode(), *parts):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.digest()

    def alone(self, key: bytes) -> AbstractContextManager[None]:
        """Lock a key against other threads and processes, so that a paid request is sent only once."""
        return self._cache.alone(key)

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        """Return the cached values of `keys`; keys without a value are left out."""
        values: dict[bytes, Any] = {}
        for key, value in self._cache.get_many(keys).items():
            with suppress(ValueError):
                values[key] = json.loads(value)
        return values

    def through(
        self,
        kind: str,
        parts: Sequence[tuple[bytes, ...]],
        compute: Callable[[list[int]], Iterable[tuple[list[int], list[Any]]]],
    ) -> Iterator[tuple[int, Any]]:
        """Yield each index of `parts` with its value: first the cached ones, then new ones, which are cached at once.

        Args:
            compute: yields indices and values for the indices that are not cached, some at a time.
        """
        keys = [self.key(kind, *part) for part in parts]
        cached = self.get_many(keys)
        yield from ((place, cached[key]) for place, key in enumerate(keys) if key in cached)
        for places, values in compute([place for place, key in enumerate(keys) if key not in cached]):
            self.put({keys[place]: value for place, value in zip(places, values, strict=True)})
            yield from zip(places, values, strict=True)

    def put(self, entries: Mapping[bytes, Any]) -> None:
        """Store responses on disk; they survive even if this process is killed."""
        self._cache.put_many({key: json.dumps(value).encode() for key, value in entries.items()})
