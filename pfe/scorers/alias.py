"""Short factual answers, by TriviaQA's published normalisation.

Example: "the Beatles\\n\\nQuestion: ..." is right for the answer "Beatles", as any of its aliases is; so are
"The answer is **the Beatles**.", "It was the Beatles." and "Beatles, because …", but not "the Beatles, Liverpool".
Source: `normalize_answer` in evaluation/triviaqa_evaluation.py of github.com/mandarjoshi90/triviaqa.
"""

import re
import string
import unicodedata
from collections.abc import Iterator

from pfe.problem import Problem
from pfe.scorers.markup import BOLD, plain
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question, ends_of
from pfe.scorers.stated import statements, unboxed

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "‘’‛“”„«»‹›′″´`…‐‑‒–—−·•¿¡", " "))
_ACCENTS = dict.fromkeys(range(0x300, 0x370))
_WITHOUT_WIDTH = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_LEAD = re.compile(
    r"(?:(?:sure|certainly|of\scourse|well|so|therefore|thus|i\s(?:think|believe|would\ssay))[,:!.]?\s(?:that\s)?)?"
    r"(?:(?:it|that|this|he|she|they|these|those|there|who|what)(?:\s(?:is|was|were|are|would\sbe|must\sbe)|'s)\s"
    r"|(?:answer|a|final\sanswer)\s?[:-]\s)?",
    re.I,
)
_ENDS = (
    re.compile(r",?\s(?:because|since|which|who|though|although|however)\b", re.I),
    re.compile(r"\s\([^()\n]{1,80}\)[\s.]*\Z"),
    re.compile(r"[.!](?=\s+[A-Z(])"),
    re.compile(
        r",?\s(?:is|was|are|were)\s(?:the|an?|who|what)\s(?!.{0,200}\b(?:not|wrong|incorrect|false|but|or)\b)", re.I
    ),
)
_AFTER_QUESTION = re.compile(r"Q(?:uestion)?\s?:[^\n]*\n+A(?:nswer)?\s?:\s*([^\n]+)", re.I)
# "The capital of Norway is Oslo", of which the last words are the answer, but for "The capital is not Oslo".
_PREDICATE = re.compile(r"\s(?:is|was|are|were)(?:\s(?:called|named|known\sas|the|indeed|in))?\s(?=\S)", re.I)
_OPEN = re.compile(
    r"\b(?:not|never|no|neither|nor|except|near|if|whether|either|maybe|perhaps|opposite|\w+n't)\b", re.I
)


def score(problem: Problem, output: str) -> Score:
    """Right if what the output states, or the first line, or what that comes to, is the answer or an alias.

    Accents may be missing: "Antonin Dvorak" is right for "Antonín Dvořák".
    """
    answers = {_unaccented(normalise(name)) for name in (problem.answer, *problem.aliases)} - {""}
    line = before_next_question(output).partition("\n")[0].strip()
    for wording in _wordings(output):
        if _unaccented(normalise(wording)) in answers:
            return Score(True, wording)
    return Score(False, line)


def _unaccented(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_ACCENTS))


def normalise(text: str) -> str:
    """Return it in lower case, without punctuation, articles, extra spaces; compatible Unicode forms are the same.

    What only articles make up ("The The") keeps them.
    """
    text = unicodedata.normalize("NFKC", text.translate(_PUNCTUATION)).translate(_WITHOUT_WIDTH)
    words = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", words).split()) or " ".join(words.split())


def _wordings(output: str) -> Iterator[str]:
    """Yield what may be the name that an output gives, as it stands first."""
    text = before_next_question(output)
    yield text.partition("\n")[0].strip()
    bold = BOLD.findall(text.partition("\n")[0])
    if len(bold) == 1:
        yield bold[0]
    if answer := _AFTER_QUESTION.match(text):
        yield answer[1]
    shown = plain(ends_of(text))
    stated = [statement.text.strip().partition("\n")[0].strip() for statement in statements(shown)]
    # what is stated decides, whatever the first line may be taken for
    for line in stated[:1] or [unboxed(shown).strip().partition("\n")[0].strip()]:
        for end in (None, *_ENDS):
            name = _before(end, line)
            yield from (name, name[len(lead[0]) :]) if (lead := _LEAD.match(name)) else (name,)
            predicate = _PREDICATE.search(name) if not _OPEN.search(name) else None
            if predicate:
                yield name[predicate.end() :]


def _before(end: re.Pattern[str] | None, line: str) -> str:
    match = end.search(line) if end else None
    return line[: match.start()] if match else line
