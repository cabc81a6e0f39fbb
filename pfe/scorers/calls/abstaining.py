"""Whether an output says that no call is to be made, in whatever words.

Example: `abstains("no call")`, `abstains("Which account do you mean?")` and `abstains("None of these functions can
print a file.")` are true, `abstains("The weather in Oslo is fine.")` is false: that is neither a call nor the
refusal of one.
"""

import re

FIRST = 600  # characters in which it is said

_FORM = re.compile(
    r"[\s\"'`*_.(\[<]{0,6}(?:call:?\s*)?(?:"
    r"no[ _-]?(?:(?:suitable|matching|applicable|valid|such)[ ])?(?:(?:function|tool|api)[ _-]?)?"
    r"(?:calls?|functions?|tools?)\b[^\n]{0,80}|none|null|nil|n/?a|nothing|\[\s*\]|\{\s*\}|\{\s*\"tool_calls\"\s*:\s*(?:\[\s*\]|null)[^\n]{0,200}\}"
    r")[\s\"'`*_.!)\]>]{0,6}(?:\n|\Z)",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"n['’]t\b|\b(?:no|not|none|neither|nor|cannot|unable|unavailable|unsupported|impossible|without|lacks?|lacking|"
    r"missing|sorry|afraid|unfortunately|beyond|outside|unclear|unspecified|ambiguous|incomplete|needs?|requires?|required|"
    r"must know|provide|specify|clarif(?:y|ication)|let me know|tell me|give me|more (?:information|details?)|"
    r"please (?:say|name|state|share|confirm|enter|supply)|know (?:which|what|when|where|who|how))\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")


def abstains(words: str, ended: bool = True) -> bool:
    """Whether the words say so.

    Args:
        words: an output that makes no call.
        ended: whether it came to its end; of one that was cut off only the plain form counts.
    """
    text = words.strip()
    if _FORM.match(text):
        return True
    said = text[:FIRST]
    in_words = len(_WORDS.findall(said)) >= 2
    return ended and in_words and ("?" in said or "？" in said or _REFUSAL.search(said) is not None)
