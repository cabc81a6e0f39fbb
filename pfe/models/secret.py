"""A key that must not be seen: not on a screen, not in a file, however a server spells it.

Example: `Secret("sk-abcdefghijklmnop").hidden("Authorization: Bearer sk-abcdefgh")` is "Authorization: Bearer …".
"""

import base64
from collections.abc import Iterator
from urllib.parse import quote

_SHORTEST = 6  # characters of a key that a message may not show in a row
# Of a character by its number; in JSON a backslash is two.
_PATTERNS = ("%{:02x}", "\\u{:04x}", "\\\\u{:04x}", "\\x{:02x}", "\\\\x{:02x}", "{:02x}", "&#x{:02x};")
_SECRET = 8  # a shorter key is none, but a word such as "EMPTY" that a local server wants to see


class Secret:
    """All spellings of a key that are looked for: plain, in URLs, JSON, HTML, hexadecimal and base64."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._forms = tuple(_forms(key)) if key else ()

    def hidden(self, text: str) -> str:
        """A message with "…" for the key, and for any part of it that is more than a few characters."""
        return self._without(text, min(_SHORTEST, len(self._key)))

    def removed(self, text: str) -> str:
        """A reply with "…" for the key, and for parts of it that cannot be there by chance."""
        return self._without(text, max(_SECRET, -(-len(self._key) // 2))) if len(self._key) >= _SECRET else text

    def _without(self, text: str, least: int) -> str:
        lower = text.lower()
        lower = lower if len(lower) == len(text) else text
        mask = bytearray(len(text))
        for form, unit in self._forms:
            size = least * len(form) // len(self._key) // unit * unit or unit
            grams = {form[start : start + size].lower() for start in range(0, len(form) - size + 1, unit)}
            if any(gram in lower for gram in grams):
                for start in range(len(text) - size + 1):
                    if lower[start : start + size] in grams:
                        mask[start : start + size] = b"\1" * size
        return text if not any(mask) else "".join(_masked(text, mask))


def _masked(text: str, mask: bytearray) -> Iterator[str]:
    for place, character in enumerate(text):
        if not mask[place]:
            yield character
        elif not place or not mask[place - 1]:
            yield "…"


def _forms(key: str) -> Iterator[tuple[str, int]]:
    """Spellings, and how many characters of each stand for one of the key."""
    yield key, 1
    if quote(key, safe="") != key:
        yield quote(key, safe=""), 1
    for pattern in _PATTERNS:
        yield "".join(pattern.format(ord(character)) for character in key), len(pattern.format(0))
    content = key.encode()
    for shift in range(3):  # where in three bytes it begins decides how it is spelled; the ends depend on neighbours
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            spelling = encode(b"\0" * shift + content).decode().rstrip("=")
            whole = spelling[-(-shift * 8 // 6) : (shift + len(content)) * 8 // 6]
            if whole:
                yield whole, 1
