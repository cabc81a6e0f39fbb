"""How good the firewall is: recall on known contamination, false alarms on known clean text.

Example: `rejection_shares(samples, settings).attacks["dilution"].rejected` is 99.0 % [94.6, 99.8] of 100.

The sealed benchmarks are cut in two: attacks are made from the one half and screened against it, the other half
is what is known to be different. Shares are percentages; nothing of a problem is in the figures.
Vectors are those of exact arithmetic, so that the same problems give the same figures to the last digit, whatever is
in the cache and however many threads there are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from pfe.calibration.attack import all_attacks, attack
from pfe.calibration.record import Rates, RejectionShares, Shares
from pfe.config import Calibration, Firewall
from pfe.errors import UserError
from pfe.firewall.firewall import ERROR, Evidence, Screening, decide, measure
from pfe.firewall.gate import Gate, active
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from pfe.progress import tracked
from pfe.rows import files
from pfe.scores import accuracy
from pfe.screening.sealed import reference_of

STEPS = 100  # of a curve, from the lowest threshold to the highest
HELD_OUT, PARAPHRASES, KNOWN_CLEAN = "held_out", "paraphrases", "known_clean"


@dataclass(frozen=True)
class Sample:
    """Screened problems of which it is known whether they are contaminated."""

    name: str
    contaminated: bool
    evidence: Evidence
    screening: Screening

    @property
    def caught(self) -> list[bool]:
        """Whether each was rejected by a gate; what could not be judged at all counts as not caught."""
        return [not verdict.safe and verdict.reason != ERROR for verdict in self.screening.verdicts]

    def failed(self, gates: Sequence[str], settings: Firewall) -> NDArray[np.bool_]:
        """Whether each problem fails any of some gates."""
        failed = np.zeros(len(self.screening.verdicts), bool)
        for gate, threshold in active(settings):
            if gate.name in gates:
                scores = [v.scores[v.gates.index(gate.name)] for v in self.screening.verdicts]
                failed |= np.array(scores, float) > threshold
        return failed


def halves(problems: Sequence[Problem], seed: int) -> tuple[list[Problem], list[Problem]]:
    """Two halves of every benchmark that share no group (passage, twin)."""
    groups: dict[str, dict[str, list[Problem]]] = {}
    for problem in problems:
        groups.setdefault(problem.set, {}).setdefault(problem.group or problem.id, []).append(problem)
    first: list[Problem] = []
    second: list[Problem] = []
    for name, members in sorted(groups.items()):
        order = sorted(members)
        Random(f"{seed}:halves:{name}").shuffle(order)
        for place, group in enumerate(order):
            (first if place % 2 == 0 else second).extend(members[group])
    return first, second


def canonical_samples(canonical: Sequence[Problem], settings: Firewall, per_kind: int, seed: int) -> list[Sample]:
    """Every attack on one half of the canonical problems, and the other half as clean text."""
    protected, clean = halves(canonical, seed)
    reference = reference_of(protected, settings, "exact")
    donors = [problem.text for problem in clean]
    samples = []
    for kind in tracked(list(all_attacks()), "calibrate", "attack"):
        attacked = [changed for _, changed in attack(kind, protected, donors, per_kind, seed)]
        if attacked:
            samples.append(_sample(kind, True, attacked, reference, settings))
    return [*samples, _sample(HELD_OUT, False, clean, reference, settings)]


def known_samples(paths: Calibration, settings: Firewall) -> list[Sample]:
    """Paraphrases of known problems, and text known to be none of them, from files."""
    if not (paths.originals and paths.paraphrases and paths.clean):
        return []
    originals, paraphrases, clean = (_problems(Path(p)) for p in (paths.originals, paths.paraphrases, paths.clean))
    reference = reference_of(originals, settings, "exact")
    return [
        _sample(PARAPHRASES, True, paraphrases, reference, settings),
        _sample(KNOWN_CLEAN, False, clean, reference, settings),
    ]


def rejection_shares(samples: Sequence[Sample], settings: Firewall) -> RejectionShares:
    """What is rejected of each sample, at the thresholds in use."""
    return RejectionShares(
        attacks={sample.name: _shares(sample, settings) for sample in samples if sample.contaminated},
        clean={sample.name: _shares(sample, settings) for sample in samples if not sample.contaminated},
    )


def roc(samples: Sequence[Sample], settings: Firewall) -> list[Rates]:
    """Points of every gate's ROC curve; recall is over all attacks, each counting the same."""
    return [rates for gate, _ in active(settings) if gate.bounds for rates in _curve(samples, gate, *gate.bounds)]


def _problems(path: Path) -> list[Problem]:
    problems = [row.problem for row in files.problems(path) if isinstance(row.problem, Problem)]
    if not problems:
        raise UserError(f"{path}: no readable problem; see calibration in conf/")
    return problems


def _sample(
    name: str, contaminated: bool, problems: Sequence[Problem], reference: Reference, settings: Firewall
) -> Sample:
    evidence = measure(problems, reference, settings)
    return Sample(name, contaminated, evidence, decide(problems, evidence, reference, settings))


def _shares(sample: Sample, settings: Firewall) -> Shares:
    checks = [gate.name for gate, _ in active(settings) if gate.spec]
    failed = {gate.name: sample.failed([gate.name], settings) for gate, _ in active(settings)}
    gates = np.sum(list(failed.values()), axis=0)
    return Shares(
        rejected=accuracy(sample.caught),
        spec=_percent(sample.failed(checks, settings)),
        gates={name: _percent(rows) for name, rows in failed.items()},
        alone={name: _percent(rows & (gates == 1)) for name, rows in failed.items()},
    )


def _curve(samples: Sequence[Sample], gate: Gate, lowest: float, highest: float) -> Iterator[Rates]:
    # Within the bounds: a cosine of equal vectors is 1 but for its last bits, which go by the number of threads.
    scores = [np.clip(sample.evidence.matches[gate.name].score, lowest, highest) for sample in samples]
    attacks = [score for score, sample in zip(scores, samples, strict=True) if sample.contaminated]
    clean = [score for score, sample in zip(scores, samples, strict=True) if not sample.contaminated]
    pooled = np.concatenate(clean) if clean else np.zeros(0)
    for step in range(STEPS + 1):
        limit = round(lowest + (highest - lowest) * step / STEPS, 4)
        yield Rates(
            gate.name,
            limit,
            fmean(_percent(scores > limit) for scores in attacks) if attacks else None,
            _percent(pooled > limit) if len(pooled) else None,
        )


def _percent(hits: NDArray[np.bool_]) -> float:
    return 100 * float(np.mean(hits)) if len(hits) else 0.0
