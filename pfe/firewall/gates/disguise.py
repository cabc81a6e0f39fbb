"""A gate for disguised copies of a canonical problem: `token_overlap` of the text as a reader sees it.

Example: "J\u0430n\u0435t o w n s 16 eggs" (two Cyrillic letters, spaced-out ones) reads "Janet owns 16 eggs".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches


def measure(batch: Batch) -> Matches:
    """Return the canonical problem that contains the largest share of each folded text's n-grams."""
    return batch.reference.folded_tokens.containment(batch.folded_counts)


GATE = Gate(__name__, "share of its n-grams, once disguises are undone", measure, of_text=True)
