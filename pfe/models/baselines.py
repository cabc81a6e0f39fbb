"""Two examinees that need no language model: chance, and sentence-embedding similarity."""

import re
from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from pfe.embedding.encoder import Encoder
from pfe.models.request import Request


class Chance:
    """Draws a choice by seed and problem, the same one in every arm; writes nothing."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        return [self._draw(request) for request in requests]

    def _draw(self, request: Request) -> tuple[float, ...]:
        rng = Random(f"{self._seed}:{request.problem.id}")
        return tuple(rng.random() for _ in request.options)

    def generate(self, requests: Sequence[Request]) -> list[str]:
        return [""] * len(requests)


class Similarity:
    """Chooses the option whose embedding is nearest to the problem's, in the ICR arm also by way of the library.

    Bare, the score of a choice c is cos(q, c). Behind a library with sentences s it is the greater
    of that and max over s of (cos(q, s) + cos(s, c)) / 2: a fact near both may bridge them.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def choose(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        questions = self._vectors([_question(request) for request in requests])
        options = [option for request in requests for option in _options(request)]
        vectors = self._vectors(options)
        libraries = {prefix: self._vectors(sentences(prefix)) for prefix in {request.prefix for request in requests}}
        scores, start = [], 0
        for request, question in zip(requests, questions, strict=True):
            own = vectors[start : start + len(request.options)]
            start += len(request.options)
            scores.append(_scores(question, own, libraries[request.prefix]))
        return scores

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encoder.encode(texts)


def sentences(prefix: str) -> list[str]:
    """The lines of a library that say something: headings, bullets and labels taken off."""
    lines = (re.sub(r"^(?:[-→•]|Q:|A:|[A-Z][a-z]+:)\s*", "", line.strip()) for line in prefix.splitlines())
    return [line for line in lines if len(line.split()) > 3]


def _question(request: Request) -> str:
    return (
        request.problem.question.replace("_", "", 1)
        if request.options[0].context != request.prompt
        else (f"{request.problem.context} {request.problem.question}".strip())
    )


def _options(request: Request) -> list[str]:
    if request.options[0].context != request.prompt:
        return [option.context + option.continuation for option in request.options]
    return list(request.problem.choices)


def _scores(
    question: NDArray[np.float32], options: NDArray[np.float32], library: NDArray[np.float32]
) -> tuple[float, ...]:
    direct = options @ question
    if not len(library):
        return tuple(direct.tolist())
    bridged = ((library @ question)[:, None] + library @ options.T).max(axis=0) / 2
    return tuple(np.maximum(direct, bridged).tolist())
