"""The wording of a canonical problem under a disguise: `token_overlap` of what a reader sees.

Example: "J\u0430n\u0435t o w n s 16 eggs" (two Cyrillic letters, spaced-out ones) is "Janet owns 16 eggs".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches


def measure(batch: Batch) -> Matches:
    """The canonical problem that holds the largest share of each folded text's n-grams."""
    return batch.reference.folded_tokens.containment(batch.folded_counts)


GATE = Gate(__name__, "share of its n-grams, once disguises are undone", measure, of_text=True)
