"""Removal of mark-up and encodings that a browser, a mail program or a parser would remove before people read a text.

Example: "1. <b>A</b>&nbsp;bee<i>k</i>eeper\\nlooks 2. [after](u)" becomes "A beekeeper looks after". Both sides of a
comparison are treated alike, so characters removed by mistake, such as a program's "\\n", cost no match.
Source: HTML 5 (entities), RFC 3986 (percent), RFC 2045 (quoted-printable, base64), RFC 8259 (escapes of JSON).
"""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Callable

# Tags that do not separate words; every other tag does.
_INLINE_NAMES = (
    "a abbr b big cite code del em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr"
)
_INLINE = frozenset(_INLINE_NAMES.split())
_LEAST = 3  # a text with more encoded blanks between words is encoded on purpose
_LONG = 24  # shortest run of digits of base 16, 32 or 64 that may be a text
# Fewest consecutive numbers that count words or lines: from 1 with a sign; from another number, or without a sign.
_SHORT_LIST, _LONG_LIST = 2, 8


def unwrapped(text: str) -> str:
    """Return `text` with one layer of mark-up and encodings removed; unchanged if there is none."""
    if "&" in text:
        text = html.unescape(_ESCAPED_AGAIN.sub("&", text))
    if "<" in text:
        text = _TAG.sub(_untagged, _COMMENT.sub("", _CALCULATION.sub(" ", text)))
    if "\\" in text:
        text = _unescaped(_BLANK_COMMAND.sub(" ", _COMMAND.sub(r"\1", _FRACTION.sub(r"\1/\2", text))))
    if "[" in text:
        text = _LINK.sub(r"\1", _CALCULATOR.sub(" ", text))
        text = _BBCODE.sub("", text) if "[/" in text else text
    if "%" in text:
        text = _without_octets(text, "%")
    if "=" in text:
        text = _without_octets(_SOFT_BREAK.sub("", text), "=")
    if "_" in text:
        text = _EDGE.sub("", text)
    if _MARK.search(text):
        text = _EMPHASIS.sub(r"\2", text)
    if max(map(len, text.split()), default=0) >= _LONG:
        text = _ENCODED.sub(_as_text, text)
    return _uncounted(text) if _SECOND.search(text) else text


