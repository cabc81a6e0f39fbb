"""Reading of the amount that a text concludes with: the main amount of its last sentence that has one.

Example: in "Since 5 friends share $85, each gets $17, not $20, from the pot of 2 days." 5 and 85 belong to a cause,
17 to the main clause, 20 to a denial, and 2 to a prepositional phrase (`Part.BESIDE`); the text concludes with 17.
Sentences are split at marks: punctuation and words such as "so" open a clause, "because" opens a reason, "not" a
denial, "from" a prepositional phrase.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from pfe.scorers.numerals import Numeral, amounts

# Unit words that may stand between a number and its operator or equals sign: "3 cans of paint * 4".
_UNIT = r"[)}%°]{0,2}(?:[ \t]?[A-Za-z/$]{1,15}){0,3}?[ \t]?[)\]]?[ \t]?"
_OPERATOR = re.compile(
    rf"{_UNIT}(?:(?:[-−–+/×÷^*]{{1,2}}|\bx|\b(?:times|plus|minus|divided\sby|multiplied\sby))\s?[$€£(]{{0,3}}\s?\.?[0-9])"
)
_LEFT_SIDE = re.compile(rf"{_UNIT}(?:=|≈|→|⟹|->|\bequals\b)(?!\s?[A-Za-z]\b)")
_LETTER_BEHIND = re.compile(r"\s?=\s?[A-Za-z]\b")
_RIGHT_SIDE = re.compile(r"(?:=|≈|→|⟹|->|\bequals)\s?(?:about\s)?[$€£(\\]{0,3}\s?\Z")
_ENDS = r"(?:\s[A-Za-z]{1,12})?(?:\s(?:or|to)\s|[-–](?=[$€£]?[0-9]|\Z))"
_RANGE = re.compile(rf"[$€£]?[0-9][0-9.,]*%?{_ENDS}[$€£]?[0-9]", re.I)
_RANGE_BEFORE = re.compile(rf"(?<!from\s)(?<![-+*/×=]\s)(?<![\w.,$])[$€£]?[0-9][0-9.,]*%?{_ENDS}[$€£]?\Z", re.I)
_BETWEEN = re.compile(r"\bbetween\s(?:[$€£]?[0-9][0-9.,]*%?\sand\s)?[$€£]?\Z", re.I)
_KNOWN = re.compile(
    r"\b(?:the|his|her|their|its|my|your|our|these|those|all|every|both)\s(?:of\s)?(?:the\s|his\s|her\s|first\s|other\s)?\Z",
    re.I,
)
_FIGURE = r"(?=\s?[-−$€£]{0,2}[0-9])"
_MARK = re.compile(
    rf"(?P<restated>,\s(?:or|also\sknown\sas){_FIGURE}|\s—\s{_FIGURE})"
    rf"|(?P<clause>,?\s?which\s(?:is|makes|gives|means|leaves|equals|comes\sto|totals|rounds(?:\sup|\sdown)?\sto)\s"
    rf"(?:\w+\s){{0,2}}?{_FIGURE}(?!\S+\s(?:times|minus|plus|less|more)\b)"
    rf"|,(?![0-9])|[;:|]|\s[–—]\s(?!{_FIGURE})|(?<![\w-])(?:so|but|then|therefore|thus|hence|i\.e\.)(?![\w-]))"
    r"|(?P<denied>n't\b|(?<![\w-])(?:not|never|nor|neither|cannot|than|whether|instead\sof)(?![\w-]))"
    r"|(?P<reason>(?<![\w-])(?:because|since)(?![\w-]))"
    r"|(?P<cause>(?<![\w-])(?:after|if|when|while|having|compared|given|enough\sfor|including|though|although|which|who"
    r"|where|whose|without|except|once|assuming|before|until)(?![\w-]))"
    rf"|(?P<main>(?<![\w-])(?:and(?!{_FIGURE})|(?:needs?|ha(?:s|ve|d)|going|able|up|down|comes?|amounts?|equal|adds|wants?|rounds?"
    r"|rounded|must|ought|goes|went|raised|reduced)\sto|(?:takes?|took|brings?|brought)\sin"
    r"|(?:total|sum|average|mean|profit|loss|maximum|minimum|balance)\s(?:\w+\s){0,2}?of"
    r"|is|are|was|were|has|have|had|will|would|can|could|must|equals|costs?|gets?|gives?|makes?|leaves?|that)(?![\w-]))"
    r"|(?P<beside>(?<![\w-])(?:from|by|for|at|in|on|over|with|to|of|as|within|during|across|among|between|through|using|per)"
    r"(?![\w-]))",
    re.I,
)
_SENTENCE_END = re.compile(
    r"\n+|(?<!\bMr)(?<!\bDr)(?<!\bMrs)(?<!\bNo)(?<!\bvs)(?<!i\.e)(?<!e\.g)(?<!approx)[.!?][\"')*_]{0,4}\s+(?=[^a-z\s])"
)


class Part(IntEnum):
    """The part of a sentence that contains an amount."""

    DENIED = 0
    REASON = 1
    OPERAND = 2
    CAUSE = 3
    BESIDE = 4
    MAIN = 5


@dataclass(frozen=True)
class Place:
    """The position of an amount in a sentence: its clause and part.

    `result`: the amount is the result of an equation. `known`: "the", "her" or "all" marks it as already known.
    """

    numeral: Numeral
    clause: int
    part: Part
    result: bool
    known: bool


def concluded(text: str) -> Numeral | None:
    """Return the amount that a text concludes with; None if it has none, denies it or leaves it open."""
    sentences = [*_sentences(text)]
    for places in reversed(sentences):
        if chosen := _chosen(places):
            return None if _is_open(text, chosen) else chosen.numeral
    rest = [place for places in sentences for place in places if place.part is not Part.DENIED]
    ascending = len(rest) > 1 and rest[-2].numeral.value < rest[-1].numeral.value
    return None if not rest or (ascending and _is_open(text, rest[-1])) else rest[-1].numeral


def main_amount(sentence: str) -> Numeral | None:
    """Return the only amount of a sentence, else the only one in its main clauses; None if there is no single one.

    If a sentence has several amounts, one that is left open ("14 to 15") does not count.
    """
    counted = amounts(sentence)
    main = [place for place in _places(sentence, 0, len(sentence), counted) if place.part is Part.MAIN]
    if len(counted) == 1:
        return counted[0]
    return main[0].numeral if len(main) == 1 and not _is_open(sentence, main[0]) else None


def _sentences(text: str) -> Iterator[list[Place]]:
    """Yield the places of the amounts of each sentence that has any."""
    counted = amounts(text)
    starts = [numeral.start for numeral in counted]
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        if inside := counted[bisect_left(starts, start) : bisect_left(starts, end)]:
            yield _places(text, start, end, inside)
        start = end


def _places(text: str, start: int, end: int, counted: list[Numeral]) -> list[Place]:
    """Return the place of each amount of a sentence, derived from the marks before it."""
    places: list[Place] = []
    marks = [*_MARK.finditer(text, start, end)]
    part, clause, following = Part.MAIN, 0, 0
    for numeral, operand in zip(counted, _operands(text, counted), strict=True):
        while following < len(marks) and marks[following].start() < numeral.start:
            part, clause = _behind(marks[following], part, clause, marks[following].start() < start + 9)
            following += 1
        before, after = text[max(start, numeral.start - 24) : numeral.start], text[numeral.end : numeral.end + 9]
        places.append(_place(before, after, numeral, clause, part, operand))
    return places


def _place(before: str, after: str, numeral: Numeral, clause: int, part: Part, operand: bool) -> Place:
    """Return the place of an amount. The result of an equation is a main amount, unless it belongs to a reason."""
    result = not operand and (_RIGHT_SIDE.search(before) or _LETTER_BEHIND.match(after)) is not None
    if operand:
        part = min(part, Part.OPERAND)
    elif result and part is not Part.REASON:
        part = Part.MAIN
    return Place(numeral, clause, part, result, _KNOWN.search(before) is not None)


def _behind(mark: re.Match[str], part: Part, clause: int, fronted: bool) -> tuple[Part, int]:
    """Return the part and the clause after a mark. Only a mark that opens a clause ends a denial, reason or cause."""
    kind = mark.lastgroup
    if kind == "reason" and fronted:
        kind = "cause"
    if kind == "clause":
        return Part.MAIN, clause + 1
    if kind == "denied" or part is Part.DENIED:
        return Part.DENIED, clause
    if kind == "reason" or part is Part.REASON:
        return Part.REASON, clause
    if kind in ("cause", "restated") or part is Part.CAUSE:
        return Part.CAUSE, clause
    return (Part.BESIDE if kind == "beside" else Part.MAIN), clause + (mark[0].lower() == "and")


def _operands(text: str, counted: list[Numeral]) -> Iterator[bool]:
    """Yield for each amount whether it is an operand of a calculation or the left side of an equation."""
    reached = -1
    for numeral in counted:
        operator = _OPERATOR.match(text, numeral.end)
        left = operator or _LEFT_SIDE.match(text, numeral.end)
        yield left is not None or numeral.start < reached <= numeral.end
        reached = operator.end() if operator else -1


def _chosen(places: list[Place]) -> Place | None:
    """Return the place of a sentence's main amount; None if there is none.

    The last main clause with a new amount is read first: the result of its equation, else its last amount. Otherwise
    the first new amount in a prepositional phrase is used, then the last known amount of a main clause or equation.
    Amounts that are denied, operands, or part of a cause or reason never count.
    """
    new = [place for place in places if not place.known]
    if main := [place for place in new if place.part is Part.MAIN]:
        last = [place for place in main if place.clause == main[-1].clause]
        return ([place for place in last if place.result] or last)[-1]
    beside = [place for place in new if place.part is Part.BESIDE]
    others = [place for place in places if place.part is Part.MAIN or place.result]
    return next(iter([*beside, *reversed(others)]), None)


def _is_open(text: str, place: Place) -> bool:
    """Return whether an amount is an end of a range or one of two alternatives: "14 to 15", "24 or 26"."""
    numeral = place.numeral
    if place.result:
        return False
    before, after = text[max(0, numeral.start - 40) : numeral.start], text[numeral.start : numeral.end + 40]
    return any((_RANGE_BEFORE.search(before), _BETWEEN.search(before), _RANGE.match(after)))
