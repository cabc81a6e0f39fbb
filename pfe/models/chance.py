"""An examinee that needs no model at all: chance."""

from collections.abc import Sequence
from random import Random

from pfe.config import Model
from pfe.models.request import Answer, Done, Provenance, Request, by_scores, libraries, unseen, words


def examinee(_: str, __: Model, seed: int) -> "Chance":
    """The examinee of a configuration entry."""
    return Chance(seed)


class Chance:
    """Draws a choice by seed and problem, the same one in every arm; what it writes is empty."""

    writes = True
    revoked: tuple[str, ...] = ()

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @property
    def provenance(self) -> Provenance:
        return Provenance("chance", libraries("pfe.models.chance"))

    def count(self, text: str) -> int:
        return words(text)

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        done(len(requests))
        return [by_scores(request, self._draw(request)) for request in requests]

    def _draw(self, request: Request) -> tuple[float, ...]:
        rng = Random(f"{self._seed}:{request.problem.id}")
        return tuple(rng.random() for _ in request.options)
