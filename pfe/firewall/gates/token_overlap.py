"""The wording of a canonical problem in a candidate: the share of the candidate's n-grams that stand there.

Example: "Tom has 3 red apples and 4 pears" shares 2 of its 4 five-grams with "… has 3 red apples and 4 …": 0.5.
Source: SPEC, "Check 1: Token-Level Overlap".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Check, Gate
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.firewall.tokens import NgramIndex


def ngrams(reference: Reference) -> NgramIndex:
    """n-grams of the canonical texts as they are."""
    return NgramIndex(reference.texts, reference.n)


def measure(batch: Batch) -> Matches:
    """The canonical problem that holds the largest share of each candidate's n-grams."""
    index = batch.reference.index(ngrams)
    return index.containment(index.count(batch.texts))


GATE = Gate(
    __name__, "share of its n-grams in one canonical problem", measure, spec=Check(1, "threshold"), of_text=True
)
