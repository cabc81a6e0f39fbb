"""Scoring of short factual answers, with TriviaQA's published normalisation.

Example: "the Beatles\\n\\nQuestion: ..." is correct for the answer "Beatles", as is any of its aliases; so are
"The answer is **the Beatles**.", "Not Queen, but the Beatles" and "Beatles, because …", but not "the Beatles,
Liverpool".
Source: `normalize_answer` in evaluation/triviaqa_evaluation.py of github.com/mandarjoshi90/triviaqa.
"""

import re
import string
import unicodedata
from collections.abc import Iterator

from pfe.problem import Problem
from pfe.scorers.markup import plain
from pfe.scorers.outcome import Score
from pfe.scorers.restated import restates
from pfe.scorers.stated import statements, unboxed
from pfe.scorers.trimming import before_next_question, ends_of

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "‘’‛“”„«»‹›′″´`…‐‑‒–—−·•¿¡", " "))
_ACCENTS = dict.fromkeys(range(0x300, 0x370))
_WITHOUT_WIDTH = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_ARTICLE = re.compile(r"\b(a|an|the)\b")
# Phrases that may precede a name, one after the other: "Well, I think it is Dr. No".
_LEAD = re.compile(
    r"(?:sure|certainly|of\scourse|well|so|therefore|thus|hence|in\sconclusion|great\squestion)[,:!.]?\s"
    r"|(?:yes|no|nope|step\s[0-9]{1,2})[,:.;]\s|[^?!.\n]{1,60}\?\s(?=No[,.:;]\s)"
    r"|i(?:'m|\sam)\snot\s[^,.\n]{0,40}?(?:sure|certain|positive)[^,.\n]{0,30},?\sbut\s"
    r"|not\s(?!(?:only|just|merely|simply|sure|certain)\b)[^,;:.!?\n–—]{1,60}(?:,|\s?[–—]|\s-)?\sbut\s(?:rather\s|instead\s)?"
    r"|i(?:'d|\swould)?\s(?:think|believe|guess|say)[,:]?\s(?:that\s)?|(?:most\slikely|probably|likely|presumably),?\s"
    r"|(?:my\sbest\sguess|it|that|this|he|she|they|these|those|there|who|what)"
    r"(?:\s(?:is|was|were|are|would\sbe|must\sbe|must\shave\sbeen)|'s)\s"
    r"|(?:the\s\w{1,20}\s)?you(?:'re|\sare)\slooking\sfor\sis\s"
    r"|(?:the\s)?(?:answer|a|final\sanswer)\s?(?:[:-]|is)\s|(?:der|die|das|le|la|les|el|los|las|il|lo)\s"
    r"|(?:dr|mr|mrs|ms|prof|st)\.?\s|(?:professor|sir|dame|saint|captain|king|queen|emperor|president)\s",
    re.I,
)
_MOST_LEADS = 6
_NO_OTHER = r"(?!.{0,200}\b(?:not|wrong|incorrect|false|but|or|(?i:and)\s(?:the\s)?[A-Z]))"
_ENDS = (
    re.compile(r",?\s(?:because|since|which|who|though|although|however)\b", re.I),
    re.compile(r"\s\([^()\n]{1,80}\)[\s.]*\Z"),
    re.compile(r"[.!](?=\s+[A-Z(])"),
    re.compile(
        r",?\s(?:is|was|are|were)\s(?:the|an?|who|what)\s(?!.{0,200}\b(?:not|wrong|incorrect|false|but|or)\b)", re.I
    ),
    # "Tycho Brahe, a Dane", but neither "Tycho Brahe, the wrong one" nor "Turin, the Hague".
    re.compile(
        r",\s(?:also|in|at|of|with|by|from|on|(?:an?|the)\s(?:[A-Z]\w{1,30}\s)?(?=[a-z]))"
        rf"{_NO_OTHER}"
    ),
    # "Oslo – the city on the fjord" and "Oslo; it has a fjord", but neither "Oslo – Bergen" nor "Oslo; it is Bergen".
    re.compile(
        r"(?:\s?[–—]\s?|\s--?\s|;\s)"
        r"(?:(?i:an?|the)\s(?:[A-Z]\w{1,30}\s)?(?=[a-z])|(?i:it|its|he|his|she|her|they|their|this|that|which|who)\b)"
        rf"{_NO_OTHER}(?!.{{0,200}}\b(?i:(?:is|was|be|been|called|named|actually|rather|really|sorry)\s(?-i:[A-Z])|answer))"
    ),
    re.compile(rf"(?:,|\s?[–—]|\s-)\snot\s(?=[A-Z]){_NO_OTHER}"),
    re.compile(r"\sit\s(?:is|was|must\sbe)(?=\W*\Z|[.!]\s)"),
)
_REFERENCE = re.compile(r"\s?\[\^?[0-9]{1,3}\]")
_ITEM = re.compile(r"\A\s*(?:[-*•]|[0-9]{1,2}[.)])\s+(?=\S)")
_CONCLUDES = re.compile(r"\W*(?:so|therefore|thus|hence|in\sconclusion|step\s[0-9]{1,2}|→|⇒|=>)\b", re.I)
_LONGEST_NAME = 5  # words of a name alone on its line
_BOLD = re.compile(r"\*\*(?=[^\s*])([^*\n]{1,100})(?<=\S)\*\*")
_THOUGHT = re.compile(
    r"(?:^|[.!?…–—-]\s)\W{0,20}(?:no,?\s)?(?:wait|hold\son|scratch\sthat|correction|actually|oops|on\ssecond\sthought)\b"
    r"[^\n]{0,80}?\b(?:no|wrong|incorrect|mistaken|(?:not|n't)\s(?:right|correct|true))\b",
    re.I | re.M,
)
_SEVERAL = re.compile(r"\s?/\s?|\sor\s")
_BESIDE = re.compile(r"\*\*,?\s?(?:or\b|and\b|/)")
_OTHERS = re.compile(r"\b(?:or|than|unlike|rather|instead|versus|both)\b", re.I)
_AFTER_QUESTION = re.compile(r"Q(?:uestion)?\s?:[^\n]*\n+A(?:nswer)?\s?:\s*([^\n]+)", re.I)
# In "The capital of Norway is Oslo" the last word is the answer, but not in "The capital is not Oslo".
_PREDICATE = re.compile(r"\s(?:is|was|are|were)(?:\s(?:called|named|known\sas|the|indeed|in))?\s(?=\S)", re.I)
_OPEN = re.compile(
    r"\b(?:not|never|no|neither|nor|except|near|if|whether|either|maybe|perhaps|opposite|\w+n't)\b", re.I
)


