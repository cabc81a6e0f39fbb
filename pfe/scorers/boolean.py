"""Yes/no scoring.

Example: "Yes, the passage says so." gives "yes", and so do "True", "That isn't false" and "There is no doubt: yes";
"It cannot be true." gives "no", and "yes and no" gives neither.
"""

import re

from pfe.problem import Problem
from pfe.scorers.markup import plain
from pfe.scorers.outcome import Score
from pfe.scorers.ranked_answers import preferred
from pfe.scorers.retracted import asserted, corrections
from pfe.scorers.stated import statements, unboxed
from pfe.scorers.trimming import before_next_question, ends_of

# Phrases that name both answers, or contain the word "no" without denying; questions.
_NEITHER = re.compile(
    r"\b(?:(?:either\s|neither\s|both\s)?(?:yes\s?(?:or|and|nor|/)\s?no|no\s?(?:or|and|/)\s?yes"
    r"|true\s?(?:or|and|nor|/)\s?(?:false|untrue)|false\s?(?:or|and|/)\s?true"
    r"|correct\s?(?:or|nor)\s?incorrect|right\s?(?:or|nor)\s?wrong)"
    r"|(?:there(?:'s|\sis|\scan\sbe)\s|with\s)?(?:no|little|without(?:\sa|\sany)?)\s"
    r"(?:room\sfor\s|reason\sto\s|shadow\sof\s(?:a\s)?|way\sto\s)?"
    r"(?:doubt(?:\sabout\s\w{1,12})?|question(?:\sabout\s\w{1,12})?|problem|idea|clue|wonder|matter(?:\swhat)?|need|longer\sa\squestion|(?:tell|know|say)(?:ing)?)"
    r"|(?:whether|if)\s(?:\w{1,20}\s){0,8}?(?:true|false|yes|no|correct|incorrect)"
    r"|(?:not|n't)\s(?:sure|certain|clear|known)\b[^.\n]{0,60}?(?:true|false|yes|no)?)\b",
    re.I,
)
_ASKED = re.compile(r"[^.!?\n]{0,200}\?")
_NOT = (
    r"(?:\b(?:not|cannot|never|hardly|neither|nor|far\sfrom|without\sbeing|by\sno\smeans|anything\sbut)|n't)\s"
    r"(?:(?:be|been|being|a|an|at\sall|the|entirely|completely|totally|actually|really|quite|strictly|necessarily|always"
    r"|exactly|in\sfact|considered|only|factually|possibly|ever|even|(?:seem|appear|look)(?:s\sto|\sto)?"
    r"|the\scase\sthat(?:\s\w{1,20}){1,3})\s){0,4}"
)
_FIRM_YES, _FIRM_NO = r"yes|true|yeah|yep|yup", r"no|false|untrue|nope|nah"
_FIRM = re.compile(rf"(?P<not>{_NOT})?\b(?:(?P<yes>{_FIRM_YES})|(?P<no>{_FIRM_NO}))\b(?!-)", re.I)
# "The correct word is …" calls nothing correct.
_NO_NOUN = r"(?!\s(?:answer|option|choice|response|word|term|side|hand|now|away|to)\b)"
_CALLED = re.compile(
    rf"(?P<not>{_NOT})?\b(?:(?P<yes>correct|accurate|right(?=\W*(?:\Z|[.,;!\n]))|valid|affirmative|the\scase|indeed\sso)"
    rf"|(?P<no>incorrect|inaccurate|wrong|invalid|negative|mistaken|a\smyth))\b{_NO_NOUN}",
    re.I,
)
_STANDS_ALONE = re.compile(rf"(?:{_FIRM_YES}|{_FIRM_NO}|correct|incorrect|[ytfn])\b(?:[^\w\s]|\Z|\s?\n)", re.I)
_CONCLUDED = re.compile(r"\b(?:so|therefore|thus|hence|conclusion|overall|in\sshort)\b[,:]?\s", re.I)
_NOUN_BEHIND = re.compile(r"\s[a-z]", re.I)
# Openings that mean no without the word; words that mean yes if nothing follows, unlike "Certainly! Here is …".
_REFUSAL = re.compile(
    r"I\s(?:do\snot|don't)\s(?:think|believe)\s(?:so|that)\b|I\sdoubt\s(?:it|that)\b|not\s(?:really|at\sall|quite|so)\b"
    r"|(?:of\scourse|certainly|definitely|absolutely|probably)\snot\b|unlikely\b|not\saccording\sto\b"
    r"|(?:there\s(?:is|are|was|were)\s)?none\b(?=\W*\Z)",
    re.I,
)
_ASSENT = re.compile(r"(?:I\s(?:think|believe)\sso|of\scourse|certainly|definitely|absolutely|indeed)[.!]?", re.I)
# Words of other languages; some are also English words, so they count only before punctuation or the end.
_ABROAD = re.compile(
    r"(?:(?P<yes>sí|sì|sim|oui|ja|да|はい|네|예|نعم|是的?|有|对|✅|✔|☑|👍)"
    r"|(?P<no>non?|nein|nej|nee|não|нет|いいえ|아니[요오]|لا|否|不是?的?|没有|没|❌|✗|✘|👎))\ufe0f?\s{0,3}(?:\Z|[.,;:!–—\n])",
    re.I,
)
# A yes or no that is a clause by itself takes precedence over one inside a sentence.
_CLAUSE = re.compile(
    rf"(?:\A|[.!;:\n])[\s\"'*(]{{0,5}}(?:(?P<yes>{_FIRM_YES})|(?P<no>{_FIRM_NO}))(?=\s?(?:\Z|[.,;:!)\"'\n–—]))", re.I
)
_DENIALS = frozenset(["not", "no", "never", "cannot"])
_SIDE_WORDS = _DENIALS | frozenset(["a", "an", "the", "any", "some", "also", "indeed", "so", "there"])
_SIDE_WORDS |= {"is", "are", "was", "were", "be", "do", "does", "did", "has", "have", "had"}
_LETTERS = {"y": "yes", "t": "yes", "n": "no", "f": "no"}
_ELLIPSIS = re.compile(
    r"(?:indeed,?\s)?(?:it|he|she|they|this|that|there|you|we|one|the\s\w{1,30}|[A-Z]\w{1,30})\s"
    r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must)(?P<not>\snot|n't|not)?[.!]?",
    re.I,
)


