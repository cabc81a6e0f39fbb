"""Answer keys: every tutor answers every accepted problem, and all must agree.

Example: five routes to "30 apples" give five keys; if `replay` arrives at 31, the problem is not used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pfe.config import Tutor
from pfe.errors import UserError
from pfe.problem import AnswerKey, Problem
from pfe.scorers import SCORER_OF, score
from pfe.tutors.family import family_of


class Answerer(Protocol):
    """Anything that answers problems."""

    def answer(self, problem: Problem) -> AnswerKey | None:
        """The key, or None where this tutor finds no answer."""


@dataclass(frozen=True)
class Route:
    """The procedural tutor that takes one route of a problem's family."""

    name: str
    route: str

    def answer(self, problem: Problem) -> AnswerKey | None:
        try:
            key = family_of(problem.id).answer(problem, self.route)
        except ValueError:
            return None
        return AnswerKey(key.problem_id, self.name, key.answer, key.text)


@dataclass(frozen=True)
class Answered:
    """The keys to one problem and which tutors' answers are right by the problem's scorer."""

    problem: Problem
    keys: tuple[AnswerKey, ...]
    right: tuple[str, ...]
    tutors: int

    @property
    def agreed(self) -> bool:
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
        from pfe.tutors.server import Server

        return Server(name, tutor)
    from pfe.tutors.local import Local

    return Local(name, tutor)


def answered(problem: Problem, tutors: Mapping[str, Answerer]) -> Answered:
    """Every tutor's key to one problem."""
    found = {name: tutor.answer(problem) for name, tutor in tutors.items()}
    keys = tuple(key for key in found.values() if key is not None)
    scorer = SCORER_OF[problem.domain]
    right = tuple(key.tutor for key in keys if score(scorer, problem, key.answer).correct)
    return Answered(problem, keys, right, len(tutors))


def agreement(results: Sequence[Answered], tutors: Sequence[str]) -> dict[str, object]:
    """What `metrics/answer_keys.json` says of one set: counts, and percent agreeing in all and per tutor."""
    n = len(results)
    used = sum(result.agreed for result in results)
    return {
        "problems": n,
        "used": used,
        "agreement": 100 * used / n if n else None,
        "tutors": {name: 100 * sum(name in result.right for result in results) / n if n else None for name in tutors},
    }
