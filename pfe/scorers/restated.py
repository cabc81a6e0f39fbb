"""Detection of sentences that restate the question with a name in its gap.

Example: "The Charles Bridge spans the Vltava River" restates "Which river does the Charles Bridge span?" with "vltava";
"a tributary of the Vltava" does not, because the question does not mention a tributary.
"""

from collections.abc import Iterable

# Words that a sentence may contain in addition to the question's words and the name.
_FUNCTION = frozenset((
    "of", "in", "on", "at", "to", "by", "for", "from", "with", "as", "and", "is", "was", "were", "are", "be", "been",
    "it", "he", "she", "they", "who", "which", "that", "this", "his", "her", "its", "their", "all", "one",
    "has", "have", "had", "did", "does", "do", "called", "named",
))  # fmt: skip


def restates(sentence: str, question: str, names: Iterable[str]) -> bool:
    """Return whether a sentence consists of one of the names and words of the question.

    Function words are ignored. A name after "of" or before a possessive "s" does not count.

    Args:
        sentence: normalised words, like `question` and `names`.
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
    """Return the word roughly without its inflection for number and tense."""
    return word[:5] if len(word) > 5 else word.removesuffix("s")