def score(problem: Problem, output: str) -> Score:
    """Score the output as correct if it gives the answer or an alias, alone or in a restatement of the question.

    Accents may be missing: "Antonin Dvorak" is correct for "Antonín Dvořák".
    """
    answers = {_key(name) for name in (problem.answer, *problem.aliases)} - {""}
    text = ends_of(before_next_question(output))
    text = text[max((match.end() for match in _THOUGHT.finditer(text)), default=0) :]
    lines = [] if _lists_names(text) else [*_lines(text)]
    for wording in (wording for line in lines for wording in _wordings(line)):
        if _names(wording, answers):
            return Score(True, wording)
    question = _key(problem.question)
    for line in lines[1:]:
        if any(_restates(wording, question, answers) for wording in _wordings(line)):
            return Score(True, line)
    return Score(False, before_next_question(output).partition("\n")[0].strip())


def _key(text: str) -> str:
    return _unaccented(normalise(text))


def _names(wording: str, answers: set[str]) -> bool:
    """Return whether a wording is an answer, or several names of it, such as "Vltava/Moldau"."""
    return _key(wording) in answers or all(_key(name) in answers for name in _SEVERAL.split(wording))


def _restates(wording: str, question: str, answers: set[str]) -> bool:
    return not _OPEN.search(wording) and not _OTHERS.search(wording) and restates(_key(wording), question, answers)


def _lists_names(text: str) -> bool:
    """Return whether a text begins with a list of names, each alone on its line."""
    lines = [line for line in text.split("\n", 9)[:9] if line.strip()][:2]
    return len(lines) == 2 and all(_ITEM.match(line) and len(line.split()) <= _LONGEST_NAME + 1 for line in lines)


def _unaccented(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_ACCENTS))


def normalise(text: str) -> str:
    """Return the text in lower case without punctuation, articles and extra spaces; unify compatible Unicode forms.

    A text that consists of articles ("The The") keeps them.
    """
    text = unicodedata.normalize("NFKC", text.translate(_PUNCTUATION)).translate(_WITHOUT_WIDTH)
    words = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", words).split()) or " ".join(words.split())


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that may give a name: the first one, then a stated answer, else bold, final or opening text."""
    first = text.partition("\n")[0].strip()
    yield first
    if answer := _AFTER_QUESTION.match(text):
        yield answer[1]
    shown = plain(text)
    stated = next((statement.text.strip().partition("\n")[0].strip() for statement in statements(shown)), None)
    if stated is not None:  # takes precedence over every other line but the first
        yield stated
        return
    bold = _BOLD.findall(first)
    if len(bold) == 1 and not _OPEN.search(_LEAD.sub("", first.partition("**")[0])) and not _BESIDE.search(first):
        yield bold[0]
    start, _, rest = unboxed(shown).strip().partition("\n")
    last = rest.strip().rpartition("\n")[2].strip()
    spoken = len(start.split()) > _LONGEST_NAME or start.rstrip().endswith(":")
    if last and (_CONCLUDES.match(last) or (spoken and not _ITEM.match(last))):
        yield last
    if not (last and _CONCLUDES.match(last)):
        yield start.strip()


def _wordings(line: str) -> Iterator[str]:
    """Yield the possible names that a line gives, first the line itself."""
    yield line
    stripped = _ITEM.sub(
        "", _REFERENCE.sub("", "".join(c for c in line if unicodedata.category(c) != "So")), count=1
    ).strip()
    for end in (None, *_ENDS):
        name = _before(end, stripped)
        for _ in range(_MOST_LEADS):
            yield name
            predicate = _PREDICATE.search(name) if not _OPEN.search(name) else None
            if predicate:
                yield name[predicate.end() :]
            lead = _LEAD.match(name)
            if lead is None:
                break
            name = name[lead.end() :]


def _before(end: re.Pattern[str] | None, line: str) -> str:
    match = end.search(line) if end else None
    return line[: match.start()] if match else line
