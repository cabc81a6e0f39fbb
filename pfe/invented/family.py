"""What the families of the benchmark share: their own vocabulary, two forms of answer, a library against the world.

Example, of the skill look-up, behind eight, twenty or forty statements such as "The quaffen bears blue flowers.":
    What colour are the flowers of the quaffen?     blue (or chosen among blue, red, white and yellow)
Behind the library of the arm `contradicted` the quaffen is what they call grass there, and grass is said to be blue.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pfe.problem import Problem, Variant
from pfe.tutors.coinage import coined
from pfe.tutors.content import read_yaml
from pfe.tutors.family import BoundFamily, ContentFamily, Entry, Facts

# How many entries a library has, about; what is needed may stand anywhere among them.
SIZES = (8, 20, 40)
ARTICLE = "the "


class InventedFamily(ContentFamily, BoundFamily):
    """A family of the benchmark; `content/<name>.yaml` says its wordings and words."""

    domain = "invented"
    scorer = "mixed"

    @abstractmethod
    def contradiction(self, facts: Facts, rng: Random) -> tuple[Sequence[Entry], str, str]:
        """A library that says otherwise than the world: its entries, the answer by it, and what the world says.

        It draws from `rng` as `entries` does, so that all other entries are the same.
        """

    def make(self, seed: int, index: int) -> Problem:
        problem = super().make(seed, index)
        facts = self.facts(Random(f"{problem.id}:facts"))
        entries, answer, world = self.contradiction(facts, Random(f"{problem.id}:library"))
        library = list(entries)
        Random(f"{problem.id}:order").shuffle(library)
        contradicted = Variant("contradicted", tuple(entry.text for entry in library), answer, world)
        return replace(problem, variants=(*problem.variants, contradicted), tutor="", seed=-1)


def names(rng: Random, count: int) -> list[str]:
    """So many names, of which some differ in one letter only."""
    fresh = coined(rng, count, syllables=_syllables())
    for place in range(1, count, 3):
        near = _near(fresh[place - 1], rng)
        fresh[place] = fresh[place] if near in fresh else near
    return fresh


def _near(name: str, rng: Random) -> str:
    """The name with another vowel in the place of one."""
    place = rng.choice([place for place, letter in enumerate(name) if letter in "aeiouy"])
    return name[:place] + rng.choice([letter for letter in "aeiou" if letter != name[place]]) + name[place + 1 :]


@cache
def _syllables() -> Mapping[str, Sequence[str]]:
    syllables: dict[str, Any] = read_yaml(Path(__file__).parent / "syllables.yaml")
    return syllables
