"""Text that an output does not assert: what it retracts, attributes to others, supposes or contrasts.

Example: in "The answer is C. Wait, no, it's B." the last correction is "it's B."; in "Many say B, but they are wrong. C
would do if it were cold. It is A, not D." only "It is A" is asserted. The scorer of each kind of answer decides which
part is the answer.
"""

import re
from collections.abc import Iterator

_MOST = 6  # corrections that are tried, counted from the last
_BOUNDARY = r"(?:\A|(?<=[.!?;:,(…\n–—-])|(?<=[.!?;:,…–—-]\s))"
_THOUGHTS = (
    r"(?:wait|hold\son|scratch\sthat|strike\sthat|correction|I\smean(?:t)?|on\s(?:second|further|closer)\s\w{4,12}"
    r"|on\sreflection|(?:I'm\s)?sorry|my\s(?:mistake|bad)|oops|actually|hmm+|or\srather|make\sthat"
    r"|let\sme\s(?:correct|fix|rephrase|reconsider|revise)(?:\s(?:that|this|it|myself|my\sanswer))?)"
)
_TURN = re.compile(rf"{_BOUNDARY}(?:(?:no|but|oh|ah)\b,?\s)?{_THOUGHTS}\b(?:[\s,.:;!…–—-]{{0,5}}{_THOUGHTS}\b)*", re.I)
# "No" retracts the text before it, unless it may itself be the answer; "but for …" turns to the case in question.
_NO = re.compile(r"(?<=[.!?;,…–—-])\s{0,3}no\b(?=\s?[,:;…–—-])|\s(?:but|whereas)\s(?=(?:for|in|here|with)\b)", re.I)
_BEHIND = re.compile(r"[\s,.:;!…–—-]{0,9}(?:(?:no|so|it's\sreally|rather)\b[\s,:;–—-]{1,4}(?=\S))?", re.I)
_BEHIND_THOUGHT = re.compile(r"[\s,.:;!…–—-]{0,9}")

_REST = r"(?:(?![,;]?\s(?:but|however|yet|so|and\s(?:so|I))\b)[^.;!?\n])"  # the rest of a clause
_PEOPLE = (
    r"(?:(?:many|most|some|few|other|several|all)\s(?:\w{2,12}\s)?(?:people|students|pupils|readers|models|sources"
    r"|textbooks|of\sthem)|many|most|some|people|students|every(?:one|body)|others|some(?:one|body)|one\s(?=might|may|could)"
    r"|you\s(?=might|may|could)|(?:my|his|her|their|a|the)\s(?:\w{2,12}\s)?(?:textbook|teacher|friend|classmate|colleague))"
)
_SAID = r"(?:said|says?|thought|thinks?|believed?s?|claim(?:s|ed)?|answer(?:s|ed)?|pick(?:s|ed)?|chose|choose|guess)"
_WRONG = (
    r"(?:wrong|mistaken|incorrect|false|misled|(?:an?\s)?(?:error|mis(?:print|take|conception|understanding)|myth))"
)
_SET_ASIDE = re.compile(
    # Statements of others; those of a named person only if they are called wrong.
    rf"\b(?:{_PEOPLE})\s?(?:(?:would|might|may|could|will|often|still|usually|commonly|wrongly)\s){{0,2}}{_SAID}\b{_REST}{{1,120}}"
    rf"(?:,?\sbut\s\w{{2,9}}(?:\s(?:is|are|was|were)|'s|'re)\s{_WRONG})?"
    rf"|\b[A-Z]\w{{1,20}}\s(?i:{_SAID})\b{_REST}{{1,80}},?\sbut\s\w{{2,9}}(?:\s(?:is|was|were)|'s)\s{_WRONG}"
    # Hypothetical cases.
    rf"|\b(?:option\s|choice\s)?[\w(][\w)]{{0,20}}\swould\s(?:only\s)?(?:be|have\sbeen)\s{_REST}{{1,40}}?\s(?:if|had)\s{_REST}{{1,120}}"
    rf"|\bif\s(?!(?:I|we|you|forced|asked|pressed)\b){_REST}{{1,100}}?\b(?:were|was|had|asked|wanted|meant)\b{_REST}{{1,80}}?,"
    rf"\s(?:then\s)?(?:the\s\w{{4,9}}\s(?:\w{{4,9}}\s)?|it\s|that\s)would\s{_REST}{{1,80}}"
    rf"|(?:\A|(?<=[.!?\n]\s)|(?<=\n))had\s(?:it|the|this|they)\b{_REST}{{1,160}}"
    # Contrasts.
    r"|(?:[,;(–—]\s?|(?<=[.!?]\s))not\s(?!only|sure|certain|clear|necessarily|all|every|just)[^.,;:!?()\n–—]{1,80}"
    r"(?=\s?(?:\Z|[.,;:!?()\n–—]))(?!,\sbut|,?\s(?:so|because|that))"
    r"|,?\s(?:rather\sthan|instead\sof|as\sopposed\sto)\s[^.,;:!?()\n–—]{1,100}|\bunlike\s[^.,;:!?()\n–—]{1,80}",
    re.I,
)


def corrections(text: str, no: bool = False) -> Iterator[str]:
    """Yield the text after each self-correction, the last one first.

    Args:
        no: whether a "no" alone retracts the text before it; it does not if it may be the answer.
    """
    turns = [(match.end(), _BEHIND if no else _BEHIND_THOUGHT) for match in _TURN.finditer(text)]
    turns += [(match.end(), _BEHIND) for match in _NO.finditer(text) if no]
    for end, gap in sorted(turns, key=lambda turn: turn[0])[: -_MOST - 1 : -1]:
        match = gap.match(text, end)
        yield text[match.end() if match else end :]


def asserted(text: str) -> str:
    """Return the text without the parts that are attributed to others, hypothetical or named only for contrast."""
    return _SET_ASIDE.sub("", text)
