"""Attacks that add typing errors to a problem.

Example: "A baker sells twelve rolls" becomes "A baker sells twevle rolls".
"""

import re
from collections.abc import Mapping
from random import Random

from pfe.calibration.attack import Attack, Donors, rewritten
from pfe.calibration.attacks.disguise import homoglyphs
from pfe.problem import Problem


def _typos(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Drop, double, replace, or swap with the next, one letter in every third word of two letters or more."""
    count = 0

    def typo(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return match.group() if count % 3 else _misspelt(match.group(), rng)

    return rewritten(problem, lambda text: re.sub(r"[A-Za-z]{2,}", typo, text))


def _misspelt(word: str, rng: Random) -> str:
    place = rng.randrange(len(word) - 1)
    before, letter, following, after = word[:place], word[place], word[place + 1], word[place + 2 :]
    stranger = rng.choice([other for other in "abcdefghijklmnopqrstuvwxyz" if other != letter.lower()])
    edits = (following, letter + letter + following, stranger + following, following + letter)
    return before + rng.choice([edit for edit in edits if edit != letter + following]) + after


def _disguised_typos(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Add typing errors, then write the text in look-alike letters."""
    return homoglyphs(_typos(problem, donors, rng), donors, rng)


ATTACKS: Mapping[str, Attack] = {"typos": _typos, "disguised_typos": _disguised_typos}
