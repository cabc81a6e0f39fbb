"""A canonical problem among other text: the share of its n-grams that the candidate holds.

Example: a problem between three others makes a quarter of the candidate's n-grams, but all of its own are there: 1.0.
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches

LEAST_NGRAMS = 4  # of shorter canonical texts only the whole counts as held by a candidate


def measure(batch: Batch) -> Matches:
    """The canonical problem of whose n-grams each candidate holds the largest share, disguises undone."""
    return batch.reference.folded_tokens.reverse(batch.folded_counts, LEAST_NGRAMS)


GATE = Gate(__name__, "share of a canonical problem's n-grams that it holds", measure, of_text=True)
