"""Text as a reader sees it: disguises undone and, to detect template clones, names and numbers masked.

Example: "Ｊаnеt\\u200b  o w n s  16 e\\u0301ggs." (a full-width J, a Cyrillic а and е, a zero-width space, spaced-out
letters, an accent) folds to "Janet owns 16 eggs."; masked, that is "name owns num eggs.".
Source: Unicode Standard Annex 15 (NFKC) and, for the skeleton of a disguised word, Technical Standard 39.

Digits in place of letters ("3ggs") stay: nearly every digit in a problem is part of a number, which must not change.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from pfe.firewall.markup import unwrapped

NUM, NAME = "num", "name"
LAYERS = 8  # most layers of nested mark-up that are removed


def fold(text: str) -> str:
    """Return `text` with its disguises undone and its case unchanged. `fold(fold(text)) == fold(text)`.

    Mark-up and encodings (see `unwrapped`), compatibility forms, accents, invisible characters, look-alike letters
    of other scripts, curly quotes and dashes, spaced-out letters and runs of whitespace become what they look like.
    A word counts as disguised Latin if it mixes scripts or if each of its letters looks like a Latin one: genuine
    Russian or Greek stays.
    """
    text = _as_seen(text)
    for _ in range(LAYERS):
        plain = unwrapped(text)
        if plain == text:
            break
        text = _as_seen(plain)
    return " ".join(text.split())


def fold_solution(text: str) -> str:
    """Fold the text and unify notations that vary between solutions: 2 x 3 and 2 * 3, 1,200 and 1200."""
    text = _TIMES.sub(" * ", fold(text))
    return _THOUSANDS.sub(lambda number: number.group().replace(",", ""), text) if _THOUSAND.search(text) else text


def squeezed(folded: str) -> str:
    """Return the letters and digits of a folded text in lower case, without anything between them."""
    text = folded.lower()
    if text.isascii():  # twenty times as fast as the pattern
        return text.encode().translate(None, _ASCII_BETWEEN).decode()
    return _BETWEEN.sub("", text)


def lower_words(texts: Iterable[str]) -> frozenset[str]:
    """Return every word that occurs in lower case in the texts; a capital letter does not make such a word a name."""
    return frozenset(word for text in texts for word in _LOWER_WORD.findall(fold(text)))


def names(text: str, ordinary_words: Collection[str]) -> frozenset[str]:
    """Return the capitalised words of `text` that are names: "I" is not one, and "New York" is two.

    A word is a name if it occurs anywhere but at the start of a sentence or line, or if its lower-case form is not in
    `ordinary_words` (see `lower_words`).
    """
    return frozenset(
        word
        for match in _CAPITALISED.finditer(text)
        if (word := match.group()) != "I" and (word.lower() not in ordinary_words or not _starts_sentence(match))
    )


def masked(text: str, ordinary_words: Collection[str]) -> str:
    """Return the folded text, line by line, with `num` for every number and `name` for every name (see `names`).

    Numbers may be digits with commas, decimals, currency, percent and ordinal signs, or words ("twenty-five", "one
    hundred and six"). A name of several words becomes one `name`; a possessive 's stays.
    """
    lines = (fold(line) for line in text.splitlines())
    without_numbers = "\n".join(" ".join(map(_without_numbers, line.split(" "))) for line in lines)
    without_numbers = _RUN_OF_NUMBERS.sub(NUM, without_numbers)
    proper_names = names(without_numbers, ordinary_words)
    return _RUN_OF_NAMES.sub(
        NAME, _CAPITALISED.sub(lambda word: NAME if word.group() in proper_names else word.group(), without_numbers)
    )


@lru_cache(maxsize=1 << 17)
def _without_numbers(word: str) -> str:
    """Replace the numbers in `word`, which has no blanks, by `num`; results are cached, since most words recur."""
    return _IN_WORDS.sub(NUM, _IN_DIGITS.sub(lambda number: f"{NUM} " if number["unit"] else NUM, word))


def _as_seen(text: str) -> str:
    """Replace every character and word of the text by what it looks like."""
    if not text.isascii():
        return _latin(_without_gaps(_characters(text)))
    return _without_gaps(_CONTROL.sub("", text) if _CONTROL.search(text) else text)


def _characters(text: str) -> str:
    """Replace every character by what it looks like, whatever its neighbours are."""
    text = text.translate(_PLAIN_CHARACTERS)
    text = _BEFORE_FRACTION.sub(" ", _BEFORE_POWER.sub("^", text))
    text = unicodedata.normalize("NFKD", text).translate(_PLAIN_CHARACTERS)
    return text if text.isascii() else unicodedata.normalize("NFC", _unstacked(text))


class _Characters(dict[int, str]):
    """A table for `str.translate` that computes the replacement of each character once."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain_character(chr(code))
        return plain


def _plain_character(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character.isspace():
        return character if character == "\n" else " "
    if unicodedata.category(character) in ("Cf", "Cc", "Cs", "Me") or character in _INVISIBLE:
        return ""
    if unicodedata.combining(character) in _ACCENT_CLASSES:
        return ""
    return str(unicodedata.decimal(character, character))


def _unstacked(text: str) -> str:
    """Remove marks, except on letters of scripts that write vowels or tones with them: Hebrew, Hindi, Thai, kana."""
    characters, base = [], ""
    for character in text:
        if unicodedata.category(character) != "Mn":
            base = character
        elif base < "\u0590" or base in _TWINS:
            continue
        characters.append(character)
    return "".join(characters)


def _without_gaps(text: str) -> str:
    """Join letters that are written one by one; wider gaps are those between words."""
    if not _SPACED_SIGN.search(text):
        return text
    while _SPACED.search(text):
        text = _SPACED.sub(lambda run: " ".join(_NARROW.sub("", word) for word in _WIDE.split(run.group())), text)
    return text


def _latin(text: str) -> str:
    """Write disguised words in Latin letters: first the clear cases, then, in mostly Latin text, rough look-alikes."""
    if text.isascii() or _TWINS.keys().isdisjoint(text):
        return text
    text = _WORD.sub(_plainly_disguised, text)
    letters = "".join(_WORD.findall(text))
    return _WORD.sub(_roughly_disguised, text) if 2 * len(_ASCII_LETTER.findall(letters)) > len(letters) else text


def _plainly_disguised(match: re.Match[str]) -> str:
    """Return the word in Latin letters if it mixes scripts or all its letters look exactly like Latin ones."""
    word = match.group()
    if word.isascii() or not (_ASCII_LETTER.search(word) or set(word) <= _EXACT):
        return word
    return word.translate(_TO_LATIN)


def _roughly_disguised(match: re.Match[str]) -> str:
    """Do the same with rough look-alikes, except for a single letter, which is a symbol, as in "α particles"."""
    word = match.group()
    return word.translate(_TO_LATIN) if len(word) > 1 and _TWINS.keys() >= set(word) else word


def _starts_sentence(match: re.Match[str]) -> bool:
    start = match.start()
    before = match.string[max(0, start - 6) : start]
    if before.endswith(_OPENING):
        return True
    before = before.rstrip(" " + "".join(_OPENING))
    return not before or (before.endswith(_ENDS) and not before.endswith(_TITLES))


def _pairs(*rows: str) -> dict[str, str]:
    """Return a mapping from rows of "look-alikes Latin letters", one letter for one."""
    return {twin: letter for row in rows for twin, letter in zip(*row.split(), strict=True)}


# Letters that look exactly like Latin ones, and letters that pass for Latin ones in a Latin word.
_EXACT_TWINS = _pairs(
    "аеорсухіјѕһԁԛԝӏүѵ aeopcyxijshdqwlyv",
    "АВЕКМНОРСТУХІЈЅԚԜӀҮѴ ABEKMHOPCTYXIJSQWIYV",
    "ονϳ ovj",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ ABEZHIKMNOPTYXJ",
    "օսհոցյՕՍՏԼ ouhngjOUSL",
)
_ROUGH_TWINS = _pairs(
    "вкмнтгпиьҺ bkmhtrnubH",
    "αβγεζηικμρςστυχω abyeznikupcotuxw",
    "զռա qnw",
    "ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴᏆ DRTiAJEWMHYGZbRWSVSLCPKdBI",
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ BPDTGKJCZFMNLSRVHWXYAEIOU",
    "ⲀⲂⲈⲎⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲬⲭ ABEHKMNOoPpCcTXx",
)
_TWINS: Mapping[str, str] = {**_EXACT_TWINS, **_ROUGH_TWINS}
_EXACT = frozenset(_EXACT_TWINS)
_TO_LATIN = str.maketrans(dict(_TWINS))

# Letters and signs whose replacement does not depend on their neighbours. Normalisation would split a standalone accent
# into a blank and a mark, and turn ϲ into a sigma. The C1 controls are quotes and dashes of misdecoded Windows text.
_SIGNS: Mapping[str, str] = {
    **_pairs("łŁøØđĐħĦıŧŦɨɫƒȷɡɑɩɾ lLoOdDhHitTilfjgair", "ϲϹ cC"),
    **_pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ abcdefghijklmnoprstuvwyz"),
    **dict.fromkeys("‘’‚‛‹›′´ˊʹʻʼ՚\x91\x92", "'"),
    **dict.fromkeys("“”„‟«»″〝〞\x93\x94", '"'),
    **dict.fromkeys("‐‑‒–—―−⸺⸻﹘﹣－\x96\x97", "-"),
    **{"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "⁄": "/", "∕": "/", "º": "°", "˚": "°"},
    **{"\u2800": " ", "｀": "`"},
    **{chr(first + i): chr(65 + i) for first in (0x1F150, 0x1F170, 0x1F1E6) for i in range(26)},
}
# Fillers, joiners and variation selectors that are letters or marks by Unicode category, but invisible.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | frozenset(
    map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
)
_ACCENT_CLASSES = frozenset([1, *range(200, 256)])
_PLAIN_CHARACTERS = _Characters()

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_BEFORE_POWER = re.compile(r"(?<=\d)(?=[¹²³⁰⁴-⁻])")
_BEFORE_FRACTION = re.compile(r"(?<=\d)(?=[¼½¾⅐-⅞↉])")
_WORD = re.compile(r"[^\W\d_]+")
_ASCII_LETTER = re.compile(r"[A-Za-z]")
_BETWEEN = re.compile(r"[\W_]+")
_ASCII_BETWEEN = bytes(code for code in range(128) if not chr(code).isalnum())
# Commas in lists and calls do not count: f(1,200) has two arguments.
_THOUSAND = re.compile(r",\d{3}")
_THOUSANDS = re.compile(r"(?<![\w.,(\[{])\d{1,3}(?:,\d{3})+(?![\w,])")
_TIMES = re.compile(r"[xX](?<=[\d)%\s][xX])(?=\s*[($]*\d)")
_LOWER_WORD = re.compile(r"(?<![^\W_])[a-z]+(?![^\W_])")

# Four or more letters with one kind of gap between them; every such run contains the sign, which is fast to find.
_SPACED = re.compile(r"(?<![^\W_])(?<!')[^\W\d_](?:(?:\s+[^\W\d_]){3,}|([._-])[^\W\d_](?:\1[^\W\d_]){2,})(?![^\W_])")
_SPACED_SIGN = re.compile(r"[\s._-][^\W\d_][\s._-]+[^\W\d_][\s._-]")
_NARROW = re.compile(r"[\s._-]")
_WIDE = re.compile(r"\s{2,}|\n")

_CARDINALS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen"
)
_IN_DIGITS = re.compile(r"[$€£¥]?(?<![^\W_])\d+(?:[.,:/]\d+)*(?:%|(?:st|nd|rd|th|s)(?![^\W_])|(?=(?P<unit>[^\W\d_])))?")
_IN_WORDS = re.compile(rf"(?<![^\W_])(?:{_CARDINALS})s?(?![^\W_])", re.IGNORECASE)
# A pattern that begins with a letter matches much faster than one that begins with a lookbehind.
_RUN_OF_NUMBERS = re.compile(rf"{NUM}(?<![^\W_]{NUM})(?:(?: |-| and ){NUM})+(?![^\W_])")
_RUN_OF_NAMES = re.compile(rf"{NAME}(?<![^\W_]{NAME})(?: {NAME})+(?![^\W_])")
_CAPITALISED = re.compile(r"[A-Z](?<![^\W_][A-Z])[^\W_]*(?:'[A-Z][^\W_]*)*")
_OPENING = ('"', "'", "(", "[", "{", "`")
_ENDS = (".", "!", "?", ":", ";", "\n", "-", "*", "/", ">")
_TITLES = ("Mr.", "Mrs.", "Ms.", "Dr.", "St.")
