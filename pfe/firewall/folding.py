"""Texts as a reader sees them: disguises undone and, for finding template clones, names and numbers masked.

Example: "Ｊаnеt\\u200b  o w n s  16 e\\u0301ggs." (a full-width J, a Cyrillic а and е, a zero-width space, spaced-out
letters, an accent) folds to "Janet owns 16 eggs.", and that is masked "name owns num eggs.".
Source: Unicode Standard Annex 15 (NFKC) and, for the skeleton of a disguised word, Technical Standard 39.

Digits that stand for letters ("3ggs") stay: nearly every digit of a problem is a number, which must not change.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from pfe.firewall.markup import unwrapped

NUM, NAME = "num", "name"
LAYERS = 8  # of mark-up around mark-up that are taken off


def fold(text: str) -> str:
    """`text` with its disguises undone; case stays. `fold(fold(text)) == fold(text)`.

    Mark-up and encodings (see `unwrapped`), compatibility forms, accents, invisible characters, look-alike letters
    of other scripts, curly quotes and dashes, spaced-out letters and runs of whitespace become what they look like.
    A word is taken for a disguised Latin one when it mixes scripts or when each of its letters has a Latin twin:
    genuine Russian or Greek stays.
    """
    text = _as_seen(text)
    for _ in range(LAYERS):
        plain = unwrapped(text)
        if plain == text:
            break
        text = _as_seen(plain)
    return " ".join(text.split())


def fold_solution(text: str) -> str:
    """The folded text, with one spelling for what solutions write in several: 2 x 3 and 2 * 3, 1,200 and 1200."""
    text = _TIMES.sub(" * ", fold(text))
    return _THOUSANDS.sub(lambda number: number.group().replace(",", ""), text) if _THOUSAND.search(text) else text


def squeezed(folded: str) -> str:
    """The letters and digits of a folded text in lower case, with nothing between them."""
    text = folded.lower()
    if text.isascii():  # twenty times as fast as the pattern
        return text.encode().translate(None, _ASCII_BETWEEN).decode()
    return _BETWEEN.sub("", text)


def lower_words(texts: Iterable[str]) -> frozenset[str]:
    """Every word that the texts write in lower case somewhere: a capital alone makes no name of it."""
    return frozenset(word for text in texts for word in _LOWER_WORD.findall(fold(text)))


def names(text: str, ordinary_words: Collection[str]) -> frozenset[str]:
    """The capitalised words of `text` that are names: "I" is none, the parts of "New York" are two.

    A word is a name when it stands somewhere else than at the start of a sentence or line, or when its lower-case
    form is not in `ordinary_words` (see `lower_words`).
    """
    return frozenset(
        word
        for match in _CAPITALISED.finditer(text)
        if (word := match.group()) != "I" and (word.lower() not in ordinary_words or not _starts_sentence(match))
    )


def masked(text: str, ordinary_words: Collection[str]) -> str:
    """The folded text, line by line, with `num` for every number and `name` for every name (see `names`).

    Numbers are those in digits with their commas, decimals, currency, percent and ordinal signs, and those in words
    ("twenty-five", "one hundred and six"). A name of several words becomes one `name`; a possessive 's stays.
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
    """`word`, which has no blanks, with `num` for its numbers; kept, for most words of a text are common ones."""
    return _IN_WORDS.sub(NUM, _IN_DIGITS.sub(lambda number: f"{NUM} " if number["unit"] else NUM, word))


def _as_seen(text: str) -> str:
    """Every character and word of the text as what it looks like."""
    if not text.isascii():
        return _latin(_without_gaps(_characters(text)))
    return _without_gaps(_CONTROL.sub("", text) if _CONTROL.search(text) else text)


