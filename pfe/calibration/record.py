"""The records of a calibration on disk: rejected shares by kind of text, and each gate's rates at every threshold.

Example, from data/calibration.json:
    {"attacks": {"dilution": {"rejected": {"value": 99.0, "n": 100, …}, "spec": 22.0, "gates": {"dilution": 99.0, …},
                              "alone": {"dilution": 40.0, …}}},
     "clean": {"arc_easy": {"rejected": {"value": 0.0, "n": 25, …}, …}}}
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean

from pfe.scores.proportion import Proportion


@dataclass(frozen=True)
class Shares:
    """The rejected percentages of one kind of problems: in total, by any SPEC check, by each gate, by it alone."""

    rejected: Proportion
    spec: float
    gates: Mapping[str, float]
    alone: Mapping[str, float]


@dataclass(frozen=True)
class Rates:
    """One gate's recall and false positive rate at one threshold, in percent; None if nothing was measured."""

    gate: str
    threshold: float
    recall: float | None
    false_positives: float | None


@dataclass(frozen=True)
class RejectionShares:
    """The rejected shares of each attack, and of each text known to be clean."""

    attacks: Mapping[str, Shares]
    clean: Mapping[str, Shares]

    @property
    def recall(self) -> float | None:
        """Return the rejected percentage of the attacks, each kind with equal weight."""
        return _mean(self.attacks, lambda shares: shares.rejected.value)

    @property
    def false_positives(self) -> float | None:
        """Return the rejected percentage of the clean text (false positives), each benchmark with equal weight."""
        return _mean(self.clean, lambda shares: shares.rejected.value)

    def in_use(self, thresholds: Mapping[str, float]) -> dict[str, Rates]:
        """Return the rates of every gate by itself at the threshold in use, with the same averages."""

        def share(gate: str) -> Callable[[Shares], float]:
            return lambda shares: shares.gates[gate]

        return {
            gate: Rates(gate, threshold, _mean(self.attacks, share(gate)), _mean(self.clean, share(gate)))
            for gate, threshold in thresholds.items()
        }


def _mean(kinds: Mapping[str, Shares], share: Callable[[Shares], float]) -> float | None:
    return fmean(map(share, kinds.values())) if kinds else None
