"""A tutor that is a language model, prompted with problems as instructions.

Example: `ModelTutor("gpt4o", server, tutor_prompt, 512, 64, spending).answer(problems)` returns a key or None for each
problem, as far as the budget goes.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Done, Examinee, Request, unseen
from pfe.problem import AnswerKey, Problem
from pfe.tutors.budget import Spending
from pfe.tutors.prompt import tutor_key


@dataclass(frozen=True)
class ModelTutor:
    """A tutor whose answer is a model's completion of the prompt for a problem, in at most `max_tokens` tokens.

    With a budget it sends `together` requests at a time, so that their usage is known before it sends more.
    """

    name: str
    examinee: Examinee
    prompt: Callable[[Problem], str]
    max_tokens: int
    together: int
    spending: Spending

    def role(self, problem: Problem) -> Literal["check", "reader"]:
        """Return "check" for a problem that this tutor wrote, else "reader".

        It checks its own problem by answering it again without seeing the answer.
        """
        return "check" if problem.tutor == self.name else "reader"

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        """Return keys to the first problems, as many as the budget allows.

        Raises:
            UserError: the model cannot answer; answers that arrived before stay in the response cache.
        """
        requests = [
            Request(problem, Prefix(), self.prompt(problem), max_tokens=self.max_tokens) for problem in problems
        ]
        answers = self._asked(requests, done)
        if len(answers) < len(problems):
            print(
                f"NOTE: tutor.{self.name} read {len(answers):,} of {len(problems):,} problems: "
                f"its budget ends after {self.spending}",
                file=sys.stderr,
            )
        if long := sum(answer.stop == "too_long" for answer in answers):
            print(
                f"NOTE: tutor.{self.name}: {long:,} problems are longer than its window; no key to them",
                file=sys.stderr,
            )
        return [
            tutor_key(problem, self.name, answer.output) for problem, answer in zip(problems, answers, strict=False)
        ]

    def _asked(self, requests: Sequence[Request], done: Done) -> list[Answer]:
        size = self.together if self.spending.is_bounded else max(1, len(requests))
        answers: list[Answer] = []
        while len(answers) < len(requests):
            new = self.spending.asked(self.examinee, requests[len(answers) : len(answers) + size], done)
            if not new:
                break
            answers += new
        return answers
