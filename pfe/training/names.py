"""Which words of a corpus are names that were coined, and texts with other ones.

Example: `is_coined("zelmar")`, and `renamed("Two Zelmars sing.", {"zelmar": "tofin"})` is "Two Tofins sing."
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from pfe.tutors.content import CONTENT, TABLES, table

_WORD = re.compile(r"[a-z]+")


@lru_cache(maxsize=1 << 16)
def bare(word: str) -> str:
    """A word in small letters, without marks."""
    return re.sub(r"\W", "", word.lower())


def words_of(text: str) -> set[str]:
    """The words of a text, each `bare`."""
    return set(map(bare, text.split())) - {""}


def is_coined(word: str) -> bool:
    """Whether a word is one that `pfe.tutors.coinage` coins and no family says otherwise."""
    return len(word) > 3 and word not in spoken() and _coined().fullmatch(word) is not None


@cache
def spoken() -> frozenset[str]:
    """Every word that families are written with: their names are coined, all else is there to be read."""
    files = (path for folder in (CONTENT, TABLES) for path in folder.rglob("*.yaml"))
    return frozenset(word for path in files for word in _WORD.findall(path.read_text(encoding="utf-8").lower()))


def renamed(text: str, fresh: Mapping[str, str]) -> str:
    """A text with other names, also where there is more than one of a kind, and capitals where there were."""

    def other(found: re.Match[str]) -> str:
        word = found[0].lower()
        singular = word.removesuffix("s")
        name = fresh[singular] + word[len(singular) :] if singular in fresh else fresh.get(word, found[0])
        return name[:1].upper() + name[1:] if found[0][0].isupper() else name

    return re.sub(r"\w+", other, text)


@cache
def _coined() -> re.Pattern[str]:
    parts = table("syllables")
    one_of = {
        name: "(?:" + "|".join(sorted(map(re.escape, parts[name]), key=len, reverse=True)) + ")"
        for name in ("onsets", "vowels", "codas")
    }
    return re.compile(f"(?:{one_of['onsets']}{one_of['vowels']}){{2,3}}{one_of['codas']}?")
