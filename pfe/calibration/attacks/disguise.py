"""Attacks that change the characters of a problem, while a person still reads the same text.

Example, attack "homoglyphs": some letters a, e and o in "Janet has one" become Cyrillic or Greek look-alikes.
"""

import itertools
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pfe.calibration.attack import Attack, Donors, rewritten
from pfe.problem import Problem

_SPACES = " \u00a0\u2003\u2009\u3000\t\n"
_MARKUPS = (  # the separator of the words, and the form of each word
    *((blank, "{word}") for blank in ("&nbsp;", "&#32;", "%20", "\\n", "\\u0020")),
    *((" ", word) for word in ("<b>{word}</b>", "[b]{word}[/b]", "[{word}](#)", "{number}. {word}")),
)
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_LONG_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{5,}(?![^\W_])")
_GLYPHS: Mapping[str, str] = {
    **{"a": "а", "c": "с", "d": "ԁ", "e": "е", "h": "һ", "i": "і", "j": "ј", "o": "оο", "p": "р", "s": "ѕ"},
    **{"v": "ν", "w": "ԝ", "x": "х", "y": "у", "A": "АΑ", "B": "ВΒ", "C": "С", "E": "ЕΕ", "H": "НΗ", "I": "ІΙ"},
    **{"J": "Ј", "K": "КΚ", "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "X": "ХΧ", "Y": "Υ"},
}


def _whitespace(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Replace blanks by runs of unusual spaces and line breaks; about one long word in eight gets a space inside."""

    def wider(match: re.Match[str]) -> str:
        return "".join(rng.choices(_SPACES, k=rng.randint(1, 3)))

    def parted(match: re.Match[str]) -> str:
        word = match.group()
        place = rng.randrange(1, len(word))
        return word if rng.random() > 1 / 8 else word[:place] + " " + word[place:]

    return rewritten(problem, lambda text: re.sub(r"\s+", wider, _LONG_WORD.sub(parted, text)))


def _case(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Write all ASCII letters as capitals, or each in random case; other letters have no such simple pairs."""
    share = rng.choice((0.5, 1.0))

    def change(text: str) -> str:
        return re.sub(r"[A-Za-z]", lambda c: c.group().upper() if rng.random() < share else c.group().lower(), text)

    return rewritten(problem, change)


def _unicode(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Use other code points that look the same: decomposed accents, full-width words, zero-width characters inside."""

    def change(match: re.Match[str]) -> str:
        word = match.group()
        return rng.choice((str, _full_width, lambda word: rng.choice(_NO_WIDTH).join(word)))(word)

    return rewritten(problem, lambda text: re.sub(r"[!-~]+", change, unicodedata.normalize("NFD", text)))


def _full_width(word: str) -> str:
    return "".join(chr(ord(character) + 0xFEE0) for character in word)


def homoglyphs(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Replace about half of the letters that have a Cyrillic or Greek look-alike by it."""

    def twin(match: re.Match[str]) -> str:
        return rng.choice(_GLYPHS[match.group()]) if rng.random() < 0.5 else match.group()

    return rewritten(problem, lambda text: re.sub(f"[{''.join(_GLYPHS)}]", twin, text))


def _markup(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Write every blank as an entity, an octet or an escape, or every word in a tag or with a number."""
    blank, markup = rng.choice(_MARKUPS)
    count = itertools.count(1)
    return rewritten(
        problem, lambda text: blank.join(markup.format(number=next(count), word=word) for word in text.split())
    )


def _disguised_excerpt(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Write the first half of the problem in look-alike letters, followed by another text's words."""
    words = problem.text.split()
    if len(words) < 12 or not donors.texts:
        return None
    ending = rng.choice(donors.texts).split()[: len(words) // 4]
    half = replace(problem, context="", question=" ".join(words[: len(words) // 2]), choices=())
    hidden = homoglyphs(half, donors, rng)
    return replace(hidden, question=f"{hidden.question} {' '.join(ending)}")


ATTACKS: Mapping[str, Attack] = {
    "whitespace": _whitespace,
    "case": _case,
    "unicode": _unicode,
    "homoglyphs": homoglyphs,
    "markup": _markup,
    "disguised_excerpt": _disguised_excerpt,
}
