"""One problem for reading: what is asked, behind what, and what is right.

Example, of `readable(problem)`:
    arc_synth/creatures/s0/2  (science, lookup, seed 81, by procedural)

    [library]
    1. Gorms sing at night.
    2. * A gorm weighs 4 tils.

A method that the answer needs has a star; of a changed library only what differs is shown.
"""

import json
from collections.abc import Mapping

from pfe.problem import Problem, Variant


def head(problem: Problem) -> str:
    """Its id, and where it comes from."""
    made = [f"seed {problem.seed}", f"by {problem.tutor}"] if problem.tutor else []
    return f"{problem.id}  ({', '.join(filter(None, [problem.domain, problem.skill, *made]))})"


def parts(problem: Problem) -> dict[str, str]:
    """What there is of a problem, by name."""
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
        **{f"behind another library: {variant.name}": _variant(problem, variant) for variant in problem.variants},
        "solution": problem.solution,
    }
    return {name: text for name, text in texts.items() if text}


def readable(problem: Problem) -> str:
    """All of it as text."""
    return "\n\n".join([head(problem), *_titled(parts(problem))])


def _titled(texts: Mapping[str, str]) -> list[str]:
    return [f"[{name}]\n{text}" for name, text in texts.items()]


def _function(problem: Problem, function: str) -> str:
    """A function on offer; of one that the problem's own library tells of, its name."""
    is_definition = problem.library_bound and function.startswith("{")
    return str(json.loads(function)["name"]) if is_definition else function


def _variant(problem: Problem, variant: Variant) -> str:
    """The answer behind another library, and where it is told from the right one's."""
    entries = [entry for entry in variant.library if entry not in problem.library]
    answer = f"{variant.answer}  (otherwise: {variant.otherwise})" if variant.otherwise else variant.answer
    return "\n".join([*(f"- {entry}" for entry in entries), f"→ {answer}"])
