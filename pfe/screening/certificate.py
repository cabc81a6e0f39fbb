"""The certificate of a screening: the compared data, the thresholds, and the highest scores of accepted problems.

Example, from data/certificate.json:
    {"claim": "no accepted problem is above these thresholds …", "thresholds": {"token_overlap": 0.3, …},
     "highest_accepted": {"token_overlap": {"score": 0.2857, "problem_id": …, "canonical_id": …}, …},
     "files": {"canonical": {"gsm1k.parquet": "9f2c…", …}, "candidates": …, "synthetic": …, "rejections": …}, …}

`pfe verify` recomputes it from the data and fails on any difference.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pfe.canonical.seal import sha256_of
from pfe.config import Firewall
from pfe.firewall.firewall import Verdict
from pfe.firewall.gate import active
from pfe.firewall.libraries import SUFFIX
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from pfe.screening.files import code_sha256
from pfe.screening.outcome import Outcome

CLAIM = "no accepted problem is above these thresholds against any sealed canonical problem"
TOKENIZER = "Python str.lower, re \\w+"
COSINE_TOLERANCE = 0.002  # between machines whose fast arithmetic differs


def certificate(
    outcomes: Sequence[Outcome], settings: Firewall, reference: Reference, files: Mapping[str, Path]
) -> dict[str, Any]:
    """Return the certificate: the compared data, the thresholds, and the highest scores of accepted problems.

    Args:
        files: the folders read and written, by their name in the certificate; every file in them is hashed.
    """
    accepted = [verdict for outcome in outcomes for _, verdict in outcome.safe[: outcome.target]]
    rules = {key: value for key, value in asdict(settings).items() if key not in ("engine", "workers", "cluster")}
    return {
        "claim": CLAIM,
        "parameters": rules,
        "gates": {gate.name: gate.what for gate, _ in active(settings)},
        "thresholds": {gate.name: threshold for gate, threshold in active(settings)},
        "tokenizer": {"definition": TOKENIZER, "unicode": unicodedata.unidata_version},
        "embedding": {"model": settings.semantic.model, "weights_sha256": reference.encoder.weights_sha256},
        "code_sha256": code_sha256(),
        "counts": {
            "canonical": sum(not problem.id.endswith(SUFFIX) for problem in reference.canonical),
            "candidates": sum(len(outcome.candidates) for outcome in outcomes),
            "accepted": len(accepted),
        },
        "highest_accepted": {gate.name: _highest(accepted, gate.name) for gate, _ in active(settings)},
        "files": {name: hashes(folder) for name, folder in files.items()},
    }


def hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file in a folder, by file name."""
    return {path.name: sha256_of(path) for path in sorted(folder.iterdir()) if path.is_file()}


def _highest(accepted: Sequence[Verdict], gate: str) -> dict[str, Any] | None:
    """Return the highest accepted score and the pair of problems that has it; None if nothing was accepted."""
    if not accepted:
        return None
    place = accepted[0].gates.index(gate)
    highest = max(accepted, key=lambda verdict: (verdict.scores[place], verdict.problem_id))
    return {
        "score": round(highest.scores[place], 4),
        "problem_id": highest.problem_id,
        "canonical_id": highest.canonical_ids[place],
    }


def differences(claimed: Mapping[str, Any], current: Mapping[str, Any], outcomes: Sequence[Outcome]) -> list[str]:
    """Return the differences between a certificate and the data as they are now, one line each; empty if it holds.

    The accepted problems on disk are also compared, one by one, with those that pass now.
    """
    lines = _diff("", claimed, current)
    for outcome in outcomes:
        path = Path("data/synthetic") / f"{outcome.name}.parquet"
        if path.exists() and Problem.read(path) != outcome.accepted:
            lines.append(f"{path}: not the problems that pass now")
    return lines


def _diff(path: str, claimed: Any, current: Any) -> list[str]:
    if isinstance(claimed, Mapping) and isinstance(current, Mapping):
        keys = [*current, *(key for key in claimed if key not in current)]
        return [line for key in keys for line in _diff(f"{path}.{key}".lstrip("."), claimed.get(key), current.get(key))]
    if path.startswith("highest_accepted.") and _close(claimed, current):
        return []
    return [] if claimed == current else [f"{path}: the certificate says {claimed!r}, the data say {current!r}"]


def _close(claimed: Any, current: Any) -> bool:
    return isinstance(claimed, float) and isinstance(current, float) and abs(claimed - current) <= COSINE_TOLERANCE
