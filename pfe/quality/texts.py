"""Words, sentences and TF-IDF vectors of problems, shared by all figures.

Example: `sentences("Tom has 3 apples. Who?")` gives the masked sentences "@ has # apples" and "@".
"""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from pfe.problem import Problem

MOST = 2000  # problems per side that are compared
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+")
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand"
)
_NUMBER_WORDS = frozenset(_NUMBERS.split())
NAME, NUMBER = "@", "#"


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, with names and numbers masked; a capitalised word counts as a name."""
    for sentence in _SENTENCE.split(text):
        if masked := " ".join(map(_masked, _WORD.findall(sentence))):
            yield masked


def _masked(word: str) -> str:
    if word[0].isdigit() or word.lower() in _NUMBER_WORDS:
        return NUMBER
    return NAME if word[0].isupper() else word.lower()


def groups(problems: Sequence[Problem]) -> list[str]:
    """Return the cluster of each problem: its group (passage or twin), or its own id."""
    return [problem.group or problem.id for problem in problems]


def drawn(problems: Sequence[Problem], most: int, seed: int) -> list[Problem]:
    """Return at most `most` of the problems, sampled with a fixed seed, independent of their order."""
    ordered = sorted(problems, key=lambda problem: problem.id)
    return Random(f"{seed}:drawn").sample(ordered, min(most, len(ordered)))


def vectorizer(ngrams: int, rare: int = 1) -> Any:
    """Return scikit-learn's TF-IDF of word n-grams up to this length, without those in fewer than `rare` texts."""
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
    """Return the fold of each item; a cluster shares one fold, and folds have nearly equal numbers of clusters."""
    distinct = sorted(set(clusters))
    Random(f"{seed}:folds").shuffle(distinct)
    fold_of = {cluster: place % count for place, cluster in enumerate(distinct)}
    return np.array([fold_of[cluster] for cluster in clusters], dtype=np.int64)
