"""A tutor that is a language model: an examinee that is asked problems as instructions.

Example: `ModelTutor("gpt4o", server, tutor_prompt, 512, 64, spending).answer(problems)` gives a key to each problem, or
None, as far as the budget goes.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Done, Examinee, Request, unseen
from pfe.problem import AnswerKey, Problem
from pfe.tutors.prompt import tutor_key
from pfe.tutors.spending import Spending


@dataclass(frozen=True)
class ModelTutor:
    """What a model writes to the prompt that it is given for each problem, in at most `max_tokens` tokens.

    With a budget it is asked `together` at a time, so that what these took is known before more are asked.
    """

    name: str
    examinee: Examinee
    prompt: Callable[[Problem], str]
    max_tokens: int
    together: int
    spending: Spending

    def role(self, problem: Problem) -> Literal["check", "reader"]:
        """It reads what others made; what it wrote it checks, asked again without the answer."""
        return "check" if problem.tutor == self.name else "reader"

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        """Keys to the first of the problems, as many as the budget allows.

        Raises:
            UserError: the model cannot answer; what it answered before that is kept.
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
