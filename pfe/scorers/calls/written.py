"""Calls as a notation writes them, before they are bound to a function.

Example: `get_weather("Oslo", units="celsius")` is `RawCall("get_weather", ("Oslo",), (("units", "celsius"),))`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

# None, a bool, a number, a string, a list, a dict, or one of the three classes below.
Value = Any


class UnreadableError(ValueError):
    """The text is not a call."""


class BrokenError(UnreadableError):
    """The text was meant as a call, but is not a valid one."""


@dataclass(frozen=True)
class RawCall:
    """A call with its positional and keyword arguments as written; an argument may itself be a call."""

    name: str
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()

    def values(self) -> Iterator[Value]:
        yield from self.positional
        yield from (value for _, value in self.keywords)

    def inner(self) -> "Iterator[RawCall]":
        """Yield the calls that are arguments of this one, at any depth."""
        for value in self.values():
            if isinstance(value, RawCall):
                yield value
                yield from value.inner()

    def with_values(self, values: list[Value]) -> "RawCall":
        """Return the same call with other values, in the order of `values()`."""
        split = len(self.positional)
        keywords = tuple((key, value) for (key, _), value in zip(self.keywords, values[split:], strict=True))
        return replace(self, positional=tuple(values[:split]), keywords=keywords)


@dataclass(frozen=True)
class Raw:
    """A value whose notation does not distinguish text from numbers, as between XML tags."""

    text: str


@dataclass(frozen=True)
class Variable:
    """A name that is not a literal."""

    name: str


def as_source(value: Value) -> str:
    """Write a value or a call as Python source."""
    match value:
        case RawCall():
            keywords = (f"{key}={as_source(item)}" for key, item in value.keywords)
            return f"{value.name}({', '.join([*map(as_source, value.positional), *keywords])})"
        case Raw():
            return value.text.strip()
        case Variable():
            return value.name
        case list():
            return f"[{', '.join(map(as_source, value))}]"
        case dict():
            return f"{{{', '.join(f'{as_source(key)}: {as_source(item)}' for key, item in value.items())}}}"
        case str():
            return '"' + value.translate(_ESCAPES) + '"'
    return repr(value)


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
