"""A gate for math problems in other words: the same numbers, operations and answer.

Example: "Ann has 3 pens and buys 4" (7) and "four birds join 3 birds" (7).
Source: SPEC, "Check 3: Structural Similarity".
"""

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Check, Gate
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.problem import Problem


def measure(batch: Batch) -> Matches:
    """Return score 1 if a canonical math problem has the same structure."""
    return batch.twins_in("math")


def detail(problem: Problem, reference: Reference) -> str:
    """Return a note if operations were not compared; otherwise ""."""
    (twin,) = reference.twins.find([problem])
    compared = twin is None or twin.operations_compared
    return "" if compared else "on numbers and answer: one of the two shows no operations"


GATE = Gate(
    __name__, "same numbers, operations and answer", measure, bounds=None, spec=Check(3, "structure"), detail=detail
)
