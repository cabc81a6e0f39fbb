"""Answer keys: every tutor answers every accepted problem, and all must agree.

Example: five routes to "30 apples" give five keys; if `replay` arrives at 31, the problem is not used.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from typing import Protocol

from pfe.config import Tutor
from pfe.errors import UserError
from pfe.models.request import Done, unseen
from pfe.problem import AnswerKey, Problem
from pfe.scorers import score
from pfe.tutors.agreement import Agreement
from pfe.tutors.family import family_of


class Answerer(Protocol):
    """Anything that answers problems."""

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        """A key to each problem, or None where this tutor finds no answer; `done(n)` when n more are there."""


@dataclass(frozen=True)
class Route:
    """The procedural tutor that takes one route of a problem's family."""

    name: str
    route: str

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        keys = []
        for problem in problems:
            keys.append(self._key(problem))
            done(1)
        return keys

    def _key(self, problem: Problem) -> AnswerKey | None:
        try:
            key = family_of(problem.id).answer(problem, self.route)
        except ValueError:
            return None
        return AnswerKey(key.problem_id, self.name, key.answer, key.text)


@dataclass(frozen=True)
class KeyedProblem:
    """The keys to one problem and which tutors' answers are right by the problem's scorer."""

    problem: Problem
    keys: tuple[AnswerKey, ...]
    right: tuple[str, ...]
    tutors: int

    @property
    def unanimous(self) -> bool:
        """Whether every tutor answered, and all the same."""
        return len(self.right) == self.tutors


def answerer(name: str, tutor: Tutor) -> Answerer:
    """The tutor that `conf/tutor/<name>.yaml` describes.

    Raises:
        UserError: its entry is incomplete.
    """
    if tutor.kind == "procedural":
        if tutor.route is None:
            raise UserError(f"tutor.{name}.route is null; set it in conf/tutor/{name}.yaml")
        return Route(name, tutor.route)
    if tutor.model is None:
        raise UserError(f"tutor.{name}.model is null; set it in conf/tutor/{name}.yaml")
    if tutor.kind == "openai":
        from pfe.tutors.server import server

        return server(name, tutor)
    from pfe.tutors.local import local

    return local(name, tutor)


def keyed_problems(
    problems: Sequence[Problem], tutors: Mapping[str, Answerer], done: Done = unseen
) -> list[KeyedProblem]:
    """Every tutor's key to every problem; each tutor is asked all of them at once."""
    keys = [tutor.answer(problems, done) for tutor in tutors.values()]
    with ThreadPoolExecutor() as pool:  # which wait for the sandbox
        return list(pool.map(_keyed_problem, problems, zip(*keys, strict=True) if keys else repeat(())))


def _keyed_problem(problem: Problem, answers: Sequence[AnswerKey | None]) -> KeyedProblem:
    keys = tuple(key for key in answers if key is not None)
    scorer = family_of(problem.id).scorer
    right = tuple(key.tutor for key in keys if score(scorer, problem, key.answer).correct)
    return KeyedProblem(problem, keys, right, len(answers))


def agreement(results: Sequence[KeyedProblem], tutors: Sequence[str]) -> Agreement:
    """How far the tutors agree on one set."""
    n = len(results)
    used = sum(result.unanimous for result in results)
    return Agreement(
        problems=n,
        used=used,
        agreement=100 * used / n if n else None,
        tutors={name: 100 * sum(name in result.right for result in results) / n if n else None for name in tutors},
    )
