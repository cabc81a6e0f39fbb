"""Rule-based readers: they parse the wordings and know nothing else.

Example: one that remembers 16 statements answers every problem on the rungs 4 and 16, and guesses one of four choices
on rung 64 if it has forgotten the statements that it needs.
"""

from dataclasses import replace
from random import Random

from pfe.invented.making import invented_families
from pfe.problem import Problem


def read_answer(problem: Problem, memory: int | None = None, seed: int = 0) -> str:
    """Return the answer by the library in context, or a guess if the reader cannot know it.

    Args:
        memory: how many statements the reader remembers, the last ones, as the rung counts them; None for all.
        seed: of the guesses; "" is the guess for a free-text answer.
    """
    share = 1.0 if memory is None else min(1.0, memory / problem.rung)
    library = problem.library[len(problem.library) - round(share * len(problem.library)) :]
    known = invented_families()[problem.family].answered(replace(problem, library=library))
    if known is not None and (not problem.choices or known in problem.choices):
        return known
    return Random(f"{seed}:{problem.id}").choice(problem.choices or ("",))
