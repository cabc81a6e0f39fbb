"""A gate for math problems from a canonical problem's template, with other names, numbers and nouns all at once.

Example: "name x num x at the x and x num of them to them x" is the skeleton of "Freya buys 8 kettles at the pier and
gives 3 of them to her aunt." and of "Tom bought 5 books at the shop and hands 2 of them to his sister."
Source of this kind of variant: GSM-Symbolic, Mirzadeh et al. 2024.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Floats, Ints, Matches, best
from pfe.firewall.reference import Reference
from pfe.firewall.skeleton import skeleton, windows
from pfe.firewall.tokens import NgramIndex
from pfe.problem import Problem

N = 4
FLOOR = 0.25  # pairs with a smaller share of the canonical problem's n-grams are skipped
SMOOTHING = 5  # added to the number of n-grams, because a few of them are shared by chance


def skeletons(reference: Reference) -> NgramIndex:
    """Return the n-gram index of the skeletons of the canonical math problems."""
    are_math = [problem.domain == "math" for problem in reference.canonical]
    return NgramIndex([skeleton(text) * math for text, math in zip(reference.masked, are_math, strict=True)], N)


def shares(batch: Batch) -> tuple[Ints, Ints, Floats]:
    """Return the pairs (candidate, canonical problem), each shape (p,), and their shares above `FLOOR`."""
    index, m = batch.reference.index(skeletons), max(len(batch.reference.canonical), 1)
    parts = [(row, part) for row, text in enumerate(batch.masked) for part in windows(skeleton(text))]
    counts = index.count([part for _, part in parts])
    share = counts.shared / (index.sizes[counts.columns] + SMOOTHING)
    large = share > FLOOR
    rows = np.array([row for row, _ in parts], np.int64)[counts.rows[large]]
    pairs, places = np.unique(rows * m + counts.columns[large], return_inverse=True)
    highest = np.zeros(len(pairs))
    np.maximum.at(highest, places, share[large])
    rows, columns = np.divmod(pairs, m)
    return rows, columns, highest


def again(batch: Batch, threshold: float) -> Matches:
    """Return the weighted mean of share and cosine, in single precision if it is near the threshold."""
    rows, columns, share = shares(batch)
    if not len(rows):
        return Matches.none(len(batch))
    cosines = batch.cosines(rows, columns, 3 * threshold - 2 * share)
    return best(len(batch), rows, columns, ((2 * share + cosines) / 3).clip(min=1e-9))


def measure(batch: Batch) -> Matches:
    """Return (2 · share + cosine) / 3, where share is that of the canonical skeleton's n-grams in one window."""
    return again(batch, -1.0)


def detail(problem: Problem, reference: Reference) -> str:
    """Return the parts of `N` words or more that a window has in common with the match, in order; "" without one."""
    batch = Batch([problem], reference)
    (match,) = measure(batch).index.tolist()
    if match < 0:
        return ""
    theirs = skeleton(reference.masked[match]).split()
    common = max((_common(part.split(), theirs) for part in windows(skeleton(batch.masked[0]))), key=len)
    return f'both have "{common}"'


def _common(ours: Sequence[str], theirs: Sequence[str]) -> str:
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return " … ".join(" ".join(ours[block.a : block.a + block.size]) for block in blocks if block.size >= N)


GATE = Gate(
    __name__,
    "two thirds the share of a canonical problem's skeleton that it holds, one third its cosine",
    measure,
    again,
    detail=detail,
)
