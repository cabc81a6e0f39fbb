"""The benchmark's problems, drawn by seed: as many of every tier, its families in turn.

Example: `invent(0, 1000)` are the sealed ones; `pfe invent --seed 1 --out mine.jsonl` writes another thousand.
"""

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from itertools import cycle
from pathlib import Path

from pfe.canonical.canary import CANARY
from pfe.errors import UserError
from pfe.files import replacing
from pfe.invented.calls import Calls
from pfe.invented.family import InventedFamily
from pfe.invented.procedures import Procedures
from pfe.invented.relations import Relations
from pfe.invented.rules import Rules
from pfe.problem import TIERS, Problem
from pfe.tutors.content import engine_and_rest

NAME = "invented"
ENGINES: Mapping[str, type[InventedFamily]] = {
    "calls": Calls,
    "procedures": Procedures,
    "relations": Relations,
    "rules": Rules,
}


@cache
def invented_families() -> Mapping[str, InventedFamily]:
    """The families of the benchmark, by name."""
    paths = sorted((Path(__file__).parent / "content").glob("*.yaml"))
    families = (ENGINES[engine_and_rest(path)[0]](NAME, path) for path in paths)
    return {family.name: family for family in families}


def invent(seed: int, count: int) -> list[Problem]:
    """So many problems, a fifth of each tier.

    Raises:
        UserError: `count` is no multiple of the number of tiers.
    """
    if count < 1 or count % len(TIERS):
        raise UserError(f"{count} problems cannot be shared among {len(TIERS)} tiers; give a multiple of {len(TIERS)}")
    return [problem for tier in TIERS for problem in _of_tier(tier, seed, count // len(TIERS))]


def write_lines(problems: Iterable[Problem], path: Path) -> None:
    """Write problems as JSON lines, whole or not at all; gzipped, to the same bytes each time, where it ends in .gz.

    Raises:
        UserError: the name ends in neither .jsonl nor .jsonl.gz.
    """
    if not path.name.endswith((".jsonl", ".jsonl.gz")):
        raise UserError(f"{path}: problems are written as .jsonl or .jsonl.gz; give such a name")
    lines = [json.dumps(asdict(problem) | {"canary": CANARY}, ensure_ascii=False) for problem in problems]
    text = "\n".join([*lines, ""]).encode()
    with replacing(path) as temporary:
        temporary.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def _of_tier(tier: str, seed: int, count: int) -> list[Problem]:
    families = [family for family in invented_families().values() if family.tier == tier]
    return [family.make(seed, number // len(families)) for number, family in zip(range(count), cycle(families))]
