"""A gate: what it measures of a candidate, and above what it rejects.

Example: of candidate 0 the gate `token_overlap` measures `Matches(index=[7], score=[0.5], …)`: half of its 5-grams
stand in canonical problem 7; above 0.3 that is a rejection.

A gate is a file of `pfe/firewall/gates/` that sets `GATE`, found by being there, and a line of `firewall.gates` in
conf/ with its threshold. SPEC's checks come first, with the settings that SPEC gives them, the others in the order of
their lines: the first that fails names the reason.
Source of SPEC's: SPEC, "The Contamination Firewall".
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
    """One of SPEC's checks: its place among them, and where in the firewall's settings its threshold stands."""

    place: int
    setting: str


@dataclass(frozen=True)
class Gate:
    """One check.

    Attributes:
        module: the module it stands in, whose last name is the reason that it gives.
        what: what its score is, for people.
        measure: the nearest canonical problem of every candidate, by this gate's score.
        again: `measure` with single-precision cosines, for candidates whose score is about the threshold.
        bounds: the lowest and the highest threshold; None where it is on or off, and rejects above 0.
        spec: which of SPEC's checks it is, None where it is beyond them.
        of_text: whether the n-grams that it counts stand in `Problem.text` as it is, so that they can be shown.
        of_pairs: whether its score says how near two problems are, and not what the candidate is by itself.
        applies: whether it has a say, by the rest of the settings.
        detail: what else there is to say of a candidate that it rejects.
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
        """The reason that it gives."""
        return self.module.rpartition(".")[2]

    @property
    def setting(self) -> str:
        """Where its threshold stands in the firewall's settings."""
        return self.spec.setting if self.spec else f"gates.{self.name}"

    def fails(self, matches: Matches, threshold: float) -> NDArray[np.bool_]:
        """Whether each candidate is rejected, shape (m,); ratios of counts are compared as integers."""
        exact = Fraction(str(threshold))
        counted = matches.shared * exact.denominator > exact.numerator * matches.total
        return np.where(matches.total > 0, counted, matches.score > threshold)

    def threshold(self, value: object) -> float | None:
        """The threshold that a value of its setting says, None where it turns the gate off.

        Raises:
            UserError: the gate can have no such threshold.
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
    """Every gate there is, by its name."""
    modules = [import_module(f"{gates.__name__}.{module.name}") for module in iter_modules(gates.__path__)]
    return {module.GATE.name: module.GATE for module in modules}


def active(settings: Firewall) -> list[tuple[Gate, float]]:
    """The gates that are on, each with its threshold, in the order in which they name the reason.

    Raises:
        UserError: the settings list a gate that is not there, or a threshold that a gate cannot have.
    """
    checks = sorted((gate.spec.place, name) for name, gate in all_gates().items() if gate.spec)
    beyond = [name for name, gate in all_gates().items() if not gate.spec]
    for name in settings.gates:
        if name not in beyond:
            raise UserError(f"firewall.gates.{name}: unknown key; {nearest(name, beyond)}")
    values = {name: attrgetter(all_gates()[name].setting)(settings) for _, name in checks} | dict(settings.gates)
    limits = [(all_gates()[name], all_gates()[name].threshold(value)) for name, value in values.items()]
    return [(gate, limit) for gate, limit in limits if limit is not None and gate.applies(settings)]
