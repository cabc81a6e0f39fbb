"""Detection of outputs that say, in any wording, that no call is to be made.

Example: `abstains("no call")`, `abstains("Which account do you mean?")` and `abstains("None of these functions can
print a file.")` are true. `abstains("It is not raining in Oslo.")` is false because it is about something else, and
`abstains("Sent! Anything else?")` because it claims to have acted.
"""

import re
from collections.abc import Mapping

from pfe.icr.functions import Function

FIRST = 600  # characters that are searched

_TOOL = r"(?:functions?|tools?|apis?|(?:function |tool )?calls?)\b"
_NOT = r"(?:\s+not\b|n['’]t\b)"
_FORM = re.compile(
    r"[\s\"'`*_.(\[<]{0,6}(?:\$?\\boxed\{)?(?:\\text\{)?(?:call:?\s*)?(?:"
    r"no[ _-]?(?:(?:suitable|matching|applicable|appropriate|valid|such)[ ])?(?:(?:function|tool|api)[ _-]?)?"
    r"(?:calls?|functions?|tools?)\b(?:\(\))?"
    r"(?:\s+(?:is |are )?(?:needed|required|necessary|made|possible|available|found|appl\w+|fits?|matche?s?)\b)?"
    r"(?:\s*[(:;,–—-][^\n\d]{0,80})?|(?:none|null|nil|n/?a|nothing)(?:\s*\([^\n\d]{0,80}\))?|"
    r"\[\s*\]|\{\s*\}|\{\s*\"tool_calls\"\s*:\s*(?:\[\s*\]|null)[^\n]{0,200}\}"
    r")[\s\"'`*_.!)\]>}$]{0,6}(?:\n|\Z)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?？。])[\s*_\"')]+|\n+")
_CAN = (
    r"(?:can|could|fit|match|cover|support|allow|exist|available|provid|offer|suit|appl|handl|relevant|appropriate|"
    r"do(?:es)?\b|able|help|possible|perform|lets?\b|listed|given|among|for\b|to\b|that\b|which\b|with\b|here\b|"
    r"in the\b)"
)
_STATING = (
    r"(?:sa(?:y|id)|t(?:ell|old)|nam(?:e|ed)|mention|specif(?:y|ied)|state|give|provide|include|indicate|suppl(?:y|ie)|"
    r"share|known|contain)"
)
# The speaker cannot, or lacks something.
_UNABLE = (
    r"\b(?:I|we)\b(?:['’](?:m|d|ll|ve|re))?[^.!?\n;:]{0,30}?(?:\bcan(?:not|['’]?t|\s+not)\b|\bcould(?:\s+not|n['’]t)\b|"
    r"\bunable\b|\bnot\s+(?:able|equipped|designed|sure|certain)\b|"
    rf"\b(?:do|did){_NOT} (?:\w+ )?(?:have|know|see|find|support)\b(?! to\b)|"
    r"\b(?:have|see|find|found) (?:no|neither|nothing)\b|\black\b|\b(?:am|['’]m) missing\b|"
    r"\b(?:need|require)\b(?!\s+(?:no|not)\b|\s+to (?!know|have|ask|clarify|confirm|be told))|\bmust know\b)|"
    r"\bunable to\b"
)
# The request cannot be fulfilled, or not here.
_UNDOABLE = (
    r"\bcan(?:not|['’]t|\s+not) (?:be \w*(?:ed|en|ne|de|et|nt|ld|wn|ut)\b|do (?:it|that|this)|fulfil|complete)|"
    r"\b(?:request|task)s? can(?:not|['’]t)|(?:(?<![\"'])\bnot|n['’]t) (?:possible|supported|available|feasible|among|"
    r"something I|one of|part of|covered|enough)\b|\b(?:impossible|unsupported|insufficient|unspecified|underspecified|"
    r"unclear|ambiguous|incomplete)\b|\b(?:beyond|outside|out of)\s+(?:of )?(?:me\b|scope|(?:my|our|what|the (?:scope|"
    r"reach|abilit|capabilit|available|given|provided|functions|tools))\b)|\b(?:no|not a|n['’]t a|without a) way\b"
)
# No function fits.
_NO_FUNCTION = (
    rf"\b(?:no|neither|nor|not|without|lack(?:s|ing)?)\b[^.!?\n:]{{0,40}}?\b{_TOOL}"
    rf"(?! (?:is |are )?(?:needed|required|necessary))[^.!?\n]{{0,60}}?\b{_CAN}|"
    rf"n['’]t (?:\w+ )?(?:a|an|any)\b[^.!?\n:]{{0,30}}?\b{_TOOL}|\bno (?:function|tool) (?!is\b|was\b)[a-z]+s\b|"
    rf"\bnothing (?:here )?(?:that )?(?:can|could|fits)\b|\bneither\b[^.!?\n]*\b{_CAN}|"
    r"\bnone (?:of (?:these|those|them|my|our|the\b[^.!?\n]{0,40}\b(?:functions|tools|options|above|capabilities|apis|"
    r"available|provided|calls))\b|fits?\b|match|can\b|do(?:es)?\b|appl|(?:was|were|is|are) (?:given|provided|"
    r"suitable))|"
    r"\bno (?:means|access)\b|\bno[ _-](?:function |tool )?call(?:\(\))?\W*\Z|"
    rf"\b{_TOOL}[^.!?\n]{{0,60}}?(?:\bcan(?:not|['’]t|\s+not)\b|\b(?:do|does|is|are){_NOT}|\b(?:lack|need|"
    rf"require)s?\b|\bonly\b)"
)
# The request does not say enough.
_UNSTATED = (
    rf"\b(?:do|does|did|has|have|is|was|are|were|been){_NOT}(?: been| yet)? {_STATING}|\bno (?:information|details?)\b|"
    r"\bno (?:\w+ ){1,4}?(?:is |was |were |are |has been |have been )?(?:given|specified|provided|stated|mentioned|"
    r"named|supplied)\b|\b(?:is|are)(?: not|n['’]t) clear (?:which|what|who|whom|whose|where|when|how|to|from)\b|"
    r"\b(?:is|are|something|still|:)\s?missing\b|^\W*missing\b|\bmissing (?:a|an|the|some|required|\w+:)|"
    r"\b(?:request|question|message|query|prompt|it|this|that|\w+\(.{0,80}\)) (?:lacks|(?:also |still |"
    r"first )?requires|"
    r"needs (?:a|an|the)\b)|\A(?!\W*no\b)[^.!?\n]*\b(?:is|are) (?:also |still )?(?:required|needed (?:to|for|before))"
)
# The output asks for missing information.
_REQUEST = (
    r"(?:\A|\b(?:please|kindly|and|so|but|first|then|could you|can you|would you|will you)\b,?)\W*(?:also |first |"
    r"just )?"
    r"(?:specify|provide|clarify|tell me|give me)|\b(?:please|could you|can you)\b (?:also |first )?(?:name|state|"
    r"share|"
    r"confirm|enter|supply|say|indicate|choose)|\b(?:let me|must) know (?:which|what|when|where|who|how|the|your|"
    r"whether)"
)
_REFUSAL = re.compile("|".join((_UNABLE, _UNDOABLE, _NO_FUNCTION, _UNSTATED, _REQUEST)), re.IGNORECASE)
_WH = r"(?:which|what|who|whom|whose|where|when|how)"
_OFFER = re.compile(r"\b(?:else|more|another|next|further|help|assist|like me to|right\?|ok(?:ay)?\?)", re.IGNORECASE)
_QUESTION = re.compile(
    rf"\b{_WH}\b[^?？]*\b(?:you|your|I|we)\b|\b(?:do|did) you mean\b|\bwould you (?:like|prefer)\b.*\bor\b",
    re.IGNORECASE,
)
_ASKS_LAST = re.compile(rf"\b{_WH}\b|\bor\b|[^\x00-\u024f’？]", re.IGNORECASE)
_ACTS = (
    r"(?:sent|emailed|mailed|booked|reserved|ordered|bought|purchased|sold|paid|transferred|added|created|made|set|"
    r"scheduled|cancell?ed|deleted|removed|dropped|updated|changed|saved|posted|called|phoned|turned|switched|started|"
    r"stopped|placed|translated|converted|calculated|computed|forwarded|replied|texted|registered|submitted|printed|"
    r"played|locked|unlocked|arranged|completed|executed|run|ran|done|undone|moved|renamed|shipped|uploaded)\b"
)
_ACTED = re.compile(
    rf"\b(?:I|we)(?:['’]ve| have)?(?: just| now| already| also| successfully)* {_ACTS}|"
    rf"\b(?:has|have|['’]s) (?:now |just |already |successfully )?been (?:\w+ly )?{_ACTS}|"
    rf"(?:\A|(?<=[.!?\n])\s*)\W*(?:all )?{_ACTS}(?! (?:of|by|to be)\b)(?=\s*[.!,])|\b(?:is|are) (?:now )?set for\b",
    re.IGNORECASE,
)


