"""A tutor that takes its problems and answers from a reasoning-gym data set.

Example, conf/tutor/leg_counting.yaml:
    # @package tutor.leg_counting
    kind: reasoning_gym
    dataset: leg_counting
    writes: {gsm1k_synth: 200}
Source: Stojanovski et al. 2025, REASONING GYM, arXiv:2505.24760.

It does not answer problems that others made. For a key to one of its own problems it regenerates the problem, and the
data set's own scorer must accept the answer.
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
from pfe.tutors.writing.results import Refusal, Work

DOMAINS: tuple[Domain, ...] = ("math", "format")  # those whose problems consist of a question and an answer
_SIZE = 2**31 - 1  # the declared size of a data set, larger than any number of problems sampled
_PATIENCE = 40  # consecutive problems that are duplicates or do not fit the domain
_NUMBER = re.compile(r"-?\d+")


def gym(name: str, tutor: Tutor) -> "Gym":
    """Return the tutor for a configuration entry.

    Raises:
        UserError: reasoning-gym is not installed, or the entry names no data set of it.
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
        """Return at most `count` problems with distinct texts, fewer after `_PATIENCE` consecutive failures.

        A failure is a duplicate, or a problem whose answer is not valid in the domain.

        Raises:
            UserError: the set's problems consist of more than a question and an answer.
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
        """Return the answer to the regenerated problem; None if the question differs or the scorer rejects it."""
        seed, index = re.findall(r"\d+", problem.id.rpartition("/s")[2])
        entries = self._entries(problem.set, int(seed))
        entry = entries[int(index)]
        question, answer = _texts(entry)
        if question != problem.question or entries.score_answer(answer, entry) != 1:
            return None
        return AnswerKey(problem.id, self.name, answer, problem.solution if problem.domain == "math" else answer)

    def _entries(self, set: str, seed: int) -> Any:
        """Return the data set, with a hash as its seed.

        With consecutive seeds problems would repeat: problem i of seed s is problem i - 1 of seed s + 1.
        """
        from reasoning_gym import create_dataset

        digest = sha256(f"{set}/{self.name}/s{seed}".encode()).digest()
        return create_dataset(self.dataset, seed=int.from_bytes(digest[:3]), size=_SIZE)


def _texts(entry: dict[str, Any]) -> tuple[str, str]:
    """Return the question and the answer."""
    return str(entry["question"]).strip(), str(entry["answer"]).strip()


def _fits(problem: Problem) -> bool:
    """Return whether the answer is valid in its domain: in math, a whole number."""
    if problem.domain == "math" and not _NUMBER.fullmatch(problem.answer):
        return False
    return bool(problem.answer) and score(SCORER_OF[problem.domain], problem, problem.answer).correct
