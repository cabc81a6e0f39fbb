"""Print one synthetic problem again, from its id alone.

    pfe problem gsm1k_synth/coupon_change/s0/2

The id says set, family, seed and index; it stands beside the problem wherever the problem does.
"""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pfe.problem import Problem


def main(id: Annotated[str, typer.Argument(help="SET/FAMILY/sSEED/INDEX")]) -> None:
    """Make the problem of this id and print it."""
    from pfe.terminal import plain
    from pfe.tutors.family import remake

    print(plain(readable(remake(id))))


def readable(problem: "Problem") -> str:
    """A problem for reading: what is asked, the choices or tests, and the worked solution."""
    parts = {
        "context": problem.context,
        "question": problem.question,
        "choices": "\n".join(f"- {choice}" for choice in problem.choices),
        "functions": ", ".join(problem.functions),
        "tests": "\n".join(problem.tests),
        "solution": problem.solution,
    }
    head = f"{problem.id}  ({problem.domain}, seed {problem.seed}, by {problem.tutor})"
    return "\n\n".join([head, *(f"[{name}]\n{text}" for name, text in parts.items() if text)])
