"""Rules of an invented house, game or custom that decide which of two people a blank stands for.

Example: the question is "Ruth wore the oak badge and Carla the fern badge, so in the month of frost _ kept the keys."
The rule "In the month of frost the {badge} badge keeps the keys." in the library decides between Ruth and Carla.
"""

from collections.abc import Mapping, Sequence
from random import Random

from pfe.problem import Problem
from pfe.tutors.engines import rules
from pfe.tutors.family import Facts


class Engine(rules.Engine):
    """Problems as in `rules`; in the question `{a}` and `{b}` are two people, `{of_a}` and `{of_b}` their values."""

    domain = "coreference"
    answers = 2

    def options(self, facts: Facts, rng: Random) -> Facts:
        value, others = self.alternatives(facts, rng)
        pair = [value, others[0]]
        rng.shuffle(pair)
        slots = {**facts["slots"], "of_a": pair[0], "of_b": pair[1]}
        return {"slots": slots, "options": (slots["a"], slots["b"])}

    def meanings(self, facts: Facts) -> dict[str, str]:
        slots = facts["slots"]
        return {slots["a"]: slots["of_a"], slots["b"]: slots["of_b"]}

    def namings(self, problem: Problem) -> Sequence[Mapping[str, str]]:
        return [dict(zip("ab", order, strict=True)) for order in (problem.choices, problem.choices[::-1])]
