"""A tutor that is a data set of reasoning-gym: problems drawn and solved by its programs.

Example, conf/tutor/leg_counting.yaml:
    # @package tutor.leg_counting
    kind: reasoning_gym
    dataset: leg_counting
    writes: {gsm1k_synth: 200}
Source: Stojanovski et al. 2025, REASONING GYM, arXiv:2505.24760.

It reads nothing that others write. Asked for a key to its own problems it draws them again, and has its own judge
confirm the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count as numbers
from typing import Any, Literal

from pfe.config import Tutor
from pfe.errors import UserError, nearest
from pfe.extras import need
from pfe.models.request import Done, unseen
from pfe.problem import AnswerKey, Domain, Problem
from pfe.scorers import SCORER_OF, score
from pfe.tutors.family import seed_of
from pfe.tutors.writing.prompt import domain_of
from pfe.tutors.writing.work import Refusal, Work

DOMAINS: tuple[Domain, ...] = ("math", "format")  # those whose problems are a question and an answer
_SIZE = 2**31 - 1  # how many problems a data set is told to have: more than are ever drawn
_PATIENCE = 40  # draws running that are nothing new, or no problem of the domain
_NUMBER = re.compile(r"-?\d+")


def gym(name: str, tutor: Tutor) -> "Gym":
    """The tutor of a configuration entry.

    Raises:
        UserError: reasoning-gym is not installed, or has no such data set.
    """
    need(f"tutor.{name}", "reasoning_gym")
    from reasoning_gym.factory import DATASETS

    if tutor.dataset is None:
        raise UserError(f"tutor.{name}.dataset is null; set it in conf/tutor/{name}.yaml")
    if tutor.dataset not in DATASETS:
        raise UserError(f"tutor.{name}.dataset: unknown data set '{tutor.dataset}'; {nearest(tutor.dataset, DATASETS)}")
    return Gym(name, tutor.dataset)


@dataclass(frozen=True)
class Gym:
    """One data set in its default configuration."""

    name: str
    dataset: str

    def write(self, set: str, count: int, seed: int) -> Work:
        """At most `count` problems with distinct texts; fewer where no more come.

        Raises:
            UserError: the set's problems are more than a question and an answer.
        """
        domain = domain_of(set)
        if domain not in DOMAINS:
            raise UserError(
                f"tutor.{self.name}.writes: {set} holds problems of the domain {domain}, and reasoning-gym writes only "
                f"{' and '.join(DOMAINS)}; leave {set} out"
            )
        entries = self._entries(set, seed)
        by_text: dict[str, Problem] = {}
        refusals: list[Refusal] = []
        running = 0
        for index in numbers():
            if len(by_text) == count or running == _PATIENCE:
                break
            id = f"{set}/{self.name}/s{seed}/{index}"
            question, answer = _texts(entries[index])
            problem = Problem(
                id=id, set=set, domain=domain, question=question, answer=answer, solution=f"#### {answer}",
                group=id, family=self.dataset, seed=seed_of(id), tutor=self.name,
            )  # fmt: skip
            fits = _fits(problem)
            running = running + 1 if not fits or question in by_text else 0
            if fits:
                by_text.setdefault(question, problem)
            else:
                reason = f"the answer {answer[:80]!r} is none of the domain {domain}"
                refusals.append(Refusal(id, set, self.name, reason, question))
        return Work(list(by_text.values()), refusals)

    def role(self, problem: Problem) -> Literal["check"] | None:
        return "check" if problem.tutor == self.name else None

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        keys = []
        for problem in problems:
            keys.append(self._key(problem))
            done(1)
        return keys

    def _key(self, problem: Problem) -> AnswerKey | None:
        """The answer that is drawn with the same question again; None where its judge does not let it pass."""
        seed, index = re.findall(r"\d+", problem.id.rpartition("/s")[2])
        entries = self._entries(problem.set, int(seed))
        entry = entries[int(index)]
        question, answer = _texts(entry)
        if question != problem.question or entries.score_answer(answer, entry) != 1:
            return None
        return AnswerKey(problem.id, self.name, answer, problem.solution if problem.domain == "math" else answer)

    def _entries(self, set: str, seed: int) -> Any:
        """The data set; its seed is of our own making, for problem i of seed s is there problem i - 1 of seed s + 1."""
        from reasoning_gym import create_dataset

        digest = sha256(f"{set}/{self.name}/s{seed}".encode()).digest()
        return create_dataset(self.dataset, seed=int.from_bytes(digest[:3]), size=_SIZE)


def _texts(entry: dict[str, Any]) -> tuple[str, str]:
    """Question and answer."""
    return str(entry["question"]).strip(), str(entry["answer"]).strip()


def _fits(problem: Problem) -> bool:
    """Whether the answer is one of its domain: in math a whole number."""
    if problem.domain == "math" and not _NUMBER.fullmatch(problem.answer):
        return False
    return bool(problem.answer) and score(SCORER_OF[problem.domain], problem, problem.answer).correct
