"""Nine rules that answer a library-bound problem without reading it: baselines for accuracy with a library in context.

Example: with "The gorm eats moss. The tafo eats figs. The tafo likes figs." in context, `most frequent` answers "What
does the gorm eat?" with figs, since two statements mention them, and `nearest to the name` with moss.

A rule scores the values that could be the answer; if several have the highest score, each is equally likely.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pfe.problem import Problem
from pfe.quality.texts import words

Similarity = Callable[[str, Sequence[str]], Sequence[float]]  # arguments: a question and statements
K1, B = 1.5, 0.75  # of BM25 (Robertson and Zaragoza 2009, Found. Trends Inf. Retr. 3:333)


@dataclass(frozen=True)
class Context:
    """A question, the statements before it, and the values that could be its answer, as words."""

    question: str
    statements: tuple[str, ...]
    values: tuple[str, ...]

    @cached_property
    def texts(self) -> list[list[str]]:
        """Return the words of each statement."""
        return [words(statement) for statement in self.statements]

    @cached_property
    def mentions(self) -> dict[str, list[tuple[int, int]]]:
        """Return the mentions of each value: the statement, and the word position in all statements in order."""
        starts = np.cumsum([0, *map(len, self.texts)])
        found: dict[str, list[tuple[int, int]]] = {}
        for value in self.values:
            wanted = words(value)
            found[value] = [
                (place, int(starts[place]) + at)
                for place, text in enumerate(self.texts)
                for at in range(len(text) - len(wanted) + 1)
                if wanted and text[at : at + len(wanted)] == wanted
            ]
        return found

    @cached_property
    def name(self) -> set[str]:
        """Return the name in the question: those of its words that the fewest statements (but at least one) contain."""
        asked = {word for word in words(self.question) if self.frequency[word]}
        fewest = min((self.frequency[word] for word in asked), default=0)
        return {word for word in asked if self.frequency[word] == fewest}

    @cached_property
    def frequency(self) -> Counter[str]:
        """Return the number of statements that contain each word."""
        return Counter(word for text in self.texts for word in {*text})

    @property
    def named(self) -> list[int]:
        """Return the statements that contain the name."""
        return [place for place, text in enumerate(self.texts) if self.name & {*text}]

    def best(self, scores: Sequence[float]) -> dict[str, float]:
        """Return for each value the highest score of a statement that mentions it."""
        return {
            value: max((scores[place] for place, _ in found), default=-math.inf)
            for value, found in self.mentions.items()
        }


def most_frequent(context: Context) -> dict[str, float]:
    """Prefer the value that the most statements mention."""
    return {value: len({place for place, _ in found}) for value, found in context.mentions.items()}


def nearest_to_name(context: Context) -> dict[str, float]:
    """Prefer the value with the fewest words between it and the name."""
    everything = [word for text in context.texts for word in text]
    names = [at for at, word in enumerate(everything) if word in context.name]
    return {
        value: -min((abs(at - name) for _, at in found for name in names), default=math.inf)
        for value, found in context.mentions.items()
    }


def first(context: Context) -> dict[str, float]:
    """Prefer the value that is mentioned first."""
    return {value: -min((at for _, at in found), default=math.inf) for value, found in context.mentions.items()}


def last(context: Context) -> dict[str, float]:
    """Prefer the value that is mentioned last."""
    return {value: max((at for _, at in found), default=-1) for value, found in context.mentions.items()}


def longest(context: Context) -> dict[str, float]:
    """Prefer the value with the most characters."""
    return {value: len(value) for value in context.values}


def bag_of_words(context: Context) -> dict[str, float]:
    """Prefer a value in a statement that shares the most words with the question."""
    asked = {*words(context.question)}
    return context.best([len(asked & {*text}) for text in context.texts])


def bm25(context: Context) -> dict[str, float]:
    """Prefer a value in the statement that BM25 ranks highest for the question."""
    count = len(context.texts)
    mean = sum(map(len, context.texts)) / max(count, 1)

    def score(text: Sequence[str]) -> float:
        times = Counter(text)
        return math.fsum(
            math.log(1 + (count - context.frequency[word] + 0.5) / (context.frequency[word] + 0.5))
            * times[word] * (K1 + 1) / (times[word] + K1 * (1 - B + B * len(text) / mean))
            for word in {*words(context.question)}
        )  # fmt: skip

    return context.best([score(text) for text in context.texts])


def statement_of_name(context: Context) -> dict[str, float]:
    """Prefer a value in a statement that contains the name: a thing's own rule."""
    named = {*context.named}
    return {value: float(any(place in named for place, _ in found)) for value, found in context.mentions.items()}


RULES: Mapping[str, Callable[[Context], dict[str, float]]] = {
    "most frequent": most_frequent,
    "nearest to the name": nearest_to_name,
    "first": first,
    "last": last,
    "longest": longest,
    "bag of words": bag_of_words,
    "BM25": bm25,
    "a statement of the name": statement_of_name,
}


@dataclass(frozen=True)
class NonReader:
    """The share of n problems that a rule answers correctly, in percent, next to chance.

    `chance` is that of a guess among the values or, if it is higher, of the best constant answer. `errors` is how many
    standard errors the rule is above chance.
    """

    rule: str
    value: float
    chance: float
    errors: float
    n: int


def non_readers(problems: Sequence[Problem], similarity: Similarity | None = None) -> list[NonReader]:
    """Return the accuracy of each rule on library-bound problems whose answer is one of a few values.

    Args:
        problems: their values are the choices or, without choices, the answers of their family; a problem whose library
            mentions fewer than two values is left out.
        similarity: of a question to statements, for the ninth rule.
    """
    by_family: dict[str, set[str]] = {}
    for problem in problems:
        by_family.setdefault(problem.family, set()).add(problem.answer)
    contexts = [(problem.answer, context_of(problem, by_family[problem.family])) for problem in problems]
    contexts = [(answer, context) for answer, context in contexts if len(context.values) > 1]
    rules = dict(RULES)
    if similarity is not None:
        rules["similarity of sentences"] = lambda one: one.best(similarity(one.question, one.statements))
    return [_non_reader(name, rule, contexts) for name, rule in rules.items()] if contexts else []


def context_of(problem: Problem, answers: set[str]) -> Context:
    """Return a problem as the rules see it; its values are the choices, or the answers that its library mentions."""
    whole = Context(problem.question, problem.library, problem.choices or tuple(sorted(answers)))
    if problem.choices:
        return whole
    return Context(problem.question, problem.library, tuple(value for value in whole.values if whole.mentions[value]))


def _non_reader(
    name: str, rule: Callable[[Context], dict[str, float]], contexts: Sequence[tuple[str, Context]]
) -> NonReader:
    right = chance = variance = 0.0
    for answer, context in contexts:
        scores = rule(context)
        best = [value for value in context.values if scores[value] == max(scores.values())]
        right += (answer in best) / len(best)
        share = (answer in context.values) / len(context.values)
        chance += share
        variance += share * (1 - share)
    n = len(contexts)
    constant = Counter(answer for answer, _ in contexts).most_common(1)[0][1]
    if constant > max(chance, 1):  # an answer that is correct only once is not a constant one
        chance, variance = constant, constant * (1 - constant / n)
    return NonReader(name, 100 * right / n, 100 * chance / n, (right - chance) / math.sqrt(variance or 1), n)