def score(problem: Problem, output: str) -> Score:
    """Score the output as correct if it gives the answer, in any wording."""
    extracted = read_boolean(output, problem.question)
    return Score(extracted != "" and extracted == read_boolean(problem.answer), extracted)


def read_boolean(output: str, question: str = "") -> str:
    """Return "yes", "no", or "" if the output says neither or both.

    Self-corrections take precedence, and statements attributed to others are ignored (`pfe.scorers.retracted`). Then
    the readings are tried in this order: a stated answer (`pfe.scorers.stated`), a word for yes or no at the beginning,
    the higher-ranked answer, a conclusion ("so no"), the first such word with negations counted; the same with
    "correct", "incorrect" and the like; "It is." and "It does not."; the words of the question, affirmed or denied.
    """
    text = asserted(plain(ends_of(before_next_question(output))))
    readings = [_corrected(part) for part in corrections(text)]
    return next(filter(None, readings), "") or _read(text) or _restated(question, unboxed(text))


def _corrected(text: str) -> str:
    """Return the answer of a correction that states it, has it as a clause, or begins with it."""
    clear = _clear(unboxed(text))
    return _stated(text) or _alone(clear) or _in_words(clear.partition(".")[0], before_nouns=False)


def _read(text: str) -> str:
    if said := _stated(text):
        return said
    text = unboxed(text).strip()
    if text.strip(" .\"'()").lower() in _LETTERS:
        return _LETTERS[text.strip(" .\"'()").lower()]
    if _STANDS_ALONE.match(text.lstrip("\"'(*# ")):
        return _said(text)
    if len(first := preferred(text) or "") > 1:
        return first.lower()
    concluded = [text[match.end() :].partition(".")[0] for match in _CONCLUDED.finditer(text)]
    said = next((said for part in concluded[:-20:-1] if (said := _said(part))), "")
    if said or (said := _said(text)):
        return said
    ellipsis = _ELLIPSIS.fullmatch(text)
    return "" if ellipsis is None else "no" if ellipsis["not"] else "yes"


def _stated(text: str) -> str:
    stated = [statement.text.strip().partition("\n")[0] for statement in statements(text)]
    stated.sort(key=lambda line: _STANDS_ALONE.match(line) is None)
    return next(filter(None, map(_said, stated)), "")


def _said(text: str) -> str:
    text = _clear(text)
    return _LETTERS.get(text.strip(" .\"'").lower()) or _alone(text) or _in_words(text)


def _clear(text: str) -> str:
    """Return the text without questions and without phrases that name both answers or neither."""
    return _NEITHER.sub(" ", _ASKED.sub(" ", text)).strip()


def _alone(text: str) -> str:
    """Return the meaning of a word of another language at the beginning, or else of the first clause of one word."""
    word = _ABROAD.match(text.lstrip("\"'(*# ")) or _CLAUSE.search(text)
    return "" if word is None else "yes" if word["yes"] else "no"


def _in_words(text: str, before_nouns: bool = True) -> str:
    """Return the meaning of the first word for yes or no in a text; "no" before a noun ("no mention") comes last."""
    firm = list(_FIRM.finditer(text))
    determiners = [match for match in firm if match[0].lower() == "no" and _NOUN_BEHIND.match(text, match.end())]
    said = [*(match for match in firm if match not in determiners), *_CALLED.finditer(text)]
    said += determiners if before_nouns else []
    if not said:
        return "no" if _REFUSAL.match(text) else "yes" if _ASSENT.fullmatch(text) else ""
    return "yes" if (said[0]["yes"] is None) == bool(said[0]["not"]) else "no"


def _restated(question: str, text: str) -> str:
    """Return "yes" or "no" if a text opens with a question's words: "Sloths swim" means yes to "do sloths swim".

    Other words may follow them; among them, only auxiliaries, articles and denials may occur.
    """
    awaited = set(_words(question)) - _SIDE_WORDS
    asked, denials = frozenset(awaited), 0
    if len(asked) < 2:
        return ""
    for word in _words(re.split(r"[.,;:!\n]", _ASKED.sub(" ", text).strip(), maxsplit=1)[0]):
        if word in _DENIALS and not awaited:
            return ""
        if awaited and word not in asked | _SIDE_WORDS:
            return ""
        awaited.discard(word)
        denials += word in _DENIALS
    return "" if awaited else "no" if denials % 2 else "yes"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold().replace("can't", "can not").replace("n't", " not"))
