"""Detection of text that is not English: the gates compare meaning with an English model, which cannot read it.

Example: "Ein Zug legt in 3 Stunden 240 km zurück. Wie schnell fährt er?" is "de", and so is a problem that is only half
German. "Who wrote Le Petit Prince?" is English, as is a program.

Most text is recognised as English by its function words; py3langid's classifier decides only the rest.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from pfe.firewall.folding import fold

ENGLISH = "en"


def is_english(text: str) -> bool:
    """Return whether a text is English according to `language`, or too short to tell."""
    return language(text) == ENGLISH


def language(text: str) -> str:
    """Return the ISO 639 code of a text's language (two letters if there is such a code); "en" unless another is clear.

    If more than a quarter of the text is in other languages, the code is that of its longest foreign part. Size is
    measured in UTF-8 bytes, which gives about the right weight to scripts that say much in few characters. Fewer than
    four words in Latin letters are too few to tell and count as English; numbers and signs do not count.
    """
    folded = fold(text)
    if _function_share(_WORD.findall(folded.lower())) >= _PLAIN and not _FOREIGN_LETTER.search(folded):
        return ENGLISH
    parts = _parts(unicodedata.normalize("NFKC", text))
    codes = [(_part_language(part), len("".join(_LETTERS.findall(part)).encode("utf-8", "replace"))) for part in parts]
    foreign = [(size, code) for code, size in codes if code != ENGLISH]
    total = sum(size for _, size in codes)
    return max(foreign)[1] if sum(size for size, _ in foreign) > _FOREIGN * total else ENGLISH


def _parts(text: str) -> list[str]:
    """Split the text into runs of whole sentences or lines, each long enough to tell its language, if the text is."""
    parts, open_part = [], ""
    for sentence in _SENTENCE_END.split(text):
        open_part = f"{open_part} {sentence}"
        if (
            len(_LETTERS.findall(open_part)) >= _LEAST_WORDS
            or len(_FOREIGN_LETTER.findall(open_part)) >= _ENOUGH_LETTERS
        ):
            parts.append(open_part)
            open_part = ""
    return [*parts[:-1], "".join(parts[-1:]) + open_part]


def _part_language(part: str) -> str:
    folded = fold(part)
    words = _WORD.findall(folded.lower())
    if 3 * len(_FOREIGN_LETTER.findall(folded)) <= len("".join(words)) and (
        len(words) < _LEAST_WORDS or _function_share(words) >= _LIKELY
    ):
        return ENGLISH
    # Accents identify a language but can also disguise English: foreign text must be foreign with and without them.
    if _ranked(folded)[1] > _DOUBT_FOLDED:
        return ENGLISH
    code, english = _ranked(part)
    return code if english <= _DOUBT else ENGLISH


def _ranked(part: str) -> tuple[str, float]:
    """Return the most probable language other than English, and the probability (0-1) that `part` is English."""
    ranked = _identifier().rank(" ".join(_LETTERS.findall(part)))
    return next(code for code, _ in ranked if code not in _AS_ENGLISH), sum(
        p for code, p in ranked if code in _AS_ENGLISH
    )


def _function_share(words: Sequence[str]) -> float:
    return sum(word in _FUNCTION_WORDS for word in words) / len(words) if words else 0.0


@cache
def _identifier() -> Any:
    """Load the classifier, with probabilities that sum to one; loading its model takes a second or two."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


# Chosen on real benchmarks, which contain foreign names, terms and quotations, and on half-translated texts.
_FOREIGN = 0.25  # a text with a larger foreign share counts as foreign
_PLAIN, _LIKELY = 0.4, 0.25  # share of function words that identifies English, in a whole text and in a part of one
_DOUBT, _DOUBT_FOLDED = 0.005, 0.1  # probability of English above which a part counts as English, as written and folded
_LEAST_WORDS, _ENOUGH_LETTERS = 4, 8  # words, or else foreign letters, that are enough to tell a language
_AS_ENGLISH = frozenset(("en", "pcm", "zxx"))  # names look like Nigerian Pidgin; zxx is no language
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。।؟])|\n")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+(?:['\u0900-\u0dff\u0e00-\u0eff][^\W\d_]*)*")
_FOREIGN_LETTER = re.compile(
    r"[\u0370-\u1cff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ua69f\ua800-\uab2f\uac00-\ud7ff\uf900-\ufaff]"
)
# Frequent English words, except those that are as frequent in another language ("die", "me", "in").
_ENGLISH_WORDS = """
    the of and to is are was were be been being that this these those which what who whom whose how why when where
    with from for at by it its he his him she her they them their theirs we our ours you your yours my i as an
    has have had having does did doing done will would can could should might must not but if or than then there
    each every many much more most some any other another both all few only own same such too very into onto out off
    over under about after before between through during while until because since though although again further once
    up down here also just even still never always often however
    one two three four five six seven eight nine ten first second last next new
    get gets got make makes made take takes took give gives gave go goes went say says said know find found use used
    write function given return def if else elif import print string number list true false value
    i'm it's don't doesn't didn't isn't aren't wasn't can't won't he's she's they're you're we're that's there's what's
"""
_FUNCTION_WORDS = frozenset(_ENGLISH_WORDS.split())
