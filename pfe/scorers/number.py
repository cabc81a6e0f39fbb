"""Number scoring: the number that an output gives as its answer, read leniently and strictly (after `####`).

Example: "She earns 9 * 2 = <<9*2=18>>18 dollars.\\n#### $18.00" gives 18, equal to the answer "18"; the strict
reading gives nothing, because of the dollar sign.
Source of the strict reading: filter `strict-match` of lm-evaluation-harness 0.4.13, tasks/gsm8k.
"""

import re
from decimal import Decimal

from pfe.problem import Problem
from pfe.scorers.clauses import concluded, main_amount
from pfe.scorers.markup import BOLD, shown, typed, unemphasised
from pfe.scorers.numerals import Numeral, amounts, digits_for_signs, in_digits, numeral_at, numerals
from pfe.scorers.outcome import Score
from pfe.scorers.stated import CALLED, Statement, statements, unboxed
from pfe.scorers.trimming import before_next_question, ends_of

_HASHES = re.compile(r"(?<!#)#{4,}(?!#)[ \t]{0,9}([^\n]{0,400})")
_HASH_LABEL = re.compile(r"(?:(?:the|final|correct|so|is|answer|ans|result|total|[a-z]\s?=)\b[\s:=]{0,4}){1,5}", re.I)
_IS_THE_ANSWER = re.compile(r"\s(?:is|are|was)\s(?:the|our|my|your)\s(?:final\s|correct\s)?answer\b", re.I)
_HEADING = re.compile(
    r"(?:step|part|phase|stage|section|chapter|case|method|approach|example|question|problem|solution|option)\b", re.I
)
_ITEM = re.compile(r"[.):]\s+\S")
_CALCULATION = re.compile(r"<<[^<>\n]{0,200}>>")
_NEXT_INLINE = re.compile(r"(?<=\s)Question ?[0-9]{0,4} ?:")
_STRICT = re.compile(r"#### (-?[0-9.,]+)")
_EQUALS = re.compile(r"\s?(?:==?|≈|\bequals\b|→)\s?")
_LEAD = re.compile(
    r"[^\w$€£¥₹.=+−–-]{0,9}(?:(?:about|approximately|approx|around|roughly|exactly|precisely|simply|just|only|equal|to|a"
    r"|of|therefore|thus|then|indeed|also|still|now|the|number|is|be|total|over|USD)\b[\s:,.]{0,3}){0,6}"
    r"[^\w$€£¥₹.=−–-]{0,4}",
    re.I,
)
_OPERATOR = re.compile(
    r"(?:\s[A-Za-z]{1,15}){0,3}?\s?(?:(?:[-−–+/×÷^*]{1,2}|\bx|\b(?:times|plus|minus|divided\sby|multiplied\sby))\s?[$€£(]{0,2}\s?[0-9]"
    r"|\b(?:or|to)\s\W{0,3}[0-9])"
)
_RETRACTED = re.compile(r"[\s\w]{0,20}\s?[-–—,;.(]{1,3}\s?(?:no|wait|sorry|actually|I mean|scratch)\b", re.I)
_SENTENCE_END = re.compile(r"(?:[.!;](?=\s+[A-Z(\"'])|[.!;?](?=\s*\Z)|\?(?=\s))")
_VERB = r"(?:is|are|was|were|has|have|had|will|would|can|eats?|lays?|sells?|makes?|gives?|left|then|so|and|but|from)"
_UNIT_WORD = rf"(?!{_VERB}\b)[A-Za-z€£$/.²³^{{}}]{{1,15}}(?![A-Za-z])[23]?"
_UNIT = rf"(?:\s?%|°)?(?:[\s-]?{_UNIT_WORD})?(?:[\s-]{_UNIT_WORD})"
_ALONE = re.compile(
    rf"{_UNIT}{{0,5}}[\s.!,)\]$]{{0,9}}(?:\Z|\n|(?=\s\())|{_UNIT}{{0,1}}(?=[,;]?\s(?:because|since)\b|,\s(?:as|not)\b)",
    re.I,
)
_LETTER = re.compile(r"[A-Za-z]")
_WORD = re.compile(r"[A-Za-z]{3}")
_EXPLANATION = re.compile(
    r"\s*\n|[\s#>]{0,9}(?:[-*•]|[0-9]\.|(?:explanation|reason|because|since|working|solution|steps)\b)", re.I
)
_ENDS_IN_EQUATION = re.compile(r"=[^=\n]{0,40}\Z")
_FULL_STOP = re.compile(r"[.!]\s+[A-Z]")
_CHECK = re.compile(
    r"\n[\s#*>]{0,9}(?:(?:let(?:'s|\sus|\sme)|to|we\scan|i(?:'ll|\swill|\scan))\s)?"
    r"(?:double-?\s?check|check|verif(?:y|ication)|proof)(?:ing)?"
    r"(?:[\s*]{0,3}[:,\n]|\s(?:this|that|it|(?:our|my|the)\s(?:answer|result|work|calculations?|solution))\b)",
    re.I,
)
# One sentence followed only by a numbered list: reasons, unless the list yields an amount itself.
_WITH_LIST = re.compile(
    r"(?P<sentence>[^\n]{1,300}[.!])\s{0,9}\n\s{0,9}"
    r"(?:[^\n]{0,40}\b(?:why|reasons?|reasoning|explanation)\b[^\n\w]{0,9}\n\s{0,9})?"
    r"(?P<list>1[.)]\s[^\n]{1,300}(?:\n\s{0,9}[2-9][.)]\s[^\n]{1,300}){1,8})\s*\Z",
    re.I,
)
_INTRODUCES = re.compile(
    r"\W*(?:let|first|here|there|given|suppose|consider|assume|if|to|we|i|you|step|start|begin|originally|initially)\b"
    r"|.*\b(?:start|beg[aiu]n|list|steps?)\w{0,3}\b",
    re.I,
)
_WORKS_OUT = re.compile(
    r"[=≈→+×÷*]|[0-9]\s?[-−–/]\s?[$0-9]|\b(?:so|thus|therefore|hence|then|total\w*|altogether|in\sall|remain\w*|rest"
    r"|left|leav\w+|ma[dk]es?|gives?|times|plus|minus|equals?|add(?:s|ing)?|subtract\w*|multipl\w+|divid\w+|calculate\w*|answer|result)\b",
    re.I,
)
_FOOTNOTE = re.compile(r"^[ \t]{0,3}\[[0-9]{1,2}\][ \t:][^\n]*$|\[[0-9]{1,2}\](?!\()", re.M)
_UNDECIDED = re.compile(rf"{CALLED.pattern}either\s[$€£]?[0-9][0-9.,]*(?:\s\w{{1,12}})?\sor\s[$€£]?[0-9]", re.I | re.M)
_REFUSED = re.compile(
    r"\s*(?:(?:I'm|I\sam)\s(?:so\s)?(?:sorry|afraid|unable)|sorry\b|I\sapologi[sz]e|unfortunately\b|I\s(?:can't|cannot)\s"
    r"|(?:this|it|the\s\w{1,12})\s(?:can't|cannot|can\snot)\sbe\s(?:solved|answered|determined|calculated)"
    r"|there\s(?:is|isn't)\s(?:not\s)?enough\sinformation)[^\n]{0,200}\b(?:can't|cannot|can\snot|not|unable|never|n't)\b",
    re.I,
)
_PLACEHOLDER = re.compile(
    rf"{CALLED.pattern}[\[<{{(](?:your|insert|the|a|final)?\s?(?:\w+\s)?(?:answer|number|value)\b", re.I | re.M
)
_ENDS_ASKING = re.compile(r"\b(?:could|can|would|do)\syou\b[^.!?\n]{3,300}\?\W{0,5}\Z", re.I)
# Remarks after an answer: notes, or a table that summarises it.
_REMARKS = re.compile(
    r"\n[\s#*_>(-]{0,9}(?:note|assumptions?|disclaimer|remark|p\.?s)\b[\s\S]*\Z"
    r"|(?:\n[\s#*]{0,9}summary[\s*:]*)?\n(?:[ \t]*\|[^\n*]*\n?)+\s*\Z",
    re.I,
)
# Phrases addressed to the user after an answer: offers, wishes, confidence.
_CLOSING = re.compile(
    r"(?:\n|(?<=[.!?])[ \t])[\s*_>(-]{0,9}(?:let\sme\sknow|(?:would|do)\syou\s(?:like|want)\s(?:me|to)\b|shall\sI\b"
    r"|(?:I\s)?hope\s(?:this|that|it)\b|(?:please\s)?feel\sfree|happy\sto\shelp|if\syou\s(?:have|need|want|'d|would)\b"
    r"|(?:my\s)?(?:confidence|certainty)\b|I(?:'m|\sam)\s(?:\w{1,9}\s)?[0-9]{1,3}\s?%)",
    re.I,
)
_OBJECT = re.compile(r"\s*(?:json\s)?\s*\{[^{}]{1,2000}\}\s*")
_FIELD = re.compile(r"[\"']([\w ]{1,40})[\"']\s?:\s?[\"']?(?=[-$€£]{0,2}[0-9])")
_ASIDE = re.compile(r"\s?\([^()=\n]{1,120}\)")
_SCALED = re.compile(
    r"\b(?:how many|in|number of)\s(?:\w+\s)?(hundred|thousand|million|billion|trillion|lakh|crore)s?\b", re.I
)


