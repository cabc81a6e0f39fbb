"""Scripted readers on the ladder of `invented`: the spans of readers with a known memory.

Example: a reader that remembers all statements is above the ladder in every skill. A reader that remembers the last 16
of them is between the rungs 16 and 64.
"""

from collections.abc import Mapping, Sequence

from pfe.invented.making import invent
from pfe.invented.reader import read_answer
from pfe.problem import Problem, ScoredPrediction
from pfe.scores.spans import Spans, score_spans

SEED, COUNT = 0, 1000  # seed and number of the sealed problems
MEMORIES: Mapping[str, int | None] = {
    "a script that reads everything": None,
    "a script that remembers 16 statements": 16,
    "a script that remembers 4 statements": 4,
}


def reader_spans() -> dict[str, Spans]:
    """Return the spans of every scripted reader on the sealed problems, by the reader's description."""
    problems = invent(SEED, COUNT)
    found = {name: score_spans(_answers(problems, memory)) for name, memory in MEMORIES.items()}
    return {name: spans for name, spans in found.items() if spans}


def _answers(problems: Sequence[Problem], memory: int | None) -> list[ScoredPrediction]:
    return [
        ScoredPrediction(
            problem_id=problem.id, benchmark="invented", model="script", arm="icr", order=0, output=answer,
            tokens_in=0, tokens_out=0, stop="choice", group=problem.family, extracted=answer,
            correct=answer == problem.answer, choices=len(problem.choices), gold=problem.answer,
            skill=problem.skill, rung=problem.rung, names=problem.names,
        )
        for problem in problems
        for answer in [read_answer(problem, memory)]
    ]  # fmt: skip