def _untagged(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in _INLINE else "\n"


def _unescaped(text: str) -> str:
    text = _ESCAPE.sub(_character, text)
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return text


def _character(escape: re.Match[str]) -> str:
    """Return the character of an escape of JSON, Python or JavaScript; the escape itself if it is invalid."""
    kind, content = escape.lastgroup, escape[escape.lastgroup or 0]
    if kind == "blank":
        return "\n"
    if kind == "octets":
        return _octets(re.sub(r"[\\x]", "", content)) or escape.group()
    if kind == "name":
        try:
            return unicodedata.lookup(content)
        except KeyError:
            return escape.group()
    code = int(content, 8 if kind == "octal" else 16)
    return chr(code) if code < 0x110000 else escape.group()


def _octets(digits: str) -> str | None:
    """Decode hexadecimal octets as UTF-8; None if they are invalid."""
    try:
        return bytes.fromhex(digits).decode()
    except ValueError:
        return None


def _without_octets(text: str, sign: str) -> str:
    """Decode octets written as `sign` and two digits, if several blanks or eight octets in a row are written so.

    The sign itself may be encoded once more: "%2520" is "%20".
    """
    if text.count(sign) <= _LEAST:
        return text
    blank, run, layers = _OCTETS[sign]
    if len(blank.findall(text)) <= _LEAST and not any(len(octets) >= _LONG for octets in run.findall(text)):
        return text
    text = layers.sub(sign, text)
    return run.sub(lambda octets: _octets(octets.group().replace(sign, "")) or octets.group(), text)


def _as_text(run: re.Match[str]) -> str:
    """Decode a run of base 16, 32 or 64 if the result is a text of several words; otherwise return the run."""
    digits = "".join(run.group().split()).replace("-", "+").replace("_", "/").rstrip("=")
    for decode, block in _BASES:
        try:
            plain = decode(digits + "=" * (-len(digits) % block)).decode()
        except (ValueError, binascii.Error):
            continue
        if len(plain.split()) > _LEAST and all(letter.isprintable() or letter.isspace() for letter in plain):
            return plain
    return run.group()


def _uncounted(text: str) -> str:
    """Remove the numbers that count words or lines: "1. A 2. beekeeper" becomes "A beekeeper"."""
    opened: dict[tuple[str | None, int], list[re.Match[str]]] = {}  # by kind and next number
    lists: list[tuple[int, list[re.Match[str]]]] = []  # each with the fewest items that make it a list
    for number in _NUMBER.finditer(text):
        kind, value = number.lastgroup, int(number[number.lastgroup or 0])
        items = opened.pop((kind, value), None)
        if items is None:
            items = []
            lists.append((_LONG_LIST if kind == "bare" or value > 1 else _SHORT_LIST, items))
        items.append(number)
        opened[kind, value + 1] = items
    counters = [item for least, items in lists if len(items) >= least for item in items]
    pieces, position = [], 0
    for start, end in sorted(item.span() for item in counters):
        pieces.append(text[position:start])
        position = end
    return " ".join([*pieces, text[position:]])


_Decode = Callable[[str], bytes]
_BASES: tuple[tuple[_Decode, int], ...] = (
    (bytes.fromhex, 1),
    (base64.b32decode, 8),
    (lambda digits: base64.b64decode(digits, validate=True), 4),
)
_ESCAPED_AGAIN = re.compile(r"&(?:amp;|#38;|#x26;)+(?=[#A-Za-z])", re.IGNORECASE)
_COMMENT = re.compile(r"<!--[^<>]{0,300}-->")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]{0,300})?/?>")
# Calculator calls and results inside a worked solution, in the notations of GSM8K, Calc-X and Toolformer.
_CALCULATION = re.compile(r"<<[^<>=]{0,300}=[^<>]{0,300}>>|<(gadget|output)\b[^<>]{0,300}>[^<>]{0,300}</\1>")
_CALCULATOR = re.compile(r"\[\s*calculator\s*\([^\[\]]{0,300}\]", re.IGNORECASE)
_FRACTION = re.compile(r"(?<!\\)\\+[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_COMMAND = re.compile(
    r"(?<!\\)\\+(?:text(?:bf|it|rm|sf|tt)?|math(?:bf|it|rm|sf|tt)|emph|underline|[fm]?box(?:ed)?)\s*\{([^{}]*)\}"
)
_BLANK_COMMAND = re.compile(r"(?<!\\)\\+(?:q?quad|times|cdot|div|left|right|newline|space|item)(?![A-Za-z])")
_ESCAPE = re.compile(
    r"(?<!\\)\\+(?:u\{(?P<long>[0-9A-Fa-f]{1,6})\}|u(?P<unit>[0-9A-Fa-f]{4})|U(?P<full>[0-9A-Fa-f]{8})"
    r"|N\{(?P<name>[A-Z0-9 -]+)\}|(?P<octets>x[0-9A-Fa-f]{2}(?:\\+x[0-9A-Fa-f]{2})*)|(?P<octal>[0-3][0-7]{2})"
    r"|(?P<blank>[nrtvf]))"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_BBCODE = re.compile(
    r"\[/?(?:[bius]|sub|sup|url|color|size|font|quote|code|center|list|\*)(?:=[^\[\]]*)?\]", re.IGNORECASE
)
_OCTETS = {
    sign: (
        re.compile(rf"{sign}(?<=[A-Za-z.,;:!?]{sign})(?:{again})*20(?=\s*[A-Za-z])"),
        re.compile(rf"(?:{sign}[0-9A-Fa-f]{{2}})+"),
        re.compile(rf"{sign}(?:{again})+(?=[0-9A-Fa-f]{{2}})"),
    )
    for sign, again in (("%", "25"), ("=", "3D"))
}
_SOFT_BREAK = re.compile(r"=(?<=[^\W\d_]=)\r?\n(?=\w)")
_EDGE = re.compile(r"(?<!\w)_+(?=[^\W_])|(?<=[^\s_])_+(?!\w)")
_MARK = re.compile(r"[*~`_][^\W\d_]")
_EMPHASIS = re.compile(r"(\*{1,3}|~~|__|`)([^\W\d_]+)\1")
_DIGIT = "[A-Za-z0-9+/_-]"
_ENCODED = re.compile(rf"(?<!{_DIGIT}){_DIGIT}{{{_LONG},}}(?:\s{_DIGIT}{{{_LONG},}})*(?:\n{_DIGIT}+)?={{0,6}}")
# Every list that `_uncounted` removes contains this: one of eight consecutive numbers ends in 2 or 8.
_SECOND = re.compile(r"[28][.):\]](?!\w)|#\d{0,5}[28]|(?:tep|TEP)\s+\d{0,5}[28]|(?<!\S)\d{0,5}[28](?!\S)")
_NUMBER = re.compile(
    r"\bstep\s+(?P<step>\d{1,6})(?!\w)[.):]*|[(\[#](?P<inside>\d{1,6})[)\]]?(?!\w)"
    r"|(?<![\w.,$])(?P<signed>\d{1,6})[.):](?!\w)|(?<!\S)(?P<bare>\d{1,6})(?!\S)",
    re.IGNORECASE,
)
