"""How good the firewall is: recall on known contamination, false alarms on known clean text.

Example, of metrics/firewall_calibration.json:
    {"attacks": {"dilution": {"caught": {"value": 99.0, "n": 100, …}, "spec": 22.0, "gates": {"dilution": 99.0, …},
                              "alone": {"dilution": 40.0, …}}},
     "clean": {"held_out": {"flagged": {"value": 0.0, "n": 141, …}, …}}, "sweep": {"token_overlap": {"0.3": {…}}}}

The sealed benchmarks are cut in two: attacks are made from the one half and screened against it, the other half
is what is known to be different. Shares are percentages; nothing of a problem is in the figures.
Vectors are those of exact arithmetic, so that the same problems give the same figures to the last digit, whatever is
in the cache and however many threads there are.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfe.calibration.attacks import ATTACKS, attack
from pfe.config import Calibration, Firewall
from pfe.errors import UserError
from pfe.firewall.firewall import Evidence, Screened, decide, measure
from pfe.firewall.gates import active
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from pfe.scores import accuracy
from pfe.screening.sealed import reference_of
from pfe.screening.shards import read, split

SPEC = ("token_overlap", "semantic_similarity", "math_structure", "code_structure")
SWEEP = tuple(round(step / 20, 2) for step in range(1, 20))
HELD_OUT, PARAPHRASES, KNOWN_CLEAN = "held_out", "paraphrases", "known_clean"


@dataclass(frozen=True)
class Sample:
    """Screened problems of which it is known whether they are contaminated."""

    name: str
    contaminated: bool
    evidence: Evidence
    screened: Screened

    @property
    def caught(self) -> list[bool]:
        """Whether each was rejected by a gate; what could not be judged at all counts as not caught."""
        return [not verdict.safe and verdict.reason != "error" for verdict in self.screened.verdicts]

    def failed(self, gates: Sequence[str], settings: Firewall) -> NDArray[np.bool_]:
        """Whether each problem fails any of some gates."""
        found = np.zeros(len(self.screened.verdicts), bool)
        for gate, threshold in active(settings):
            if gate.name in gates:
                scores = [v.scores[v.gates.index(gate.name)] for v in self.screened.verdicts]
                found |= np.array(scores, float) > threshold
        return found


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


def made_samples(canonical: Sequence[Problem], settings: Firewall, per_kind: int, seed: int) -> list[Sample]:
    """Every attack on one half of the canonical problems, and the other half as clean text."""
    protected, clean = halves(canonical, seed)
    reference = reference_of(protected, settings, "exact")
    donors = [problem.text for problem in clean]
    samples = []
    for kind in ATTACKS:
        attacked = [own for _, own in attack(kind, protected, donors, per_kind, seed)]
        if attacked:
            samples.append(_sample(kind, True, attacked, reference, settings))
    return [*samples, _sample(HELD_OUT, False, clean, reference, settings)]


def known_samples(known: Calibration, settings: Firewall) -> list[Sample]:
    """Paraphrases of known problems, and text known to be none of them, from files."""
    if not (known.originals and known.paraphrases and known.clean):
        return []
    originals, paraphrases, clean = (_problems(Path(p)) for p in (known.originals, known.paraphrases, known.clean))
    reference = reference_of(originals, settings, "exact")
    return [
        _sample(PARAPHRASES, True, paraphrases, reference, settings),
        _sample(KNOWN_CLEAN, False, clean, reference, settings),
    ]


def figures(samples: Sequence[Sample], settings: Firewall) -> dict[str, Any]:
    """What metrics/firewall_calibration.json says."""
    return {
        "attacks": {own.name: _recall(own, settings) for own in samples if own.contaminated},
        "clean": {own.name: _alarms(own, settings) for own in samples if not own.contaminated},
        "sweep": {
            gate.name: {
                str(limit): rates for limit, rates in zip(SWEEP, _curve(samples, gate.name, SWEEP), strict=True)
            }
            for gate, threshold in active(settings)
            if threshold > 0
        },
    }


def roc(samples: Sequence[Sample], settings: Firewall) -> list[dict[str, Any]]:
    """Points of every gate's ROC curve: gate, threshold, recall and false_positives in percent."""
    steps = [round(step / 100, 2) for step in range(101)]
    return [
        {"gate": gate.name, "threshold": limit} | rates
        for gate, threshold in active(settings)
        if threshold > 0
        for limit, rates in zip(steps, _curve(samples, gate.name, steps), strict=True)
    ]


def _problems(path: Path) -> list[Problem]:
    rows = [row for shard in split([path]) for batch in read(shard) for row in batch]
    problems = [row for row in rows if isinstance(row, Problem)]
    if not problems:
        raise UserError(f"{path}: no readable problem; see calibration in conf/")
    return problems


def _sample(
    name: str, contaminated: bool, problems: Sequence[Problem], reference: Reference, settings: Firewall
) -> Sample:
    evidence = measure(problems, reference, settings)
    return Sample(name, contaminated, evidence, decide(problems, evidence, reference, settings))


def _recall(sample: Sample, settings: Firewall) -> dict[str, Any]:
    return {"caught": asdict(accuracy(sample.caught))} | _by_gate(sample, settings)


def _alarms(sample: Sample, settings: Firewall) -> dict[str, Any]:
    return {"flagged": asdict(accuracy(sample.caught))} | _by_gate(sample, settings)


def _by_gate(sample: Sample, settings: Firewall) -> dict[str, Any]:
    """Shares in percent: rejected by any of SPEC's checks, by each gate, and by each gate and no other."""
    failed = {gate.name: sample.failed([gate.name], settings) for gate, _ in active(settings)}
    gates = np.sum(list(failed.values()), axis=0)
    return {
        "spec": _percent(sample.failed(SPEC, settings)),
        "gates": {name: _percent(own) for name, own in failed.items()},
        "alone": {name: _percent(own & (gates == 1)) for name, own in failed.items()},
    }


def _curve(samples: Sequence[Sample], gate: str, thresholds: Sequence[float]) -> list[dict[str, float | None]]:
    """Recall over all attacks, each counting the same, and false positives, at each threshold."""
    attacks = [own.evidence.matches[gate].score for own in samples if own.contaminated]
    clean = [own.evidence.matches[gate].score for own in samples if not own.contaminated]
    pooled = np.concatenate(clean) if clean else np.zeros(0)
    return [
        {
            "recall": float(np.mean([_percent(scores > limit) for scores in attacks])) if attacks else None,
            "false_positives": _percent(pooled > limit) if len(pooled) else None,
        }
        for limit in thresholds
    ]


def _percent(hits: NDArray[np.bool_]) -> float:
    return 100 * float(np.mean(hits)) if len(hits) else 0.0
