"""Measurement of the firewall: recall on known contamination, false positives on known clean text.

Example: `rejection_shares(samples, settings).attacks["dilution"].rejected` is 99.0 % (95 % CI 94.6 to 99.8, n = 100).

The sealed benchmarks are split into two halves that share no siblings. Attacks are made from the first half and
screened against it. The second half of each benchmark is clean text, except problems from template families, which are
variants of one another. Shares are percentages; the figures contain no text of any problem.
Vectors use exact arithmetic, so that the same problems give the same figures to the last digit, whatever the cache
holds and however many threads run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pfe.calibration.attack import all_attacks, attack
from pfe.calibration.record import Rates, RejectionShares, Shares
from pfe.config import Calibration, Firewall
from pfe.errors import UserError
from pfe.firewall.firewall import ERROR, Evidence, Screening, decide, measure
from pfe.firewall.gate import Gate, active
from pfe.firewall.reference import Reference
from pfe.firewall.tokens import tokenize
from pfe.problem import Problem
from pfe.progress import tracked
from pfe.rows import files
from pfe.scores import accuracy
from pfe.screening.sealed import reference_of

STEPS = 100  # steps of a curve, from the lowest threshold to the highest
PARAPHRASES, KNOWN_CLEAN = "paraphrases", "known_clean"


@dataclass(frozen=True)
class Sample:
    """Screened problems that are known to be contaminated or known to be clean."""

    name: str
    contaminated: bool
    evidence: Evidence
    screening: Screening

    @property
    def caught(self) -> list[bool]:
        """Return whether each problem was rejected by a gate; one that could not be judged counts as not caught."""
        return [not verdict.safe and verdict.reason != ERROR for verdict in self.screening.verdicts]

    def failed(self, gates: Sequence[str], settings: Firewall) -> NDArray[np.bool_]:
        """Return whether each problem is rejected by any of the given gates, shape (m,)."""
        failed = np.zeros(len(self.screening.verdicts), bool)
        for gate, threshold in active(settings):
            if gate.name in gates:
                scores = [v.scores[v.gates.index(gate.name)] for v in self.screening.verdicts]
                failed |= np.array(scores, float) > threshold
        return failed


def siblings(problems: Sequence[Problem], n: int) -> list[list[Problem]]:
    """Group problems that were written as variants of one another, directly or through others.

    Two problems are siblings if they share a `group`, a template family, or a passage or a list of choices of at least
    `n` words; a shorter list such as "no", "yes" belongs to the format.
    """
    by_key: dict[tuple[str, str], list[int]] = {}
    for place, problem in enumerate(problems):
        for key in _shared(problem, n):
            by_key.setdefault(key, []).append(place)
    pairs = np.array([(members[0], place) for members in by_key.values() for place in members], np.int64).reshape(-1, 2)
    links = coo_array((np.ones(len(pairs)), pairs.T), shape=(len(problems), len(problems)))
    clusters: dict[int, list[Problem]] = {}
    for problem, label in zip(problems, connected_components(links, directed=False)[1], strict=True):
        clusters.setdefault(label, []).append(problem)
    return list(clusters.values())


def _shared(problem: Problem, n: int) -> Iterator[tuple[str, str]]:
    yield "group", problem.group or problem.id
    if problem.family:
        yield "family", problem.family
    for name, text in (("passage", problem.context), ("choices", " / ".join(sorted(problem.choices)))):
        if len(tokenize(text)) >= n:
            yield name, text


def halves(problems: Sequence[Problem], seed: int, n: int) -> tuple[list[Problem], list[Problem]]:
    """Split every benchmark into two halves that share no siblings (see `siblings`)."""
    first: list[Problem] = []
    second: list[Problem] = []
    for name, members in sorted(_by_set(problems).items()):
        clusters = siblings(members, n)
        clusters.sort(key=lambda cluster: min(problem.group or problem.id for problem in cluster))
        Random(f"{seed}:halves:{name}").shuffle(clusters)
        for place, cluster in enumerate(clusters):
            (first if place % 2 == 0 else second).extend(cluster)
    return first, second


def canonical_samples(canonical: Sequence[Problem], settings: Firewall, per_kind: int, seed: int) -> list[Sample]:
    """Screen every attack on one half of the canonical problems, and the other half of each benchmark as clean text."""
    protected, rest = halves(canonical, seed, settings.n)
    reference = reference_of(protected, settings, "exact")
    donors = [problem.text for problem in rest]
    samples = []
    for kind in tracked(list(all_attacks()), "calibrate", "attack"):
        attacked = [changed for _, changed in attack(kind, protected, donors, per_kind, seed)]
        if attacked:
            samples.append(_sample(kind, True, attacked, reference, settings))
    return [*samples, *clean_samples(rest, reference, settings)]


def clean_samples(rest: Sequence[Problem], reference: Reference, settings: Firewall) -> list[Sample]:
    """Screen one sample of clean text per benchmark."""
    return [_sample(name, False, problems, reference, settings) for name, problems in published(rest).items()]


def published(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Group problems by benchmark, without those of template families, which are variants of one another."""
    return _by_set([problem for problem in problems if not problem.family])


def _by_set(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    sets: dict[str, list[Problem]] = {}
    for problem in problems:
        sets.setdefault(problem.set, []).append(problem)
    return sets


def known_samples(paths: Calibration, settings: Firewall) -> list[Sample]:
    """Screen paraphrases of known problems, and text known to be none of them; empty if a file of these is not set."""
    if not (paths.originals and paths.paraphrases and paths.clean):
        return []
    originals, paraphrases, clean = (_problems(Path(p)) for p in (paths.originals, paths.paraphrases, paths.clean))
    reference = reference_of(originals, settings, "exact")
    return [
        _sample(PARAPHRASES, True, paraphrases, reference, settings),
        _sample(KNOWN_CLEAN, False, clean, reference, settings),
    ]


def rejection_shares(samples: Sequence[Sample], settings: Firewall) -> RejectionShares:
    """Return the shares of each sample that are rejected, at the thresholds in use."""
    return RejectionShares(
        attacks={sample.name: _shares(sample, settings) for sample in samples if sample.contaminated},
        clean={sample.name: _shares(sample, settings) for sample in samples if not sample.contaminated},
    )


def roc(samples: Sequence[Sample], settings: Firewall) -> list[Rates]:
    """Return the points of every gate's ROC curve: means over attacks and over clean benchmarks, of equal weight.

    Gates that are only on or off have no curve.
    """
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
    # Clip to the bounds: the cosine of equal vectors is 1 except in its last bits, which depend on the thread count.
    scores = [np.clip(sample.evidence.matches[gate.name].score, lowest, highest) for sample in samples]
    attacks = [score for score, sample in zip(scores, samples, strict=True) if sample.contaminated]
    clean = [score for score, sample in zip(scores, samples, strict=True) if not sample.contaminated]
    for step in range(STEPS + 1):
        limit = round(lowest + (highest - lowest) * step / STEPS, 4)
        recall, false_positives = (
            fmean(_percent(scores > limit) for scores in some) if some else None for some in (attacks, clean)
        )
        yield Rates(gate.name, limit, recall, false_positives)


def _percent(hits: NDArray[np.bool_]) -> float:
    return 100 * float(np.mean(hits)) if len(hits) else 0.0
