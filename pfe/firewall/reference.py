"""The canonical side of every comparison: indexes made once, asked by any number of candidates.

Example: `Reference(canonical, Encoder("all-MiniLM-L6-v2"), n=5).tokens.count(["Tom has 3 red apples"])`

It is small and pickles, indexes and all: workers on other machines get a copy, candidates are never shuffled.
"""

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256

from pfe.cache import Cache
from pfe.embedding.encoder import Encoder
from pfe.embedding.vectors import Mode
from pfe.firewall.behaviour import Behaviour
from pfe.firewall.folding import fold, lower_words, masked, squeezed, worked
from pfe.firewall.programs import Shapes, program_of, whole
from pfe.firewall.semantic import MeaningIndex
from pfe.firewall.structure import SameAnswer, Twins
from pfe.firewall.tokens import NgramIndex
from pfe.problem import Problem


class Reference:
    """Indexes over the canonical problems, each built when a gate first needs it.

    `multilingual` is the model that reads other languages than English, None where they are refused. `mode` is the
    arithmetic of all vectors: "fast", or "exact" where a score, and not only a verdict, must be the same on every run.
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
        self.encoder, self.n, self.mode, self._multilingual = encoder, n, mode, multilingual
        self.ids = [problem.id for problem in canonical]

    @cached_property
    def sha256(self) -> str:
        """The hash of all that the problems say and of how they are compared."""
        digest = sha256(f"{self.n}\0{self.encoder.weights_sha256}\0".encode())
        if self._multilingual:
            digest.update(self._multilingual.weights_sha256.encode())
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
    def words(self) -> frozenset[str]:
        """The words that are no names."""
        return lower_words(self.texts)

    @cached_property
    def tokens(self) -> NgramIndex:
        """n-grams of the texts as they are."""
        return NgramIndex(self.texts, self.n)

    @cached_property
    def folded_tokens(self) -> NgramIndex:
        """n-grams of the folded texts."""
        return NgramIndex(self.folded, self.n)

    @cached_property
    def masked_tokens(self) -> NgramIndex:
        """n-grams of the texts with names and numbers masked."""
        return NgramIndex([masked(text, self.words) for text in self.texts], self.n)

    @cached_property
    def squeezed(self) -> list[str]:
        """Letters and digits of the folded texts, with nothing between them."""
        return [squeezed(text) for text in self.folded]

    @cached_property
    def answer_parts(self) -> list[tuple[int, bool, str]]:
        """What each problem shows and what answers it, as `answer_parts` has them, with the problem's number."""
        return [(i, shown, worked(part)) for i, one in enumerate(self.canonical) for shown, part in answer_parts(one)]

    @cached_property
    def answer_tokens(self) -> NgramIndex:
        """n-grams of those parts, each on its own."""
        return NgramIndex([part for _, _, part in self.answer_parts], self.n)

    @cached_property
    def programs(self) -> dict[int, str]:
        """The program of every problem that has one, by the problem's number."""
        made = ((index, program_of(problem)) for index, problem in enumerate(self.canonical))
        return {index: program for index, program in made if program}

    @cached_property
    def shapes(self) -> Shapes:
        """Shapes of those programs, in their order."""
        return Shapes(list(self.programs.values()))

    @cached_property
    def programs_meaning(self) -> MeaningIndex:
        """Sentence vectors of the problems with programs, the program included."""
        wholes = [whole(self.canonical[index], program) for index, program in self.programs.items()]
        return MeaningIndex(wholes, self.encoder, self.mode)

    @cached_property
    def meaning(self) -> MeaningIndex:
        """Sentence vectors."""
        return MeaningIndex(self.texts, self.encoder, self.mode)

    @cached_property
    def other_languages(self) -> MeaningIndex:
        """Sentence vectors of the multilingual model."""
        assert self._multilingual is not None
        return MeaningIndex(self.texts, self._multilingual, self.mode)

    @cached_property
    def twins(self) -> Twins:
        """Structures of math and code problems."""
        return Twins(self.canonical)

    @cached_property
    def same_answer(self) -> SameAnswer:
        """Answers and numbers of math problems."""
        return SameAnswer(self.canonical)

    @cached_property
    def behaviour(self) -> Behaviour:
        """Tests of code problems."""
        return Behaviour(self.canonical, Cache.default())


def answer_parts(problem: Problem) -> list[tuple[bool, str]]:
    """What a problem shows (True), and one by one what answers it (False): its answers, solution, setup and tests."""
    tests = "\n".join(part for part in (problem.setup, *problem.tests) if part)
    answers = (problem.answer, *problem.aliases, problem.solution, tests)
    return [(True, problem.text), *((False, part) for part in dict.fromkeys(answers) if part.strip())]
