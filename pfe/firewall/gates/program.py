"""A gate for a canonical problem's program with other names, and for its task in other words.

Example: "def area(w, h): return w * h" and "def f(a, b): return a * b  # of a room" have the same shape.
"""

import numpy as np

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches, best
from pfe.firewall.programs import Shapes
from pfe.firewall.reference import Reference

MEANING_WEIGHT = 0.8  # weight of the cosine in the score of two programs; the similarity of shapes has the rest
SHAPE_WEIGHT = 0.9  # weight of the shapes alone: a program that differs only in its names is enough


def shapes(reference: Reference) -> Shapes:
    """Return the shapes of the canonical programs, in their order."""
    return Shapes(list(reference.programs.values()))


def again(batch: Batch, threshold: float) -> Matches:
    """Return the score of cosine and shape similarity, in single precision if it is near the threshold."""
    reference = batch.reference
    if not batch.programs or not reference.programs:
        return Matches.none(len(batch))
    likeness = reference.index(shapes).alike(list(batch.programs.values()))
    rows, columns = np.divmod(np.arange(likeness.size), likeness.shape[1])
    alike = likeness.ravel()
    cosines = batch.program_cosines(rows, columns, (threshold - (1 - MEANING_WEIGHT) * alike) / MEANING_WEIGHT)
    scores = np.maximum(MEANING_WEIGHT * cosines + (1 - MEANING_WEIGHT) * alike, SHAPE_WEIGHT * alike)
    ours, theirs = (np.array(list(programs), np.int64) for programs in (batch.programs, reference.programs))
    return best(len(batch), ours[rows], theirs[columns], scores.clip(min=1e-9))


def measure(batch: Batch) -> Matches:
    """Return the canonical problem with the most similar program, by meaning (with its task) and by shape."""
    return again(batch, -1.0)


GATE = Gate(__name__, "cosine and likeness of the programs' shapes", measure, again)
