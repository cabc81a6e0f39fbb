"""The provenance of the figures, in Markdown: seal, certificate, parameters, models and engines, and time by stage.

Example, a row of the parameters: "| evaluate.limit | `null` | `4` |"
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pfe.canonical.seal import Seal
from pfe.config.parameter_types import Prices
from pfe.models.usage import Usage
from pfe.report.cells import NONE
from pfe.report.corpus_change import Change
from pfe.report.markdown import markdown
from pfe.run_times import RunTime
from pfe.screening.record import Claim

SHORT = 12  # characters of a hash that are shown


@dataclass(frozen=True)
class Engine:
    """The engine, weights and library versions that produced a model's answers."""

    model: str
    engine: str
    weights: str
    versions: str


@dataclass(frozen=True)
class Provenance:
    """The provenance of the figures.

    `hashes` holds checksums and versions by name. `usage` holds the tokens of each model in all arms, with its prices
    (dollars per million tokens in and out) if it has any. `parameters` are those that differ from the default.
    """

    seals: Mapping[str, Seal]
    claim: Claim
    hashes: Mapping[str, str]
    engines: Sequence[Engine]
    usage: Mapping[str, tuple[Usage, Prices | None]]
    parameters: Sequence[Change]
    stages: Mapping[str, RunTime]


def text(whole: Provenance) -> str:
    """Return the whole section."""
    counts = whole.claim.counts
    return "\n\n".join(
        [
            "## Certificate",
            f"{counts.accepted:,} accepted of {counts.candidates:,} candidates, compared with {counts.canonical:,} "
            "sealed problems; `pfe verify` compares them again.",
            markdown(
                ["of what", "fingerprint"], [[name, f"`{value}`"] for name, value in whole.hashes.items()], left=(0, 1)
            ),
            "## Who answered",
            markdown(["model", "engine and hardware", "weights", "versions"], _answered(whole), left=(0, 1, 2, 3)),
            markdown(["model", "tokens in", "tokens out", "cost"], _used(whole)),
            "## Time of each stage",
            "Of its last run on this machine; the processor's is that of all cores together.",
            markdown(["stage", "minutes", "processor minutes", "memory, MiB", "ended"], _stages(whole), left=(0, 4)),
            "## Parameters that differ from the default",
            _parameters(whole),
            "## Seal",
            markdown(["benchmark", "rows", "source", "revision", "sha256"], _sealed(whole), left=(0, 2, 3, 4)),
        ]
    )


def _answered(whole: Provenance) -> list[list[str]]:
    return [[one.model, one.engine, one.weights[: len("sha256 ") + SHORT], one.versions] for one in whole.engines]


def _used(whole: Provenance) -> list[list[str]]:
    rows = []
    for name, (usage, prices) in whole.usage.items():
        cost = NONE if prices is None else f"${usage.dollars(prices):,.2f}"
        rows.append([name, f"{usage.tokens_in:,}", f"{usage.tokens_out:,}", cost])
    return rows


def _stages(whole: Provenance) -> list[list[str]]:
    rows = [
        [name, f"{took.wall / 60:.1f}", f"{took.processor / 60:.1f}", f"{took.memory:,.0f}", took.ended]
        for name, took in whole.stages.items()
    ]
    every = whole.stages.values()
    wall, processor = sum(one.wall for one in every), sum(one.processor for one in every)
    memory = max((one.memory for one in every), default=0)
    return [*rows, ["all", f"{wall / 60:.1f}", f"{processor / 60:.1f}", f"{memory:,.0f}", ""]]


def _parameters(whole: Provenance) -> str:
    rows = [[one.name, _quoted(one.before), _quoted(one.after)] for one in whole.parameters]
    return markdown(["parameter", "default", "here"], rows, left=(0, 1, 2)) if rows else "None."


def _sealed(whole: Provenance) -> list[list[str]]:
    return [
        [name, f"{seal.rows:,}", seal.source, seal.revision or NONE, seal.sha256] for name, seal in whole.seals.items()
    ]


def _quoted(value: Any) -> str:
    """Return a value as inline code, so that it is not parsed as Markdown; at most 120 characters."""
    text = "null" if value is None else str(value).replace("`", "'").replace("\n", "↵")
    return f"`{text if len(text) <= 120 else text[:119] + '…'}`"
