"""Where the figures come from, in Markdown: seal, certificate, parameters, and who answered with what.

Example, a line of the parameters: "| evaluate.limit | null | 4 |"
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pfe.canonical.seal import Seal
from pfe.report.markdown import markdown
from pfe.screening.record import Claim

SHORT = 12  # characters of a hash that are shown


@dataclass(frozen=True)
class Engine:
    """What gave a model's answers."""

    model: str
    engine: str
    weights: str
    versions: str


def flat(values: Any, name: str = "") -> dict[str, Any]:
    """Nested mappings as one, by names with points between them."""
    if not isinstance(values, Mapping):
        return {name: values}
    inner = (flat(value, f"{name}.{key}" if name else str(key)) for key, value in values.items())
    return {key: value for part in inner for key, value in part.items()}


def changed(params: Any, default: Any) -> list[tuple[str, Any, Any]]:
    """The parameters that differ from the default: name, default and value, None where there is none."""
    now, then = flat(params), flat(default)
    return [(name, then.get(name), now.get(name)) for name in now | then if now.get(name) != then.get(name)]


def text(
    seals: Mapping[str, Seal], claim: Claim, hashes: Mapping[str, str], engines: Sequence[Engine],
    parameters: Sequence[tuple[str, Any, Any]],
) -> str:  # fmt: skip
    """The whole section; `hashes` are sums and versions by what they are of."""
    sealed = [[name, f"{seal.rows:,}", seal.source, seal.revision or "–", seal.sha256] for name, seal in seals.items()]
    answered = [[one.model, one.engine, one.weights[: len("sha256 ") + SHORT], one.versions] for one in engines]
    differing = [[name, _quoted(then), _quoted(now)] for name, then, now in parameters]
    counts = claim.counts
    return "\n\n".join(
        [
            "## Certificate",
            f"{counts.accepted:,} accepted of {counts.candidates:,} candidates, held against {counts.canonical:,} "
            "sealed problems; `pfe verify` compares them again.",
            markdown(["of what", "fingerprint"], [[name, f"`{value}`"] for name, value in hashes.items()], left=(0, 1)),
            "## Who answered",
            markdown(["model", "engine and hardware", "weights", "versions"], answered, left=(0, 1, 2, 3)),
            "## Parameters that differ from the default",
            markdown(["parameter", "default", "here"], differing, left=(0, 1, 2)) if differing else "None.",
            "## Seal",
            markdown(["benchmark", "rows", "source", "revision", "sha256"], sealed, left=(0, 2, 3, 4)),
        ]
    )


def _quoted(value: Any) -> str:
    """A value as code: nothing in it is Markdown."""
    text = "null" if value is None else str(value).replace("|", "¦").replace("`", "'").replace("\n", "↵")
    return f"`{text if len(text) <= 120 else text[:119] + '…'}`"