def score(problem: Problem, output: str) -> Score:
    """Score the output as correct if its number equals the answer, compared as exact decimals.

    "18 million" is 18,000,000, or 18 if the question asks for millions. `strict` is the text of the number in the
    format of GSM8K's prompts, and `strict_correct` says whether it equals the text of the answer.
    """
    numeral, expected = _read(output, problem.question), _read(problem.answer)
    asked = {match[1].lower() for match in _SCALED.finditer(problem.question)}
    value = None if numeral is None else numeral.unscaled if numeral.scale in asked else numeral.value
    strict = read_strictly(output)
    return Score(
        correct=value is not None and expected is not None and value == expected.value,
        extracted="" if value is None else f"{value:f}",
        strict=strict,
        strict_correct=strict != "" and strict == _strict_text(problem.answer.strip()),
    )


def read_number(output: str) -> Decimal | None:
    """Return the number that the output gives as its answer; None if it has none.

    The readings are tried in this order: the number after `####` (unless that is a heading), a stated answer
    (`pfe.scorers.stated`), "… is the answer", a first line that is a number, the JSON field that the question asks for,
    a sentence before a list of reasons, the only bold number of the last paragraph, a final `####` line, the last
    number, a number in words. From an equation, the side that is a number is read. List numbers, ordinals, times,
    dates, labels and exponents are read only if there is no other number.
    """
    numeral = _read(output)
    return None if numeral is None else numeral.value


