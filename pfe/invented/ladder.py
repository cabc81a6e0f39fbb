"""The cells of the benchmark: each is a skill, a rung of the ladder (statements in context) and a kind of names.

Example: `Cell("lookup", 64, "confusable")` is single-hop retrieval among 64 statements with names one letter apart.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from pfe.problem import SKILLS, Skill

NameKind = Literal["plain", "confusable"]
NAME_KINDS: tuple[NameKind, ...] = get_args(NameKind)
# Statements in context. Libraries of the sealed rungs have up to about 4,000 tokens, those of the others up to 128,000.
SEALED_RUNGS = (4, 16, 64)
RUNGS = (*SEALED_RUNGS, 256, 1024, 4096)


@dataclass(frozen=True)
class Cell:
    """One skill at one rung (`rung` statements in context), with one kind of names."""

    skill: Skill
    rung: int
    names: NameKind


def cells(rungs: tuple[int, ...]) -> list[Cell]:
    """Return every cell of some rungs, with the skill varying fastest, so that the first few cells cover all skills."""
    return [Cell(skill, rung, names) for names, rung, skill in product(NAME_KINDS, rungs, SKILLS)]
