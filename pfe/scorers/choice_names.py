"""Recognition of a choice in a text, by its letter or by its words.

Example: with the choices "barometer" and "ruler", "(B) because …", "The ruler." and "B. ruler" begin with the second.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_OPENING = re.compile(
    r"(?:[\s\"'*_`#>•→$:.\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]|[–—-](?!\.?[0-9])){0,40}"
    r"(?:(?:(?:indeed|simply|clearly|definitely|probably|likely|therefore|thus|only|just|that|it\sis|it's|is)[,:]?\s){1,3})?"
    r"(?:(?:the\s)?(?:option|choice|letter|answer|alternative)\b\s?:?\s?)?",
    re.I,
)
_LETTER = re.compile(
    r"(?P<open>[(\[{<\"'*$]{0,4})\s?(?P<letter>[A-Za-z])(?![^\W\u3040-\ud7ff])(?P<close>[)\]}>.:\"'*$]{0,4})"
)
PRAISE = (
    r"(?:correct|right|best|final|only|better|most\s\w+|appropriate|chosen|logical|suitable|proper|likely|my|accurate)"
)
_REASON = r"(?:it\sis|because|since|as|given|due|for|not|rather\sthan|instead\sof|over)\b"
# Before these words, a letter is neither an article nor a pronoun.
_BEHIND = r"[,;!]|(?<=\s)[–—(\u2600-\u27bf\U0001f300-\U0001faff-]|[입이다でだが因选選是正最项項]"
_AFTER_LETTER = re.compile(rf"\s?(?:{_BEHIND}|{_REASON})", re.I)
_AFTER_ARTICLE = re.compile(
    rf"\s?(?:{_BEHIND}|(?:because|since|as|given|due|rather\sthan|not)\b|over\s\(?[A-Z]\b)", re.I
)
_AFTER_TEXT = re.compile(
    rf"\s?(?:\Z|[.,;:!)(–—](?!\w)|(?<=\s)\(|-\s|{_REASON}|(?:is|was|would\sbe)\s(?:the\s)?{PRAISE}\b)", re.I
)
_UNIT = re.compile(r"\s(?!(?:or|and|to|of|is)\b)[a-z°]{1,14}[²³]?(?:\s?\Z|[.,;!])")
_DENIED = re.compile(
    r"[ \t]?(?:(?:is|are|was|would\sbe|seems|looks)\s)?(?:(?:clearly|definitely|obviously|also|probably|simply)\s)?"
    r"(?:not|n't|isn't|wasn't|cannot|can't|doesn't|incorrect|wrong|false|never|unlikely|out)\b|\s?[?❌✗✘✖]|[\u3040-\ud7ff]{0,3}?(?:不|错|誤|違|아니|아닙|틀린)",
    re.I,
)
_SIGNS = r"[)\].:\"'*(\[]{0,3}"
_BESIDE = re.compile(
    rf"{_SIGNS}(?:\s{{0,3}}(?:,|/|&|\band\b|\bor\b|\bnor\b){{1,2}}\s{{0,3}}(?:(?:and|or|also|option|choice)\s){{0,2}}"
    rf"{_SIGNS}(?P<letter>[A-Za-z])(?!\w){_SIGNS}){{1,25}}(?P<end>\s?(?:\Z|[,;!\n]|(?:are|is|would)\s(?:(?:both|all|be)\s)*(?:correct|right|true|possible|valid)|both))?"
)
_BESIDE_ANYWHERE = re.compile(r"\b[A-Z][)\]]?(?:\s?(?:,|/|&)\s?|\s(?:and|or|nor)\s)[(\[]?[A-Z]\b(?!\w)")
# A line about one option, in a list or a table, and the verdicts that it may hold.
_OPTION_LINE = re.compile(
    r"^[\s*>|-]{0,9}(?:option\s|choice\s)?\(?([A-Za-z])(?=[).:|]|\s[|–—-]|\*\*)(.*)$", re.M | re.I
)
_REJECTED = re.compile(
    r"[❌✗✘✖🚫]|\b(?:incorrect|wrong|false|not|no|never|cannot|can't|unlikely|ruled\sout|eliminated?|\w+n't)\b", re.I
)
_ACCEPTED = re.compile(r"[✅☑✔✓]|\b(?:correct|right|true|yes)\b", re.I)
_MARK = re.compile(r"[❌✗✘✖🚫✅☑✔✓]")
_MARK_FIRST = re.compile(r"(?P<verdict>[❌✗✘✖🚫✅☑✔✓])\ufe0f?\s?[\"'(]?(?P<letter>[A-Z])\b")
_MARK_BEHIND = re.compile(
    r"(?<![\w'])[\"'(]?(?P<letter>[A-Z])[)\"']?\s?[:=?–—-]?\s?(?P<verdict>[❌✗✘✖🚫✅☑✔✓]|(?i:true|false|yes|no|correct|incorrect|wrong)\b)"
)
# Phrases that rule options out, with the letters after them: "I'd rule out A, B and D", "anything but C".
_EXCLUDING = re.compile(
    r"\b(?:rul(?:e|ed|es|ing)\sout|(?:eliminat|exclud|discard|dismiss|reject)(?:e|es|ed|ing|s)?"
    r"|(?:anything|everything|all|any|none|nothing|every\sone)(?:\s\w{2,9}){0,3}?\s(?:but|except(?:\sfor)?)|except(?:\sfor)?"
    r"|none\sof|neither|(?:is|'s|be|are)\s(?:not|neither|none\sof)(?=[^.\n]{1,30}(?:,|\bor\b|\bnor\b))"
    r"|(?:definitely|certainly|surely)\snot)\s(?:(?:the\s)?(?:options?|choices?|answers?|letters?)\s)?"
    r"(?:[(\"'*]?(?P<letter>[A-Z])(?![\w'])[)\"'*.]{0,2}"
    r"(?:(?:\s?[,/&]\s?|\s)(?:(?:and|or|nor)\s)?(?:option\s|choice\s)?[(\"'*]?(?-i:[A-Z])(?![\w'])[)\"'*]?){0,25}(?!\s(?:is|are|can)\b)"
    r"|(?P<text>[^.,;:!?()\n]{1,200}))",
    re.I,
)
_ONE_LETTER = re.compile(r"(?<![\w'])[A-Za-z](?![\w'])")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ORDINAL = re.compile(
    rf"\bthe\s({'|'.join(_ORDINALS)})\s(?:option|alternative|choice(?!\s(?:is|would)\s\(?[A-Z]\b))\b"
    rf"|\A\W{{0,9}}(?:it's\s|it\sis\s)?the\s({'|'.join(_ORDINALS)})\s(?:one|answer)\b|\b(?:option|choice)\s([1-9])\b(?!\.[0-9])",
    re.I,
)
_CIRCLED = {
    start + place: chr(ord("A") + place) for start in (0x24B6, 0x1F130, 0x1F150, 0x1F170) for place in range(26)
}
# A letter alone after a noun is part of a name, as in "vitamin B" and "20 degrees C".
_PART_OF_NAME = re.compile(
    r"(?<![\w'])(?!(?:with|that|this|therefore|thus|hence|then|for|and|choose|pick|select|say|guess|only|option|answer"
    r"|letter|choice|est|ist|sino|sondern|was|are|must|be|\w{1,16}ly)\s)[^\W\d_]{3,20}\s\Z",
    re.I,
)
_LABELLED = re.compile(
    r"\(([A-Z])\)|\b(?:[Oo]ption|[Cc]hoice|[Ll]etter)\s\(?([A-Za-z])\b|(?<![\w'.])([B-HJ-Z])(?=[.):,]|\s?\Z)"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|wrong|incorrect|false|except|unlike|rather|instead|isn't|\w+n't)\b", re.I
)
_ARTICLE = re.compile(r"(?:the|an?)\s", re.I)
_EDGES = " .,;:!\"'*“”‘’`$"
SEVERAL = -1  # stands for a choice's index if two are named with equal standing


def by_text(choices: Sequence[str], text: str) -> int | None:
    for form in (str, _folded, _bare):
        for place, choice in enumerate(choices):
            if form(choice) and form(choice) == form(text):
                return place
    return None


@dataclass(frozen=True)
class Reader:
    """A reader of the names of choices, by letter or by text; it returns indices into `choices`."""

    choices: tuple[str, ...]

    def letter(self, letter: str) -> int | None:
        place = ord(letter.upper()) - ord("A") if len(letter) == 1 else -1
        return place if 0 <= place < len(self.choices) else None

    def beginning(self, text: str) -> int | None:
        """Return the index of the choice that a text begins with, by its text or its letter; None if there is none."""
        opening = _OPENING.match(text)
        for start in dict.fromkeys((0, opening.end() if opening else 0)):
            part = text[start:].strip()
            for reading in (self.text_alone, self._letter_first, self._text_first):
                if (place := reading(part)) is not None:
                    return place
        return None

    def text_alone(self, text: str) -> int | None:
        for wording in (text, text.partition("\n")[0]):
            if (place := by_text(self.choices, wording)) is not None:
                return place
            if (place := by_text([_noun(choice) for choice in self.choices], _noun(wording))) is not None:
                return place
        return None

    def _letter_first(self, text: str) -> int | None:
        match = _LETTER.match(text)
        place = self.letter(match["letter"]) if match else None
        if match is None or place is None:
            return None
        rest = text[match.end() :]
        marked = any(sign in match["close"] for sign in ").]:}>") or (match["open"] != "" and match["close"] != "")
        if (match["close"].endswith("'") and rest[:1].isalpha()) or self._denied(rest, place):
            return None
        if beside := self._beside(text[match.end("letter") :], place):
            return SEVERAL if beside["end"] is not None else None
        own_line = rest.partition("\n")[0].lstrip(" \t)].:-–—,(\"'*`$")
        named = self._text_first(own_line)
        if named is None and marked:
            named = self._longest_at(_noun(_folded(own_line)))
            if named == place and _DENIED.match(_noun(_folded(own_line))[len(_noun(_bare(self.choices[place]))) :]):
                return None
        if named not in (None, place):
            if match["letter"] in "aA" and not marked:
                return None
            begins_sentence = "." in match["close"] and own_line[:1].isupper() and not by_text(self.choices, own_line)
            return place if begins_sentence and named != SEVERAL else SEVERAL
        if named == place:
            return place
        if match["letter"].islower():
            return place if _small_letter_counts(match, rest) else None
        if not rest.strip() or marked or rest.startswith("\n"):
            return place
        following = _AFTER_ARTICLE if match["letter"] in "AI" else _AFTER_LETTER
        return place if following.match(rest) else None

    def _denied(self, rest: str, place: int) -> bool:
        """Return whether the text after a letter denies it and is not its choice's text ("A. Not enough light")."""
        own = _bare(self.choices[place])
        return _DENIED.match(rest) is not None and not _begins(_folded(rest).lstrip(_EDGES), own)

    def accepted(self, text: str) -> int | None:
        """Return the index of the only option that a list of verdicts accepts, else of the only one that it leaves."""
        verdicts = self._verdicts(text)
        rejected = {place for place, line in verdicts.items() if _REJECTED.search(line)}
        accepted = {place for place, line in verdicts.items() if place not in rejected and _ACCEPTED.search(line)}
        if len(accepted) == 1 and rejected:
            return accepted.pop()
        rest = verdicts.keys() - rejected
        return rest.pop() if len(rest) == 1 and len(rejected) >= max(2, len(self.choices) - 1) else None

    def _verdicts(self, text: str) -> dict[int, str]:
        """Return a list's verdict on each option: from lines by letter, lines by text with a mark, or a single line."""
        by_letter = [(self.letter(match[1]), match[2]) for match in _OPTION_LINE.finditer(text)]
        marked = [line.strip(" \t*>|-") for line in text.split("\n") if _MARK.search(line)]
        by_mark = [(self._longest_at(_noun(_folded(_MARK.sub("", line)))), line) for line in marked]
        first_is_mark = re.match(r"\W*?[❌✗✘✖🚫✅☑✔✓]", text) is not None
        on_one = (_MARK_FIRST if first_is_mark else _MARK_BEHIND).finditer(text)
        flagged = [(self.letter(match["letter"]), match["verdict"]) for match in on_one]
        for listed in (by_letter, by_mark, flagged):
            verdicts = {place: line for place, line in listed if place is not None}
            if len(verdicts) > 1:
                return verdicts
        return {}

    def _beside(self, rest: str, place: int) -> re.Match[str] | None:
        """Return the match of further letters after the one at `place`, as in "A and B", "A, C"."""
        beside = _BESIDE.match(rest)
        return beside if beside and self.letter(beside["letter"]) not in (None, place) else None

    def _text_first(self, text: str) -> int | None:
        folded = _noun(_folded(text[:2000]))
        place = self._longest_at(folded)
        if place is None:
            return None
        rest = folded[len(_noun(_bare(self.choices[place]))) :]
        unit = _bare(self.choices[place]).isdecimal() and _UNIT.match(rest)
        if _DENIED.match(rest) or not (unit or _AFTER_TEXT.match(rest)):
            return None
        second = self._longest_at(_noun(rest.lstrip(" ,;/")))
        return place if second in (None, place) else SEVERAL

    def _longest_at(self, text: str) -> int | None:
        """Return the index of the longest choice that a folded text without article begins with."""
        nouns = {place: _noun(_bare(choice)) for place, choice in enumerate(self.choices)}
        begun = [place for place, noun in nouns.items() if _begins(text, noun)]
        return max(begun, key=lambda place: len(nouns[place]), default=None)

    def with_letters(self, text: str) -> str:
        """Return the text with letters in place of "the third option", "option 3" and Ⓒ."""
        by_number = not any(choice.strip().isdecimal() for choice in self.choices)
        text = text.translate(_CIRCLED).replace("\ufe0f", "")
        return _ORDINAL.sub(lambda match: _lettered(match) if by_number or not match[3] else match[0], text)

    def without_excluded(self, text: str) -> tuple[str, set[int]]:
        """Return the text without the choices that it rules out by name, and the indices of these choices."""
        kept, excluded, end = [], set[int](), 0
        for match in _EXCLUDING.finditer(text):
            if match["letter"]:
                letters = _ONE_LETTER.findall(text[match.start("letter") : match.end()])
                places = {place for letter in letters if (place := self.letter(letter)) is not None}
            else:
                place = self._longest_at(_noun(_folded(match["text"])))
                places = set() if place is None else {place}
            if places:
                excluded |= places
                kept.append(text[end : match.start()])
                end = match.end()
        return " ".join([*kept, text[end:]]), excluded

    def without_options(self, text: str) -> str:
        """Return the text without the list of the choices by letter, which some models repeat."""
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
        """Return the index of the only choice that a text without negations mentions, by letter or text."""
        spoken, others = self._spoken_of(_folded(text))
        if _NEGATION.search(others) or _BESIDE_ANYWHERE.search(text):
            return None
        labels = [match for match in _LABELLED.finditer(text) if not (match[3] and _part_of_name(text, match.start()))]
        letters = {self.letter(next(filter(None, match.groups()))) for match in labels} - {None}
        named = letters | spoken
        return named.pop() if len(named) == 1 else None

    def _spoken_of(self, text: str) -> tuple[set[int | None], str]:
        """Return the indices of the choices whose text, of three letters or more, is in a folded text, and its rest."""
        nouns = {place: _noun(_bare(choice)) for place, choice in enumerate(self.choices)}
        spoken: set[int | None] = set()
        for place in sorted(nouns, key=lambda place: len(nouns[place]), reverse=True):
            noun = nouns[place]
            if len(re.findall(r"[^\W\d_]", noun)) >= 3 and (
                pattern := re.compile(rf"(?<!\w){re.escape(noun)}(?!\w)")
            ).search(text):
                text = pattern.sub(" ", text)
                spoken.add(place)
        return spoken, text


