"""The sentence-embedding baseline: it chooses options by similarity, without a language model."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pfe.config import Model
from pfe.embedding.encoder import Encoder
from pfe.models.request import Answer, Done, Provenance, Request, by_scores, libraries, unseen, words


def examinee(_: str, model: Model, __: int) -> "Similarity":
    """Return the sentence-embedding baseline of a configuration entry."""
    encoder = Encoder(str(model.path))
    weights = f"sha256 {encoder.weights_sha256}"
    return Similarity(encoder, Provenance("embedding", libraries("pfe.models.similarity"), weights))


class Similarity:
    """A baseline that chooses the option whose embedding is nearest to the problem's, also via a library's sentences.

    Zero-shot, the score of a choice c for a problem q is cos(q, c). With a library of sentences s in context, it is the
    greater of that and the maximum over s of (cos(q, s) + cos(s, c)) / 2: a fact near both may connect them.
    """

    writes = False
    revoked: tuple[str, ...] = ()

    def __init__(self, encoder: Encoder, provenance: Provenance) -> None:
        self._encoder, self.provenance = encoder, provenance

    def count(self, text: str) -> int:
        return words(text)

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        questions = self._vectors([_question(request) for request in requests])
        options = [option for request in requests for option in _options(request)]
        vectors = self._vectors(options)
        texts = {request.prefix.text for request in requests}
        libraries = {text: self._vectors(sentences(text)) for text in sorted(texts)}
        answers, start = [], 0
        for request, question in zip(requests, questions, strict=True):
            option_vectors = vectors[start : start + len(request.options)]
            start += len(request.options)
            scores = _scores(question, option_vectors, libraries[request.prefix.text])
            answers.append(by_scores(request, scores))
        done(len(requests))
        return answers

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encoder.encode(texts)


def sentences(prefix: str) -> list[str]:
    """Return the lines of a library with more than three words, without bullets and labels."""
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
