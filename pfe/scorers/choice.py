"""Which of a problem's choices a model prefers, and which one an output names.

Example: with the choices "barometer" and "ruler", the outputs "Barometer.", "A", "(a)", "Answer: A", "I choose A.",
"B is wrong, so A", "You need a barometer." and "So the answer is **(A)**, since …" all name "barometer".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from pfe.problem import Problem
from pfe.scorers.markup import plain
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question, ends_of
from pfe.scorers.stated import ABOUT, CALLED, IS, statements, unboxed

_PRAISE = r"(?:correct|right|best|final|only|most\s\w+|appropriate|chosen|logical|suitable|proper|likely|my|accurate)"
_NOUN = r"(?:answer|option|choice|letter|one|statement|response|alternative|pick|selection|guess|completion|ending)"
_SAY = r"(?:choose|chose|pick|picked|select|selected|say|answer|go\swith|going\swith|opt\sfor|vote\sfor|guess|conclude)"
# What stands in front of an answer in a sentence: "the correct option is", "I choose".
_STATED = re.compile(
    rf"(?:{CALLED.pattern}"
    rf"|\b{_PRAISE}\s{{1,3}}(?:{_NOUN}\s){{0,2}}{_NOUN}(?:{ABOUT}|\s(?:among|of|from)\b[^.:\n]{{0,60}}?){IS}\s{{0,20}}"
    r"|^[\s*#-]{0,9}(?:correct|right|best)\s?:\s{0,9}"
    r"|\b(?:the\s(?:only\s)?one|what|which)\sthat\s[^.\n]{1,60}?\sis\s(?=\(?[A-Z]\b)"
    rf"|\banswer\s(?=\(?(?:option|choice)?\s?[A-Z]\b)|^[ \t]{{0,9}}(?:option|choice)\s?:\s{{0,9}}"
    rf"|\b(?:I|I'm|I'd|I'll|we|let's|let\sus|let\sme|my|would|will)\s(?:would\s|will\s|have\sto\s|must\s)?{_SAY}\b"
    r"(?:\s(?:that|it\sis|it's))?\s{0,3}:?\s{0,3})",
    re.I | re.M,
)
# What stands in front of a letter by itself that an argument ends in: "so B.", "that leaves B."
_CONCLUDED = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|leaves?|leaving|must\sbe|has\sto\sbe|should\sbe|it's|it\sis|that's|that\sis|remains?"
    r"|definitely|probably|clearly|to)\b[,:]?|→|=>|[.:;!]|\n)\s{0,9}"
    r"(?:(?:us\swith|with|only|just|it\sis|it's|it\smust\sbe|must\sbe|is|option|choice|answer|letter)\s){0,3}"
    r"(?=[(\[\"']?[A-Za-z][)\]\"']?\s{0,2}(?:[.!,;]|\Z|\n))",
    re.I,
)
_OPENING = re.compile(
    r"[\s\"'*_`#>•→$:–—.\u2600-\u27bf\U0001f300-\U0001faff-]{0,40}"
    r"(?:(?:(?:indeed|simply|clearly|definitely|probably|likely|therefore|thus|only|just|that|it\sis|it's|is)[,:]?\s){1,3})?"
    r"(?:(?:the\s)?(?:option|choice|letter|answer|alternative)\b\s?:?\s?)?",
    re.I,
)
_LETTER = re.compile(r"(?P<open>[(\[{<\"'*$]{0,4})\s?(?P<letter>[A-Za-z])(?!\w)(?P<close>[)\]}>.:\"'*$]{0,4})")
_REASON = r"(?:it\sis|because|since|as|given|due|for|not|rather\sthan|instead\sof|over)\b"
# A letter before these words is no article and no pronoun, as it may be before others.
_AFTER_LETTER = re.compile(rf"\s?(?:[,;!]|(?<=\s)[–—(✅☑✔-]|{_REASON})", re.I)
_AFTER_ARTICLE = re.compile(r"\s?(?:[,;!]|(?<=\s)[–—(✅☑✔-]|(?:because|since|as|given|due|rather\sthan|not)\b)", re.I)
_AFTER_TEXT = re.compile(
    rf"\s?(?:\Z|[.,;:!)(–—](?!\w)|-\s|{_REASON}|(?:is|was|would\sbe)\s(?:the\s)?{_PRAISE}\b)", re.I
)
_DENIED = re.compile(
    r"[ \t]?(?:(?:is|are|was|would\sbe|seems|looks)\s)?(?:(?:clearly|definitely|obviously|also|probably|simply)\s)?"
    r"(?:not|n't|isn't|wasn't|cannot|can't|doesn't|incorrect|wrong|false|never|unlikely|out)\b|\s?\?",
    re.I,
)
_SIGNS = r"[)\].:\"'*(\[]{0,3}"
_BESIDE = re.compile(
    rf"{_SIGNS}(?:\s{{0,3}}(?:,|/|&|\band\b|\bor\b|\bnor\b){{1,2}}\s{{0,3}}(?:(?:and|or|also|option|choice)\s){{0,2}}"
    rf"{_SIGNS}(?P<letter>[A-Za-z])(?!\w){_SIGNS}){{1,25}}(?P<end>\s?(?:\Z|[,;!\n]|(?:are|is|would)\s(?:(?:both|all|be)\s)*(?:correct|right|true|possible|valid)|both))?"
)
_BESIDE_ANYWHERE = re.compile(r"\b[A-Z][)\]]?(?:\s?(?:,|/|&)\s?|\s(?:and|or|nor)\s)[(\[]?[A-Z]\b(?!\w)")
_PRAISED = re.compile(
    rf"(?:\b(?:option|choice|answer|letter|statement)\s)?(?<![\w'])[(\[\"']?([A-Za-z])[)\]\"'.]{{0,2}}\s(?:is|must\sbe|would\sbe|(?:seems|looks|appears)(?:\sto\sbe)?)"
    rf"\s(?:clearly\s|definitely\s|indeed\s|therefore\s|probably\s)?(?:(?:the\s)?{_PRAISE}|the\s(?:answer|one))\b",
)
# A line about one option, in a list or a table, and the verdicts that it may hold.
_OPTION_LINE = re.compile(
    r"^[\s*>|-]{0,9}(?:option\s|choice\s)?\(?([A-Za-z])(?=[).:|]|\s[|–—-]|\*\*)(.*)$", re.M | re.I
)
_REJECTED = re.compile(
    r"[❌✗✘✖🚫]|\b(?:incorrect|wrong|false|not|no|never|cannot|can't|unlikely|ruled\sout|eliminated?|\w+n't)\b", re.I
)
_ACCEPTED = re.compile(r"[✅☑✔✓]|\b(?:correct|right|true|yes)\b", re.I)
# Sentences that make one letter the answer without calling it correct.
_CHOSEN = re.compile(
    r"\b(?:makes?|making|leaves?|leaving)\s(?:option\s|choice\s)?\(?([A-Z])\)?\sthe\b|\b([A-Z])\sit\sis\b"
    r"|\b[Oo]nly\s(?:option\s|choice\s)?\(?([B-HJ-Z])\)?\s[a-z]"
)
_CONCLUSION = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:so|therefore|thus|hence|in\sconclusion|overall)\b[^\n]{0,400}", re.I | re.M
)
_LABELLED = re.compile(
    r"\(([A-Z])\)|\b(?:[Oo]ption|[Cc]hoice|[Ll]etter)\s\(?([A-Za-z])\b|(?<![\w'.])([B-HJ-Z])(?=[.):,]|\s?\Z)"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|wrong|incorrect|false|except|unlike|rather|instead|isn't|\w+n't)\b", re.I
)
_ARTICLE = re.compile(r"(?:the|an?)\s", re.I)
_EDGES = " .,;:!\"'*“”‘’`$"
_SEVERAL = -1  # the place of a choice where two are named with equal standing


def score(problem: Problem, output: str) -> Score:
    """Right if the output names the choice that is the answer, by its text or its letter."""
    choice = named_choice(problem.choices, output)
    return Score(choice is not None and choice == problem.answer, choice or "")


def best(scores: Sequence[float]) -> int:
    """The place of the highest score, the first of equals: lm-evaluation-harness's `acc`.

    Raises:
        ValueError: there are no scores.
    """
    return max(range(len(scores)), key=scores.__getitem__)


def best_per_character(scores: Sequence[float], choices: Sequence[str]) -> int:
    """The place of the highest score per character of its choice: lm-evaluation-harness's `acc_norm`.

    Args:
        scores: the log-likelihood (nats) of every choice, the space before it included.
        choices: their texts, without that space; an empty one is never the best of several.

    Raises:
        ValueError: there are no scores, or not one a choice.
    """
    return best([score / len(text) if text else -inf for score, text in zip(scores, choices, strict=True)])


def named_choice(choices: tuple[str, ...], output: str) -> str | None:
    """Return the choice that the output names; None where it names none, or two with equal standing.

    In this order: an output that is a choice's text; what it states as its answer (`pfe.scorers.stated`); what it
    begins with; what it calls correct; what its argument ends in; its last line; the one choice that it speaks of.
    A text that is a choice goes before a letter that stands for one; a letter with the text of another choice
    names none. Small letters count alone, in brackets and behind "option"; "A" before a noun is an article.
    """
    text = before_next_question(output)
    for wording in (output, text):
        if (place := _by_text(choices, wording)) is not None:
            return choices[place]
    for place in _places(choices, plain(ends_of(text))):
        return None if place == _SEVERAL else choices[place]
    return None


def _by_text(choices: Sequence[str], text: str) -> int | None:
    for form in (str, _folded, _bare):
        for place, choice in enumerate(choices):
            if form(choice) and form(choice) == form(text):
                return place
    return None


def _places(choices: tuple[str, ...], text: str) -> Iterator[int]:
    """Yield the places of the choices that a text names, the most certain first."""
    read = _Reader(choices)
    for statement in statements(text, _STATED):
        if (place := read.beginning(statement.text)) is not None:
            yield place
    text = read.without_options(unboxed(text))
    if (place := read.accepted(text)) is not None:
        yield place
    letters = [match[1] for match in _PRAISED.finditer(text)]
    letters += [next(filter(None, match.groups())) for match in _CHOSEN.finditer(text)]
    praised = {place for letter in letters if (place := read.letter(letter)) is not None}
    if praised:
        yield praised.pop() if len(praised) == 1 else _SEVERAL
    beginning = read.beginning(text)
    if beginning is not None and not (text[:1] in "Aa" and text[1:2] == " " and len(text) > 80):
        yield beginning
    for match in [*_CONCLUDED.finditer(text)][:-20:-1]:
        if (place := read.beginning(text[match.end() :].partition("\n")[0])) is not None:
            yield place
    if (place := read.beginning(text.rpartition("\n")[2])) is not None:
        yield place
    for match in [*_CONCLUSION.finditer(text)][:-4:-1]:
        if (place := read.only_one(match[0])) is not None:
            yield place
    if (place := read.only_one(text)) is not None:
        yield place


@dataclass(frozen=True)
class _Reader:
    """Reads the names of choices: their letters and their texts, as places among the choices."""

    choices: tuple[str, ...]

    def letter(self, letter: str) -> int | None:
        place = ord(letter.upper()) - ord("A")
        return place if 0 <= place < len(self.choices) else None

    def beginning(self, text: str) -> int | None:
        """Return the place of the choice that a text begins with, by its text or its letter; None where none."""
        opening = _OPENING.match(text)
        for start in dict.fromkeys((0, opening.end() if opening else 0)):
            part = text[start:].strip()
            for reading in (self._text_alone, self._letter_first, self._text_first):
                if (place := reading(part)) is not None:
                    return place
        return None

    def _text_alone(self, text: str) -> int | None:
        for wording in (text, text.partition("\n")[0]):
            if (place := _by_text(self.choices, wording)) is not None:
                return place
            if (place := _by_text([_noun(choice) for choice in self.choices], _noun(wording))) is not None:
                return place
        return None

    def _letter_first(self, text: str) -> int | None:
        match = _LETTER.match(text)
        place = self.letter(match["letter"]) if match else None
        if match is None or place is None:
            return None
        rest = text[match.end() :]
        marked = any(sign in match["close"] for sign in ").]:}>") or (match["open"] != "" and match["close"] != "")
        if (match["close"].endswith("'") and rest[:1].isalpha()) or _DENIED.match(rest):
            return None
        if beside := self._beside(text[match.end("letter") :], place):
            return _SEVERAL if beside["end"] is not None else None
        own_line = rest.partition("\n")[0].lstrip(" \t)].:-–—,(\"'*`$")
        named = self._text_first(own_line)
        if named is None and marked:
            named = self._longest_at(_noun(_folded(own_line)))
            if named == place and _DENIED.match(_noun(_folded(own_line))[len(_noun(_bare(self.choices[place]))) :]):
                return None
        if named not in (None, place):
            if match["letter"] in "aA" and not marked:
                return None
            begins_sentence = "." in match["close"] and own_line[:1].isupper() and not _by_text(self.choices, own_line)
            return place if begins_sentence and named != _SEVERAL else _SEVERAL
        if named == place:
            return place
        if match["letter"].islower():
            return place if _small_letter_counts(match, rest) else None
        if not rest.strip() or marked or rest.startswith("\n"):
            return place
        following = _AFTER_ARTICLE if match["letter"] in "AI" else _AFTER_LETTER
        return place if following.match(rest) else None

    def accepted(self, text: str) -> int | None:
        """Return the place of the one option that a list with a verdict on each accepts, or alone does not reject."""
        lines = [(self.letter(match[1]), match[2]) for match in _OPTION_LINE.finditer(text)]
        verdicts = {place: line for place, line in lines if place is not None}
        rejected = {place for place, line in verdicts.items() if _REJECTED.search(line)}
        accepted = {place for place, line in verdicts.items() if place not in rejected and _ACCEPTED.search(line)}
        if len(accepted) == 1 and rejected:
            return accepted.pop()
        rest = verdicts.keys() - rejected
        return rest.pop() if len(rest) == 1 and len(rejected) >= max(2, len(self.choices) - 1) else None

    def _beside(self, behind: str, place: int) -> re.Match[str] | None:
        """Return the match of the other letters beside the one at a place, as in "A and B", "A, C"."""
        beside = _BESIDE.match(behind)
        return beside if beside and self.letter(beside["letter"]) not in (None, place) else None

    def _text_first(self, text: str) -> int | None:
        folded = _noun(_folded(text[:2000]))
        place = self._longest_at(folded)
        if place is None:
            return None
        behind = folded[len(_noun(_bare(self.choices[place]))) :]
        if _DENIED.match(behind) or not _AFTER_TEXT.match(behind):
            return None
        second = self._longest_at(_noun(behind.lstrip(" ,;/")))
        return place if second in (None, place) else _SEVERAL

    def _longest_at(self, text: str) -> int | None:
        """Return the place of the longest choice that a folded text without article begins with."""
        nouns = {place: _noun(_bare(choice)) for place, choice in enumerate(self.choices)}
        begun = [place for place, noun in nouns.items() if _begins(text, noun)]
        return max(begun, key=lambda place: len(nouns[place]), default=None)

    def without_options(self, text: str) -> str:
        """Return the text without the list of all choices by letter, which some models repeat."""
        lines = text.split("\n")
        listed = [place for place, line in enumerate(lines) if self._is_option(line)]
        if len(listed) < max(2, len(self.choices) - 1):
            return text
        return "\n".join(line for place, line in enumerate(lines) if place not in listed).strip()

    def _is_option(self, line: str) -> bool:
        match = re.match(r"[\s*>-]{0,9}\(?([A-Za-z])[).:]\s", line)
        place = self.letter(match[1]) if match else None
        return match is not None and place is not None and _bare(line[match.end() :]) == _bare(self.choices[place])

    def only_one(self, text: str) -> int | None:
        """Return the place of the one choice that a text without negations speaks of, by letter or text."""
        if _NEGATION.search(text) or _BESIDE_ANYWHERE.search(text):
            return None
        letters = {self.letter(next(filter(None, match.groups()))) for match in _LABELLED.finditer(text)} - {None}
        named = letters | self._spoken_of(_folded(text))
        return named.pop() if len(named) == 1 else None

    def _spoken_of(self, text: str) -> set[int | None]:
        """Return the places of the choices whose text, of at least three letters, stands in a folded text."""
        nouns = {place: _noun(_bare(choice)) for place, choice in enumerate(self.choices)}
        spoken: set[int | None] = set()
        for place in sorted(nouns, key=lambda place: len(nouns[place]), reverse=True):
            noun = nouns[place]
            if len(re.findall(r"[^\W\d_]", noun)) >= 3 and (
                pattern := re.compile(rf"(?<!\w){re.escape(noun)}(?!\w)")
            ).search(text):
                text = pattern.sub(" ", text)
                spoken.add(place)
        return spoken


def _small_letter_counts(match: re.Match[str], rest: str) -> bool:
    """Whether a small letter names a choice: alone, in brackets, or with a full stop before a sentence."""
    before_sentence = "." in match["close"] and re.match(r"\s+[A-Z]", rest) is not None
    alone = not rest.strip() and ":" not in match["close"] and (match["close"] != "" or match["open"] == "")
    return alone or ")" in match["close"] or before_sentence


def _begins(text: str, noun: str) -> bool:
    """Whether a text is a choice, or goes on after it."""
    return noun != "" and text.startswith(noun) and not re.match(r"\w|\.[0-9]", text[len(noun) : len(noun) + 2])


def _noun(text: str) -> str:
    """Return the text without an article in front; what only an article makes up keeps it."""
    return _ARTICLE.sub("", text.strip(), count=1) if _ARTICLE.match(text.strip()) else text.strip()


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _bare(text: str) -> str:
    return _folded(text).strip(_EDGES)
