"""Parsing of numbers as people write them: grouped, signed, with currencies, as fractions, in millions, in words.

Example: "1,00,000", "70'000", "-$3.50", "2 1/2", "1.5 million" and "twenty-one" are 100000, 70000, -3.5, 2.5, 1500000
and 21.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_GROUPED = (
    r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?![0-9])"
    r"|[0-9]{1,3}(?:'[0-9]{3})+(?![0-9])|[0-9]{1,3}(?: [0-9]{3})+(?![0-9])"
    r"|[0-9]{1,3}(?:\.[0-9]{3}){2,}(?![0-9.])"
)
_CURRENCY = r"(?:(?:US|CA|AU|A|C|R)?\$|[€£¥₹]|(?:USD|EUR|GBP|INR|Rs\.?)\s?)"
NUMBER = (
    r"(?P<sign>(?<![\w)\]])[-−–]|(?<![\w-])negative\s|(?:(?<=is )|(?<=[:=] )|\A)minus\s)?"
    rf"(?:(?P<currency>{_CURRENCY})(?P<minus>[-−])?)?"
    rf"(?:(?P<whole>(?<![0-9.,/])[0-9]{{1,6}}) (?P<part>[0-9]{{1,4}}/[0-9]{{1,4}})(?![0-9/.])"
    rf"|(?P<quotient>(?<![0-9.,/])[0-9]{{1,9}}/[0-9]{{1,9}})(?![0-9/]|\.[0-9])"
    rf"|(?P<european>(?<![0-9])[0-9]{{1,3}}(?:\.[0-9]{{3}})+,[0-9]{{1,2}})(?![0-9])"
    rf"|(?P<digits>(?<![0-9])(?:{_GROUPED})|[0-9]+|(?=\.[0-9]))(?P<decimals>\.[0-9]+)?"
    r"(?P<exponent>[eE][+-]?[0-9]{1,2}\b|\s?[×x*]\s?10\s?\^\s?\{?\s?[-−]?[0-9]{1,2}\s?\}?)?)"
    r"(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion|lakh|crore)\b)?"
    r"(?P<suffix>(?<=[0-9])(?:[kKmM]|[bB]n?)\b)?"
)
_NUMBER = re.compile(NUMBER)
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "lakh": 5, "crore": 7}
_SUFFIXES = {"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8"}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_POWER_OF_TEN = re.compile(r"(?<=\b10)⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_NO_AMOUNT_BEFORE = re.compile(
    rf"(?:[A-Za-z_^]|\^\{{|[0-9]:|[0-9]/|[0-9]{{4}}-(?:[0-9]{{2}}-)?|{_MONTH}\s|{_MONTH}\s[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s|\[|\#\s?"
    r"|\b(?i:steps?|questions?|problem|parts?|phase|case|method|example|option|equation|eq\.|figure|table|section"
    r"|chapter|lines?)\s)\Z"
)
_NO_AMOUNT_AFTER = re.compile(
    rf"(?:st|nd|rd|th)\b|:[0-9]|\s?[ap]\.?m\b|/[0-9]|-[0-9]+-[0-9]|\s{_MONTH}(?:\s|\Z)|-[a-z]|\]"
)
_ITEM = re.compile(r"[.)]\s+\S")
_UNITS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORD_VALUES = {word: value for value, word in enumerate(_UNITS.split("|"))} | {
    word: 10 * value for value, word in enumerate(_TENS.split("|"), 2)
}
_WORD = rf"(?:{'|'.join([*_WORD_VALUES, 'hundred', 'thousand', 'million'])})\b"
_WORDS = re.compile(
    rf"(?P<minus>(?:minus|negative)\s)?(?P<words>{_WORD}(?:(?:[\s-]|\sand\s|,\s){_WORD}){{0,11}})\b(?P<of>\sof\b)?",
    re.I,
)


@dataclass(frozen=True)
class Numeral:
    """A number in a text: its value, its position, and whether it counts something.

    `amount` is False for list numbers, ordinals, times, dates, labels ("Step 2") and parts of names ("m2", "cm^2").
    `scale` is a word such as "million" after the number, and `unscaled` the value without it.
    """

    value: Decimal
    start: int
    end: int
    amount: bool
    scale: str
    unscaled: Decimal


def digits_for_signs(text: str) -> str:
    """Return the text with one-character fractions and powers of ten in digits: "2½" as "2 1/2", "10³" as "10^3"."""
    text = _POWER_OF_TEN.sub(lambda match: f"^{match[0].translate(_SUPERSCRIPTS)}", text)
    for sign, digits in _VULGAR.items():
        if sign in text:
            text = text.replace(sign, f" {digits}")
    return text


def in_digits(text: str) -> str:
    """Return the text with number words as digits, except before "of" and for a lone "one", which may be a pronoun."""
    return _WORDS.sub(lambda match: match[0] if match["of"] or match[0].lower() == "one" else _digits(match), text)


def _digits(words: re.Match[str]) -> str:
    return f"{'-' if words['minus'] else ''}{_value_of_words(words['words'])}"


def amounts(text: str) -> list[Numeral]:
    """Return the numbers in digits that count something, in order."""
    return [numeral for numeral in numerals(text) if numeral.amount]


def numerals(text: str) -> Iterator[Numeral]:
    """Yield the numbers in digits of a text (as `pfe.scorers.markup.plain` returns it), in order."""
    for match in _NUMBER.finditer(text):
        yield _numeral(match, _is_amount(text, match))


def numeral_at(text: str, place: int = 0) -> Numeral | None:
    """Return the number, in digits or words, that begins at a position; None if there is none."""
    if match := _NUMBER.match(text, place):
        return _numeral(match, True)
    if (words := _WORDS.match(text, place)) and not words["of"]:
        value = _value_of_words(words["words"]) * (-1 if words["minus"] else 1)
        return Numeral(value, words.start(), words.end(), True, "", value)
    return None


def _numeral(match: re.Match[str], amount: bool) -> Numeral:
    unscaled = _magnitude(match)
    if unscaled and (match["sign"] or match["minus"]):
        unscaled = unscaled.copy_negate()  # unary minus would round
    scale, end = match["scale"] or "", match.end()
    if match["suffix"] and match["currency"]:
        scale = _SUFFIXES[match["suffix"].lower()]
    elif match["suffix"]:  # "18m" are metres
        end = match.start("suffix")
    value = unscaled.scaleb(_POWERS[scale]) if scale else unscaled
    return Numeral(_tidy(value), match.start(), end, amount, scale, _tidy(unscaled))


def _magnitude(match: re.Match[str]) -> Decimal:
    if match["whole"]:
        return Decimal(match["whole"]) + _quotient(match["part"])
    if match["quotient"]:
        return _quotient(match["quotient"])
    if match["european"]:
        integer, decimals = match["european"].replace(".", "").split(",")
        return _decimal(integer, f".{decimals}")
    integer = re.sub(r"[^0-9]", "", match["digits"])
    return _decimal(integer, match["decimals"] or "").scaleb(_exponent(match["exponent"]))


def _decimal(integer: str, decimals: str) -> Decimal:
    return Decimal((integer.lstrip("0") or "0") + decimals.rstrip("0").rstrip("."))


def _exponent(text: str | None) -> int:
    if not text:
        return 0
    return int(re.sub(r"[{}\s]", "", re.split(r"[eE^]", text)[-1]).replace("−", "-"))


def _quotient(text: str) -> Decimal:
    numerator, denominator = map(Decimal, text.split("/"))
    return numerator / denominator if denominator else numerator


def _tidy(value: Decimal) -> Decimal:
    """Return an integral value without an exponent and without zeros after its point; any other value unchanged."""
    if value == value.to_integral_value():
        return value.quantize(Decimal(1)) if value.adjusted() < 27 else Decimal(f"{value:f}")
    return value


def _is_amount(text: str, match: re.Match[str]) -> bool:
    start = match.start()
    if match["currency"] or text[max(0, start - 3) : start].rstrip().endswith(("=", "≈")):
        return True
    if _NO_AMOUNT_AFTER.match(text, match.end()) or _NO_AMOUNT_BEFORE.search(text[max(0, start - 24) : start]):
        return False
    indent = text[text.rfind("\n", max(0, start - 40), start) + 1 : start] if start else ""
    begins_line = (start < 40 or "\n" in text[start - 40 : start]) and not indent.strip(" \t*>-#")
    return not (begins_line and len(match[0]) < 3 and _ITEM.match(text, match.end()))


def _value_of_words(text: str) -> Decimal:
    total = current = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word == "hundred":
            current = (current or 1) * 100
        elif word in ("thousand", "million"):
            total, current = total + (current or 1) * 10 ** _POWERS[word], 0
        else:
            current += _WORD_VALUES.get(word, 0)
    return Decimal(total + current)
