"""A gate for a canonical problem among other text: the share of its n-grams that the candidate contains.

Example: a problem among three others has a quarter of the candidate's n-grams, but all of its own are there: 1.0.
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches

LEAST_NGRAMS = 4  # a shorter canonical text counts only if the candidate contains all of it


def measure(batch: Batch) -> Matches:
    """Return the canonical problem with the largest share of its n-grams in each candidate, disguises undone."""
    return batch.reference.folded_tokens.reverse(batch.folded_counts, LEAST_NGRAMS)


GATE = Gate(__name__, "share of a canonical problem's n-grams that it holds", measure, of_text=True)
