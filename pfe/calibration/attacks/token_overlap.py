"""Attacks that copy a problem verbatim, or replace some of its words, names or numbers, or reorder its choices.

Example, attack "choice_order": the choices "barometer, ruler" become "ruler, barometer".
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pfe.calibration.attack import Attack, Donors, rewritten
from pfe.calibration.swapping import names_swapped, numbers_swapped
from pfe.problem import Problem


def _verbatim(problem: Problem, donors: Donors, rng: Random) -> Problem:
    return problem


def _words(share: float) -> Attack:
    """Return an attack that replaces the given share of the problem's words by words of the donors."""

    def change(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
        places = range(len(problem.text.split()))
        positions = set(rng.sample(places, round(share * len(places))))
        if not positions or not donors.words:
            return None
        count = iter(places)

        def other(match: re.Match[str]) -> str:
            return rng.choice(donors.words) if next(count) in positions else match.group()

        return rewritten(problem, lambda text: re.sub(r"\S+", other, text))

    return change


def _choice_order(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    if len(set(problem.choices)) < 2:
        return None
    choices = problem.choices
    while choices == problem.choices:
        choices = tuple(rng.sample(problem.choices, len(problem.choices)))
    return replace(problem, choices=choices)


ATTACKS: Mapping[str, Attack] = {
    "verbatim": _verbatim,
    **{f"words_{percent}": _words(percent / 100) for percent in (10, 20, 30)},
    "number_swap": numbers_swapped,
    "name_swap": names_swapped,
    "choice_order": _choice_order,
}
