"""Extraction of the numbers that a text states, in digits or in words, as exact values.

Example: "Half of the twenty-five boxes hold 1,200 nails, 2 1/2 dozen of them bent, 5% lost" states
{1/2, 25, 1200, 30, 1/20}.
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

Number = Fraction | str  # a text if there are too many digits for Python to convert

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_PARTS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_UNITS = {word: number for number, word in enumerate(_SMALL.split())} | {
    word: 10 * number for number, word in enumerate(_TENS.split(), 2)
}
_TIMES = {"twice": 2, "double": 2, "doubled": 2, "doubles": 2, "thrice": 3, "triple": 3, "tripled": 3, "triples": 3,
          "quadruple": 4, "quadrupled": 4}  # fmt: skip
_SCALES = {
    "decade": 10,
    "decades": 10,
    "dozen": 12,
    "dozens": 12,
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
}
_ORDINALS = {word: number for number, word in enumerate(_PARTS.split(), 3)}
_DENOMINATORS = {
    "half": 2, "halves": 2, "quarter": 4, "quarters": 4,
    **_ORDINALS, **{f"{word}s": number for word, number in _ORDINALS.items()},
}  # fmt: skip
_WORDS = "|".join(sorted([*_UNITS, *_TIMES, *_SCALES, *_DENOMINATORS], key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+/\d+|\d+(?:\.\d+)?|\.\d+"
_NUMERAL = re.compile(
    rf"(?P<before>\b(?:and\s+)?an?[\s-]+|\band\s+)?(?:(?P<digits>{_DIGITS})|\b(?P<word>{_WORDS})\b)"
    r"(?P<percent>\s*(?:%|\bper\s?cent\b))?"
)


def numbers(text: str) -> frozenset[Number]:
    """Return the numbers in a text: digits (1,200.50, 2 1/2, ½) or words (two hundred and five, a third, a dozen).

    "percent" divides by a hundred. Signs are left out, since a minus looks like a hyphen in "3-5" and "-5". "second" is
    read as the unit of time and "first" as an adverb, so both are left out; other ordinals count.
    """
    plain = _plain(text)
    values: set[Number] = set()
    parts: list[_Part] = []
    end = 0
    for match in _NUMERAL.finditer(plain):
        if (parts and plain[end : match.start()].strip(" \t-")) or not (longer := _continued(parts, match)):
            values |= _total(parts)
            longer = _begun(match)
        parts, end = longer, match.end()
        if match["percent"]:
            values |= {part / 100 if isinstance(part, Fraction) else part for part in _total(parts)}
            parts = []
    return frozenset(values | _total(parts))


def value(answer: str) -> Number:
    """Return an answer as a number if it states exactly one ("$1,200", "18 pens", "-5", "#### 18"), else its words.

    A percent sign is ignored, since it is often in the question instead.
    """
    text = answer.rpartition("####")[2]
    stated = numbers(text.replace("%", ""))
    only = next(iter(stated)) if len(stated) == 1 else None
    if isinstance(only, Fraction):
        return -only if re.match(r"\W*[-−]\W*[\d.]", text) else only
    return " ".join(text.casefold().split())


@dataclass(frozen=True)
class _Part:
    """A summand of a number that is being read; the next summand must be smaller than `room`."""

    value: Number
    room: int = 0


def _plain(text: str) -> str:
    """Return the text in lower case, with vulgar fractions written out: "2½" becomes "2 1/2"."""
    if text.isascii():
        return text.lower()
    characters = (
        " " + unicodedata.normalize("NFKC", sign).replace("⁄", "/") + " "
        if unicodedata.decomposition(sign).startswith("<fraction>")
        else sign
        for sign in text
    )
    return "".join(characters).lower()


def _begun(match: re.Match[str]) -> list[_Part]:
    """Return the parts of a number that begins with this numeral."""
    word, article = match["word"], "a" in (match["before"] or "").replace("and", "")
    if not word:
        return [_Part(_fraction(match["digits"]))]
    if word in _SCALES:
        return [_scaled(Fraction(1), word)]
    if word in _ORDINALS and not article:
        return [_Part(Fraction(_ORDINALS[word]))]
    if word in _DENOMINATORS:
        return [_Part(Fraction(1, _DENOMINATORS[word]))]
    return [_Part(Fraction(_UNITS.get(word) or _TIMES.get(word, 0)), 10 if word in _TENS.split() else 0)]


def _continued(parts: list[_Part], match: re.Match[str]) -> list[_Part]:
    """Return the parts of the number with this numeral added; empty if the numeral begins a number of its own."""
    if not parts or not isinstance(last := parts[-1].value, Fraction):
        return []
    word, before = match["word"], " ".join((match["before"] or "").replace("-", " ").split())
    if not word:
        digits = _fraction(match["digits"]) if "/" in match["digits"] else ""
        mixed = isinstance(digits, Fraction) and 0 < digits < 1 and last.denominator == 1 and before in ("", "and")
        return [*parts, _Part(digits)] if mixed else []
    if word in _SCALES:
        return _multiplied(parts, word) if not before or (before == "a" and last < 1) else []
    if (count := _UNITS.get(word) or _ORDINALS.get(word)) and count < parts[-1].room:
        fits = not before or (before == "and" and parts[-1].room >= 100)
        return [*parts, _Part(Fraction(count), 10 if word in _TENS.split() else 0)] if fits else []
    if (denominator := _DENOMINATORS.get(word)) is None or last.denominator != 1:
        return []
    if before == "and a":
        return [*parts, _Part(Fraction(1, denominator))]
    separate = before or not 0 < last < denominator or (last > 1 and not word.endswith("s"))
    return [] if separate else [*parts[:-1], _Part(last / denominator)]


def _multiplied(parts: list[_Part], scale: str) -> list[_Part]:
    """Multiply by a scale: "two hundred" and "fifty" by "thousand" is 250,000; parts above the scale stay."""
    higher = list(parts)
    count = Fraction(0)
    while higher and isinstance(top := higher[-1].value, Fraction) and (not count or top < _SCALES[scale]):
        count += top
        higher.pop()
    return [*higher, _scaled(count, scale)]


def _scaled(count: Fraction, scale: str) -> _Part:
    size = _SCALES[scale]
    return _Part(count * size, size if size >= 100 else 0)


def _total(parts: list[_Part]) -> set[Number]:
    values = [part.value for part in parts]
    fractions = [number for number in values if isinstance(number, Fraction)]
    return {sum(fractions, Fraction(0))} if fractions else set(values)


def _fraction(digits: str) -> Number:
    """Return digits as a fraction; as a text if they divide by zero ("24/0") or are too many for Python to convert."""
    try:
        return Fraction(digits.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return digits