def read_strictly(output: str) -> str:
    """Return the text of the number after the first "#### " with one, without commas and a final full stop.

    It is "" if there is none.
    """
    match = _STRICT.search(output)
    return _strict_text(match[1]) if match else ""


def _strict_text(number: str) -> str:
    return number.replace(",", "").removesuffix(".")


def _read(output: str, question: str = "") -> Numeral | None:
    text = _NEXT_INLINE.split(before_next_question(output), maxsplit=1)[0]
    text = digits_for_signs(shown(_CALCULATION.sub("", typed(ends_of(text)))))
    text = _before_closing(_without_footnotes(text))
    plain = unemphasised(text)
    if _says_none(plain):
        return None
    for reading in (_after_hashes, _stated, _before_is_the_answer, _first_line):
        if numeral := reading(plain):
            return numeral
    return (
        _asked_field(plain, question)
        or _before_reasons(plain, question)
        or _emphasised(_before_check(text))
        or _last_heading(plain)
        or _last(_before_check(plain))
        or _last(plain)
        or numeral_in_words(text)
    )


def _without_footnotes(text: str) -> str:
    """Return the text without footnote marks such as "[1]"; without brackets alone if no number would remain."""
    without = _FOOTNOTE.sub("", text)
    return without if any(numerals(without)) else re.sub(r"[\[\]]", " ", text)


def _before_closing(text: str) -> str:
    """Return the text before its closing words to the user, if a number precedes them."""
    closing = _CLOSING.search(text)
    return text[: closing.start()] if closing and any(numerals(text[: closing.start()])) else text


def _says_none(text: str) -> bool:
    """Return whether an output leaves the answer open: it names two, refuses, asks back, or has a placeholder."""
    if _UNDECIDED.search(text) or _PLACEHOLDER.search(text):
        return True
    return bool(_REFUSED.match(text) or _ENDS_ASKING.search(text)) and not any(statements(text))


