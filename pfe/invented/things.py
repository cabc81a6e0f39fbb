"""Things without a name: a statement describes one by kind, material and origin, a question paraphrases that.

Example: "the glass lamp of the mill" is asked for as "the thing that gives light, that was blown by glaziers and that
comes from the place where grain is ground".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random

from pfe.invented.ladder import NameKind
from pfe.tutors.content import read_yaml


@dataclass(frozen=True)
class Thing:
    """A thing as statements describe it (`text`) and as questions do (`gloss`)."""

    text: str
    gloss: str


@dataclass(frozen=True)
class Things:
    """All things that can be described; each of the three features has a word and a paraphrase."""

    kinds: Mapping[str, str]
    materials: Mapping[str, str]
    origins: Mapping[str, str]

    def thing(self, kind: str, material: str, origin: str) -> Thing:
        """Return the thing with these features."""
        gloss = (
            f"thing that {self.kinds[kind]}, that {self.materials[material]} and that comes from {self.origins[origin]}"
        )
        return Thing(f"{material} {kind} of the {origin}", gloss)

    @cached_property
    def every(self) -> Sequence[Thing]:
        """Return all things."""
        return [self.thing(*features) for features in product(self.kinds, self.materials, self.origins)]

    @cached_property
    def texts(self) -> Sequence[str]:
        """Return the descriptions in statements."""
        return [thing.text for thing in self.every]

    @cached_property
    def glosses(self) -> Sequence[str]:
        """Return the descriptions in questions."""
        return [thing.gloss for thing in self.every]

    @cached_property
    def by_gloss(self) -> Mapping[str, str]:
        """Return the description in statements for each one in questions."""
        return {thing.gloss: thing.text for thing in self.every}


THINGS = Things(**read_yaml(Path(__file__).parent / "things.yaml"))


def described_things(rng: Random, count: int, kind: NameKind) -> tuple[Thing, ...]:
    """Return `count` different things; confusable ones share two features with others, plain ones at most one.

    If there are too few plain things, they may share two as well.
    """
    kinds, materials, origins = (rng.sample(sorted(words), len(words)) for words in
                                 (THINGS.kinds, THINGS.materials, THINGS.origins))  # fmt: skip
    size = len(kinds)
    if kind == "confusable":
        block = next(side for side in range(1, size + 1) if side**3 >= count)
        chosen = list(product(range(block), repeat=3))
    else:
        # Any two of these differ in at least two features: the third is the sum of the others.
        chosen = [(a, b, (a + b) % size) for a, b in product(range(size), repeat=2)]
        rng.shuffle(chosen)
        if count > len(chosen):
            chosen = list(product(range(size), repeat=3))
    return tuple(THINGS.thing(kinds[a], materials[b], origins[c]) for a, b, c in rng.sample(chosen, count))
