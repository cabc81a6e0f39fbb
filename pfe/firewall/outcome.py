"""What comes of screening everything at once: per set, over the positive controls, and the certificate."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pfe.config import Firewall
from pfe.embedding import Encoder
from pfe.firewall.controls import controls
from pfe.firewall.firewall import REASONS, Verdict, screen
from pfe.problem import Problem


@dataclass(frozen=True)
class Outcome:
    """One synthetic set after screening; `accepted` holds at most `target` problems, in order."""

    name: str
    target: int
    candidates: tuple[Problem, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def safe(self) -> list[tuple[Problem, Verdict]]:
        """Candidates that passed, with their verdicts."""
        return [pair for pair in self._pairs() if pair[1].safe]

    @property
    def accepted(self) -> list[Problem]:
        """The first `target` candidates that passed."""
        return [problem for problem, _ in self.safe[: self.target]]

    @property
    def rejected(self) -> list[tuple[Problem, Verdict]]:
        """Candidates that did not pass, with their verdicts."""
        return [pair for pair in self._pairs() if not pair[1].safe]

    @property
    def short(self) -> int:
        """How many problems are missing to the target."""
        return max(0, self.target - len(self.safe))

    def _pairs(self) -> list[tuple[Problem, Verdict]]:
        return list(zip(self.candidates, self.verdicts, strict=True))

    def metrics(self) -> dict[str, Any]:
        """Counts for metrics/firewall.json."""
        reasons = Counter(verdict.reason for verdict in self.verdicts)
        return {
            "target": self.target,
            "candidates": len(self.candidates),
            "passed": len(self.safe),
            "accepted": len(self.accepted),
            "short": self.short,
            "rejected": {reason: reasons[reason] for reason in REASONS},
        }


@dataclass(frozen=True)
class Screening:
    """All sets, and the verdicts on every kind of positive control."""

    outcomes: tuple[Outcome, ...]
    controls: Mapping[str, tuple[Verdict, ...]]

    def metrics(self) -> dict[str, Any]:
        """What metrics/firewall.json says; shares in percent."""
        sets = {outcome.name: outcome.metrics() for outcome in self.outcomes}
        total = {
            key: sum(counts[key] for counts in sets.values())
            for key in ("target", "candidates", "passed", "accepted", "short")
        }
        return {
            "total": total,
            "sets": sets,
            "controls": {kind: _caught(found) for kind, found in self.controls.items()},
        }

    def certificate(self, settings: Firewall, weights_sha256: str, canonical: int) -> dict[str, Any]:
        """What was compared with what, by which rule, and how near the accepted problems come."""
        accepted = [verdict for outcome in self.outcomes for _, verdict in outcome.safe[: outcome.target]]
        return {
            "claim": "no accepted problem is above these thresholds against any sealed canonical problem",
            "parameters": asdict(settings),
            "embedding_weights_sha256": weights_sha256,
            "canonical_problems": canonical,
            "accepted_problems": len(accepted),
            "highest_accepted": {
                "containment": round(max((verdict.containment for verdict in accepted), default=0.0), 6),
                "cosine": round(max((verdict.cosine for verdict in accepted), default=0.0), 6),
            },
        }


def screen_all(
    sets: Mapping[str, Sequence[Problem]],
    targets: Mapping[str, int],
    canonical: Sequence[Problem],
    settings: Firewall,
    encoder: Encoder,
    seed: int,
) -> Screening:
    """Screen every set and the positive controls together: each canonical text is counted and embedded once."""
    variants = controls(canonical, settings.controls, seed)
    batches = [*sets.values(), *variants.values()]
    verdicts = iter(screen([problem for batch in batches for problem in batch], canonical, settings, encoder))
    found = [tuple(next(verdicts) for _ in batch) for batch in batches]
    outcomes = tuple(
        Outcome(name, targets[name], tuple(problems), own)
        for (name, problems), own in zip(sets.items(), found, strict=False)
    )
    return Screening(outcomes, dict(zip(variants, found[len(sets) :], strict=True)))


def _caught(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    n = len(verdicts)
    return {"caught": 100 * sum(not verdict.safe for verdict in verdicts) / n if n else None, "n": n}