def _small_letter_counts(match: re.Match[str], rest: str) -> bool:
    """Return whether a lower-case letter names a choice: alone, in brackets, or with a full stop before a sentence."""
    before_sentence = "." in match["close"] and re.match(r"\s+[A-Z]", rest) is not None
    alone = not rest.strip() and ":" not in match["close"] and (match["close"] != "" or match["open"] == "")
    return alone or ")" in match["close"] or before_sentence


def _lettered(match: re.Match[str]) -> str:
    ordinal = match[1] or match[2]
    place = _ORDINALS.index(ordinal.lower()) if ordinal else int(match[3]) - 1
    return f"option {chr(ord('A') + place)}"


def _part_of_name(text: str, start: int) -> bool:
    return _PART_OF_NAME.search(text[max(0, start - 25) : start]) is not None


def _begins(text: str, noun: str) -> bool:
    """Return whether a text begins with a choice as a whole word."""
    return noun != "" and text.startswith(noun) and not re.match(r"\w|\.[0-9]", text[len(noun) : len(noun) + 2])


def _noun(text: str) -> str:
    """Return the text without a leading article; a text that is only an article is unchanged."""
    return _ARTICLE.sub("", text.strip(), count=1) if _ARTICLE.match(text.strip()) else text.strip()


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _bare(text: str) -> str:
    return _folded(text).strip(_EDGES)
