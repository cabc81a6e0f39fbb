"""The firewall: all gates applied to candidates, with a verdict on each and the evidence for it.

Example: `screen([problem], reference, settings)[0].reason` is "passed", or "token_overlap".
Source: SPEC, "Combined Firewall".

The firewall fails closed: a candidate that a gate cannot judge is rejected, with the reason "error" if no other gate
rejects it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pfe.config import Firewall
from pfe.errors import UserError
from pfe.files import replacing
from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate, active, all_gates
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.firewall.semantic import MARGIN
from pfe.firewall.structure import missing
from pfe.firewall.tokens import shared_ngrams, tokenize
from pfe.problem import Problem, Record
from pfe.progress import progress

PASSED, ERROR = "passed", "error"
LONGEST = 2_000_000  # characters of a candidate; a longer text is a corpus, not a problem
_BATCH = 4096


@dataclass(frozen=True)
class Evidence:
    """The measurements of the gates, before any threshold is applied.

    `matches` has them by gate. `trouble` says, for each candidate, why a gate could not judge it; empty if all could.
    """

    matches: Mapping[str, Matches]
    trouble: tuple[str, ...]

    def write(self, path: Path) -> None:
        """Write the evidence to a file, completely or not at all."""
        columns = {f"{name}.{f.name}": getattr(m, f.name) for name, m in self.matches.items() for f in fields(m)}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, trouble=np.array(self.trouble, np.str_), **columns)

    @classmethod
    def read(cls, path: Path) -> "Evidence":
        """Read the evidence that `write` wrote."""
        with np.load(path) as columns:
            names = dict.fromkeys(key.partition(".")[0] for key in columns if key != "trouble")
            matches = {name: Matches(*(columns[f"{name}.{f.name}"] for f in fields(Matches))) for name in names}
            return cls(matches, tuple(columns["trouble"].tolist()))


@dataclass(frozen=True)
class Verdict(Record):
    """The firewall's verdict on one candidate.

    `reason` is "passed", the first gate that rejects it, or "error" if none does but one could not judge it; `detail`
    says why one could not. `scores` and `canonical_ids` have, for each of `gates`, the highest score and the canonical
    problem with that score.
    """

    problem_id: str
    set: str
    reason: str
    detail: str
    gates: tuple[str, ...]
    scores: tuple[float, ...]
    canonical_ids: tuple[str, ...]

    @property
    def safe(self) -> bool:
        """Return whether the candidate may enter the corpus."""
        return self.reason == PASSED


@dataclass(frozen=True)
class Finding(Record):
    """One gate's result on one candidate that it rejected or nearly rejected.

    `verdict` is the reason in the candidate's verdict ("passed" for a near miss that no gate rejected). `margin` is
    score minus threshold: above 0 the gate rejects. If the score is a ratio of counts, `shared` of `total` n-grams are
    shared. `ngrams` are the word n-grams that both texts share, with character offsets in the candidate's and the
    canonical text; they are empty unless the gate counts n-grams of the text.
    """

    problem_id: str
    set: str
    verdict: str
    gate: str
    score: float
    threshold: float
    margin: float
    canonical_id: str
    shared: int
    total: int
    runner_up_id: str
    runner_up_score: float
    detail: str
    ngrams: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    canonical_starts: tuple[int, ...]
    canonical_ends: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Screening:
    """The verdicts in the order of the candidates, and the findings that explain rejections and near misses."""

    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]


def reasons() -> tuple[str, ...]:
    """Return every possible reason for a rejection."""
    return (*all_gates(), ERROR)


def screen(candidates: Sequence[Problem], reference: Reference, settings: Firewall) -> Screening:
    """Compare every candidate with all canonical problems and return a verdict for each, with findings."""
    return decide(candidates, measure(candidates, reference, settings), reference, settings)


def measure(candidates: Sequence[Problem], reference: Reference, settings: Firewall) -> Evidence:
    """Measure the candidates with all active gates; the result does not depend on the thresholds."""
    gates = [gate for gate, _ in active(settings)]
    batches = [candidates[start : start + _BATCH] for start in range(0, len(candidates), _BATCH)]
    with progress(len(batches) * len(gates), "comparing", "gate") as done:
        parts = [_evidence(batch, reference, gates, done) for batch in batches]
    names = [gate.name for gate in gates]
    matches = {name: Matches.joined([part.matches[name] for part in parts]) for name in names}
    return Evidence(matches, tuple(trouble for part in parts for trouble in part.trouble))


def decide(candidates: Sequence[Problem], evidence: Evidence, reference: Reference, settings: Firewall) -> Screening:
    """Apply the thresholds to the evidence; cosines near a threshold are recomputed in single precision."""
    trouble = list(evidence.trouble)
    matches = {}
    for gate, threshold in active(settings):
        matches[gate.name], again = _measured_again(gate, threshold, candidates, evidence.matches[gate.name], reference)
        trouble = [old or new for old, new in zip(trouble, again, strict=True)]
    fails = {gate.name: gate.fails(matches[gate.name], limit) for gate, limit in active(settings)}
    near = {gate.name: _near(matches[gate.name], limit, settings.near_miss) for gate, limit in active(settings)}
    verdicts = _verdicts(candidates, trouble, matches, fails, reference)
    telling = np.array([bool(why) for why in trouble], bool)
    for flagged in (*fails.values(), *near.values()):
        telling |= flagged
    findings = (
        finding
        for row in np.flatnonzero(telling).tolist()
        for finding in _findings(candidates[row], verdicts[row], row, matches, fails, near, reference, settings)
    )
    return Screening(verdicts, tuple(findings))


def _near(matches: Matches, threshold: float, share: float) -> NDArray[np.bool_]:
    """Return whether each score is above a share of the threshold; always False for a gate with threshold 0."""
    return (matches.score > share * threshold) & (matches.index >= 0) & (threshold > 0)


def _verdicts(
    candidates: Sequence[Problem], trouble: Sequence[str], matches: Mapping[str, Matches],
    fails: Mapping[str, NDArray[np.bool_]], reference: Reference,
) -> tuple[Verdict, ...]:  # fmt: skip
    names = tuple(matches)
    if not names or not candidates:
        return tuple(
            Verdict(p.id, p.set, _reason(why, ()), why, (), (), ()) for p, why in zip(candidates, trouble, strict=True)
        )
    scores = np.stack([match.score for match in matches.values()], axis=1).tolist()
    nearest = np.stack([match.index for match in matches.values()], axis=1).tolist()
    failed = np.stack(list(fails.values()), axis=1)
    ids = [*reference.ids, ""]
    return tuple(
        Verdict(
            problem.id, problem.set, _reason(why, [names[gate] for gate in np.flatnonzero(failed[row])]), why, names,
            tuple(scores[row]), tuple(ids[index] for index in nearest[row]),
        )
        for row, (problem, why) in enumerate(zip(candidates, trouble, strict=True))
    )  # fmt: skip


def _evidence(
    candidates: Sequence[Problem], reference: Reference, gates: Sequence[Gate], done: Callable[[int], object]
) -> Evidence:
    trouble = [_unfit(problem) for problem in candidates]
    fit = np.array([row for row, why in enumerate(trouble) if not why], np.int64)
    batch = Batch([candidates[row] for row in fit], reference)
    matches = {}
    for gate in gates:
        fit_matches, errors = _guarded(gate, batch, gate.measure)
        matches[gate.name] = Matches.none(len(candidates)).with_rows(fit, fit_matches)
        for row, error in errors.items():
            trouble[fit[row]] = trouble[fit[row]] or error
        done(1)
    return Evidence(matches, tuple(trouble))


def _unfit(problem: Problem) -> str:
    """Return why a candidate cannot be judged at all; empty if it can."""
    if not tokenize(problem.text):
        return "its text has no word"
    if len(problem.text) > LONGEST:
        return f"its text has {len(problem.text):,} characters, more than {LONGEST:,}"
    return missing(problem)


def _guarded(gate: Gate, batch: Batch, measure: Callable[[Batch], Matches]) -> tuple[Matches, dict[int, str]]:
    """Measure a batch; return the matches and the errors by row. A batch that fails is halved down to single rows."""
    if not len(batch):
        return Matches.none(0), {}
    try:
        return measure(batch), batch.trouble
    except UserError:
        raise
    except Exception as error:
        if len(batch) == 1:
            message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            return Matches.none(1), {0: f"{gate.name}: {message}"}
    middle = len(batch) // 2
    halves = [Batch(part, batch.reference) for part in (batch.candidates[:middle], batch.candidates[middle:])]
    (first, errors), (second, later) = (_guarded(gate, half, measure) for half in halves)
    return Matches.joined([first, second]), errors | {row + middle: error for row, error in later.items()}


def _measured_again(
    gate: Gate, threshold: float, candidates: Sequence[Problem], matches: Matches, reference: Reference
) -> tuple[Matches, list[str]]:
    """Measure candidates near the threshold again; return all matches, and the new errors by candidate."""
    trouble = [""] * len(candidates)
    again = gate.again
    rows = np.flatnonzero(np.abs(matches.score - threshold) < MARGIN)
    if again is None or not len(rows):
        return matches, trouble
    batch = Batch([candidates[row] for row in rows.tolist()], reference)
    exact, errors = _guarded(gate, batch, lambda part: again(part, threshold))
    for place, error in errors.items():
        trouble[rows[place]] = error
    return matches.with_rows(rows, exact), trouble


def _reason(trouble: str, failed: Sequence[str]) -> str:
    return failed[0] if failed else ERROR if trouble else PASSED


def _findings(
    problem: Problem, verdict: Verdict, row: int, matches: Mapping[str, Matches],
    fails: Mapping[str, NDArray[np.bool_]], near: Mapping[str, NDArray[np.bool_]],
    reference: Reference, settings: Firewall,
) -> list[Finding]:  # fmt: skip
    findings = [
        _finding(problem, verdict, gate, threshold, matches[gate.name].at(np.array([row])), reference)
        for gate, threshold in active(settings)
        if fails[gate.name][row] or near[gate.name][row]
    ]
    if verdict.reason == ERROR:
        findings.append(
            Finding(problem.id, problem.set, ERROR, ERROR, 0.0, 0.0, 0.0, "", 0, 0, "", 0.0, verdict.detail,
                    (), (), (), (), (), finding_text(problem, ERROR))
        )  # fmt: skip
    return findings


def _finding(
    problem: Problem, verdict: Verdict, gate: Gate, threshold: float, match: Matches, reference: Reference
) -> Finding:
    index, runner_up, score = int(match.index[0]), int(match.runner_up[0]), float(match.score[0])
    theirs = reference.texts[index] if index >= 0 else ""
    shared = shared_ngrams(problem.text, theirs, reference.n) if gate.of_text else []
    ids = [*reference.ids, ""]
    return Finding(
        problem.id, problem.set, verdict.reason, gate.name, score, threshold, score - threshold, ids[index],
        int(match.shared[0]), int(match.total[0]), ids[runner_up], float(match.runner_up_score[0]),
        gate.detail(problem, reference), tuple(m.ngram for m in shared), tuple(m.start for m in shared),
        tuple(m.end for m in shared), tuple(m.canonical_start for m in shared),
        tuple(m.canonical_end for m in shared), finding_text(problem, gate.name),
    )  # fmt: skip


def finding_text(problem: Problem, reason: str) -> str:
    """Return what a finding shows of a problem: its `text` if the gate counts its n-grams, otherwise all its parts."""
    gate = all_gates().get(reason)
    return (problem.text if gate and gate.of_text else "\n".join(problem.parts))[:LONGEST]
