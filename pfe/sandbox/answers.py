"""A safe parser of the answers of an untrusted program: it returns builtin values and `Opaque`, nothing else.

Example: `value('["tuple", 1, NaN, ["opaque", "Node", true]]')` is `(1, nan, Opaque("Node", True))`.
`literal` in `sandboxed.py` writes and describes this format.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MOST_ITEMS, MOST_DEPTH = 10_000, 50  # `sandboxed.py` has the same limits
HASH_COST = 5  # an item of a set or dictionary counts as so many: all hashes may be equal


@dataclass(frozen=True, eq=False)
class Opaque:
    """A value that is no literal: it is equal to nothing, not even itself, and has the reported truth value."""

    name: str
    truth: bool

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        return self.truth


def value(text: str) -> Any:
    """Parse an answer; the time to parse it and to compare its value is bounded by its size.

    Raises:
        ValueError: its form is unknown, or it is too large or too deeply nested.
    """
    try:
        return _value(json.loads(text), 0, [MOST_ITEMS])
    except (TypeError, LookupError, OverflowError, RecursionError) as error:
        raise ValueError(f"not a literal: {error}") from None


def _value(node: Any, depth: int, room: list[int]) -> Any:
    if isinstance(node, dict):
        raise ValueError("a JSON object is no literal")
    kind, *parts = node if isinstance(node, list) else ("", node)
    room[0] -= HASH_COST * len(parts) if kind in ("set", "frozenset", "dict") else 1
    if depth > MOST_DEPTH or room[0] < 0:
        raise ValueError("more than an answer may hold")
    if not isinstance(node, list):
        return node
    if kind == "opaque":
        return _opaque(*parts)
    return KINDS[kind]([_value(part, depth + 1, room) for part in parts])


def _opaque(name: object, truth: object) -> Opaque:
    if not isinstance(name, str) or not isinstance(truth, bool):
        raise ValueError("an opaque value has a name and a truth")
    return Opaque(name, truth)


def _range(parts: list[Any]) -> range:
    result = range(*parts)
    if len(result) > MOST_ITEMS:
        raise ValueError("more than an answer may hold")
    return result


def _dict(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


KINDS: Mapping[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": _dict,
    "range": _range,
    "bytes": lambda parts: bytes.fromhex(*parts),
    "complex": lambda parts: complex(*parts),
}
