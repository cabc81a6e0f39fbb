"""Character 5-gram Jaccard: how alike two texts are letter by letter, whatever their words and spaces.

Example: "abcdefgh" has the grams abcde, bcdef, cdefg, defgh and "xbcdefgh" has xbcde, bcdef, cdefg, defgh;
three of five distinct grams stand in both: Jaccard 0.6.

Exact: every pair at or above the floor t is found, and its score is counted on the grams themselves. Most pairs
are passed over by upper bounds of |A∩B|:
- Jaccard >= t means |A∩B| >= α = t/(1+t)·(|A|+|B|), and so t·|A| <= |B| <= |A|/t;
- with all grams in one order, rarest first, such a pair shares a gram before which A has at most |A| - α grams
  and B at most |B| - α (positional prefix filter: Xiao et al., "Efficient Similarity Joins for Near Duplicate
  Detection", WWW 2008);
- the sets differ in at least as many grams as their parity sketches differ in bits (bitmap filter: Sandes et al.,
  "Bitmap Filter: Speeding up Exact Set Similarity Joins with Bitwise Operations", 2020);
- a pair whose bound is below the runner-up counted so far is neither the best nor the runner-up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pfe.errors import UserError
from pfe.firewall.matches import Floats, Ints, Matches, best

GRAM = 5
_BLOCK = 1 << 18  # characters whose grams are numbered at once; the arrays fit the processor's cache
_BATCH = 1 << 21  # characters that are looked up at once
_WORK = 1 << 20  # hits, or grams of pairs, held at once
_SKETCH = 1 << 11  # bits
_TEXTS = 1 << 9  # texts sketched at once
_PAIRS = 1 << 14  # pairs whose sketches are compared at once
_STEPS = 256  # a place in a list is kept in 256ths of the list
_SLACK = 1e-6  # above the rounding error of a bound, below one gram
_END = np.iinfo(np.int64).max  # closes every table, so that a look-up always lands inside


@dataclass(frozen=True)
class _Grams:
    """The distinct 5-grams of some texts.

    Gram g begins with trigram `heads[g]` and ends with trigram `tails[g]` of `trigrams` (21 bits a character).
    Pair p says that gram `numbers[p]` stands in text `owners[p]`. `sizes`: how many grams each text has.
    """

    trigrams: Ints
    heads: Ints
    tails: Ints
    numbers: NDArray[np.int32]
    owners: NDArray[np.int32]
    sizes: Ints

    def codes(self, table: Ints) -> Ints:
        """One number a gram, equal exactly where grams are, given all trigrams that matter; -1 for a gram of others."""
        places = np.searchsorted(table, self.trigrams)
        places[table[places] != self.trigrams] = -1
        heads, tails = places[self.heads], places[self.tails]
        return np.where((heads < 0) | (tails < 0), -1, heads * len(table) + tails)


@dataclass(frozen=True)
class _Vocabulary:
    """The grams of the canonical texts: their trigrams, their codes ascending, and the rank of each, rarest first."""

    trigrams: Ints
    codes: Ints
    ranks: NDArray[np.int32]

    @staticmethod
    def of(blocks: Sequence[_Grams]) -> "_Vocabulary":
        trigrams = _table([block.trigrams for block in blocks])
        coded = [block.codes(trigrams) for block in blocks]
        codes = _table(coded)
        frequency = np.zeros(len(codes), np.int64)
        for own, block in zip(coded, blocks, strict=True):
            frequency[np.searchsorted(codes, own)] += np.bincount(block.numbers, minlength=len(own))
        return _Vocabulary(trigrams, codes, _inverse(np.argsort(frequency, kind="stable")).astype(np.int32))

    def entries(self, grams: _Grams, places: Ints) -> Ints:
        """Place of the text << 32 | rank of the gram, for every pair whose gram is known; `places`, one a text."""
        codes = grams.codes(self.trigrams)
        found = np.searchsorted(self.codes, codes)
        ranks = np.where(self.codes[found] == codes, self.ranks[found], -1)[grams.numbers]
        known = ranks >= 0
        return places[grams.owners[known]] << 32 | ranks[known]


@dataclass(frozen=True)
class _Lists:
    """The grams of each text, rarest first: of text i `ranks[starts[i] : starts[i + 1]]`, ascending."""

    starts: Ints
    ranks: NDArray[np.int32]

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    def owners(self) -> Ints:
        """The text of every entry."""
        return np.repeat(np.arange(len(self.starts) - 1), self.lengths)

    def keyed(self, texts: Ints) -> Ints:
        """The lists of some texts one after another, each rank below the number of its text in `texts`."""
        counts = self.lengths[texts]
        return np.repeat(np.arange(len(texts)), counts) << 32 | self.ranks[_ranges(self.starts[texts], counts)]


@dataclass(frozen=True)
class _Side:
    """Texts ready to be compared.

    `sizes`, shape (n,): all grams of each; `lists`: the grams that canonical texts have; `sketches`, shape
    (n, 32): bit b is set where a text has an odd number of grams whose rank ends in b.
    """

    sizes: Ints
    lists: _Lists
    sketches: NDArray[np.uint64]


@dataclass(frozen=True)
class _Scored:
    """Pairs counted: candidate, number of the canonical text, score, |A∩B| and |A∪B|, each of shape (p,)."""

    rows: Ints
    columns: Ints
    scores: Floats
    shared: Ints
    total: Ints

    def taken(self, which: Ints | NDArray[np.bool_]) -> "_Scored":
        return _Scored(*(getattr(self, f.name)[which] for f in fields(self)))

    def best_two(self) -> "_Scored":
        """Of every candidate the two highest pairs, the higher first."""
        ordered = self.taken(np.lexsort((self.columns, -self.scores, self.rows)))
        return ordered.taken(_turns(ordered.rows) < 2)

    @staticmethod
    def joined(parts: Sequence["_Scored"]) -> "_Scored":
        empty = np.zeros(0, np.int64)
        parts = [_Scored(empty, empty, np.zeros(0), empty, empty), *parts]
        return _Scored(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(_Scored)))


def shared_and_total(first: str, second: str) -> tuple[int, int]:
    """|A∩B| and |A∪B| of the distinct 5-grams of two squeezed texts; a shorter text is its own gram."""
    ours, theirs = _gram_set(first), _gram_set(second)
    shared = len(ours & theirs)
    return shared, len(ours) + len(theirs) - shared


def _gram_set(text: str) -> set[str]:
    return {text[place : place + GRAM] for place in range(max(len(text) - GRAM + 1, 1))} - {""}


class CharacterIndex:
    """The character 5-grams of the canonical texts, to be asked which of them is most like another text.

    Texts come squeezed: letters and digits only, lower-case, nothing between them. A text shorter than five
    characters is one gram of its own, an empty one has none. Characters that no canonical text has count in the
    size of a candidate and match nothing.
    """

    def __init__(self, canonical: Sequence[str], floor: float = 0.5) -> None:
        """Index `canonical` (fewer than 16 million texts) for scores of at least `floor`.

        Raises:
            UserError: the floor is not above 0 and at most 1.
        """
        if not 0 < floor <= 1:
            raise UserError(f"character Jaccard: a floor of {floor} is impossible; set it above 0 and at most 1")
        self.floor = floor
        self._share = floor / (1 + floor)
        kept = _twice_at_most(canonical)
        blocks = [_grams(texts) for texts in _blocks([canonical[i] for i in kept.tolist()], _BLOCK)]
        self._vocabulary = _Vocabulary.of(blocks)
        # In the order of sizes, so that a range of sizes is a range of texts.
        order = np.argsort(_joined([block.sizes for block in blocks]), kind="stable")
        self._originals = kept[order]
        self._side = _side(self._vocabulary, blocks, _inverse(order))
        del blocks
        self._first = np.searchsorted(self._side.sizes, np.arange(int(self._side.sizes.max(initial=0)) + 2))
        self._postings = self._prefixes()

    def find(self, candidates: Sequence[str]) -> Matches:
        """For every candidate the canonical texts of the two highest scores that reach the floor."""
        rows: dict[str, int] = {}
        taken = np.array([rows.setdefault(text, len(rows)) for text in candidates], np.int64)
        parts = [_nearest(_Scored.joined([]), 0), *(self._find(texts) for texts in _blocks(list(rows), _BATCH))]
        return Matches.joined(parts).at(taken)

    def _find(self, texts: Sequence[str]) -> Matches:
        blocks = [_grams(some) for some in _blocks(texts, _BLOCK)]
        side = _side(self._vocabulary, blocks, np.arange(len(texts)))
        counted = [self._counted(side, rows, places) for rows, places in self._pairs(side)]
        return _nearest(_Scored.joined(counted), len(texts))

    def _prefixes(self) -> Ints:
        """Every gram of a text that may be the first, rarest, one of a pair that reaches the floor.

        In order, one number each: rank (31 bits), place of the text (24), 256ths of the text's list before it (8).
        """
        lists, postings = self._side.lists, []
        for start, end in _cuts(lists.lengths, _WORK, np.arange(len(lists.lengths))):
            counts = lists.lengths[start:end]
            owners = np.repeat(np.arange(start, end), counts)
            sizes = self._side.sizes[owners]
            before = _ranges(np.zeros(end - start, np.int64), counts)
            near = self._reach(sizes, before) >= self.floor * sizes - _SLACK
            ranks = lists.ranks[lists.starts[start] : lists.starts[end]][near].astype(np.int64)
            postings.append(ranks << 32 | owners[near] << 8 | before[near] * _STEPS // sizes[near])
        keys = _joined(postings)
        keys.sort()
        return keys

    def _reach(self, sizes: Ints | Floats, before: Ints | Floats) -> Floats:
        """The size of the largest set that reaches the floor with one of `sizes` grams that misses it in `before`."""
        return (sizes - before) / self._share - sizes + _SLACK

    def _pairs(self, side: _Side) -> Iterator[tuple[Ints, Ints]]:
        """All pairs (candidate, place) that share a gram early enough in both; a candidate's pairs come together."""
        owners, begins, counts = self._probes(side)
        for start, end in _cuts(counts, _WORK, owners):
            found = self._postings[_ranges(begins[start:end], counts[start:end])]
            rows, places = np.repeat(owners[start:end], counts[start:end]), found >> 8 & ((1 << 24) - 1)
            sizes = self._side.sizes[places]
            near = side.sizes[rows] <= self._reach(sizes, sizes * (found & (_STEPS - 1)) / _STEPS)
            pairs = _distinct(rows[near] << 32 | places[near])
            yield pairs >> 32, pairs & ((1 << 32) - 1)

    def _probes(self, side: _Side) -> tuple[Ints, Ints, Ints]:
        """Which stretches of the postings to look at: the candidate, the beginning and the length of each."""
        owners = side.lists.owners()
        unknown = side.sizes - side.lists.lengths
        before = np.arange(len(owners)) - (side.lists.starts[:-1] - unknown)[owners]
        reach = self._reach(side.sizes[owners], before)
        near = np.flatnonzero(reach >= (self.floor * side.sizes - _SLACK)[owners])
        # By rank, so that neighbours in the look-up are neighbours in memory.
        near = near[np.argsort(side.lists.ranks[near])]
        owners, ranks = owners[near], side.lists.ranks[near].astype(np.int64) << 32
        least = np.ceil(self.floor * side.sizes - _SLACK).astype(np.int64)[owners]
        most = np.floor(reach[near]).astype(np.int64)
        top = len(self._first) - 1
        begins = np.searchsorted(self._postings, ranks | self._first[least.clip(max=top)] << 8)
        counts = np.searchsorted(self._postings, ranks | self._first[(most + 1).clip(max=top)] << 8) - begins
        order = np.argsort(near)
        order = order[counts[order] > 0]
        return owners[order], begins[order], counts[order]

    def _counted(self, side: _Side, rows: Ints, places: Ints) -> _Scored:
        """The best two of each candidate among the pairs, counted from the highest bound down while any can win."""
        bounds = self._bounds(side, rows, places)
        order = np.flatnonzero(bounds >= self.floor)
        order = order[np.lexsort((-bounds[order], rows[order]))]
        rows, places, bounds = rows[order], places[order], bounds[order]
        turns = _turns(rows)
        best, depth = _Scored.joined([]), 2
        while len(rows):
            now = turns < depth
            best = _Scored.joined([best, self._scored(side, rows[now], places[now])]).best_two()
            second = np.flatnonzero(_turns(best.rows) == 1)
            least = np.zeros(len(side.sizes))
            least[best.rows[second]] = best.scores[second]
            left = ~now & (bounds >= least[rows])
            rows, places, bounds, turns = rows[left], places[left], bounds[left], turns[left]
            depth *= 4
        return best

    def _bounds(self, side: _Side, rows: Ints, places: Ints) -> Floats:
        """The highest score that the sketches of each pair allow, shape (p,)."""
        differ = np.empty(len(rows), np.int64)
        for start in range(0, len(rows), _PAIRS):
            part = slice(start, start + _PAIRS)
            bits = side.sketches[rows[part]] ^ self._side.sketches[places[part]]
            differ[part] = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
        ours, theirs = side.lists.lengths[rows], self._side.sizes[places]
        shared = np.minimum((ours + theirs - differ) // 2, np.minimum(ours, theirs))
        scores: Floats = shared / (side.sizes[rows] + theirs - shared)
        return scores

    def _scored(self, side: _Side, rows: Ints, places: Ints) -> _Scored:
        """The pairs that reach the floor, with what they share."""
        ours, theirs = side.sizes[rows], self._side.sizes[places]
        counted = [
            _shared(side.lists.keyed(rows[start:end]), self._side.lists.keyed(places[start:end]), end - start)
            for start, end in _cuts(ours + theirs, _WORK, np.arange(len(rows)))
        ]
        shared = _joined(counted)
        total = ours + theirs - shared
        pairs = _Scored(rows, self._originals[places], shared / total, shared, total)
        return pairs.taken(pairs.scores >= self.floor)


def _nearest(scored: _Scored, m: int) -> Matches:
    """Pairs as one row a candidate."""
    return best(m, scored.rows, scored.columns, scored.scores, scored.shared, scored.total)


def _twice_at_most(texts: Sequence[str]) -> Ints:
    """The numbers of all texts but the third and further copies, which can be neither nearest nor runner-up."""
    seen: dict[str, int] = {}
    kept = []
    for number, text in enumerate(texts):
        seen[text] = seen.get(text, 0) + 1
        if seen[text] <= 2:
            kept.append(number)
    return np.array(kept, np.int64)


def _blocks(texts: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    """Consecutive texts of about `most` characters together; a longer text stands alone or ends its block."""
    ends = np.cumsum([len(text) + GRAM for text in texts])
    for start, end in _cuts(np.diff(ends, prepend=0), most, np.arange(len(texts))):
        yield texts[start:end]


def _grams(texts: Sequence[str]) -> _Grams:
    """The distinct grams of a block of texts."""
    padded = [text if len(text) >= GRAM or not text else text.ljust(GRAM, "\0") for text in texts]
    points = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in padded])
    trigrams, numbers = _numbered(points[:-2] << 42 | points[1:-1] << 21 | points[2:])
    keys = (numbers[:-2] * len(trigrams) + numbers[2:]) * len(texts) + owners[: 1 - GRAM]
    keys = _distinct(keys[owners[: 1 - GRAM] == owners[GRAM - 1 :]])
    codes = keys // max(len(texts), 1)
    owners = keys - codes * len(texts)
    new = np.diff(codes, prepend=-1) != 0
    heads = codes[new] // max(len(trigrams), 1)
    return _Grams(
        trigrams,
        heads,
        codes[new] - heads * len(trigrams),
        (np.cumsum(new) - 1).astype(np.int32),
        owners.astype(np.int32),
        np.bincount(owners, minlength=len(texts)),
    )


