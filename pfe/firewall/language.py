"""Is a text English? The gates read meaning with an English model, so text in other languages is refused.

Example: "Ein Zug legt in 3 Stunden 240 km zurück. Wie schnell fährt er?" is "de", and so is a problem of which only
one half is German; "Who wrote Le Petit Prince?" is English, as is a program.

Most text shows by its function words that it is English; only about the rest py3langid's classifier is asked.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from pfe.firewall.folding import fold

ENGLISH = "en"


def is_english(text: str) -> bool:
    """Whether `language` finds nothing but English, or too little to tell."""
    return language(text) == ENGLISH


def language(text: str) -> str:
    """The ISO 639 code of the language of `text` (of two letters where there is one); "en" unless another is plain.

    Where more than a quarter of the text is in other languages (measured in bytes of UTF-8, in which scripts that say
    much in few characters weigh about right), it is the one of its longest foreign part. Fewer than four words in Latin
    letters are too few to tell, and taken for English; numbers and signs count for nothing.
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
    """The text in runs of whole sentences or lines, each long enough to tell its language, if the text is."""
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
    # Accents tell a language, but disguise one as well: what is foreign is so with and without them.
    if _ranked(folded)[1] > _DOUBT_FOLDED:
        return ENGLISH
    code, english = _ranked(part)
    return code if english <= _DOUBT else ENGLISH


def _ranked(part: str) -> tuple[str, float]:
    """The most probable language but English, and the probability (0-1) that the letters of `part` are English."""
    ranked = _identifier().rank(" ".join(_LETTERS.findall(part)))
    return next(code for code, _ in ranked if code not in _AS_ENGLISH), sum(
        p for code, p in ranked if code in _AS_ENGLISH
    )


def _function_share(words: Sequence[str]) -> float:
    return sum(word in _FUNCTION_WORDS for word in words) / len(words) if words else 0.0


@cache
def _identifier() -> Any:
    """The classifier with probabilities that sum to one; loading its model takes a second or two."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


# Chosen on real benchmarks, where names, terms and quotations are foreign, and on texts half of which is translated.
_FOREIGN = 0.25  # the share of a text above which it is in another language
_PLAIN, _LIKELY = 0.4, 0.25  # the share of function words that tells English, of a whole text and of a sentence or two
_DOUBT, _DOUBT_FOLDED = 0.005, 0.1  # the probability of English above which a part counts as English
_LEAST_WORDS, _ENOUGH_LETTERS = 4, 8  # fewer words cannot be told; so many foreign letters can
_AS_ENGLISH = frozenset(("en", "pcm", "zxx"))  # names look like Nigerian Pidgin; zxx is no language
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。।؟])|\n")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+(?:['\u0900-\u0dff\u0e00-\u0eff][^\W\d_]*)*")
_FOREIGN_LETTER = re.compile(
    r"[\u0370-\u1cff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ua69f\ua800-\uab2f\uac00-\ud7ff\uf900-\ufaff]"
)
# Words that English text is full of; those that another language writes as often ("die", "me", "in") are left out.
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
