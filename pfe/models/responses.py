"""What models answered before: the response cache.

Example: `Responses("server http://localhost:8000/v1 qwen", cache).put({key: {"text": "18", "stop": "end"}})`

A response lies under the hash of who answered, what was asked, how it was decoded, and the code and libraries that
computed it: another model never finds it, nor does a changed engine, and a changed prompt finds only what it did not
change. The raw reply of a server is computed elsewhere, so no code of ours decides it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from hashlib import sha256
from typing import Any

from pfe.cache import Cache, folder

# What a question is made of, and where its answer lies: all of it is in the key.
APART = ("pfe.config", "pfe.models.responses", "pfe.problem")


class Responses:
    """JSON values by key, kept in the append-only cache as soon as they are put.

    Args:
        identity: all that decides an answer beside the question: weights or server, revision, precision.
    """

    def __init__(self, identity: str, cache: Cache) -> None:
        self._identity, self._cache = sha256(identity.encode()), cache

    @staticmethod
    def user_cache() -> Cache:
        """Where the user's responses are."""
        return Cache(folder() / "responses.sqlite")

    def key(self, kind: str, *parts: bytes) -> bytes:
        """The place of one response; no two different sequences of parts share one."""
        digest = self._identity.copy()
        for part in (kind.encode(), *parts):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.digest()

    def alone(self, key: bytes) -> AbstractContextManager[None]:
        """While it lasts, no other thread or process is here with the same key: what is paid for is asked once."""
        return self._cache.alone(key)

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        """What is known of `keys`; the others are left out."""
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
        """Each place in `parts` with its value: first the known ones, then those computed, each kept at once.

        Args:
            compute: of the places that are not known, some at a time, the values.
        """
        keys = [self.key(kind, *part) for part in parts]
        cached = self.get_many(keys)
        yield from ((place, cached[key]) for place, key in enumerate(keys) if key in cached)
        for places, values in compute([place for place, key in enumerate(keys) if key not in cached]):
            self.put({keys[place]: value for place, value in zip(places, values, strict=True)})
            yield from zip(places, values, strict=True)

    def put(self, entries: Mapping[bytes, Any]) -> None:
        """Keep responses; they outlive the death of this process from here on."""
        self._cache.put_many({key: json.dumps(value).encode() for key, value in entries.items()})
