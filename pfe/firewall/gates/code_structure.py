"""A gate for programming tasks in other words: the same function name and test inputs.

Example: two tasks with the tests "assert double(4) == 8" and "assert double( 4 ) == 9".
Source: SPEC, "Check 3: Structural Similarity".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Check, Gate
from pfe.firewall.matches import Matches


def measure(batch: Batch) -> Matches:
    """Return score 1 if a canonical code problem has the same structure."""
    return batch.twins_in("code")


GATE = Gate(__name__, "same function name and test inputs", measure, bounds=None, spec=Check(4, "structure"))
