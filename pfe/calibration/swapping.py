"""Replacement of names, numbers and words in a problem by others of the same kind.

Example: "Ann has 3 pens and buys 12 more." becomes "Oddny owns 7 pens and purchases 48 additional."
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import yaml

from pfe.calibration.attack import Donors, rewritten
from pfe.firewall.folding import names
from pfe.problem import Problem

_UNIT_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL_NUMBERS, _TENS = tuple(_UNIT_WORDS.split()), tuple(_TEN_WORDS.split())
_NUMBER = re.compile(rf"[0-9]+|\b(?:{'|'.join(SMALL_NUMBERS + _TENS)})\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORDS = yaml.safe_load(Path(__file__).with_name("swapping.yaml").read_text(encoding="utf-8"))
_NAMES = tuple(_WORDS["names"].split())
_SYNONYMS: Mapping[str, str] = _WORDS["synonyms"]


def numbers_swapped(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Replace every number by one of as many digits, equal ones by equal ones, also in answer, solution and tests.

    Number words are replaced too, except "one", which is rarely a count. The new answer is hardly ever correct, only a
    number of the same kind: a gate that recognises the template must not rely on the answer.
    """
    digits, words = dict[str, str](), dict[str, str]()

    def other(match: re.Match[str]) -> str:
        number = match.group()
        if number.isdecimal():
            return digits.setdefault(number, _other_digits(number, rng))
        word = number.lower()
        swapped = words.setdefault(word, rng.choice([other for other in _alike(word) if other != word]))
        return swapped.capitalize() if number[0].isupper() else swapped

    def swap(text: str) -> str:
        return _NUMBER.sub(other, text)

    changed = rewritten(problem, swap)
    if changed.text == problem.text:
        return None
    return replace(
        changed,
        answer=changed.answer if problem.choices else swap(problem.answer),
        aliases=tuple(map(swap, problem.aliases)),
        solution=swap(problem.solution),
        setup=swap(problem.setup),
        tests=tuple(map(swap, problem.tests)),
    )


def _other_digits(digits: str, rng: Random) -> str:
    least = 10 ** (len(digits) - 1) if len(digits) > 1 else 1
    number = rng.randrange(least, 10 ** len(digits) - 1)
    return str(number if number < int(digits) else number + 1)


def _alike(word: str) -> tuple[str, ...]:
    return _TENS if word in _TENS else SMALL_NUMBERS


def names_swapped(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Replace every name by another, the same one everywhere, also in answer and solution; programs stay."""
    present = sorted(names(problem.text, donors.ordinary_words))
    free = [name for name in _NAMES if name not in problem.text]
    substitutes = dict(zip(present, rng.sample(free, min(len(free), len(present))), strict=False))
    if not substitutes:
        return None
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(substitutes, key=len, reverse=True)))})\b")

    def swap(text: str) -> str:
        return pattern.sub(lambda name: substitutes[name.group()], text)

    changed = rewritten(problem, swap)
    if problem.domain == "code":
        return changed
    aliases = tuple(map(swap, problem.aliases))
    return replace(changed, answer=swap(problem.answer), aliases=aliases, solution=swap(problem.solution))


def both_swapped(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Return another problem from the same template: names and numbers are swapped."""
    renamed = names_swapped(problem, donors, rng)
    return renamed and numbers_swapped(renamed, donors, rng)


def reworded(sentence: str, rng: Random, share: float) -> str:
    """Replace about the given share of the words that have a synonym by that synonym."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        synonym = _SYNONYMS.get(word.lower())
        if synonym is None or rng.random() > share:
            return word
        return synonym.capitalize() if word[0].isupper() else synonym

    return re.sub(r"[A-Za-z]+", other, sentence)
