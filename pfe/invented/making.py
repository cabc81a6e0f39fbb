"""The benchmark's problems, drawn by seed: as many of every skill, its families in turn.

Example: `invent(0, 1000)` are the sealed ones; `pfe invent --seed 1 --out mine.jsonl` writes another thousand.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from itertools import cycle
from pathlib import Path

from pfe.canonical.canary import CANARY
from pfe.errors import UserError, nearest
from pfe.files import replacing
from pfe.invented.calls import Calls
from pfe.invented.family import InventedFamily
from pfe.invented.procedures import Procedures
from pfe.invented.relations import Relations
from pfe.invented.rules import Rules
from pfe.problem import SKILLS, Problem
from pfe.progress import progress
from pfe.tutors.content import engine_and_rest
from pfe.tutors.family import problem_id

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
    """So many problems, a fifth of each skill.

    Raises:
        UserError: `count` is no multiple of the number of skills.
    """
    if count < 1 or count % len(SKILLS):
        raise UserError(f"{count} problems are not the same number of {len(SKILLS)} skills; give a multiple")
    with progress(count, NAME, "problem") as done:
        return [problem for skill in SKILLS for problem in _of_tier(skill, seed, count // len(SKILLS), done)]


def remake(id: str) -> Problem:
    """Make a problem of the benchmark again from its id alone.

    Raises:
        UserError: the id is none, or there is no such family.
    """
    parts = problem_id(id)
    if parts.maker not in invented_families():
        near = nearest(parts.maker, invented_families())
        raise UserError(f"{id}: unknown family '{parts.maker}' of {NAME}; {near}")
    return invented_families()[parts.maker].make(parts.seed, parts.index)


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


def _of_tier(skill: str, seed: int, count: int, done: Callable[[int], object]) -> Iterator[Problem]:
    families = [family for family in invented_families().values() if family.skill == skill]
    for number, family in zip(range(count), cycle(families)):
        yield family.make(seed, number // len(families))
        done(1)
