"""Containment: the share of one text's n-grams that another text contains.

Example: "Tom has 3 red apples and 4 pears" against a canonical "… has 3 red apples and 4 …"
shares 2 of its 4 five-grams: containment 0.5.
Source: SPEC, "Check 1: Token-Level Overlap".

The result is exact: n-grams are matched by hash, and every hit is confirmed by comparing the n token ids.
"""

import itertools
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pfe.firewall.matches import Ints, Matches, best

T = TypeVar("T")
PADDING = 0
BLOCK = 4096  # texts; keeps the arrays of one step in the processor's cache
MOST_HITS = 4_000_000  # n-gram occurrences counted in one step: bounds memory


@dataclass(frozen=True)
class Span:
    """A token and its position: `text[start:end].lower()` is the token."""

    token: str
    start: int
    end: int


@dataclass(frozen=True)
class SharedNgram:
    """An n-gram that two texts share, with the character offsets of its first occurrence in each."""

    ngram: str
    start: int
    end: int
    canonical_start: int
    canonical_end: int


@dataclass(frozen=True)
class Counts:
    """The number of shared n-grams of every pair of texts that share any.

    Pair p: candidate `rows[p]`, canonical text `columns[p]`, `shared[p]` distinct n-grams in both.
    `sizes`, shape (m,): the number of distinct n-grams of each candidate.
    """

    rows: Ints
    columns: Ints
    shared: Ints
    sizes: Ints


def tokenize(text: str) -> list[str]:
    """Return the lower-case runs of word characters, as defined by Python's `str.lower` and `\\w`."""
    return re.findall(r"\w+", text.lower())


def spans(text: str) -> list[Span]:
    """Return the tokens of a text with their positions in it.

    Lower-casing can lengthen a text (İ becomes two characters), so positions are mapped back to the original text.
    """
    lowered = text.lower()
    back = range(len(text) + 1)
    if len(lowered) != len(text):
        back = [place for place, letter in enumerate(text) for _ in letter.lower()] + [len(text)]  # type: ignore[assignment]
    matches = re.finditer(r"\w+", lowered)
    return [Span(match.group(), back[match.start()], back[match.end() - 1] + 1) for match in matches]


def shared_ngrams(candidate: str, canonical: str, n: int) -> list[SharedNgram]:
    """Return the distinct n-grams that two texts share, in the candidate's order; short texts as in `NgramIndex`."""
    theirs = _places(canonical, n)
    return [
        SharedNgram(" ".join(ngram), *place, *theirs[ngram])
        for ngram, place in _places(candidate, n).items()
        if ngram in theirs
    ]


