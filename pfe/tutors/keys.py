"""Answer keys: the tutor that made a problem checks its answer, and tutors that read the problem must agree.

Example: five routes to "30 apples" are five checks by one tutor, the family; if `replay` arrives at 31, the problem is
not used. Nor is it used if gpt4o, which sees only the text, answers 32.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from pfe.config import AnswerKeys, Tutor
from pfe.errors import UserError
from pfe.models.request import Done, unseen
from pfe.problem import AnswerKey, Problem
from pfe.scorers import SCORER_OF, score
from pfe.tutors.agreement import Agreement
from pfe.tutors.family import PROCEDURAL, ROUTES, Family, family_of
from pfe.tutors.writing.forms import WRITTEN

_CHECKS = "pfe/tutors/family.py says where each route starts from"
# A tutor checks the problems that it made, and reads those that it did not make.
Role = Literal["check", "reader"]


class Answerer(Protocol):
    """An object that answers problems."""

    def role(self, problem: Problem) -> Role | None:
        """Return the role of this tutor's answer to the problem; None if the tutor is not asked."""

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        """Return a key to each problem, or None if this tutor finds no answer; call `done(n)` after n further keys.

        A tutor whose budget ends returns keys to the first problems only. It has not read the others.
        """


@dataclass(frozen=True)
class Route:
    """A procedural tutor that takes one route of a problem's family, for a share of the problems sampled by id."""

    name: str
    route: str
    share: float = 1.0

    def role(self, problem: Problem) -> Role | None:
        sampled = problem.tutor == PROCEDURAL and Random(f"{problem.id}:checked").random() < self.share
        return "check" if sampled else None

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


def check_routes(family: Family, problem: Problem) -> None:
    """Reject a problem if a route of its family does not arrive at its answer.

    Raises:
        UserError: there is such a route; names it.
    """
    for route in ROUTES:
        try:
            key = family.answer(problem, route)
        except ValueError as error:
            raise UserError(f"{problem.id}: '{route}' finds no answer: {error}; {_CHECKS}") from None
        if not score(family.scorer, problem, key.answer).correct:
            raise UserError(f"{problem.id}: '{route}' finds {key.answer!r}, not {problem.answer!r}; {_CHECKS}")


@dataclass(frozen=True)
class Vote:
    """One tutor's key to a problem, None if it found none, and whether the key is correct."""

    tutor: str
    role: Role
    key: AnswerKey | None
    right: bool


@dataclass(frozen=True)
class KeyedProblem:
    """A problem and the votes of the tutors that were asked."""

    problem: Problem
    votes: tuple[Vote, ...]

    @property
    def keys(self) -> tuple[AnswerKey, ...]:
        """Return the keys that the problem's scorer accepts.

        If a model wrote the problem, that model's key comes first.
        """
        own = (_own_key(self.problem),) if self.problem.family == WRITTEN else ()
        return (*own, *(vote.key for vote in self.votes if vote.key and vote.right))

    @property
    def is_read(self) -> bool:
        """Return whether a tutor that did not make the problem has read it."""
        return any(vote.role == "reader" for vote in self.votes)

    @property
    def is_confirmed(self) -> bool:
        """Return whether no check by the problem's maker contradicts its answer."""
        return all(vote.right for vote in self.votes if vote.role == "check")

    def is_agreed(self, rules: AnswerKeys) -> bool:
        """Return whether enough of its readers arrive at its answer."""
        readings = [vote.right for vote in self.votes if vote.role == "reader"]
        return bool(readings) and sum(readings) >= (rules.consensus or len(readings))

    def is_used(self, rules: AnswerKeys) -> bool:
        """Return whether its answer counts as known, so that the problem is used."""
        if not self.is_read:
            return bool(self.votes) and self.is_confirmed and rules.unread == "use"
        return self.is_confirmed and self.is_agreed(rules)


def _own_key(problem: Problem) -> AnswerKey:
    """Return the key of the tutor that wrote a problem."""
    text = problem.solution if problem.domain == "math" else problem.answer
    return AnswerKey(problem.id, problem.tutor, problem.answer, text)


def answerers(tutors: Mapping[str, Tutor], rules: AnswerKeys) -> dict[str, Answerer]:
    """Return the chosen tutors by name; all procedural tutors but the first check only a share of the problems.

    Raises:
        UserError: an entry is incomplete.
    """
    first = next((name for name, tutor in tutors.items() if tutor.kind == "procedural"), None)
    return {name: answerer(name, tutor, 1.0 if name == first else rules.checked) for name, tutor in tutors.items()}


def answerer(name: str, tutor: Tutor, share: float = 1.0) -> Answerer:
    """Return the tutor that `conf/tutor/<name>.yaml` describes; a procedural tutor checks a share of the problems.

    Raises:
        UserError: its entry is incomplete.
    """
    if tutor.kind == "procedural":
        if tutor.route is None:
            raise UserError(f"tutor.{name}.route is null; set it in conf/tutor/{name}.yaml")
        return Route(name, tutor.route, share)
    if tutor.kind == "reasoning_gym":
        from pfe.tutors.gym import gym

        return gym(name, tutor)
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
    """Ask every tutor about the problems that it has a role in, and return all problems with their votes.

    Each tutor is asked about all of its problems at once.
    """
    keys: dict[int, list[tuple[str, Role, AnswerKey | None]]] = defaultdict(list)
    for name, tutor in tutors.items():
        roles = {place: role for place, problem in enumerate(problems) if (role := tutor.role(problem))}
        answers = tutor.answer([problems[place] for place in roles], done)
        done(len(problems) - len(answers))
        for (place, role), key in zip(roles.items(), answers, strict=False):
            keys[place].append((name, role, key))
    with ThreadPoolExecutor() as pool:  # the threads wait for the sandbox
        return list(pool.map(_keyed_problem, problems, [keys[place] for place in range(len(problems))]))


def _keyed_problem(problem: Problem, keys: Sequence[tuple[str, Role, AnswerKey | None]]) -> KeyedProblem:
    scorer = family_of(problem.id).scorer if problem.tutor == PROCEDURAL else SCORER_OF[problem.domain]
    return KeyedProblem(
        problem,
        tuple(
            Vote(name, role, key, key is not None and score(scorer, problem, key.answer).correct)
            for name, role, key in keys
        ),
    )


def agreement(results: Sequence[KeyedProblem], tutors: Sequence[str], rules: AnswerKeys) -> Agreement:
    """Return the agreement of the tutors on the answers of one set."""
    used = [result for result in results if result.is_used(rules)]
    read = [result for result in results if result.is_read]
    votes = [vote for result in results for vote in result.votes]
    readers = {vote.tutor for vote in votes if vote.role == "reader"}
    return Agreement(
        problems=len(results),
        used=len(used),
        confirmed=_percentage([result.is_confirmed for result in results]),
        read=len(read),
        agreement=_percentage([result.is_agreed(rules) for result in read]),
        constructed=sum(not result.is_read and result.problem.family != WRITTEN for result in used),
        written_unread=sum(not result.is_read and result.problem.family == WRITTEN for result in used),
        readers=tuple(name for name in tutors if name in readers),
        tutors={name: _percentage([vote.right for vote in votes if vote.tutor == name]) for name in tutors},
    )


def _percentage(hits: Sequence[bool]) -> float | None:
    return 100 * sum(hits) / len(hits) if hits else None
