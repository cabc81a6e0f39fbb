"""Whether a sentence says the question over again with a name in its gap.

Example: "The Charles Bridge spans the Vltava River" does with "vltava" of "Which river does the Charles Bridge span?";
"a tributary of the Vltava" does not, because the question has no tributary.
"""

from collections.abc import Iterable

# What a sentence may have beside the question's own words and the name.
_FUNCTION = frozenset((
    "of", "in", "on", "at", "to", "by", "for", "from", "with", "as", "and", "is", "was", "were", "are", "be", "been",
    "it", "he", "she", "they", "who", "which", "that", "this", "his", "her", "its", "their", "all", "one",
    "has", "have", "had", "did", "does", "do", "called", "named",
))  # fmt: skip


def restates(sentence: str, question: str, names: Iterable[str]) -> bool:
    """Whether all words of a sentence but one of the names are the question's, and none of them owns or takes the name.

    Args:
        sentence: normalised words, as the question and the names are.
    """
    asked = {_stem(word) for word in question.split()}
    for name in sorted(names, key=len, reverse=True):
        before, found, after = f" {sentence} ".partition(f" {name} ")
        if found and f" {name} " not in f" {question} ":
            return _fits(before.split(), after.split(), asked, name)
    return False


def _fits(before: list[str], after: list[str], asked: set[str], name: str) -> bool:
    if before[-1:] == ["of"] or after[:1] == ["s"]:
        return False
    if before[-1:] == ["by"] and len(before) > 2 and before[-3] in ("is", "was", "were"):
        before = before[:-2]  # "was written by"
    others = [word for word in (*before, *after) if word not in _FUNCTION]
    if not name.isdecimal():
        others = [word for word in others if not word.isdecimal()]
    return bool(others) and all(_stem(word) in asked for word in others)


def _stem(word: str) -> str:
    """The word without what number and tense change of it, roughly."""
    return word[:5] if len(word) > 5 else word.removesuffix("s")
