"""Masking of an API key in messages and replies, in all encodings that servers use.

Example: `Secret("sk-abcdefghijklmnop").hidden("Authorization: Bearer sk-abcdefgh")` is "Authorization: Bearer …".
"""

import base64
from collections.abc import Iterator
from urllib.parse import quote

_SHORTEST = 6  # consecutive characters of a key that a message may not show
# Encodings of a character by its code point; JSON doubles the backslash.
_PATTERNS = ("%{:02x}", "\\u{:04x}", "\\\\u{:04x}", "\\x{:02x}", "\\\\x{:02x}", "{:02x}", "&#x{:02x};")
_SECRET = 8  # a shorter key is no secret, but a placeholder such as "EMPTY" for a local server


class Secret:
    """A key with all its encodings that are masked: plain, in URLs, JSON, HTML, hexadecimal and base64."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._forms = tuple(_forms(key)) if key else ()

    def hidden(self, text: str) -> str:
        """Return a message with "…" in place of the key and of any part of it of at least six characters."""
        return self._without(text, min(_SHORTEST, len(self._key)))

    def removed(self, text: str) -> str:
        """Return a reply with "…" in place of the key and of parts of it that are too long to occur by chance."""
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
    """Yield the encodings of a key, each with the number of its characters for one of the key."""
    yield key, 1
    if quote(key, safe="") != key:
        yield quote(key, safe=""), 1
    for pattern in _PATTERNS:
        yield "".join(pattern.format(ord(character)) for character in key), len(pattern.format(0))
    content = key.encode()
    for shift in range(3):  # base64 depends on the offset within three bytes; its ends depend on neighbouring bytes
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            spelling = encode(b"\0" * shift + content).decode().rstrip("=")
            whole = spelling[-(-shift * 8 // 6) : (shift + len(content)) * 8 // 6]
            if whole:
                yield whole, 1
