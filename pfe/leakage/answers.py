"""Detection of leaked answers: a text contains the answer of a sealed problem together with words of its question.

Example: "Which Baltic country has the euro and Tallinn as its capital? → Estonia" answers the problem
"Tallinn is the capital of which country?": it has the answer, and all three content words of the question.

Words are compared by their stems (Porter 2001, "Snowball"). They are weighted by inverse document frequency among the
questions of their benchmark (Sparck Jones 1972). Example: "capital" occurs in many questions and has a low weight,
"Tallinn" occurs in one.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import snowballstemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from pfe.problem import Problem

LEAST_SHARE = 0.6  # lowest share of the question's weight, or of the text's, that the other has if it is a leak
LEAST_WORDS = 2  # fewest content words in common if it is a leak
VERBATIM = 8  # an answer of so many words is a leak wherever it occurs in full
_ASKING = frozenset(
    ("answer", "best", "called", "did", "do", "does", "example", "following", "given", "known", "likely", "mean",
     "means", "named", "question", "then", "used", "when", "word")
)  # fmt: skip
_WORD = re.compile(r"\w+")
_IGNORED = ENGLISH_STOP_WORDS | _ASKING
_stemmer = snowballstemmer.stemmer("english")


@dataclass(frozen=True)
class AnswerMatch:
    """A problem whose answer occurs in a text.

    `of_question` is the share of the question's weight that the text has, `of_text` the share of the text's weight that
    the question has; both are 0 to 1 and without the answer's own words. `shared` are the stems in common. `verbatim`
    marks an answer so specific that it is a leak without its question.
    """

    problem: Problem
    of_question: float
    of_text: float
    shared: tuple[str, ...]
    verbatim: bool

    @property
    def has_question(self) -> bool:
        """Return whether the text has enough words of the question, or the answer needs no question."""
        least = LEAST_WORDS + (self.problem.domain == "boolean")
        share = max(self.of_question, self.of_text)
        return self.verbatim or (len(self.shared) >= least and share >= LEAST_SHARE)


@dataclass(frozen=True)
class _Question:
    """A problem's question as weighted stems, and its answers as sequences of stems."""

    problem: Problem
    weights: Mapping[str, float]
    answers: tuple[tuple[str, ...], ...]


class Questions:
    """The questions and answers of sealed problems; words are weighted within each benchmark."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self._idf: dict[str, _Rarity] = {}
        questions: list[_Question] = []
        for benchmark in dict.fromkeys(problem.set for problem in problems):
            questions += self._of_benchmark(benchmark, [problem for problem in problems if problem.set == benchmark])
        common = Counter(stem for question in questions for answer in question.answers for stem in frozenset(answer))
        # Indexed by the rarest stem of each answer, so that an article does not retrieve half of the problems.
        self._by_stem: dict[str, dict[str, _Question]] = defaultdict(dict)
        for question in questions:
            for answer in question.answers:
                self._by_stem[min(answer, key=lambda stem: (common[stem], stem))][question.problem.id] = question

    def matches(self, text: str) -> Iterator[AnswerMatch]:
        """Yield the problems whose answer occurs in a text; "yes" and "no" also need words of their question."""
        stems = _stems(text)
        content = frozenset(_content(text))
        candidates: dict[str, _Question] = {}
        for stem in frozenset(stems):
            candidates |= self._by_stem.get(stem, {})
        for question in candidates.values():
            if question.problem.domain == "boolean" and len(question.weights.keys() & content) < LEAST_WORDS:
                continue
            standing = [answer for answer in question.answers if _stands_in(answer, stems)]
            if standing:
                yield max((self._overlap(question, answer, content) for answer in standing), key=_strength)

    def _of_benchmark(self, benchmark: str, problems: Sequence[Problem]) -> Iterator[_Question]:
        stem_sets = [frozenset(_content(problem.question)) for problem in problems]
        rarity = self._idf[benchmark] = _Rarity.among(stem_sets)
        for problem, stems in zip(problems, stem_sets, strict=True):
            answers = {tuple(_stems(text)) for text in (problem.answer, *problem.aliases)} - {()}
            yield _Question(problem, {stem: rarity.weight(stem) for stem in stems}, tuple(sorted(answers)))

    def _overlap(self, question: _Question, answer: tuple[str, ...], content: frozenset[str]) -> AnswerMatch:
        weights = {stem: weight for stem, weight in question.weights.items() if stem not in answer}
        shared = tuple(sorted(weights.keys() & content))
        common = sum(weights[stem] for stem in shared)
        text_weight = sum(self._idf[question.problem.set].weight(stem) for stem in content.difference(answer))
        verbatim = len(answer) >= (2 if question.problem.domain == "function_call" else VERBATIM)
        of_question = common / sum(weights.values()) if common else 0.0
        return AnswerMatch(question.problem, of_question, common / text_weight if common else 0.0, shared, verbatim)


@dataclass(frozen=True)
class _Rarity:
    """Inverse document frequency over `size` questions; a stem that occurs in none counts as the rarest."""

    size: int
    counts: Mapping[str, int]

    @classmethod
    def among(cls, questions: Sequence[frozenset[str]]) -> "_Rarity":
        return cls(len(questions), Counter(stem for stems in questions for stem in stems))

    def weight(self, stem: str) -> float:
        return math.log((self.size + 1) / self.counts.get(stem, 1))


def _strength(match: AnswerMatch) -> tuple[bool, float]:
    return match.has_question, max(match.of_question, match.of_text)


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.lower())]


def _content(text: str) -> Iterator[str]:
    return (_stem(word) for word in _WORD.findall(text.lower()) if word not in _IGNORED)


@cache
def _stem(word: str) -> str:
    stem: str = _stemmer.stemWord(word)
    return stem


def _stands_in(sequence: tuple[str, ...], text: Sequence[str]) -> bool:
    size = len(sequence)
    starts = (place for place, stem in enumerate(text) if stem == sequence[0])
    return any(tuple(text[start : start + size]) == sequence for start in starts)