def _places(text: str, n: int) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return the offsets of the first occurrence of each distinct n-gram; a shorter text is one n-gram."""
    words = spans(text)
    size = min(n, len(words))
    places: dict[tuple[str, ...], tuple[int, int]] = {}
    for first in range(len(words) - size + 1) if size else ():
        window = words[first : first + size]
        ngram = (*(span.token for span in window), *("",) * (n - size))
        places.setdefault(ngram, (window[0].start, window[-1].end))
    return places


class NgramIndex:
    """An index of the canonical texts' n-grams that counts how many of them other texts share.

    A text of fewer than n tokens counts as one n-gram, the whole text, which only a text of the same tokens shares. A
    text without tokens has no n-grams.
    """

    def __init__(self, texts: Sequence[str], n: int) -> None:
        self.n = n
        self._vocabulary: dict[bytes, int] = {}
        blocks = [self._ids(*words, grow=True) for words in _over_blocks(tokenize_all, texts)]
        windows = Windows.of(
            np.concatenate([np.zeros(0, np.int32), *(ids for ids, _ in blocks)]),
            _join([lengths for _, lengths in blocks]),
            n,
        )
        self._seed, self._hashes, first, numbers = _table(windows)
        self._row, self._places = windows.row, windows.places[first]
        pairs = np.sort(numbers * max(len(texts), 1) + windows.owners)
        pairs = pairs[_starts(pairs)]
        self._texts = (pairs % max(len(texts), 1)).astype(np.int32)
        self._starts = np.searchsorted(pairs, np.arange(len(first) + 1) * max(len(texts), 1))
        self.sizes: Ints = np.bincount(self._texts, minlength=len(texts)).astype(np.int64)

    def count(self, candidates: Sequence[str]) -> Counts:
        """Count the shared n-grams of every pair of a candidate and a canonical text that share any."""
        parts = _over_blocks(self._count, candidates)
        rows = [part.rows + i * BLOCK for i, part in enumerate(parts)]
        return Counts(
            _join(rows),
            _join([part.columns for part in parts]),
            _join([part.shared for part in parts]),
            _join([part.sizes for part in parts]),
        )

    def containment(self, counts: Counts) -> Matches:
        """Return, for every candidate, the canonical text that contains the largest share of its n-grams."""
        total = counts.sizes[counts.rows]
        return best(len(counts.sizes), counts.rows, counts.columns, counts.shared / total, counts.shared, total)

    def reverse(self, counts: Counts, least: int) -> Matches:
        """Return, for every candidate, the canonical text with the largest share of its own n-grams in the candidate.

        A canonical text of fewer than `least` n-grams counts only if the candidate contains all of them: a part of so
        short a text may be a common phrase.
        """
        total = self.sizes[counts.columns]
        telling = (total >= least) | (counts.shared == total)
        rows, columns, shared, total = (x[telling] for x in (counts.rows, counts.columns, counts.shared, total))
        return best(len(counts.sizes), rows, columns, shared / total, shared, total)

    def _count(self, texts: Sequence[str]) -> Counts:
        windows = Windows.of(*self._ids(*tokenize_all(texts), grow=False), self.n)
        hashes = windows.hashes(self._seed)
        order = np.argsort(hashes)
        numbers = windows.numbers(hashes, order)
        if numbers is None:
            order, numbers = windows.exact_numbers()
        pairs = numbers * len(texts) + windows.owners[order]
        by_pair = np.argsort(pairs)
        distinct = by_pair[_starts(pairs[by_pair])]
        grams, owners = order[distinct], pairs[distinct] % len(texts)
        sizes = np.bincount(owners, minlength=len(texts)).astype(np.int64)
        slots = np.searchsorted(self._hashes, hashes[grams]).clip(max=max(len(self._hashes) - 1, 0))
        confirmed = np.full(len(grams), bool(len(self._hashes)))
        for j in range(self.n) if len(self._hashes) else ():
            confirmed &= windows.row[windows.places[grams] + j] == self._row[self._places[slots] + j]
        return Counts(*self._tally(owners[confirmed], slots[confirmed]), sizes)

    def _tally(self, rows: Ints, slots: Ints) -> tuple[Ints, Ints, Ints]:
        """Count how many slots of the table each candidate has in common with each canonical text."""
        order = np.argsort(rows, kind="stable")
        rows, slots = rows[order], slots[order]
        hits = self._starts[slots + 1] - self._starts[slots]
        cuts = _cuts(rows, hits)
        parts = [self._tally_part(rows[a:b], slots[a:b], hits[a:b]) for a, b in itertools.pairwise(cuts)]
        return (
            _join([part[0] for part in parts]),
            _join([part[1] for part in parts]),
            _join([part[2] for part in parts]),
        )

    def _tally_part(self, rows: Ints, slots: Ints, hits: Ints) -> tuple[Ints, Ints, Ints]:
        ends = np.cumsum(hits)
        places = np.repeat(self._starts[slots] - ends + hits, hits) + np.arange(ends[-1] if len(ends) else 0)
        width = max(len(self.sizes), 1)
        keys = np.sort(np.repeat(rows, hits) * width + self._texts[places])
        first = _starts(keys)
        return keys[first] // width, keys[first] % width, np.diff(np.append(first, len(keys)))

    def _ids(
        self, words: Sequence[bytes], places: NDArray[np.int32], lengths: Ints, grow: bool
    ) -> tuple[NDArray[np.int32], Ints]:
        """Return the concatenated token ids of all texts, and the lengths; ids are equal exactly if tokens are."""
        ids = np.empty(len(words), np.int32)
        next_id = len(self._vocabulary) + 1
        for place, word in enumerate(words):
            token_id = self._vocabulary.get(word)
            if token_id is None:
                token_id = next_id
                next_id += 1
                if grow:
                    self._vocabulary[word] = token_id
            ids[place] = token_id
        return ids[places], lengths


@dataclass(frozen=True)
class Windows:
    """All n-grams of some texts: n-gram g belongs to text `owners[g]` and is `row[places[g] : places[g] + n]`."""

    row: NDArray[np.int32]
    places: Ints
    owners: Ints
    n: int

    @classmethod
    def of(cls, ids: NDArray[np.int32], lengths: Ints, n: int) -> "Windows":
        """Build the windows from the texts' concatenated token ids; texts shorter than n are padded to length n."""
        padded = np.where(lengths > 0, lengths.clip(min=n), 0)
        row = np.full(int(padded.sum()), PADDING, np.int32)
        shift = (np.cumsum(padded) - padded) - (np.cumsum(lengths) - lengths)
        row[np.arange(len(ids)) + np.repeat(shift, lengths)] = ids
        owners = np.repeat(np.arange(len(lengths)), padded)
        places = np.flatnonzero(owners[: max(len(row) - n + 1, 0)] == owners[n - 1 :])
        return cls(row, places, owners[places], n)

    def hashes(self, seed: int) -> NDArray[np.uint64]:
        """Return a 64-bit hash of each n-gram: multiply, add and shift, one token at a time."""
        row = self.row.astype(np.uint64)
        mixed = np.full(max(len(row) - self.n + 1, 0), seed, np.uint64)
        for j in range(self.n):
            mixed *= np.uint64(0x9E3779B97F4A7C15)
            mixed += row[j : j + len(mixed)]
            mixed ^= mixed >> np.uint64(29)
        return mixed[self.places]

    def numbers(self, hashes: NDArray[np.uint64], order: Ints) -> Ints | None:
        """Number the distinct n-grams as `order` sorts their hashes; None if two of them share a hash."""
        ordered = hashes[order]
        same = ordered[1:] == ordered[:-1]
        again = np.flatnonzero(same)
        here, before = self.places[order[again + 1]], self.places[order[again]]
        if any((self.row[here + j] != self.row[before + j]).any() for j in range(self.n)):
            return None
        return np.cumsum(np.concatenate([np.zeros(min(1, len(order)), np.int64), ~same]))

    def exact_numbers(self) -> tuple[Ints, Ints]:
        """Return an order of the n-grams and their numbers in it, by a slow comparison of whole n-grams."""
        rows = self.row[self.places[:, None] + np.arange(self.n)]
        numbers = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
        order = np.argsort(numbers)
        return order, numbers[order]