def _characters(text: str) -> str:
    """Every character as what it looks like, whatever stands around it."""
    text = text.translate(_PLAIN_CHARACTERS)
    text = _BEFORE_FRACTION.sub(" ", _BEFORE_POWER.sub("^", text))
    text = unicodedata.normalize("NFKD", text).translate(_PLAIN_CHARACTERS)
    return text if text.isascii() else unicodedata.normalize("NFC", _unstacked(text))


class _Characters(dict[int, str]):
    """A table for `str.translate` that works out every character once."""

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
    """Marks stay only on the letters of scripts that write vowels or tones with them: Hebrew, Hindi, Thai, kana."""
    characters, base = [], ""
    for character in text:
        if unicodedata.category(character) != "Mn":
            base = character
        elif base < "\u0590" or base in _TWINS:
            continue
        characters.append(character)
    return "".join(characters)


def _without_gaps(text: str) -> str:
    """Letters that stand one by one put together; gaps wider than the others are those between words."""
    if not _SPACED_SIGN.search(text):
        return text
    while _SPACED.search(text):
        text = _SPACED.sub(lambda run: " ".join(_NARROW.sub("", word) for word in _WIDE.split(run.group())), text)
    return text


def _latin(text: str) -> str:
    """Disguised words in Latin letters: first the plain cases, then, among Latin text, those of rough look-alikes."""
    if text.isascii() or _TWINS.keys().isdisjoint(text):
        return text
    text = _WORD.sub(_plainly_disguised, text)
    letters = "".join(_WORD.findall(text))
    return _WORD.sub(_roughly_disguised, text) if 2 * len(_ASCII_LETTER.findall(letters)) > len(letters) else text


def _plainly_disguised(match: re.Match[str]) -> str:
    """The word in Latin letters, if it mixes scripts or none of its letters can be told from a Latin one."""
    word = match.group()
    if word.isascii() or not (_ASCII_LETTER.search(word) or set(word) <= _EXACT):
        return word
    return word.translate(_TO_LATIN)


def _roughly_disguised(match: re.Match[str]) -> str:
    """The same with rough look-alikes, but not for a letter alone: that is a symbol, as in "α particles"."""
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
    """From rows of "look-alikes Latin letters", one letter for one."""
    return {twin: letter for row in rows for twin, letter in zip(*row.split(), strict=True)}


# Letters that no reader can tell from the Latin ones, and letters that pass for them in a Latin word.
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

# Letters and signs that are the same wherever they stand. Normalisation would part an accent that stands alone from
# its blank, and make a sigma of ϲ; the C1 controls are the quotes and dashes of a wrongly decoded Windows text.
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
# Fillers, joiners and variation selectors that are letters or marks by category, yet show nothing.
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
# Not in a list or a call: f(1,200) has two arguments.
_THOUSAND = re.compile(r",\d{3}")
_THOUSANDS = re.compile(r"(?<![\w.,(\[{])\d{1,3}(?:,\d{3})+(?![\w,])")
_TIMES = re.compile(r"[xX](?<=[\d)%\s][xX])(?=\s*[($]*\d)")
_LOWER_WORD = re.compile(r"(?<![^\W_])[a-z]+(?![^\W_])")

# Four or more letters with one kind of gap between them; every such run shows the sign, which is quick to find.
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
# A pattern that begins with a letter is found much sooner than one that begins by looking back.
_RUN_OF_NUMBERS = re.compile(rf"{NUM}(?<![^\W_]{NUM})(?:(?: |-| and ){NUM})+(?![^\W_])")
_RUN_OF_NAMES = re.compile(rf"{NAME}(?<![^\W_]{NAME})(?: {NAME})+(?![^\W_])")
_CAPITALISED = re.compile(r"[A-Z](?<![^\W_][A-Z])[^\W_]*(?:'[A-Z][^\W_]*)*")
_OPENING = ('"', "'", "(", "[", "{", "`")
_ENDS = (".", "!", "?", ":", ";", "\n", "-", "*", "/", ">")
_TITLES = ("Mr.", "Mrs.", "Ms.", "Dr.", "St.")
