"""Another problem from a canonical one's template, further conditions added.

Example: "Pavel sells 31 rolls in the morning and 47 in the afternoon. A tax of 5% is added. How many …" is, masked,
"name sells num rolls in the morning and num in the afternoon …", most of which stands in the canonical problem.
Source of the manner: GSM-Symbolic's P1 and P2, Mirzadeh et al. 2024.
"""

from pfe.firewall.batch import Batch
from pfe.firewall.folding import lower_words, masked
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches, best
from pfe.firewall.reference import Reference
from pfe.firewall.tokens import NgramIndex

FLOOR = 0.1  # shares of a canonical problem's masked n-grams from here on are looked at
LEAST_NGRAMS = 12  # a part of fewer masked n-grams is idiom


def words(reference: Reference) -> frozenset[str]:
    """The words that are no names."""
    return lower_words(reference.texts)


def masked_ngrams(reference: Reference) -> NgramIndex:
    """n-grams of the canonical texts with names and numbers masked."""
    return NgramIndex([masked(text, reference.index(words)) for text in reference.texts], reference.n)


def again(batch: Batch, threshold: float) -> Matches:
    """The mean of the share and the cosine, in single precision where it is about the threshold."""
    index, ordinary = batch.reference.index(masked_ngrams), batch.reference.index(words)
    counts = index.count([masked(text, ordinary) for text in batch.texts])
    total = index.sizes[counts.columns]
    large = (total >= LEAST_NGRAMS) & (counts.shared > FLOOR * total)
    rows, columns, share = counts.rows[large], counts.columns[large], (counts.shared / total)[large]
    if not len(rows):
        return Matches.none(len(batch))
    cosines = batch.cosines(rows, columns, 2 * threshold - share)
    return best(len(batch), rows, columns, ((share + cosines) / 2).clip(min=1e-9))


def measure(batch: Batch) -> Matches:
    """The mean of the share of a canonical problem's masked n-grams that each candidate holds, and of the cosine."""
    return again(batch, -1.0)


GATE = Gate(
    __name__, "mean of its cosine and the share of a canonical problem's masked n-grams that it holds", measure, again
)
