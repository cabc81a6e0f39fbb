"""The chance baseline: a random choice among the options of each problem."""

from collections.abc import Sequence
from random import Random

from pfe.config import Model
from pfe.models.request import Answer, Done, Provenance, Request, by_scores, libraries, unseen, words


def examinee(_: str, __: Model, seed: int) -> "Chance":
    """Return the chance baseline for a seed; the configuration entry does not matter."""
    return Chance(seed)


class Chance:
    """A baseline that draws a choice from seed and problem id, the same one in every arm; it generates empty text."""

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
