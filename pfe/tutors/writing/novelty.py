"""Check that a problem is new, by its n-gram overlap with problems that were shown or written before.

Example: a copy of an example with one name changed shares 80 % of its 5-grams, and is refused.
"""

from collections.abc import Iterable

from pfe.firewall.tokens import tokenize

N = 5
MOST = 0.5  # highest share of the 5-grams of a problem that may occur in another problem


class Seen:
    """An n-gram index of the texts that a new text may not repeat."""

    def __init__(self) -> None:
        self._holders: dict[tuple[str, ...], set[str]] = {}

    def add(self, id: str, text: str) -> None:
        for ngram in _ngrams(text):
            self._holders.setdefault(ngram, set()).add(id)

    def nearest(self, text: str) -> tuple[str, float]:
        """Return the id of the text with the highest n-gram overlap, and the overlap, 0 to 1; "" if none overlaps."""
        ngrams = _ngrams(text)
        counts: dict[str, int] = {}
        for ngram in ngrams:
            for id in self._holders.get(ngram, ()):
                counts[id] = counts.get(id, 0) + 1
        if not counts:
            return "", 0.0
        id = min(counts, key=lambda id: (-counts[id], id))
        return id, counts[id] / len(ngrams)

    @classmethod
    def of(cls, texts: Iterable[tuple[str, str]]) -> "Seen":
        """Build the index from pairs of id and text."""
        seen = cls()
        for id, text in texts:
            seen.add(id, text)
        return seen


def _ngrams(text: str) -> set[tuple[str, ...]]:
    words = tokenize(text)
    return {tuple(words[start : start + N]) for start in range(max(1, len(words) - N + 1))}
