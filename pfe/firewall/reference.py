"""The canonical side of every comparison: indexes made once, asked by any number of candidates.

Example: `Reference(canonical, Encoder("all-MiniLM-L6-v2"), n=5).folded_tokens.count(["Tom has 3 red apples"])`

It is small and pickles, indexes and all: workers on other machines get a copy, candidates are never shuffled.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from pfe.embedding.encoder import Encoder
from pfe.embedding.vectors import Mode
from pfe.firewall.folding import fold
from pfe.firewall.programs import program_of, text_with_program
from pfe.firewall.semantic import MeaningIndex
from pfe.firewall.structure import Twins
from pfe.firewall.tokens import NgramIndex
from pfe.problem import Problem

T = TypeVar("T")


class Reference:
    """Indexes over the canonical problems, each built when a gate first needs it.

    Those that several gates ask are properties; what one gate alone needs is in its file (`index`). `multilingual` is
    the model that reads other languages than English, None where they are refused. `mode` is the arithmetic of all
    vectors: "fast", or "exact" where a score, and not only a verdict, must be the same on every run.
    """

    def __init__(
        self,
        canonical: Sequence[Problem],
        encoder: Encoder,
        n: int,
        multilingual: Encoder | None = None,
        mode: Mode = "fast",
    ) -> None:
        self.canonical = tuple(canonical)
        self.encoder, self.n, self.mode, self.multilingual = encoder, n, mode, multilingual
        self.ids = [problem.id for problem in canonical]
        self._indexes: dict[Callable[[Reference], Any], Any] = {}

    def index(self, build: Callable[["Reference"], T]) -> T:
        """What a function of a gate's module makes of the canonical problems; it is called once."""
        if build not in self._indexes:
            self._indexes[build] = build(self)
        index: T = self._indexes[build]
        return index

    @cached_property
    def sha256(self) -> str:
        """The hash of all that the problems say and of how they are compared."""
        digest = sha256(f"{self.n}\0{self.encoder.weights_sha256}\0".encode())
        if self.multilingual:
            digest.update(self.multilingual.weights_sha256.encode())
        for problem in self.canonical:
            digest.update(repr(problem).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def texts(self) -> list[str]:
        """What the candidates' texts are compared with."""
        return [problem.text for problem in self.canonical]

    @cached_property
    def folded(self) -> list[str]:
        """The texts without disguises."""
        return [fold(text) for text in self.texts]

    @cached_property
    def folded_tokens(self) -> NgramIndex:
        """n-grams of the folded texts."""
        return NgramIndex(self.folded, self.n)

    @cached_property
    def programs(self) -> dict[int, str]:
        """The program of every problem that has one, by the problem's number."""
        programs = ((index, program_of(problem)) for index, problem in enumerate(self.canonical))
        return {index: program for index, program in programs if program}

    @cached_property
    def programs_meaning(self) -> MeaningIndex:
        """Sentence vectors of the problems with programs, the program included."""
        texts = [text_with_program(self.canonical[index], program) for index, program in self.programs.items()]
        return MeaningIndex(texts, self.encoder, self.mode)

    @cached_property
    def meaning(self) -> MeaningIndex:
        """Sentence vectors."""
        return MeaningIndex(self.texts, self.encoder, self.mode)

    @cached_property
    def twins(self) -> Twins:
        """Structures of math and code problems."""
        return Twins(self.canonical)
