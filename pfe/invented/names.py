"""Invented names, either dissimilar or one letter apart.

Example: `invented_names(Random(1), 4, "confusable")` is four names such as cheland, cheloand, chelind and chelund.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from pfe.invented.ladder import NameKind
from pfe.tutors.content import read_yaml, table

_ALIKE = 4  # names per group that differ in one vowel
_SHORT = 150  # beyond this many names, two syllables are too few for all to differ
_VOWELS = "aeiou"


def invented_names(rng: Random, count: int, kind: NameKind) -> list[str]:
    """Return `count` different names in lower case, in random order.

    No two plain names of two syllables share one at the same position, and no two of three syllables share two.
    Confusable names come in groups of four that differ in one vowel.
    """
    if kind == "plain":
        unlike = _unlike(rng, 3 if count > _SHORT else 2)
        return [next(unlike) for _ in range(count)]
    bases = _unlike(rng, 3 if count > _SHORT * _ALIKE else 2)
    names: list[str] = []
    while len(names) < count:
        names += _alike(next(bases), rng)[: count - len(names)]
    rng.shuffle(names)
    return names


def _unlike(rng: Random, syllables: int) -> Iterator[str]:
    parts = name_parts()
    taken: set[tuple[tuple[int, str], ...]] = set()
    while True:
        word = [rng.choice(parts["onsets"]) + rng.choice(parts["vowels"]) for _ in range(syllables)]
        shared = set(combinations(enumerate(word), syllables - 1))
        name = "".join(word) + rng.choice(parts["codas"])
        if not taken & shared and _is_decent(name):
            taken |= shared
            yield name


def _alike(name: str, rng: Random) -> list[str]:
    """Return the name and variants with another vowel at one position."""
    place = rng.choice([place for place, letter in enumerate(name) if letter in _VOWELS])
    alike = [one for vowel in _VOWELS if _is_decent(one := name[:place] + vowel + name[place + 1 :])]
    return rng.sample(alike, min(_ALIKE, len(alike)))


def _is_decent(name: str) -> bool:
    return name not in _refused() and not _indecent().search(name)


@cache
def _refused() -> frozenset[str]:
    return frozenset(name_parts()["refused"])


@cache
def _indecent() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, name_parts()["indecent"])))


@cache
def name_parts() -> Mapping[str, Sequence[str]]:
    """Return the onsets, vowels and codas of names, and the words that are refused."""
    parts: dict[str, Any] = read_yaml(Path(__file__).parent / "syllables.yaml")
    general: Mapping[str, Sequence[str]] = table("syllables")
    return {**parts, **{name: general.get(name, ()) for name in ("refused", "indecent")}}
