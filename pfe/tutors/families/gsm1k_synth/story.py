"""What the word problems of gsm1k_synth share: templates woven from sentences, and worked lines.

Example: `weave(("{name} has {n:d} figs.",), ("{He} eats 2.", "Two are eaten."))` gives two templates,
and `worked("12*4", "$")` gives `12 * 4 = $<<12*4=48>>48`.
"""

import re
from abc import abstractmethod
from itertools import product
from random import Random
from typing import ClassVar

from pfe.problem import Problem
from pfe.tutors.arithmetic import evaluate
from pfe.tutors.family import Draft, Facts, MathFamily, unfill_any


class Story(MathFamily):
    """A word problem whose text is one of `templates`, filled with the facts."""

    templates: ClassVar[tuple[str, ...]]

    def write(self, facts: Facts, rng: Random) -> Draft:
        return Draft(rng.choice(self.templates).format(**facts))

    def read(self, problem: Problem) -> Facts:
        return unfill_any(self.templates, problem.question)

    def check(self, facts: Facts, answer: str) -> bool:
        return answer.isdecimal() and self.fits(facts, int(answer))

    @abstractmethod
    def fits(self, facts: Facts, x: int) -> bool:
        """Whether the story comes out right when the unknown is `x`."""


def weave(*sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Every text that takes one wording of each sentence, in order."""
    return tuple(" ".join(choice) for choice in product(*sentences))


def worked(expression: str, unit: str = "") -> str:
    """One annotated calculation, `unit` (such as `$`) before the result.

    Raises:
        ValueError: the expression is not arithmetic.
    """
    value = evaluate(expression)
    shown = str(value) if value.denominator == 1 else f"{float(value):.2f}"
    spaced = re.sub(r"(?<=[\d)])([-+*/])", r" \1 ", expression)
    return f"{spaced} = {unit}<<{expression}={shown}>>{shown}"
