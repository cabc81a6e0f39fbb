"""A gate for the wording of a canonical problem in a candidate: the share of the candidate's n-grams in the problem.

Example: "Tom has 3 red apples and 4 pears" shares 2 of its 4 five-grams with "… has 3 red apples and 4 …": 0.5.
Source: SPEC, "Check 1: Token-Level Overlap".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Check, Gate
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.firewall.tokens import NgramIndex


def ngrams(reference: Reference) -> NgramIndex:
    """Return the n-gram index of the canonical texts as written."""
    return NgramIndex(reference.texts, reference.n)


def measure(batch: Batch) -> Matches:
    """Return the canonical problem that contains the largest share of each candidate's n-grams."""
    index = batch.reference.index(ngrams)
    return index.containment(index.count(batch.texts))


GATE = Gate(
    __name__, "share of its n-grams in one canonical problem", measure, spec=Check(1, "threshold"), of_text=True
)
