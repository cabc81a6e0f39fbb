"""Scorers decide whether an output is correct: one per kind of answer, shared by models and answer keys.

Example: `score("number", problem, "9 * 2 = 18\\n#### 18")` is `Score(correct=True, extracted="18")`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence

from pfe.cache import Cache
from pfe.problem import Domain, Problem, Scorer
from pfe.scorers import alias, boolean, choice, format, function_call, mixed, number, program
from pfe.scorers.code import missing_modules
from pfe.scorers.outcome import Score
from pfe.thoughts import after_thoughts

__all__ = ["SCORERS", "SCORER_OF", "Score", "score", "score_all"]

SCORERS: Mapping[Scorer, Callable[[Problem, str], Score]] = {
    "alias": alias.score,
    "boolean": boolean.score,
    "choice": choice.score,
    "format": format.score,
    "function_call": function_call.score,
    "mixed": mixed.score,
    "number": number.score,
    "program": program.score,
}

# The default scorer of each domain, for problems whose benchmark or family sets none.
SCORER_OF: Mapping[Domain, Scorer] = {
    "math": "number",
    "science": "choice",
    "reading": "choice",
    "boolean": "boolean",
    "commonsense": "choice",
    "coreference": "choice",
    "code": "program",
    "factual": "alias",
    "function_call": "function_call",
    "format": "format",
    "invented": "mixed",
}


NO_ANSWER = Score(correct=False, extracted="")  # for an output that ends inside a thought


def score(name: Scorer, problem: Problem, output: str) -> Score:
    """Score an output of a model or tutor, ignoring its thoughts. A malformed output never raises.

    Raises:
        UserError: programs cannot be run safely on this machine.
    """
    answer = after_thoughts(output)
    return NO_ANSWER if answer is None else SCORERS[name](problem, answer)


def score_all(
    name: Scorer,
    problems: Sequence[Problem],
    outputs: Sequence[str],
    unsafe: bool = False,
    ended: Sequence[bool] | None = None,
) -> list[Score]:
    """Score every output against its problem, in order. Programs run in parallel, and their verdicts are cached.

    Args:
        unsafe: run programs even if they cannot be isolated.
        ended: whether each output is complete rather than truncated (default: all are).

    Raises:
        UserError: as in `score`.
    """
    complete = ended or [True] * len(outputs)
    answers = [after_thoughts(output) for output in outputs]
    rows = [
        (problem, answer, whole)
        for problem, answer, whole in zip(problems, answers, complete, strict=True)
        if answer is not None
    ]
    match name:
        case "program":
            scores = program.score_many([(problem, answer) for problem, answer, _ in rows], unsafe, Cache.default())
            _report_missing_modules(scores)
        case "function_call":
            scores = [function_call.score(*row) for row in rows]
        case _:
            scores = [SCORERS[name](problem, answer) for problem, answer, _ in rows]
    following = iter(scores)
    return [NO_ANSWER if answer is None else next(following) for answer in answers]


def _report_missing_modules(scores: Sequence[Score]) -> None:
    """Print to standard error the unavailable modules that failed programs import, with counts."""
    failed = missing_modules(score.extracted for score in scores if not score.correct)
    if failed:
        modules = ", ".join(f"{name} ({count})" for name, count in failed.items())
        print(
            f"NOTE: programs that failed import modules that are not there: {modules}. Programs of models have the "
            "standard library of Python alone; let the prompt say so, or read these failures as the sandbox's",
            file=sys.stderr,
        )
