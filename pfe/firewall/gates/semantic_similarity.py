"""A gate for the meaning of a canonical problem in a candidate: the cosine of their sentence vectors.

Example: "Tom has 3 apples and buys 4" and "After buying 4 apples, Tom, who had 3, …" have a cosine of 0.9.
Source: SPEC, "Check 2: Semantic Similarity".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Check, Gate
from pfe.firewall.matches import Matches


def measure(batch: Batch) -> Matches:
    """Return the canonical problem nearest in meaning to each candidate."""
    return batch.nearest


def again(batch: Batch, threshold: float) -> Matches:
    """Return the same, with cosines in single precision."""
    return batch.reference.meaning.nearest_exactly(batch.texts, threshold)


GATE = Gate(__name__, "cosine", measure, again, spec=Check(2, "semantic.threshold"))
