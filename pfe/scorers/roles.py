"""The role of a code block, by the words before it and its first comment: the answer, or only shown.

Example: after "**Pitfall:** do not write it like this:" a block is only shown; after "The corrected version:" it is
the answer, as it is after words that do not refer to it.
"""

import re

_LONGEST = 2000  # characters before a block that are read
_NOUN = (
    r"(?:code|version|attempt|try|draft|implementation|solution|function|approach|program|way|one|snippet|variant)s?"
)
_SENTENCE = re.compile(r"(?<=[.!?])[*_\s]+(?=\S)")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|(?:[0-9]{1,2}[.)]\s+|[-*]\s+)?\*\*[^*]+\*\*:?\s*\Z)")
# In "Because the naive version fails, use this:" only "use this" refers to the block.
_SUBORDINATE = re.compile(
    r"\A\W*(?:because|since|as|to|while|although|if|unlike|instead of|rather than)\b[^,\n]*,", re.I
)
_TURN = re.compile(r".*[,;]\s(?:so|but|hence|therefore)\b", re.I)
_ANSWER = re.compile(
    r"[✅✔]|\b(?:fixed|fixes|corrected|corrects|improved|improves|revised|rewritten|(?:can|could|should) be)\b"
    r"|\b(?:let me|let's|to|will|'ll|must|we|i) (?:fix|correct|rewrite|repair|mend)\b"
    r"|(?<!not )(?<!not the )\b(?:correct|right|proper|better|final|new|updated|working|good|recommended)"
    rf"(?:\W+\w+)?\W+{_NOUN}\b"
    r"|^\W*(?:after|now|do|good|better|correct|right|final)\b[^\w]*$",
    re.I,
)
_SHOWN = re.compile(
    r"[❌✗✘🚫⛔⚠]|\b(?:wrong(?:ly)?|incorrect(?:ly)?|buggy|broken|faulty|flawed|erroneous)\b"
    r"|\b(?:pitfalls?|mistakes?|gotchas?|anti-?patterns?)\b"
    r"|\bcommon\W+(?:bugs?|errors?|traps?)\b|\bcounter-?examples?\b"
    r"|\b(?:do not|don't|never|not to|should not|shouldn't|avoid)\s"
    r"(?:do|doing|write|writing|use|using|code|try|implement|this|it)\b"
    r"|^\W*(?:avoid|don't|do not|bad|before|old|previous|earlier|original|draft)\b\W*(?:\([^()\n]*\))?\W*$"
    r"|(?:\bnot|n't)\s(?:quite\s)?(?:correct|right)\b|(?<!never )(?<!not )\bfails\b|(?:\bnot|n't)\s(?:\w+\s){0,3}work\b"
    rf"|\b(?:original|old|previous|earlier|initial|first|naive|bad|failing)(?:\W+\w+)?\W+{_NOUN}\b",
    re.I,
)
_COMMENT = re.compile(r"\s*(?:#.*(?:\n|\Z)\s*)+")
_INSIDE = re.compile(r"#\s*(?:❌|(?:WRONG|INCORRECT|BAD|BUG)\b(?!\W{0,2}FIX))")


def only_shown(before: str, code: str) -> bool:
    """Return whether a block is a counter-example or an earlier version, by the words before it and its comments."""
    lines = [line for line in before[-_LONGEST:].replace("’", "'").split("\n") if line.strip()]
    comment = _COMMENT.match(code[:_LONGEST])
    heading = next((line for line in reversed(lines[:-1]) if _HEADING.match(line)), "")
    for text in (comment[0] if comment else "", *lines[-1:], heading):
        if (says := _says(text)) is not None:
            return not says
    return _INSIDE.search(code) is not None


def _says(text: str) -> bool | None:
    """Return True if the last sentence marks the next block as the answer, False if as only shown, None if neither."""
    sentence = _SENTENCE.split(text.strip())[-1]
    clause = _TURN.sub("", _SUBORDINATE.sub("", sentence, count=1), count=1)
    if _ANSWER.search(clause):
        return True
    return False if _SHOWN.search(clause) else None