def _after_hashes(text: str) -> Numeral | None:
    """Return the number after the first `####` that is no heading; only a label such as "Answer:" may stand between."""
    for match in _HASHES.finditer(text):
        line = unboxed(match[1])
        label = _HASH_LABEL.match(line)
        if numeral := _of_sentence(line[label.end() :] if label else line, exact=True):
            is_item = _ITEM.match(line, numeral.end) and numeral.value < 20 and any(numerals(text[match.end() :]))
            if not is_item:
                return numeral
    return None


def _stated(text: str) -> Numeral | None:
    return next((numeral for statement in statements(text) if (numeral := _of_statement(statement))), None)


def _before_is_the_answer(text: str) -> Numeral | None:
    """Return the number before the last "is the answer" that directly follows one; only units may stand between."""
    for match in [*_IS_THE_ANSWER.finditer(text)][:-20:-1]:
        before = text[max(0, match.start() - 80) : match.start()]
        last = next(reversed(list(numerals(before))), None)
        if last and _ALONE.match(before, last.end):
            return last
    return None


def _of_statement(statement: Statement) -> Numeral | None:
    """Return the number of a statement: of all its text if a mark encloses it, else of its first line with text."""
    if statement.closed:
        return _of_sentence(" ".join(unboxed(statement.text).split()))
    lines = [line for line in statement.text.split("\n") if re.search(r"\w", line)]
    if not lines:
        return None
    line = re.sub(r"^[\s>*•]{0,9}(?:-\s)?", "", lines[0])
    if not statement.opens:
        return _of_sentence(line)
    return _answer_line(statement.text) or (None if len(lines) > 1 or _WORD.search(line) else _of_sentence(line))


def _of_sentence(text: str, exact: bool = False) -> Numeral | None:
    """Return the number that a text begins with or that its equation yields; None if two have equal standing.

    Args:
        exact: ignore a number elsewhere in the sentence.
    """
    end = _SENTENCE_END.search(text)
    sentence = text[: end.start()] if end else text
    if (end and end[0] == "?") or _RETRACTED.match(text, _start_of(sentence)[1]):
        return None
    places = [0, *(match.end() for match in _EQUALS.finditer(sentence))]
    sides = [numeral for place in places if (numeral := _side(sentence, place))]
    if sides and (sides[0].start < places[1] if len(places) > 1 else True):
        return sides[0]
    if sides:
        return sides[-1]
    amount = None if exact else main_amount(sentence)
    return None if amount is None or _OPERATOR.match(sentence, amount.end) else amount


def _start_of(sentence: str) -> tuple[int, int]:
    """Return the start and end of the number that a sentence begins with; (0, 0) if it begins with none."""
    numeral = _numeral_behind_lead(sentence, 0)
    return (numeral.start, numeral.end) if numeral else (0, 0)


def _side(sentence: str, place: int) -> Numeral | None:
    """Return the number on one side of an equation; None if that side is a calculation."""
    numeral = _numeral_behind_lead(sentence, place)
    return None if numeral is None or _OPERATOR.match(sentence, numeral.end) else numeral


def _numeral_behind_lead(sentence: str, place: int) -> Numeral | None:
    for start in (place, lead.end() if (lead := _LEAD.match(sentence, place)) else place):
        if numeral := numeral_at(sentence, start):
            return numeral
    return None


def _alone(line: str) -> Numeral | None:
    """Return the number of a line that has nothing but a number and units; None if it says more."""
    numeral = _numeral_behind_lead(line, 0)
    return numeral if numeral and _ALONE.match(line, numeral.end) else None


def _first_line(text: str) -> Numeral | None:
    """Return the number that the output begins with as its answer; None if it is the first item of a list."""
    numeral = _numeral_sentence(text) or _answer_line(text)
    return None if numeral and _ITEM.match(text, numeral.end) and _is_list(text, numeral) else numeral


