"""Attacks that make another problem from the same template, with or without further conditions.

Example, attack "clauses_1": "Ann has 3 pens. How many …?" becomes "Oddny has 7 pens. A tax of 5% is added at the end.
How many …?".
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import yaml

from pfe.calibration.attack import Attack, Donors
from pfe.calibration.swapping import SENTENCE_END, both_swapped, names_swapped, numbers_swapped, reworded
from pfe.firewall.folding import names
from pfe.problem import Problem

_CLAUSES = yaml.safe_load(Path(__file__).with_name("clauses.yaml").read_text(encoding="utf-8"))


def _clauses(count: int) -> Attack:
    """Return an attack like GSM-Symbolic's P1 and P2: it swaps names, numbers and some words, and adds conditions."""

    def change(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
        sentences = SENTENCE_END.split(problem.question.strip())
        if problem.domain != "math" or len(sentences) < 2:
            return None
        changed = names_swapped(problem, donors, rng) or problem
        changed = numbers_swapped(changed, donors, rng) or changed
        sentences = [reworded(sentence, rng, 0.3) for sentence in SENTENCE_END.split(changed.question.strip())]
        people = sorted(names(changed.question, donors.ordinary_words)) or ["The owner"]
        for clause in rng.sample(_CLAUSES, count):
            numbers = {"a": rng.randrange(2, 30), "b": rng.randrange(30, 200), "p": rng.randrange(5, 45, 5)}
            sentences.insert(rng.randrange(1, len(sentences)), clause.format(name=rng.choice(people), **numbers))
        # An added condition changes the answer; its value does not matter here.
        return replace(changed, question=" ".join(sentences), answer=str(rng.randrange(3, 999)), solution="")

    return change


ATTACKS: Mapping[str, Attack] = {"both_swap": both_swapped, "clauses_1": _clauses(1), "clauses_2": _clauses(2)}
