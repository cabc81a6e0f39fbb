"""A gate for problems from a canonical problem's template with further conditions added.

Example: "Pavel sells 31 rolls in the morning and 47 in the afternoon. A tax of 5% is added. How many …" is masked to
"name sells num rolls in the morning and num in the afternoon …". Most of this occurs in the canonical problem.
Source of this kind of variant: GSM-Symbolic's P1 and P2, Mirzadeh et al. 2024.
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches, best
from pfe.firewall.reference import Reference
from pfe.firewall.tokens import NgramIndex

FLOOR = 0.1  # pairs with a smaller share of the canonical problem's masked n-grams are skipped
LEAST_NGRAMS = 12  # canonical problems with fewer masked n-grams are skipped: they may be common phrases


def masked_ngrams(reference: Reference) -> NgramIndex:
    """Return the n-gram index of the canonical texts with names and numbers masked."""
    return NgramIndex(reference.masked, reference.n)


def again(batch: Batch, threshold: float) -> Matches:
    """Return the mean of share and cosine, in single precision if it is near the threshold."""
    index = batch.reference.index(masked_ngrams)
    counts = index.count(batch.masked)
    total = index.sizes[counts.columns]
    large = (total >= LEAST_NGRAMS) & (counts.shared > FLOOR * total)
    rows, columns, share = counts.rows[large], counts.columns[large], (counts.shared / total)[large]
    if not len(rows):
        return Matches.none(len(batch))
    cosines = batch.cosines(rows, columns, 2 * threshold - share)
    return best(len(batch), rows, columns, ((share + cosines) / 2).clip(min=1e-9))


def measure(batch: Batch) -> Matches:
    """Return the mean of the cosine and the share of a canonical problem's masked n-grams in each candidate."""
    return again(batch, -1.0)


GATE = Gate(
    __name__, "mean of its cosine and the share of a canonical problem's masked n-grams that it holds", measure, again
)
