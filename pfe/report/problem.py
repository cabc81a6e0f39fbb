"""A problem as readable text: its library, question and answers.

Example, the beginning of `readable(problem)`:
    arc_synth/creatures/s0/2  (science, lookup, seed 81, by procedural)

    [library]
    1. Gorms sing at night.
    2. * A gorm weighs 4 tils.

A star marks entries that the answer needs. A changed library is shown as its differences only.
"""

import json
from collections.abc import Mapping

from pfe.problem import Problem, Variant


def head(problem: Problem) -> str:
    """Return the id of a problem and where it comes from: domain, skill, seed and tutor."""
    made = [f"seed {problem.seed}", f"by {problem.tutor}"] if problem.tutor else []
    return f"{problem.id}  ({', '.join(filter(None, [problem.domain, problem.skill, *made]))})"


def parts(problem: Problem) -> dict[str, str]:
    """Return the parts of a problem that are not empty, by name."""
    texts = {
        "library": "\n".join(
            f"{place + 1}. {'* ' if place in problem.needed else ''}{entry}"
            for place, entry in enumerate(problem.library)
        ),
        "context": problem.context,
        "question": problem.question,
        "choices": "\n".join(f"- {choice}" for choice in problem.choices),
        "functions": "\n".join(_function(problem, function) for function in problem.functions),
        "tests": "\n".join(problem.tests),
        "answer": problem.answer,
        **{f"with another library: {variant.name}": _variant(problem, variant) for variant in problem.variants},
        "solution": problem.solution,
    }
    return {name: text for name, text in texts.items() if text}


def readable(problem: Problem) -> str:
    """Return the whole problem as text."""
    return "\n\n".join([head(problem), *_titled(parts(problem))])


def _titled(texts: Mapping[str, str]) -> list[str]:
    return [f"[{name}]\n{text}" for name, text in texts.items()]


def _function(problem: Problem, function: str) -> str:
    """Return a function that the problem offers; only its name if the problem's own library documents it."""
    is_definition = problem.library_bound and function.startswith("{")
    return str(json.loads(function)["name"]) if is_definition else function


def _variant(problem: Problem, variant: Variant) -> str:
    """Return the entries in which a variant's library differs from the problem's, and the correct answer with it."""
    entries = [entry for entry in variant.library if entry not in problem.library]
    answer = f"{variant.answer}  (otherwise: {variant.otherwise})" if variant.otherwise else variant.answer
    return "\n".join([*(f"- {entry}" for entry in entries), f"→ {answer}"])
