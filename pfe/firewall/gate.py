"""The interface of a gate: how it scores candidates, and the threshold above which it rejects them.

Example: for candidate 0 the gate `token_overlap` returns `Matches(index=[7], score=[0.5], …)`: half of its 5-grams
occur in canonical problem 7. With a threshold of 0.3 that is a rejection.

A gate is a file in `pfe/firewall/gates/` that sets `GATE`, which is registered automatically, and a line of
`firewall.gates` in conf/ with its threshold. SPEC's checks come first, with the settings that SPEC gives them; the
others follow in the order of their lines. The first gate that rejects gives the reason.
Source of SPEC's checks: SPEC, "The Contamination Firewall".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules

import numpy as np
from numpy.typing import NDArray

from pfe.config import Firewall
from pfe.errors import UserError, nearest
from pfe.firewall import gates
from pfe.firewall.batch import Batch
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.problem import Problem


@dataclass(frozen=True)
class Check:
    """One of SPEC's checks: its place among them, and the firewall setting that holds its threshold."""

    place: int
    setting: str


@dataclass(frozen=True)
class Gate:
    """One gate of the firewall.

    Attributes:
        module: the module that defines it; the last part of its name is the reason for a rejection.
        what: a description of its score, for people.
        measure: returns the nearest canonical problem of every candidate, by this gate's score.
        again: `measure` with single-precision cosines, for candidates whose score is near the threshold.
        bounds: the lowest and the highest threshold; None if the gate is only on or off and rejects scores above 0.
        spec: the SPEC check that it implements; None if it is not in SPEC.
        of_text: whether it counts n-grams of `Problem.text`, so that the shared ones can be shown there.
        of_pairs: whether its score is the similarity of two problems, and not a property of the candidate by itself.
        applies: whether the gate is used, given the other settings.
        detail: returns a note on a candidate that it rejects or nearly rejects.
    """

    module: str
    what: str
    measure: Callable[[Batch], Matches]
    again: Callable[[Batch, float], Matches] | None = None
    bounds: tuple[float, float] | None = (0.0, 1.0)
    spec: Check | None = None
    of_text: bool = False
    of_pairs: bool = True
    applies: Callable[[Firewall], bool] = lambda settings: True
    detail: Callable[[Problem, Reference], str] = lambda problem, reference: ""

    @property
    def name(self) -> str:
        """Return the name of the gate, which is its reason for a rejection."""
        return self.module.rpartition(".")[2]

    @property
    def setting(self) -> str:
        """Return the firewall setting that holds its threshold."""
        return self.spec.setting if self.spec else f"gates.{self.name}"

    def fails(self, matches: Matches, threshold: float) -> NDArray[np.bool_]:
        """Return whether each candidate is rejected, shape (m,); ratios of counts are compared as integers."""
        exact = Fraction(str(threshold))
        counted = matches.shared * exact.denominator > exact.numerator * matches.total
        return np.where(matches.total > 0, counted, matches.score > threshold)

    def threshold(self, value: object) -> float | None:
        """Return the threshold for a value of its setting; None if the value turns the gate off.

        Raises:
            UserError: the value is not a valid threshold of this gate.
        """
        if value is None or value is False:
            return None
        if self.bounds is None and value is True:
            return 0.0
        lowest, highest = self.bounds or (0.0, 0.0)
        if self.bounds and isinstance(value, int | float) and value is not True and lowest <= value <= highest:
            return float(value)
        allowed = f"a number from {lowest:g} to {highest:g}" if self.bounds else "true"
        raise UserError(f"firewall.{self.setting}: {value!r} is no threshold; give {allowed}, or null for none")


@cache
def all_gates() -> Mapping[str, Gate]:
    """Return every gate by name."""
    modules = [import_module(f"{gates.__name__}.{module.name}") for module in iter_modules(gates.__path__)]
    return {module.GATE.name: module.GATE for module in modules}


def active(settings: Firewall) -> list[tuple[Gate, float]]:
    """Return the active gates with their thresholds, in the order in which they give the reason.

    Raises:
        UserError: the settings list an unknown gate, or a threshold that is not valid for its gate.
    """
    checks = sorted((gate.spec.place, name) for name, gate in all_gates().items() if gate.spec)
    beyond = [name for name, gate in all_gates().items() if not gate.spec]
    for name in settings.gates:
        if name not in beyond:
            raise UserError(f"firewall.gates.{name}: unknown key; {nearest(name, beyond)}")
    values = {name: attrgetter(all_gates()[name].setting)(settings) for _, name in checks} | dict(settings.gates)
    limits = [(all_gates()[name], all_gates()[name].threshold(value)) for name, value in values.items()]
    return [(gate, limit) for gate, limit in limits if limit is not None and gate.applies(settings)]
