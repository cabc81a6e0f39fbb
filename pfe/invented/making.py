"""Generation of the benchmark's problems with a fixed seed, equally many for each cell (skill, rung, kind of names).

Example: `invent(0, 1000)` are the sealed ones; `pfe invent --seed 1 --rungs 256,1024 --out mine.jsonl` writes others.
"""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pfe.canonical.canary import CANARY
from pfe.errors import UserError, nearest
from pfe.files import replacing
from pfe.invented.aliases import Aliases
from pfe.invented.calls import Calls
from pfe.invented.chains import Chains
from pfe.invented.discovery import Classes, Counting, Picks, Tongues
from pfe.invented.family import SET, InventedFamily
from pfe.invented.ladder import NAME_KINDS, RUNGS, SEALED_RUNGS, Cell, cells
from pfe.invented.procedures import Procedures
from pfe.invented.relations import Relations
from pfe.invented.rules import Rules
from pfe.invented.sequences import Sequences
from pfe.invented.updates import Updates
from pfe.problem import Problem
from pfe.progress import progress
from pfe.tutors.content import engine_and_rest
from pfe.tutors.family import problem_id

ENGINES: Mapping[str, type[InventedFamily[Any]]] = {
    "aliases": Aliases,
    "calls": Calls,
    "chains": Chains,
    "classes": Classes,
    "counting": Counting,
    "picks": Picks,
    "procedures": Procedures,
    "relations": Relations,
    "rules": Rules,
    "sequences": Sequences,
    "tongues": Tongues,
    "updates": Updates,
}


@cache
def invented_families() -> Mapping[str, InventedFamily[Any]]:
    """Return the families of the benchmark, by name."""
    paths = sorted((Path(__file__).parent / "content").glob("*.yaml"))
    families = [family for path in paths for family in ENGINES[engine_and_rest(path)[0]].of_file(path)]
    return {family.name: family for family in families}


def invent(seed: int, count: int, rungs: Sequence[int] = SEALED_RUNGS) -> list[Problem]:
    """Return `count` problems, spread as evenly as possible over the cells of some rungs."""
    every = cells(tuple(rungs))
    with progress(count, SET, "problem") as done:
        problems = []
        for number in range(count):
            index, place = divmod(number, len(every))
            problems.append(_family(every[place], index + place).make(every[place], seed, index))
            done(1)
        return problems


def rungs_of(text: str) -> tuple[int, ...]:
    """Parse rungs from a text such as "4,16".

    Raises:
        UserError: one is no rung of the ladder.
    """
    known = {str(rung): rung for rung in RUNGS}
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if part not in known:
            raise UserError(f"--rungs: '{part}' is no rung of the ladder; choose from {', '.join(known)}")
    return tuple(dict.fromkeys(known[part] for part in parts))


def _family(cell: Cell, number: int) -> InventedFamily[Any]:
    """Return the next family in turn for a cell, by weight."""
    able = [
        family
        for family in invented_families().values()
        for _ in range(family.weight)
        if family.skill == cell.skill and family.smallest <= cell.rung <= family.largest
    ]
    return able[number // len(NAME_KINDS) % len(able)]


def remake(id: str) -> Problem:
    """Regenerate a problem of the benchmark from its id alone, such as `invented/lookup-owners-16-plain/s0/3`.

    Raises:
        UserError: the id is malformed, or there is no such family or cell.
    """
    parts = problem_id(id)
    name, _, names = parts.maker.rpartition("-")
    name, _, rung = name.rpartition("-")
    if name not in invented_families():
        raise UserError(f"{id}: unknown family '{name}' of {SET}; {nearest(name, invented_families())}")
    family = invented_families()[name]
    for cell in cells(RUNGS):
        if (cell.skill, str(cell.rung), cell.names) == (family.skill, rung, names):
            return family.make(cell, parts.seed, parts.index)
    raise UserError(f"{id}: '{rung}-{names}' is no rung and kind of names; as in {name}-{SEALED_RUNGS[0]}-plain")


def write_lines(problems: Iterable[Problem], path: Path) -> None:
    """Write problems as JSON lines, completely or not at all; gzipped, reproducibly, if the name ends in .gz.

    Raises:
        UserError: the name ends in neither .jsonl nor .jsonl.gz.
    """
    if not path.name.endswith((".jsonl", ".jsonl.gz")):
        raise UserError(f"{path}: problems are written as .jsonl or .jsonl.gz; give such a name")
    lines = [json.dumps(asdict(problem) | {"canary": CANARY}, ensure_ascii=False) for problem in problems]
    text = "\n".join([*lines, ""]).encode()
    with replacing(path) as temporary:
        temporary.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
