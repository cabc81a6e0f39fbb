"""The dataset card of a published corpus for the Hugging Face Hub.

Example, from its head: `configs: [{config_name: corpus, data_files: corpus/train.parquet}, …]`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from pfe.report.markdown import markdown
from pfe.screening.record import Claim

LICENSE = "cc-by-4.0"  # of what PFE's families write, by the hub's identifiers; LICENSE-DATA in the repository
_ROWS = (
    "A row of `corpus` is one library, or none, and the lessons that have it in context: `prompts` and `completions` "
    "are lists, `entries` are those of a library that was written for these problems, and `library_loss` marks "
    "where the library's own text is learned. A problem has `library`, the places in it that are `needed`, and "
    "`variants`: the correct answers with a changed library, another one and none."
)


@dataclass(frozen=True)
class CardData:
    """The data of the card: rows of the corpus, problems by set, the firewall's claim, and the certificate's hash."""

    name: str
    rows: int
    problems: Mapping[str, int]
    claim: Claim
    certificate_sha256: str


def card(data: CardData) -> str:
    """Return README.md of the published folder."""
    configs = [{"config_name": "corpus", "data_files": "corpus/train.parquet"}]
    configs += [{"config_name": name, "data_files": f"problems/{name}.parquet"} for name in data.problems]
    counts = data.claim.counts
    parts = [
        f"{front_matter(data.name, configs, LICENSE)}\n\n# {data.name}",
        "Synthetic problems for learning from a context, made by PFE's tutors, and the corpus that a student reads. "
        "The answers of library-bound problems stand in libraries that were invented with them.",
        "## What is here",
        markdown(
            ["config", "rows"],
            [["corpus", f"{data.rows:,}"], *([name, f"{count:,}"] for name, count in data.problems.items())],
        ),
        _ROWS,
        "## What it was screened against",
        f"{counts.candidates:,} candidates were compared with {counts.canonical:,} problems of the benchmarks that PFE "
        f"examines on, and {counts.accepted:,} accepted; none of those is above a threshold. `certificate.json` "
        f"(SHA-256 {data.certificate_sha256}) has the rules, all hashes and the nearest pairs.",
        markdown(
            ["gate", "highest accepted", "threshold"],
            [[gate, _score(data.claim, gate), f"{limit:g}"] for gate, limit in data.claim.thresholds.items()],
        ),
        "## Not for",
        "Examining models: these are training problems. What their libraries say is not true of the world.",
    ]
    return "\n\n".join(parts) + "\n"


def front_matter(name: str, configs: Sequence[Mapping[str, Any]], license: str | None = None) -> str:
    """Return the YAML front matter of a card: the name, the licence, and the files of each configuration."""
    head: dict[str, Any] = {"pretty_name": name, "language": ["en"]} | ({"license": license} if license else {})
    head["configs"] = [dict(config) for config in configs]
    return f"---\n{yaml.safe_dump(head, sort_keys=False)}---"


def _score(claim: Claim, gate: str) -> str:
    nearest = claim.highest_accepted.get(gate)
    return "–" if nearest is None else f"{nearest.score:.3f}"