def abstains(words: str, functions: Mapping[str, Function], ended: bool = True) -> bool:
    """Return whether an output says that no call is to be made.

    Args:
        words: an output that makes no call.
        functions: the functions on offer; one that is named with a value for a parameter counts as an intended call.
        ended: whether the output is complete; if it was truncated, only the plain form counts.
    """
    text = words.strip()
    if _FORM.match(text):
        return True
    start = text[:FIRST]
    if not ended or _ACTED.search(start) or any(_has_argument(text, function) for function in functions.values()):
        return False
    sentences = [sentence for sentence in _SENTENCE.split(start) if sentence.strip()]
    return any(map(_REFUSAL.search, sentences)) or _asks(sentences)


def _asks(sentences: list[str]) -> bool:
    """Return whether missing information is asked for: by a question to the user, one at the end, or only questions."""
    questions = [s for s in sentences if s.rstrip("\"'*_) ").endswith(("?", "？")) and not _OFFER.search(s)]
    if not questions:
        return False
    at_end = questions[-1] is sentences[-1] and (_ASKS_LAST.search(questions[-1]) or len(questions) == len(sentences))
    return bool(at_end) or any(map(_QUESTION.search, questions))


def _has_argument(text: str, function: Function) -> bool:
    """Return whether a function occurs with a value for one of its parameters, in a form that is not read as a call."""
    if function.name not in text or not function.parameters:
        return False
    parameter = "|".join(re.escape(parameter.name) for parameter in function.parameters)
    argument = rf"<(?:{parameter})>|[\"'](?:{parameter})[\"']\s*:|\b(?:{parameter})\s*=(?!=)\s*[\w\"']"
    return re.search(rf"(?<![\w.]){re.escape(function.name)}(?![\w(])[^(]{{0,200}}?(?:{argument})", text) is not None
