"""Wording statistics of a set: lengths, vocabulary, repeated sentences, distinct n-grams.

Example: "Tom has 3 apples. Ada has 4 apples." repeats one sentence, once names and numbers are masked.

A passage that several problems share counts once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from pfe.problem import Problem
from pfe.quality.record import Length
from pfe.quality.texts import sentences, words
from pfe.scores.proportion import Proportion, proportion

PARTS = ("question", "context", "choice")
SHORT = 3  # words; sentences of so few are ignored


def repeated(problems: Sequence[Problem]) -> Proportion:
    """Return the share of masked sentences of contexts and questions that occur more than once, without short ones."""
    texts = (*_contexts(problems), *(problem.question for problem in problems))
    counts = Counter(sentence for text in texts for sentence in sentences(text) if sentence.count(" ") >= SHORT)
    total = sum(counts.values())
    return proportion(sum(count for count in counts.values() if count > 1), max(total, 1))


def counted(problems: Sequence[Problem]) -> dict[str, list[int]]:
    """Return the word counts of the questions, contexts and choices, for those parts that the problems have."""
    texts: dict[str, Iterable[str]] = {
        "question": [problem.question for problem in problems],
        "context": _contexts(problems),
        "choice": [choice for problem in problems for choice in problem.choices],
    }
    counts = {part: [len(words(text)) for text in texts[part] if text] for part in PARTS}
    return {part: found for part, found in counts.items() if found}


def length(counts: Sequence[int]) -> Length:
    """Return the mean and median of at least one word count."""
    return Length(float(np.mean(counts)), float(np.median(counts)), len(counts))


def distances(first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the Kolmogorov–Smirnov distance of each part that both have."""
    return {part: _distance(first[part], second[part]) for part in first if second.get(part)}


def _distance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the largest difference of two distributions. SciPy also computes a p-value, which fails for one value."""
    values = np.concatenate([first, second])
    shares = [np.searchsorted(np.sort(side), values, side="right") / len(side) for side in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())


def vocabulary(problems: Sequence[Problem]) -> int:
    """Return the number of distinct words."""
    return len({word for text in _texts(problems) for word in words(text)})


def distinct(problems: Sequence[Problem], longest: int = 3) -> dict[str, float]:
    """Return the percentage of distinct ones among all word n-grams, for each n up to `longest`."""
    texts = [words(text) for text in _texts(problems)]
    shares = {}
    grams: list[list[tuple[str, ...]]] = [[(word,) for word in text] for text in texts]
    for size in range(1, longest + 1):
        total = sum(map(len, grams))
        shares[str(size)] = 100 * len({gram for text in grams for gram in text}) / max(total, 1)
        grams = [[(first[0], *second) for first, second in pairwise(text)] for text in grams]
    return shares


def digits(problems: Sequence[Problem]) -> Proportion:
    """Return the share of questions with a digit."""
    return proportion(sum(any(map(str.isdigit, problem.question)) for problem in problems), len(problems))


def positions(problems: Sequence[Problem]) -> dict[str, float]:
    """Return the distribution of the correct choice's position, from 1, in percent of the problems with choices."""
    places = Counter(
        problem.choices.index(problem.answer) + 1 for problem in problems if problem.answer in problem.choices
    )
    return {str(place): 100 * places[place] / places.total() for place in sorted(places)}


def yes(problems: Sequence[Problem]) -> Proportion | None:
    """Return the share of "yes" among the answers; None if there are others than yes and no."""
    answers = [problem.answer for problem in problems]
    return proportion(answers.count("yes"), len(answers)) if set(answers) <= {"yes", "no"} else None


def families(problems: Sequence[Problem]) -> dict[str, float]:
    """Return the families' shares in percent, the largest first."""
    counts = Counter(problem.family for problem in problems)
    order = sorted(counts, key=lambda name: (-counts[name], name))
    return {name: 100 * counts[name] / len(problems) for name in order}


def _contexts(problems: Sequence[Problem]) -> list[str]:
    return list(dict.fromkeys(problem.context for problem in problems if problem.context))


def _texts(problems: Sequence[Problem]) -> list[str]:
    choices = (choice for problem in problems for choice in problem.choices)
    return [*_contexts(problems), *(problem.question for problem in problems), *choices]