def _numbered(values: Ints) -> tuple[Ints, Ints]:
    """The distinct values, ascending, and the place of every value among them."""
    order = np.argsort(values)
    ordered = values[order]
    new = np.diff(ordered, prepend=-1) != 0
    numbers = np.empty(len(values), np.int64)
    numbers[order] = np.cumsum(new) - 1
    return ordered[new], numbers


def _side(vocabulary: _Vocabulary, blocks: Sequence[_Grams], places: Ints) -> _Side:
    """The texts of some blocks, each at its place."""
    sizes = np.zeros(len(places), np.int64)
    sizes[places] = _joined([block.sizes for block in blocks])
    own = np.split(places, np.cumsum([len(block.sizes) for block in blocks], dtype=np.int64))
    entries = [vocabulary.entries(block, at) for block, at in zip(blocks, own, strict=False)]
    lists = _lists(entries, len(places))
    return _Side(sizes, lists, _sketches(lists))


def _lists(keys: Sequence[Ints], count: int) -> _Lists:
    """The lists of `count` texts from entries (place of the text << 32 | rank)."""
    entries = _joined(keys)
    entries.sort()
    starts = np.searchsorted(entries, np.arange(count + 1) << 32)
    return _Lists(starts, entries.astype(np.int32))  # the cast keeps the low 32 bits


