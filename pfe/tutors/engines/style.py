"""Formatting tasks: data to rewrite in an invented house style, which only the problem's library explains.

Example: "Write these names in Tolip style, one a line." with three names, and the guide "In Tolip style the surname
comes first." The task's function rewrites one line. The data of a problem are the arguments of its three calls.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from pfe.problem import AnswerKey, Problem
from pfe.tutors.engines import bound_program
from pfe.tutors.family import Draft, Facts, Family
from pfe.tutors.programs import defined


class Engine(bound_program.Engine):
    """Instructions in the terms of one kind of style guide; the files are as in the engine `bound_program`."""

    domain = "format"
    scorer = "format"

    def world(self, rng: Random) -> Sequence[Facts]:
        return [
            {**facts, "data": tuple(arguments[0] for arguments, _ in self.examples_of(facts))}
            for facts in super().world(rng)
        ]

    def write(self, facts: Facts, rng: Random) -> Draft:
        draft = super().write(facts, rng)
        return Draft("\n\n".join((draft.question, "\n".join(facts["data"]))))

    def solve(self, facts: Facts) -> str:
        return self._written(facts, 0)

    def check(self, facts: Facts, answer: str) -> bool:
        """Return whether the program that is written in another way gives these lines."""
        return answer == self._written(facts, -1)

    def candidates(self, problem: Problem) -> Iterable[str]:
        facts = self.read(problem)
        others = self.rivals(facts, Random(problem.question))
        return dict.fromkeys([self.solve(facts), *(self.solve(other) for other in others)])

    def read(self, problem: Problem) -> Facts:
        instruction, _, data = problem.question.partition("\n\n")
        return {**super().read(replace(problem, question=instruction)), "data": tuple(data.split("\n"))}

    def replay(self, problem: Problem) -> str:
        return Family.replay(self, problem)

    def answer(self, problem: Problem, route: str) -> AnswerKey:
        return Family.answer(self, problem, route)

    def _written(self, facts: Facts, number: int) -> str:
        function: Any = defined(self.programs(facts)[number], self.function_name(facts))
        return "\n".join(map(function, facts["data"]))