@cache
def word_characters() -> NDArray[np.bool_]:
    """Return, for every code point, whether `\\w` matches it, shape (0x110000,)."""
    table = np.zeros(0x110000, bool)
    for match in re.finditer(r"\w+", "".join(map(chr, range(0x110000)))):
        table[match.start() : match.end()] = True
    return table


def tokenize_all(texts: Sequence[str]) -> tuple[list[bytes], NDArray[np.int32], Ints]:
    """Tokenize many texts at once, with the same tokens as `tokenize`.

    Returns the distinct tokens (UTF-32), the index of every token among them, and the number of tokens of each text.
    Word characters come from a table built with Python's `re`, so the tokens are the same.
    """
    lowered = [text.lower() for text in texts]
    codes = np.frombuffer("\n".join(lowered).encode("utf-32-le", "surrogatepass"), np.uint32)
    inside = word_characters()[codes]
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    starts = edges[::2]
    offsets = np.zeros(len(starts) + 1, np.int64)
    np.cumsum(edges[1::2] - starts, out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets * 4), pa.py_buffer(codes[inside])]
    tokens = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(starts), buffers).dictionary_encode()
    begins = np.cumsum([0, *(len(text) + 1 for text in lowered)])
    lengths = np.diff(np.searchsorted(starts, begins))
    # `indices.to_numpy()` would import pandas, which takes longer than all the rest.
    places = np.frombuffer(tokens.indices.buffers()[1], np.int32, len(starts)) if len(starts) else np.zeros(0, np.int32)
    return tokens.dictionary.to_pylist(), places, lengths


def _table(windows: Windows) -> tuple[int, NDArray[np.uint64], Ints, Ints]:
    """Return a seed under which no two n-grams share a hash, and the table of hashes.

    The table is the distinct hashes in ascending order, one n-gram of each, and every n-gram's number among them.
    """
    seed = 0
    hashes = windows.hashes(seed)
    order = np.argsort(hashes)
    while (numbers := windows.numbers(hashes, order)) is None:
        seed += 1
        hashes = windows.hashes(seed)
        order = np.argsort(hashes)
    first = order[_starts(numbers)]
    by_gram = np.empty(len(order), np.int64)
    by_gram[order] = numbers
    return seed, hashes[first], first, by_gram


def _starts(ordered: Ints) -> Ints:
    """Return the indexes at which runs of equal values begin."""
    begins = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def _over_blocks(work: Callable[[Sequence[str]], T], texts: Sequence[str]) -> list[T]:
    """Apply `work` to every block of texts, in threads on all cores: NumPy and Arrow release the interpreter lock."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, (texts[start : start + BLOCK] for start in range(0, len(texts), BLOCK))))


def _cuts(rows: Ints, hits: Ints) -> list[int]:
    """Return the cuts that give parts of about `MOST_HITS` hits each without splitting a candidate."""
    steps = np.cumsum(hits) // MOST_HITS
    candidates = _starts(rows)
    return [*candidates[_starts(steps[candidates])].tolist(), len(rows)]


def _join(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *parts])
