"""Choice-only baselines: how often the choices give the answer away without the problem.

Example: if the correct ending is always the longest, `choices_alone` finds it in 100 % of the problems.

Each choice is one row: TF-IDF of word 1- and 2-grams, and its length compared with the other choices. A logistic
regression learns which choices are correct, and the choice of a problem with the highest score is its answer
(5-fold cross-validation by group). For `overlap` the rows also contain how many words of the choice are in the
question and in the context.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from pfe.problem import Problem
from pfe.quality.record import ChoicesAlone
from pfe.quality.texts import folds, groups, vectorizer, words
from pfe.scores.proportion import accuracy

FEWEST = 20  # groups of problems


def choices_alone(problems: Sequence[Problem], seed: int) -> ChoicesAlone | None:
    """Return the accuracy with choices alone and with overlap; None if there are too few groups.

    It is also None if all problems have the same choices.
    """
    chosen = [problem for problem in problems if problem.answer in problem.choices]
    if len({frozenset(problem.choices) for problem in chosen}) < 2 or len(set(groups(chosen))) < FEWEST:
        return None
    grams = vectorizer(2, rare=2).fit_transform([choice for problem in chosen for choice in problem.choices])
    lengths = np.vstack([_lengths(problem.choices) for problem in chosen])
    overlaps = np.vstack([_overlaps(problem) for problem in chosen])
    return ChoicesAlone(
        alone=accuracy(_right(chosen, grams, lengths, seed)),
        overlap=accuracy(_right(chosen, grams, np.hstack([lengths, overlaps]), seed)),
        chance=100 * float(np.mean([1 / len(problem.choices) for problem in chosen])),
    )


def _right(problems: Sequence[Problem], grams: Any, dense: Any, seed: int) -> list[bool]:
    """Return whether the highest-rated choice of each problem is correct, rated by models trained on other folds."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    x = hstack([grams, csr_matrix(StandardScaler().fit_transform(dense))], format="csr")
    is_right = np.array([choice == problem.answer for problem in problems for choice in problem.choices])
    counts = [len(problem.choices) for problem in problems]
    fold = np.repeat(folds(groups(problems), seed), counts)
    ratings = np.zeros(len(is_right))
    for number in range(fold.max() + 1):
        test = fold == number
        model = LogisticRegression(solver="liblinear", random_state=seed).fit(x[~test], is_right[~test])
        ratings[test] = model.decision_function(x[test])
    rng = Random(f"{seed}:ties")
    stops = np.cumsum(counts)
    return [
        bool(is_right[max(range(stop - count, stop), key=lambda place: (ratings[place], rng.random()))])
        for stop, count in zip(stops, counts, strict=True)
    ]


def _lengths(choices: Sequence[str]) -> Any:
    """Return the length features of each choice.

    They are its words and characters, as logarithms and relative to the mean, and whether it is longest or shortest.
    """
    sizes = np.array([[len(words(choice)), len(choice)] for choice in choices], dtype=float)
    beside = sizes / np.maximum(sizes.mean(axis=0), 1)
    extremes = np.stack([sizes[:, 1] == sizes[:, 1].max(), sizes[:, 1] == sizes[:, 1].min()], axis=1)
    return np.hstack([np.log1p(sizes), beside, extremes])


def _overlaps(problem: Problem) -> Any:
    """Return the overlap features of each choice.

    They are the shares of its words in the question and in the context, as such and relative to the mean, and whether
    each share is the highest.
    """
    shares = np.array([list(_shares(problem, choice)) for choice in problem.choices])
    return np.hstack([shares, shares - shares.mean(axis=0), shares == shares.max(axis=0)])


def _shares(problem: Problem, choice: str) -> Iterator[float]:
    own = words(choice)
    for text in (problem.question, problem.context):
        there = set(words(text))
        yield sum(word in there for word in own) / max(len(own), 1)
