"""The firewall on this repository's own data: the sealed benchmarks and the synthetic sets.

Example: `sealed_reference(settings.firewall)` holds every problem below data/canonical, with the seal checked.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pfe import config
from pfe.canonical.seal import FOLDER, read_sealed, sealed_names
from pfe.config import Firewall
from pfe.embedding.encoder import Encoder
from pfe.embedding.vectors import Mode
from pfe.errors import UserError
from pfe.firewall.firewall import PASSED, Finding, finding_text
from pfe.firewall.libraries import with_libraries
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from pfe.screening.checking import nearest_of
from pfe.screening.files import Part, verdicts
from pfe.screening.outcome import Outcome

FILES: Mapping[str, Path] = {
    "canonical": FOLDER,
    "candidates": Path("data/candidates"),
    "synthetic": Path("data/synthetic"),
    "rejections": Path("data/rejections"),
}


def reference_of(canonical: Sequence[Problem], settings: Firewall, mode: Mode = "fast") -> Reference:
    """Return the canonical side of a screening, with the problems' libraries and the models in the settings."""
    multilingual = settings.semantic.multilingual
    encoder = Encoder(settings.semantic.model, pinned=settings.semantic.sha256 or "")
    return Reference(
        with_libraries(canonical), encoder, settings.n, Encoder(multilingual) if multilingual else None, mode
    )


def sealed_reference(settings: Firewall) -> Reference:
    """Return all sealed canonical problems as a reference for candidates.

    Raises:
        UserError: there is no seal, a byte changed since it was made, or nothing is sealed.
    """
    sealed = [problem for name in sealed_names() for problem in read_sealed(name)]
    if not sealed:
        raise UserError(f"{FOLDER}: no problem is sealed, so nothing would be compared; run `dvc repro canonical`")
    return reference_of(sealed, settings)


def rejection(id: str) -> tuple[list[tuple[Finding, str]], int]:
    """Return the findings on a candidate of data/candidates, each with the canonical text, and the n-gram length.

    Raises:
        UserError: there is no such candidate, or nothing was screened.
    """
    settings = config.load().firewall
    findings = [finding for path in _files("rejections") for finding in Finding.stream(path)]
    matches = [finding for finding in findings if finding.problem_id == id]
    if not matches and all(id != problem.id for path in _files("candidates") for problem in Problem.stream(path)):
        rejected = list(dict.fromkeys(finding.problem_id for finding in findings if finding.verdict != PASSED))
        raise UserError(f"{id}: no candidate of {FILES['candidates']} has this id; {nearest_of(id, rejected)}")
    canonical_ids = {finding.canonical_id for finding in matches}
    sealed = with_libraries(problem for path in _files("canonical") for problem in Problem.stream(path))
    canonical = {problem.id: problem for problem in sealed if problem.id in canonical_ids}
    texts = [finding_text(match, f.gate) if (match := canonical.get(f.canonical_id)) else "" for f in matches]
    return list(zip(matches, texts, strict=True)), settings.n


def _files(name: str) -> list[Path]:
    files = sorted(FILES[name].glob("*.parquet"))
    if not files:
        raise UserError(f"{FILES[name]}: nothing there; run `dvc repro firewall`")
    return files


def outcomes(parts: Sequence[Part], targets: Mapping[str, int]) -> list[Outcome]:
    """Return the screened sets of data/candidates, each with its target."""
    return [
        Outcome(
            name,
            target,
            tuple(Problem.read(FILES["candidates"] / f"{name}.parquet")),
            tuple(verdicts([part for part in parts if part.shard.path.stem == name])),
        )
        for name, target in targets.items()
    ]
