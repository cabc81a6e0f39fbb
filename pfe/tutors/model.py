"""A tutor that is a language model: an examinee that is asked problems as instructions.

Example: `ModelTutor("gpt4o", server, tutor_prompt, 512).answer(problems)` gives a key to each problem, or None.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pfe.icr.prefix import Prefix
from pfe.models.request import Done, Examinee, Request, unseen
from pfe.problem import AnswerKey, Problem
from pfe.tutors.prompt import tutor_key


@dataclass(frozen=True)
class ModelTutor:
    """What a model writes to the prompt that it is given for each problem, in at most `max_tokens` tokens."""

    name: str
    examinee: Examinee
    prompt: Callable[[Problem], str]
    max_tokens: int

    def role(self, problem: Problem) -> Literal["check", "reader"]:
        """It reads what others made; what it wrote it checks, asked again without the answer."""
        return "check" if problem.tutor == self.name else "reader"

    def answer(self, problems: Sequence[Problem], done: Done = unseen) -> list[AnswerKey | None]:
        """Raises UserError where the model cannot answer; what it answered before that is kept."""
        requests = [
            Request(problem, Prefix(), self.prompt(problem), max_tokens=self.max_tokens) for problem in problems
        ]
        answers = self.examinee.answer(requests, done)
        if long := sum(answer.stop == "too_long" for answer in answers):
            print(
                f"NOTE: tutor.{self.name}: {long:,} problems are longer than its window; no key to them",
                file=sys.stderr,
            )
        return [tutor_key(problem, self.name, answer.output) for problem, answer in zip(problems, answers, strict=True)]
