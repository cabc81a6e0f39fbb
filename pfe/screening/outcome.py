"""The outcome of screening the synthetic sets: the accepted problems and the counts.

Example: `Outcome("gsm1k_synth", 900, problems, verdicts).accepted` is the first 900 problems that passed.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pfe.firewall.firewall import Verdict, reasons
from pfe.problem import Problem
from pfe.screening.record import Counts, Libraries, Summary


@dataclass(frozen=True)
class Outcome:
    """One synthetic set after screening; `accepted` holds at most `target` problems, in order."""

    name: str
    target: int
    candidates: tuple[Problem, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def safe(self) -> list[tuple[Problem, Verdict]]:
        """Return the candidates that passed, with their verdicts."""
        pairs = zip(self.candidates, self.verdicts, strict=True)
        return [(problem, verdict) for problem, verdict in pairs if verdict.safe]

    @property
    def accepted(self) -> list[Problem]:
        """Return the first `target` candidates that passed."""
        return [problem for problem, _ in self.safe[: self.target]]

    @property
    def short(self) -> int:
        """Return the number of problems missing to reach the target."""
        return max(0, self.target - len(self.safe))

    @property
    def counts(self) -> Counts:
        counts = Counter(verdict.reason for verdict in self.verdicts)
        return Counts(
            target=self.target,
            candidates=len(self.candidates),
            passed=len(self.safe),
            accepted=len(self.accepted),
            short=self.short,
            rejected={reason: counts[reason] for reason in reasons()},
        )


def summary(outcomes: Sequence[Outcome], libraries: Libraries) -> Summary:
    """Return the counts of each set and of all sets together."""
    sets = {outcome.name: outcome.counts for outcome in outcomes}
    numbers = ("target", "candidates", "passed", "accepted", "short")
    total = {name: sum(getattr(counts, name) for counts in sets.values()) for name in numbers}
    rejected = {reason: sum(counts.rejected[reason] for counts in sets.values()) for reason in reasons()}
    return Summary(Counts(**total, rejected=rejected), sets, libraries)
