"""Scoring of benchmarks with several kinds of problems: each problem is scored by its own kind.

Example: with choices the output names one; with functions on offer it is a call; a numeric answer is a number; any
other answer is short text, compared without case, articles and punctuation.
"""

from pfe.problem import Problem
from pfe.scorers.alias import score as alias_score
from pfe.scorers.choice import score as choice_score
from pfe.scorers.function_call import score as call_score
from pfe.scorers.number import score as number_score
from pfe.scorers.outcome import Score


def score(problem: Problem, output: str) -> Score:
    """Score the output with the scorer of the problem's kind."""
    if problem.choices:
        return choice_score(problem, output)
    if problem.functions:
        return call_score(problem, output)
    return number_score(problem, output) if problem.answer.isdecimal() else alias_score(problem, output)
