"""A gate for replaced words and typing errors: the similarity of two problems in character n-grams.

Example: "abcdefgh" has the grams abcde, bcdef, cdefg, defgh and "xbcdefgh" has xbcde, bcdef, cdefg, defgh. Three of the
five distinct grams occur in both: Jaccard 0.6.

A beginning that many canonical problems have, such as "Write a function to find the", is no sign of an edited one. It
counts for nothing, unless the texts are alike without it too.
"""

from collections.abc import Sequence
from os.path import commonprefix

import numpy as np

from pfe.firewall.batch import Batch
from pfe.firewall.folding import squeezed
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Ints, Matches, best
from pfe.firewall.reference import Reference

GRAM = 5
MANY = 20  # canonical problems whose common beginning is a stem
REST = 0.12  # least Jaccard index without the stem with which the stem counts: that of a few edited words is higher


def letters(reference: Reference) -> list[str]:
    """Return only the letters and digits of the canonical texts, disguises undone."""
    return [squeezed(text) for text in reference.folded]


def stems(reference: Reference) -> list[int]:
    """Return how many letters of each canonical text are a beginning that `MANY` of them share."""
    return _stems(reference.index(letters))


def _stems(texts: Sequence[str]) -> list[int]:
    order = sorted(range(len(texts)), key=texts.__getitem__)
    # Any texts with a common beginning are neighbours in this order.
    windows = zip(order, order[MANY - 1 :], strict=False)
    shared = [len(commonprefix([texts[first], texts[last]])) for first, last in windows]  # noqa: RUF071 (by characters)
    lengths = [0] * len(texts)
    for place, column in enumerate(order):
        lengths[column] = max(shared[max(0, place - MANY + 1) : place + 1], default=0)
    return lengths


def measure(batch: Batch) -> Matches:
    """Return the Jaccard index of character 5-grams with the canonical problems nearest in meaning."""
    rows, columns = _near(batch)
    ours, theirs = [squeezed(text) for text in batch.folded], batch.reference.index(letters)
    lengths = batch.reference.index(stems)
    counts = [_counts(ours[row], theirs[column], lengths[column]) for row, column in zip(rows, columns, strict=True)]
    shared, total = np.array(counts, np.int64).reshape(-1, 2).T
    alike = shared > 0
    rows, columns, shared, total = rows[alike], columns[alike], shared[alike], total[alike]
    return best(len(batch), rows, columns, shared / total, shared, total)


def _near(batch: Batch) -> tuple[Ints, Ints]:
    """Return pairs (candidate, canonical problem): the two nearest in meaning to the text and to the folded text.

    The model does not understand disguised letters, so a disguised text is also embedded without its disguise.
    """
    meaning = batch.reference.meaning
    disguised = [row for row, text in enumerate(batch.texts) if batch.folded[row] != " ".join(text.split())]
    parts = [(np.arange(len(batch)), batch.nearest)]
    if disguised:
        chunks = meaning.chunks([batch.folded[row] for row in disguised])
        parts.append((np.array(disguised), meaning.nearest(chunks)))
    rows = np.concatenate([rows for rows, _ in parts for _ in range(2)])
    columns = np.concatenate([indexes for _, nearest in parts for indexes in (nearest.index, nearest.runner_up)])
    pairs = np.unique(np.stack([rows, columns], axis=1)[columns >= 0], axis=0)
    return pairs[:, 0], pairs[:, 1]


def _counts(ours: str, theirs: str, length: int) -> tuple[int, int]:
    """Return the counts of `_shared_and_total`, without the stem of `length` letters if the texts share little else."""
    length = len(commonprefix([ours, theirs[:length]]))  # noqa: RUF071 (by characters)
    shared, total = _shared_and_total(ours[length:], theirs[length:])
    return (shared, total) if not length or shared <= REST * total else _shared_and_total(ours, theirs)


def _shared_and_total(first: str, second: str) -> tuple[int, int]:
    """Return |A∩B| and |A∪B| of the distinct 5-grams of two squeezed texts; a shorter text is one gram."""
    ours, theirs = _grams(first), _grams(second)
    shared = len(ours & theirs)
    return shared, len(ours) + len(theirs) - shared


def _grams(text: str) -> set[str]:
    return {text[place : place + GRAM] for place in range(max(len(text) - GRAM + 1, 1))} - {""}


GATE = Gate(__name__, "Jaccard index of character 5-grams, with the two nearest in meaning", measure)