def _sketches(lists: _Lists) -> NDArray[np.uint64]:
    """The parity sketch of every text, shape (n, 32)."""
    count = len(lists.starts) - 1
    sketches = np.empty((count, _SKETCH // 64), np.uint64)
    for start in range(0, count, _TEXTS):
        end = min(start + _TEXTS, count)
        owners = np.repeat(np.arange(end - start), lists.lengths[start:end])
        bits = lists.ranks[lists.starts[start] : lists.starts[end]] & (_SKETCH - 1)
        odd = np.bincount(owners * _SKETCH + bits, minlength=(end - start) * _SKETCH) & 1
        packed = np.packbits(odd.astype(np.uint8).reshape(end - start, _SKETCH), axis=1)
        sketches[start:end] = packed.view(np.uint64)
    return sketches


def _shared(ours: Ints, theirs: Ints, count: int) -> Ints:
    """How many ranks stand in both lists of each of `count` pairs."""
    keys = np.concatenate([ours, theirs])
    keys.sort()
    return np.bincount(keys[1:][keys[1:] == keys[:-1]] >> 32, minlength=count)


def _turns(rows: Ints) -> Ints:
    """0, 1, 2 … within each run of equal rows."""
    new = np.flatnonzero(np.diff(rows, prepend=-1))
    return np.arange(len(rows)) - np.repeat(new, np.diff(new, append=len(rows)))


def _cuts(weights: Ints, most: int, owners: Ints) -> list[tuple[int, int]]:
    """Where to cut so that parts weigh about `most` and no owner's entries, which come together, are cut in two."""
    steps = (np.cumsum(weights) - 1) // most
    new = np.flatnonzero(np.diff(owners, prepend=-1))
    cuts = [*new[np.flatnonzero(np.diff(steps[new], prepend=-1))].tolist(), len(owners)]
    return list(pairwise(cuts))


def _ranges(begins: Ints, counts: Ints) -> Ints:
    """All of begins[0] … begins[0] + counts[0] - 1, then those of begins[1], and so on."""
    ends = np.cumsum(counts)
    places = np.repeat(begins - ends + counts, counts)
    places += np.arange(len(places))
    return places


def _inverse(order: Ints) -> Ints:
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def _table(parts: Sequence[Ints]) -> Ints:
    """The distinct values of all parts, ascending, closed by one that is higher than any."""
    return _distinct(np.append(_joined(parts), _END))


def _distinct(values: Ints) -> Ints:
    values.sort()
    return values[np.flatnonzero(np.diff(values, prepend=-1))]


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *parts])
