"""A gate for text that is not in English and that, without a multilingual model, no sentence model can read.

Example: "Una panadera vende 12 panes por la mañana …" scores 1, whatever the canonical problems are.
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.language import is_english
from pfe.firewall.matches import Matches


def measure(batch: Batch) -> Matches:
    """Return score 1 without a match for the candidates that are not in English."""
    matches = Matches.none(len(batch))
    matches.score[[not is_english(text) for text in batch.texts]] = 1.0
    return matches


GATE = Gate(
    __name__,
    "not in English, which the model reads",
    measure,
    bounds=None,
    of_pairs=False,
    applies=lambda settings: settings.semantic.multilingual is None,
)
