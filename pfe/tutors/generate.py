"""Candidates for one synthetic set: its families in turn, no text twice.

Example: `candidates("gsm1k_synth", count=1300, seed=0)` takes problem 0 of every family, then
problem 1 of every family, and so on.
"""

from pfe.problem import Problem
from pfe.tutors.family import families_of

_PATIENCE = 200


def candidates(set: str, count: int, seed: int) -> list[Problem]:
    """At most `count` problems with distinct texts; fewer where the families run dry.

    A family that gives no new text `_PATIENCE` times running has run dry.

    Raises:
        UserError: there is no such set.
    """
    by_text: dict[str, Problem] = {}
    alive = dict.fromkeys(families_of(set).values(), 0)
    index = 0
    while alive and len(by_text) < count:
        for family in list(alive):
            problem = family.make(seed, index)
            new = problem.text not in by_text
            if new and len(by_text) < count:
                by_text[problem.text] = problem
            alive[family] = 0 if new else alive[family] + 1
            if alive[family] >= _PATIENCE:
                del alive[family]
        index += 1
    return list(by_text.values())
