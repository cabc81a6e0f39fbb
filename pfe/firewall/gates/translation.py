"""A gate for translated canonical problems: the cosine by a multilingual model.

Example: "Una panadera vende 12 panes por la mañana y 8 por la tarde. …" and "A baker sells 12 rolls …".
"""

from collections.abc import Callable

import numpy as np

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.language import is_english
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.firewall.semantic import MeaningIndex


def vectors(reference: Reference) -> MeaningIndex:
    """Return the canonical texts' sentence vectors by the multilingual model."""
    assert reference.multilingual is not None
    return MeaningIndex(reference.texts, reference.multilingual, reference.mode)


def measure(batch: Batch) -> Matches:
    """Return the canonical problem nearest in meaning to each candidate that is not in English."""
    return _foreign(batch, lambda index, texts: index.nearest(index.chunks(texts)))


def again(batch: Batch, threshold: float) -> Matches:
    """Return the same, with cosines in single precision."""
    return _foreign(batch, lambda index, texts: index.nearest_exactly(texts, threshold))


def _foreign(batch: Batch, nearest: Callable[[MeaningIndex, list[str]], Matches]) -> Matches:
    rows = np.array([row for row, text in enumerate(batch.texts) if not is_english(text)], np.int64)
    if not len(rows):
        return Matches.none(len(batch))
    texts = [batch.texts[row] for row in rows]
    return Matches.none(len(batch)).with_rows(rows, nearest(batch.reference.index(vectors), texts))


GATE = Gate(
    __name__,
    "cosine of the multilingual model",
    measure,
    again,
    applies=lambda settings: settings.semantic.multilingual is not None,
)
