"""The canonical side of every comparison: indexes that are built once and queried for any number of candidates.

Example: `Reference(canonical, Encoder("all-MiniLM-L6-v2"), n=5).folded_tokens.count(["Tom has 3 red apples"])`

A reference is small and can be pickled with its indexes: workers on other machines get a copy, so candidates are never
shuffled.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from pfe.embedding.encoder import Encoder
from pfe.embedding.vectors import Mode
from pfe.firewall.folding import fold, lower_words, masked
from pfe.firewall.programs import program_of, text_with_program
from pfe.firewall.semantic import MeaningIndex
from pfe.firewall.skeleton import KEPT
from pfe.firewall.structure import Twins
from pfe.firewall.tokens import NgramIndex
from pfe.problem import Problem

T = TypeVar("T")


class Reference:
    """The indexes over the canonical problems, each built when a gate first needs it.

    Indexes that several gates use are properties; the index of a single gate is defined in that gate's file (`index`).
    `multilingual` is the model for languages other than English; None if text in them is rejected. `mode` is the
    arithmetic of all vectors: "fast", or "exact" if scores, and not only verdicts, must be the same on every run.
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
        """Return the index that a function of a gate's module builds from this reference; it is called only once."""
        if build not in self._indexes:
            self._indexes[build] = build(self)
        index: T = self._indexes[build]
        return index

    @cached_property
    def sha256(self) -> str:
        """Return the hash of the problems' content, of `n` and of the models' weights."""
        digest = sha256(f"{self.n}\0{self.encoder.weights_sha256}\0".encode())
        if self.multilingual:
            digest.update(self.multilingual.weights_sha256.encode())
        for problem in self.canonical:
            digest.update(repr(problem).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def texts(self) -> list[str]:
        """Return the texts that candidates' texts are compared with."""
        return [problem.text for problem in self.canonical]

    @cached_property
    def folded(self) -> list[str]:
        """Return the texts with disguises undone."""
        return [fold(text) for text in self.texts]

    @cached_property
    def folded_tokens(self) -> NgramIndex:
        """Return the n-gram index of the folded texts."""
        return NgramIndex(self.folded, self.n)

    @cached_property
    def ordinary_words(self) -> frozenset[str]:
        """Return the words that are not names, even with a capital letter."""
        return lower_words(self.texts) | KEPT.keys()

    @cached_property
    def masked(self) -> list[str]:
        """Return the folded texts with names and numbers masked."""
        return [masked(text, self.ordinary_words) for text in self.texts]

    @cached_property
    def programs(self) -> dict[int, str]:
        """Return the program of every problem that has one, by the problem's index."""
        programs = ((index, program_of(problem)) for index, problem in enumerate(self.canonical))
        return {index: program for index, program in programs if program}

    @cached_property
    def programs_meaning(self) -> MeaningIndex:
        """Return the sentence vectors of the problems that have programs, with the program in the text."""
        texts = [text_with_program(self.canonical[index], program) for index, program in self.programs.items()]
        return MeaningIndex(texts, self.encoder, self.mode)

    @cached_property
    def meaning(self) -> MeaningIndex:
        """Return the sentence vectors of the texts."""
        return MeaningIndex(self.texts, self.encoder, self.mode)

    @cached_property
    def twins(self) -> Twins:
        """Return the structures of the math and code problems."""
        return Twins(self.canonical)