def _answer_line(text: str) -> Numeral | None:
    """Return the number that makes up the first line, if no solution follows.

    A number with units counts if an empty line, a list or an explanation follows, or no equation ends the text.
    """
    line, _, rest = text.partition("\n")
    numeral = _alone(line)
    if numeral is None or _LETTER.search(line, numeral.end) is None:
        return numeral
    return numeral if _EXPLANATION.match(rest) or not _ENDS_IN_EQUATION.search(rest.rstrip()[-60:]) else None


def _numeral_sentence(line: str) -> Numeral | None:
    """Return the number that makes up the first sentence of a line, without units: "18. The hens lay 16"."""
    numeral = numeral_at(line)
    return numeral if numeral and _FULL_STOP.match(line, numeral.end) else None


def _is_list(text: str, numeral: Numeral) -> bool:
    following = numeral.value + 1
    return numeral.value == 1 or re.search(rf"^\s{{0,9}}{following:f}[.)]\s", text, re.M) is not None


def _asked_field(text: str, question: str) -> Numeral | None:
    """Return the number of a JSON object's only field that the question asks for.

    Its name contains "total", "final" or a word of the question's last sentence.
    """
    if not _OBJECT.fullmatch(text):
        return None
    asked = {"total", "final", *re.findall(r"[a-z]{3,}", question.rpartition(". ")[2].lower())}
    fields = [match.end() for match in _FIELD.finditer(text) if asked & set(re.findall(r"[a-z]+", match[1].lower()))]
    return numeral_at(text, fields[0]) if len(fields) == 1 else None


def _before_reasons(text: str, question: str) -> Numeral | None:
    """Return the only amount of a sentence that a list of reasons follows; None if the list may yield another.

    An amount that the question or the list gives is not a conclusion: "She has 16 eggs." begins a solution.
    """
    match = _WITH_LIST.match(text)
    if match is None or _INTRODUCES.match(match["sentence"]) or _WORKS_OUT.search(match["list"]):
        return None
    said = concluded(match["sentence"])
    known = {numeral.value for numeral in (*numerals(in_digits(question)), *numerals(match["list"]))}
    return said if said and said.value not in known and len(amounts(match["sentence"])) == 1 else None


def _emphasised(text: str) -> Numeral | None:
    """Return the number of the last paragraph's only bold passage with one, unless it is a heading or an operand."""
    passages = [match for match in BOLD.finditer(_last_paragraph(text)) if any(numerals(match[1]))]
    if len(passages) != 1:
        return None
    bold, following = passages[0], passages[0].string[passages[0].end() :]
    if bold[1].rstrip().endswith(":") or re.match(r" ?[:=×÷*+/-]| ?x ?[0-9]", following):
        return None
    return _of_sentence(unboxed(bold[1]))


def _last_paragraph(text: str) -> str:
    """Return the last paragraph with a number in it."""
    paragraphs = re.split(r"\n[ \t]*\n", text)
    return next((part for part in reversed(paragraphs) if any(numerals(part))), "")


def _last_heading(text: str) -> Numeral | None:
    """Return the first number of the output's only `####` line, if that is the last line and not a step's heading."""
    lines = list(_HASHES.finditer(text))
    if len(lines) != 1 or text[lines[0].end() :].strip() or _HEADING.match(lines[0][1].strip(" *:")):
        return None
    return next(iter(amounts(lines[0][1])), None)


def _before_check(text: str) -> str:
    """Return the text before the answer is checked or commented on, if a number precedes that."""
    for pattern in (_CHECK, _REMARKS):
        remark = pattern.search(text)
        if remark and any(numerals(text[: remark.start()])):
            text = text[: remark.start()]
    return text


def _last(text: str) -> Numeral | None:
    """Return the amount that the text concludes with; the last number if it has no amount."""
    without = _ASIDE.sub(_blank, text)
    if amounts(text):
        return concluded(without if amounts(without) else text)
    return next(reversed(list(numerals(text))), None)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def numeral_in_words(text: str) -> Numeral | None:
    """Return the number that makes up a text of at most four words, else the last one alone in bold, else one in words.

    The last reading takes the amount in words that the text concludes with, and none if the text has digits.
    """
    if len(text.split()) <= 4:
        return _alone(unemphasised(text))
    in_bold = [numeral for match in BOLD.finditer(text) if (numeral := _alone(match[1]))]
    if in_bold:
        return in_bold[-1]
    return None if any(numerals(text)) else concluded(in_digits(unemphasised(text)))
