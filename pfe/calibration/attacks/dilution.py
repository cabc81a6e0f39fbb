"""An attack that hides a problem among other texts.

Example: three questions about the weather, with the problem between the first and the second.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pfe.calibration.attack import Attack, Donors
from pfe.problem import Problem


def _dilution(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Insert the whole problem, with its choices, at a random place among three other texts."""
    if len(donors.texts) < 3:
        return None
    texts = rng.sample(donors.texts, 3)
    texts.insert(rng.randrange(4), problem.text)
    return replace(problem, context="", question="\n\n".join(texts), choices=())


ATTACKS: Mapping[str, Attack] = {"dilution": _dilution}
