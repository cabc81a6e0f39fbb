"""How good the firewall is, as it is written: shares by kind of text, and each gate's rates at every threshold.

Example, of data/calibration.json:
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
    """Of problems of one kind the percentages rejected: at all, by any of SPEC's checks, by each gate, by it alone."""

    rejected: Proportion
    spec: float
    gates: Mapping[str, float]
    alone: Mapping[str, float]


@dataclass(frozen=True)
class Rates:
    """What one gate does at one threshold: recall and false positives in percent, None where nothing was measured."""

    gate: str
    threshold: float
    recall: float | None
    false_positives: float | None


@dataclass(frozen=True)
class RejectionShares:
    """What is rejected of each attack, and of text known to be clean."""

    attacks: Mapping[str, Shares]
    clean: Mapping[str, Shares]

    @property
    def recall(self) -> float | None:
        """The percentage rejected of the attacks, each kind counting the same."""
        return _mean(self.attacks, lambda shares: shares.rejected.value)

    @property
    def false_alarms(self) -> float | None:
        """The percentage rejected of the clean text, each benchmark counting the same."""
        return _mean(self.clean, lambda shares: shares.rejected.value)

    def in_use(self, thresholds: Mapping[str, float]) -> dict[str, Rates]:
        """What every gate alone does at the threshold in use, by the same averages."""

        def share(gate: str) -> Callable[[Shares], float]:
            return lambda shares: shares.gates[gate]

        return {
            gate: Rates(gate, threshold, _mean(self.attacks, share(gate)), _mean(self.clean, share(gate)))
            for gate, threshold in thresholds.items()
        }


def _mean(kinds: Mapping[str, Shares], share: Callable[[Shares], float]) -> float | None:
    return fmean(map(share, kinds.values())) if kinds else None
