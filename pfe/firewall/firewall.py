"""The three checks as one: which candidates pass, and why the others do not.

Source: SPEC, "Combined Firewall"; the first check that fails names the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pfe.config import Firewall
from pfe.embedding import Encoder
from pfe.firewall.semantic import Nearest, nearest_vectors
from pfe.firewall.structure import twins
from pfe.firewall.tokens import Overlap, overlaps
from pfe.problem import Problem, Record

PASSED = "passed"
REASONS = ("token_overlap", "semantic_similarity", "math_structure", "code_structure")


@dataclass(frozen=True)
class Verdict:
    """What the firewall found of one candidate.

    `reason` is "passed" or the first check that failed; `score` and `canonical_id` are that check's
    (a structural check scores 1). `containment` and `cosine` are the highest against any canonical problem.
    """

    reason: str
    score: float
    threshold: float
    canonical_id: str
    containment: float
    cosine: float

    @property
    def safe(self) -> bool:
        """Whether the candidate may enter the corpus."""
        return self.reason == PASSED


@dataclass(frozen=True)
class Rejection(Record):
    """A rejected candidate: why, how near, and to which canonical problem."""

    problem_id: str
    set: str
    reason: str
    score: float
    threshold: float
    canonical_id: str
    containment: float
    cosine: float
    text: str


def screen(
    candidates: Sequence[Problem], canonical: Sequence[Problem], settings: Firewall, encoder: Encoder
) -> list[Verdict]:
    """A verdict for every candidate, against all canonical problems of every benchmark."""
    texts, references = [p.text for p in candidates], [p.text for p in canonical]
    token = overlaps(texts, references, settings.n)
    meaning = nearest_vectors(encoder.encode(texts), encoder.encode(references))
    same = twins(candidates, canonical) if settings.structure else [-1] * len(candidates)
    ids = [problem.id for problem in canonical]
    return [
        _verdict(problem, overlap, near, twin, ids, settings)
        for problem, overlap, near, twin in zip(candidates, token, meaning, same, strict=True)
    ]


def _verdict(
    problem: Problem, overlap: Overlap, near: Nearest, twin: int, ids: Sequence[str], settings: Firewall
) -> Verdict:
    def told(reason: str, score: float, threshold: float, index: int) -> Verdict:
        id = ids[index] if index >= 0 else ""
        return Verdict(reason, score, threshold, id, overlap.containment, near.cosine)

    if overlap.containment > settings.threshold:
        return told("token_overlap", overlap.containment, settings.threshold, overlap.index)
    if near.cosine > settings.semantic.threshold:
        return told("semantic_similarity", near.cosine, settings.semantic.threshold, near.index)
    if twin >= 0:
        return told(f"{problem.domain}_structure", 1.0, 1.0, twin)
    return told(PASSED, near.cosine, settings.semantic.threshold, near.index)


def rejection(problem: Problem, verdict: Verdict) -> Rejection:
    """The log entry of a rejected candidate."""
    return Rejection(
        problem.id, problem.set, verdict.reason, verdict.score, verdict.threshold, verdict.canonical_id,
        verdict.containment, verdict.cosine, problem.text,
    )  # fmt: skip
