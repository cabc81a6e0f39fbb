"""Whether an output is right: one scorer a kind of answer, the same one for models and for answer keys.

Example: `score("number", problem, "9 * 2 = 18\\n#### 18")` is `Score(correct=True, extracted="18")`.
"""

from collections.abc import Callable, Mapping, Sequence

from pfe.cache import Cache
from pfe.problem import Domain, Problem, Scorer
from pfe.scorers import alias, boolean, choice, format, function_call, mixed, number, program
from pfe.scorers.outcome import Score

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

# The scorer of a problem that neither a benchmark nor a family brings one for.
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


def score(name: Scorer, problem: Problem, output: str) -> Score:
    """Score what a model or a tutor answered. No output, however odd, raises.

    Raises:
        UserError: programs cannot be run safely on this machine.
    """
    return SCORERS[name](problem, output)


def score_all(
    name: Scorer,
    problems: Sequence[Problem],
    outputs: Sequence[str],
    unsafe: bool = False,
    ended: Sequence[bool] | None = None,
) -> list[Score]:
    """`score` of every problem and output, in their order; programs are run side by side, their verdicts kept.

    Args:
        unsafe: run programs also where they cannot be isolated.
        ended: which outputs came to their end, rather than being cut off; all of them where it is not given.

    Raises:
        UserError: as in `score`.
    """
    if name == "program":
        return program.score_many(zip(problems, outputs, strict=True), unsafe, Cache.default())
    if name == "function_call":
        complete = [True] * len(outputs) if ended is None else ended
        return [function_call.score(*arguments) for arguments in zip(problems, outputs, complete, strict=True)]
    return [score(name, problem, output) for problem, output in zip(problems, outputs, strict=True)]
