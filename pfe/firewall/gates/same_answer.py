"""A gate for paraphrases with the same calculation: the cosine of problems whose answers agree and numbers overlap.

Example: "A pastry cook sold 12 rolls before lunch, and 8 more …" and "A baker sells 12 rolls in the morning and 8 …",
both 20: a cosine above 0.75 is enough.
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches, best
from pfe.firewall.reference import Reference
from pfe.firewall.structure import SameAnswer


def answers(reference: Reference) -> SameAnswer:
    """Return the answers and numbers of the canonical math problems."""
    return SameAnswer(reference.canonical)


def again(batch: Batch, threshold: float) -> Matches:
    """Return the cosines of those pairs, in single precision near the threshold."""
    rows, columns = batch.reference.index(answers).pairs(batch.candidates)
    if not len(rows):
        return Matches.none(len(batch))
    return best(len(batch), rows, columns, batch.cosines(rows, columns, threshold).clip(min=1e-9))


def measure(batch: Batch) -> Matches:
    """Return the cosines of the pairs with equal answers and overlapping numbers."""
    return again(batch, -1.0)


GATE = Gate(__name__, "cosine, where answer and numbers agree", measure, again)
