r"""Extraction of stated final answers: in tags, JSON, a box, under a heading, or after "the answer is".

Example: in "16 - 7 = 9. The answer is \\boxed{18}. (9 eggs at 2)" the statements are "18", then " 18. (9 eggs at 2)".
The scorer of each kind of answer extracts the answer from a statement.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TAG = re.compile(
    r"<\s?(?:final_?)?(?:answer|ans|solution|result|choice|option)\s?>(.{0,2000}?)"
    r"(?:<\s?/\s?(?:final_?)?(?:answer|ans|solution|result|choice|option)\s?>|\Z)"
    r"|\[ANSWER\](.{0,2000}?)(?:\[/ANSWER\]|\Z)",
    re.I | re.DOTALL,
)
_KEYS = (
    r"(?:final|correct|selected|chosen|predicted)?[_ ]?(?:answer|ans)(?:[_ ]?(?:letter|choice|option|value|key|text))?",
    r"(?:final|correct|selected|chosen|predicted)?[_ ]?(?:choice|option|letter|label|result|response|prediction|value)",
)
_VALUE = (
    r"\s{0,9}:\s{0,9}(\"(?:[^\"\\\n]|\\.){0,500}\"|'(?:[^'\\\n]|\\.){0,500}'|\[[^\[\]\n]{0,200}\]"
    r"|[^\s,{}\[\]\"']{1,60})"
)
_FIELDS = tuple(re.compile(rf"(?<=[{{,\n\s])[\"']{key}[\"']{_VALUE}", re.I) for key in _KEYS)
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s?(\{|[0-9A-Za-z]\b)")
_DEEPEST, _LONGEST = 40, 2000  # nested braces, characters per statement
_MOST = 20  # statements per kind, counted from the last
# Phrases between the noun and its verb: "the answer to the question (in dollars) is".
ABOUT = (
    r"(?:\s(?:to|for)\s(?:the|this|that|your|our|my|question|problem|part)\b[^.:=\n?!]{0,60}?|\shere|\sin\s\w{1,20})?"
    r"(?:\s?\([^()\n]{0,40}\))?"
)
IS = (
    r"(?:\s(?:is|are|was|would\sbe|should\sbe|must\sbe|will\sbe|has\sto\sbe|can\sonly\sbe|equals|comes\sto|comes\sout\sto)"
    r"\b\s?[:=]?|\s?[:=]|\s[-–—→]+(?=\s))"
)
_NOUN = r"(?<![\w-])(?<!\ban\s)(?:answer|ans|final\s(?:result|response|solution|verdict))\b"
_HEADING = (
    r"^[ \t>#]{0,9}(?:[0-9]\.\s)?(?:(?:the|my|your|final|correct)\s){0,2}(?:answer|solution|result)"
    r"(?:\s?:|[ \t]{0,3}$)"
)
# Languages that models switch to most often.
_FOREIGN = (
    r"(?:(?:respuesta|réponse|antwort|risposta|resposta|ответ|الجواب|الإجابة)"
    r"(?:\s(?!(?:no|non|não|nicht|не)\b)\w{1,12}){0,2}?"
    r"(?:\s?[:：=]|\s(?:es|est|ist|lautet|è|é|هو|هي)\b)|(?:答案|答え|正解|정답)\s?(?:[:：=]|是|为|為|は|은|는))"
    r"(?:\s(?-i:el|la|le|die|der|das|o|a)\b)?"
)
CALLED = re.compile(rf"(?:{_NOUN}{ABOUT}{IS}|{_HEADING}|{_FOREIGN})\s{{0,20}}", re.I | re.M)
_BEFORE = re.compile(r"\w")
_OPENING = re.compile(r"(?!\s*final\b).*:\s*\Z", re.I | re.DOTALL)
_INSTEAD = re.compile(r"\s?not\s[^.\n]{1,40}?,?\sbut\s(?:rather\s|instead\s)?", re.I)
_TAKEN_BACK = re.compile(r"\s?(?:not|n't|never|neither|nicht|unknown|unclear)\b", re.I)


@dataclass(frozen=True)
class Statement:
    """A statement of the answer in an output.

    `text` ends with the mark that encloses it if `closed` is true, else with the output or after 2,000 characters.
    `start` is the position of the mark. `opens` is true for an "Answer:" with nothing before it, which a whole solution
    may follow.
    """

    text: str
    start: int
    closed: bool
    opens: bool = False


def statements(text: str, called: re.Pattern[str] = CALLED) -> Iterator[Statement]:
    """Yield the statements of the answer in a text: tags and JSON first, then boxes and sentences, the last one first.

    Args:
        text: an output as `pfe.scorers.markup.plain` returns it.
        called: the phrases before an answer in a sentence.
    """
    for match in [*_TAG.finditer(text)][: -_MOST - 1 : -1]:
        yield Statement(match[1] or match[2] or "", match.start(), closed=True)
    for field in _FIELDS:
        for match in [*field.finditer(text)][: -_MOST - 1 : -1]:
            yield Statement(_value(match[1]), match.start(), closed=True)
    marks = [*_boxes(text), *_sentences(text, called)]
    yield from sorted(marks, key=lambda statement: statement.start, reverse=True)


def unboxed(text: str) -> str:
    r"""Return the text with every `\boxed{}` replaced by its content."""
    pieces, place = [], 0
    for match, end in _box_places(text):
        if match.start() >= place:
            pieces += [text[place : match.start()], " ", text[match.start(1) : end].removeprefix("{").removesuffix("}")]
            place = end
    return "".join([*pieces, text[place:]])


def _boxes(text: str) -> Iterator[Statement]:
    for match, end in [*_box_places(text)][-_MOST:]:
        inside = text[match.start(1) : end]
        yield Statement(inside.removeprefix("{").removesuffix("}"), match.start(), closed=True)


def _box_places(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield every box and the position where it ends, with balanced braces; an unclosed box ends with its line."""
    place = 0
    while match := _BOX.search(text, place):
        end = _closing(text, match.start(1)) if match[1] == "{" else match.end(1)
        yield match, end
        place = max(end, match.end())


def _closing(text: str, opening: int) -> int:
    depth = 0
    for place in range(opening, min(len(text), opening + _LONGEST)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place + 1
        if depth > _DEEPEST:
            return place
    line = text.find("\n", opening)
    return min(len(text) if line < 0 else line, opening + _LONGEST)


def _sentences(text: str, called: re.Pattern[str]) -> Iterator[Statement]:
    for match in [*called.finditer(text)][-_MOST:]:
        stated = _INSTEAD.sub("", text[match.end() : match.end() + _LONGEST], count=1)
        if not _TAKEN_BACK.match(stated):
            opens = not _BEFORE.search(text[: match.start()]) and _OPENING.match(match[0]) is not None
            yield Statement(unboxed(stated), match.start(), closed=False, opens=opens)


def _value(text: str) -> str:
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            pass
    return text.strip("\"'[] ")
