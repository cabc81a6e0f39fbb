"""Print one synthetic problem again, from its id alone.

python -m pfe.tutors.show gsm1k_synth/coupon_change/s0/2
"""

import sys

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.stage import told
from pfe.terminal import plain
from pfe.tutors.family import remake


def shown(problem: Problem) -> str:
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


@told
def main(arguments: list[str]) -> None:
    """Print the problem that the one argument names."""
    if len(arguments) != 1:
        raise UserError("give one id: python -m pfe.tutors.show <set>/<family>/s<seed>/<index>")
    print(plain(shown(remake(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
