"""Words, sentences and vectors of problems, the same for every figure.

Example: `sentences("Tom has 3 apples. Who?")` gives the masked `("@ has # apples", "who")`.
"""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from pfe.problem import Problem

MOST = 2000  # problems of a side that are compared
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+")
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand"
)
_NUMBER_WORDS = frozenset(_NUMBERS.split())
NAME, NUMBER = "@", "#"


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.lower())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, with names and numbers masked; what begins with a capital letter counts as a name."""
    for sentence in _SENTENCE.split(text):
        if masked := " ".join(map(_masked, _WORD.findall(sentence))):
            yield masked


def _masked(word: str) -> str:
    if word[0].isdigit() or word.lower() in _NUMBER_WORDS:
        return NUMBER
    return NAME if word[0].isupper() else word.lower()


def groups(problems: Sequence[Problem]) -> list[str]:
    """What each problem is a cluster with: its passage or twin, or itself."""
    return [problem.group or problem.id for problem in problems]


def drawn(problems: Sequence[Problem], most: int, seed: int) -> list[Problem]:
    """At most so many of the problems, the same for the same seed, whatever order they come in."""
    ordered = sorted(problems, key=lambda problem: problem.id)
    return Random(f"{seed}:drawn").sample(ordered, min(most, len(ordered)))


def vectorizer(ngrams: int, rare: int = 1) -> Any:
    """scikit-learn's TF-IDF of word n-grams up to this length; leaves out what stands in fewer than `rare` texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        analyzer="word",
        token_pattern=_WORD.pattern,
        ngram_range=(1, ngrams),
        sublinear_tf=True,
        min_df=rare,
        dtype=np.float32,
    )


def folds(clusters: Sequence[str], seed: int, count: int = 5) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A fold for each, one for all of a cluster; the folds have nearly as many clusters each."""
    distinct = sorted(set(clusters))
    Random(f"{seed}:folds").shuffle(distinct)
    fold_of = {cluster: place % count for place, cluster in enumerate(distinct)}
    return np.array([fold_of[cluster] for cluster in clusters], dtype=np.int64)
