"""Text templates that can be rendered and parsed back: alternatives, optional parts, places and slots.

Example: `wording(["{name} <buys|gets> {n things}.", {"maybe": "It rains."}], {"things": ("kite", "apple")})` has four
texts. One is "Ada gets 3 apples. It rains.", and reading that gives `{"name": "Ada", "n": 3, "things": "apple"}`.

Within a text:

| written | stands for |
| --- | --- |
| `{name}` | the slot's text, as it is |
| `{n:d}` `{n:,}` `{n:w}` | a whole number: 1200; 1,200; in words, which are read up to one thousand |
| `{price:$}` | an amount of money: 3 or 3.50 |
| `{n:x}` `{part:f}` `{part:q}` | how many times in words: twice; a fraction: three quarters, 3/4 |
| `{m:t}` | the time of day, given as minutes after midnight: 9:05 am |
| `{n things}` | a number and the noun it counts: 1 kite, 3 kites |
| `{thing:a}` `{thing:s}` | the noun with its article, its plural |
| `{thing:C}` `{thing:A}` | the slot's text, or article and noun, capitalised; read as lower case if not listed |
| `{do:ed}` `{do:en}` `{do:ing}` `{do:es}` | a phrase that begins with a verb: took a nap, taken a nap, taking, takes |
| `<a\\|b\\|c>` `<also \\|>` | one of several alternatives, which may be nested and contain slots; an optional part |
| `\\<` `\\>` `\\\\|` `{{` `}}` | these characters themselves |

A text of several places is a list. Each place is one wording, a list of wordings, or one of `{maybe: …}` (optional),
`{paragraph: …}` (begins a new line), `{shuffled: [places]}` (in any order), `{given: [places]}` (in any order, only the
places whose slots all have values).

Instead of the possible texts of a slot, `values` may hold a wording: `{name}` is then rendered as one of its texts and
is no slot. With a `Worded` wording it stays a slot, whose value is the rendered text.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import permutations
from math import factorial, prod
from random import Random
from typing import Any

import typeguard

from pfe.errors import UserError
from pfe.tutors.place import Place, placed, refuse_unknown
from pfe.tutors.verbs import inflected

Slots = Mapping[str, Any]
Match = tuple[int, dict[str, Any]]
_MOST_IN_WORDS = 1000
_LONGEST = 120  # maximum number of characters in a slot whose values are not listed
_NUMBERS = {
    "d": r"-?\d+", ",": r"\d{1,3}(?:,\d{3})+|\d{1,3}(?!\d)", "$": r"\d+(?:\.\d\d)?", "q": r"\d+/\d+", "t": ""
}  # fmt: skip
_TOKEN = re.compile(r"\\[<>|]|\{\{|\}\}|\{(?P<slot>[^{}]*)\}|[<>|]|[^\\{}<>|]+|.", re.DOTALL)
_SLOT = re.compile(r"(?P<name>[A-Za-z_]\w*)(?: (?P<noun>\w+)|:(?P<form>[dw,$xfqtasCA]|ed|en|ing|es))?")
_TIMES = {
    2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times", 7: "seven times", 8: "eight times",
    9: "nine times", 10: "ten times",
}  # fmt: skip
_PARTS = {
    2: ("half", "halves"), 3: ("a third", "thirds"), 4: ("a quarter", "quarters"), 5: ("a fifth", "fifths"),
    6: ("a sixth", "sixths"), 7: ("a seventh", "sevenths"), 8: ("an eighth", "eighths"), 9: ("a ninth", "ninths"),
    10: ("a tenth", "tenths"), 12: ("a twelfth", "twelfths"),
}  # fmt: skip
_WORD_START = re.compile(r"(?<!\w)\S")
_CLOCK = re.compile(r"(1[0-2]|[1-9]):([0-5]\d) ([ap])m")


@cache
def _english() -> Any:
    """Return the `inflect` engine, which knows plurals, articles and numbers in words.

    On import, typeguard would recompile all functions of `inflect` with argument checks, which takes two seconds in
    each process. The import here disables that.
    """
    typechecked = typeguard.typechecked
    typeguard.typechecked = lambda function: function  # type: ignore[assignment]
    try:
        import inflect
    finally:
        typeguard.typechecked = typechecked
    return inflect.engine()


@cache
def plural(noun: str) -> str:
    """Return the plural: `"glass of milk"` → `"glasses of milk"`."""
    head, of, rest = noun.partition(" of ")
    return f"{_english().plural_noun(head)}{of}{rest}"


@cache
def article(noun: str) -> str:
    """Return the noun with its article: `"hour"` → `"an hour"`."""
    return str(_english().a(noun))


@cache
def in_words(number: int) -> str:
    """Return the number in words: `21` → `"twenty-one"`."""
    return str(_english().number_to_words(str(number), andword=""))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str) -> str:
    """Return the number with its noun: `(3, "kite")` → `"3 kites"`."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def fraction_in_words(part: Fraction) -> str:
    """Return the fraction in words: `Fraction(3, 4)` → `"three quarters"`.

    Raises:
        KeyError: its denominator has no name in `_PARTS`.
    """
    one, several = _PARTS[part.denominator]
    return one if part.numerator == 1 else f"{in_words(part.numerator)} {several}"


def clock(minutes: int) -> str:
    """Return minutes after midnight as a time of day: `785` → `"1:05 pm"`."""
    hour, minute = divmod(minutes % 1440, 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02} {'ap'[hour >= 12]}m"


_FORMS: Mapping[str, Callable[[str], str]] = {
    "": str,
    "a": article,
    "s": plural,
    "C": capital,
    "A": lambda text: capital(article(text)),
    **{form: partial(inflected, form) for form in ("ed", "en", "ing", "es")},
}


class Wording(ABC):
    """A set of texts with slots, numbered from 0 to `count` - 1."""

    @property
    @abstractmethod
    def count(self) -> int:
        """Return the number of texts."""

    def write(self, slots: Slots, rng: Random) -> str:
        """Sample one of the texts, all equally likely, and fill its slots.

        Raises:
            KeyError: a slot has no value.
        """
        return self.text(rng.randrange(self.count), slots)

    def read(self, text: str, known: Slots | None = None) -> dict[str, Any]:
        """Return the slots' values for which one of the texts is `text`; among several, those of the lowest number.

        Args:
            known: values of slots that are already known.

        Raises:
            ValueError: no text is.
        """
        slots = self.slots_of(text, known)
        if slots is None:
            raise ValueError(f"no wording gives {text!r:.200}")
        return slots

    def slots_of(self, text: str, known: Slots | None = None) -> dict[str, Any] | None:
        """Return what `read` returns; None if no text is `text`."""
        matches = self.match(text, 0, dict(known or {}))
        return next((slots for end, slots in matches if end == len(text)), None)

    def part_of(self, text: str, known: Slots | None = None) -> str:
        """Return the longest part of `text` that begins at the start of a word and is one of the texts.

        Raises:
            ValueError: there is none.
        """
        parts = [
            text[start:end]
            for start in (word.start() for word in _WORD_START.finditer(text))
            for end, _ in self.match(text, start, dict(known or {}))
        ]
        if not parts:
            raise ValueError(f"no wording gives a part of {text!r:.200}")
        return max(parts, key=len)

    def vary(self, slots: Slots, rng: Random) -> str:
        """Sample one of the texts; alternatives are equally likely, regardless of how many texts each has."""
        return self.text(0, slots)

    @abstractmethod
    def text(self, number: int, slots: Slots) -> str:
        """Render text number `number`."""

    @abstractmethod
    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        """Yield each position where a text that begins at `start` may end, with the values of the slots."""

    @property
    @abstractmethod
    def names(self) -> frozenset[str]:
        """Return the slots that occur in any of the texts."""

    @cached_property
    def may_be_empty(self) -> bool:
        """Return whether one of the texts is empty."""
        return any(end == 0 for end, _ in self.match("", 0, {}))


@dataclass(frozen=True)
class Literal(Wording):
    """A fixed text."""

    literal: str

    @property
    def count(self) -> int:
        return 1

    @property
    def names(self) -> frozenset[str]:
        return frozenset()

    def text(self, number: int, slots: Slots) -> str:
        return self.literal

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        if text.startswith(self.literal, start):
            yield start + len(self.literal), slots


@dataclass(frozen=True)
class Single(Wording):
    """A wording with one text, which has one slot."""

    name: str

    @property
    def count(self) -> int:
        return 1

    @property
    def names(self) -> frozenset[str]:
        return frozenset({self.name})


@dataclass(frozen=True)
class Several(Wording):
    """A wording composed of others, whose slots are its slots."""

    wordings: tuple[Wording, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(wording.names for wording in self.wordings))


@dataclass(frozen=True)
class Slot(Single):
    """A slot of text; `values` lists its possible texts, if they are known."""

    form: str
    values: tuple[str, ...] | None

    def text(self, number: int, slots: Slots) -> str:
        return _FORMS[self.form](str(slots[self.name]))

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        if self.name in slots:
            written = self.text(0, slots)
            if text.startswith(written, start):
                yield start + len(written), slots
        elif self.values is not None:
            for length in self._lengths:
                if start + length > len(text):
                    continue
                if (value := self._by_text.get(text[start : start + length])) is not None:
                    yield start + length, {**slots, self.name: value}
        else:
            longest = re.compile(rf"[^\n]{{1,{_LONGEST}}}").match(text, start)
            for end in range(start + 1, longest.end() + 1 if longest else 0):
                if (value := self._value(text[start:end])) is not None:
                    yield end, {**slots, self.name: value}

    def _value(self, written: str) -> str | None:
        value = re.sub(r"^[Aa]n? ", "", written) if self.form in ("a", "A") else written
        if self.form == "C":
            value = written[:1].lower() + written[1:]
        return value if value == value.strip() and _FORMS[self.form](value) == written else None

    @cached_property
    def _by_text(self) -> Mapping[str, str]:
        return {_FORMS[self.form](value): value for value in reversed(self.values or ())}

    @cached_property
    def _lengths(self) -> Sequence[int]:
        return sorted({len(text) for text in self._by_text}, reverse=True)


@dataclass(frozen=True)
class Worded(Single):
    """A slot whose values are the texts of another wording; in `values` it defines the slot's possible texts."""

    inner: Wording

    def text(self, number: int, slots: Slots) -> str:
        return str(slots[self.name])

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        if self.name in slots:
            yield from Literal(str(slots[self.name])).match(text, start, slots)
            return
        for end in dict.fromkeys(end for end, _ in self.inner.match(text, start, {})):
            yield end, {**slots, self.name: text[start:end]}


@dataclass(frozen=True)
class Number(Single):
    """A slot of a number, as `d`, `,`, `$`, `q`, `t` or in words: `w` (0 to 1000), `x` (times), `f` (fractions)."""

    form: str

    def text(self, number: int, slots: Slots) -> str:
        return _NUMBER_TEXTS[self.form](slots[self.name])

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        for end, value in self._numbers(text, start):
            if slots.get(self.name, value) == value:
                yield end, {**slots, self.name: value}

    def _numbers(self, text: str, start: int) -> Iterator[tuple[int, Any]]:
        if self.form in _WORDS:
            words = re.compile(r"[a-z]+(?:[ -][a-z]+){0,6}").match(text, start)
            ends = [m.end() for m in re.finditer(r"[a-z](?![a-z])", words[0])] if words else []
            known = _WORDS[self.form]()
            yield from ((start + end, known[text[start : start + end]]) for end in reversed(ends)
                        if text[start : start + end] in known)  # fmt: skip
        elif self.form == "t":
            if found := _CLOCK.match(text, start):
                yield found.end(), int(found[1]) % 12 * 60 + int(found[2]) + 720 * (found[3] == "p")
        elif found := re.compile(_NUMBERS[self.form]).match(text, start):
            value = Fraction(found[0].replace(",", ""))
            yield found.end(), int(value) if value.denominator == 1 else value


@dataclass(frozen=True)
class Counted(Wording):
    """A number and the noun that it counts; the noun's values are listed."""

    name: str
    noun: str
    values: tuple[str, ...]

    @property
    def count(self) -> int:
        return 1

    @property
    def names(self) -> frozenset[str]:
        return frozenset({self.name, self.noun})

    def text(self, number: int, slots: Slots) -> str:
        return counted(slots[self.name], slots[self.noun])

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        for end, found in Number(self.name, "d").match(text, start, slots):
            if text.startswith(" ", end):
                form = "" if found[self.name] == 1 else "s"
                yield from Slot(self.noun, form, self.values).match(text, end + 1, found)


@dataclass(frozen=True)
class Either(Several):
    """One of several wordings."""

    @cached_property
    def count(self) -> int:
        return sum(wording.count for wording in self.wordings)

    def vary(self, slots: Slots, rng: Random) -> str:
        return rng.choice(self.wordings).vary(slots, rng)

    def text(self, number: int, slots: Slots) -> str:
        for wording in self.wordings:
            if number < wording.count:
                return wording.text(number, slots)
            number -= wording.count
        raise IndexError(number)

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        for wording in self.wordings:
            yield from wording.match(text, start, slots)


@dataclass(frozen=True)
class Joined(Several):
    """Wordings in sequence, with `between` as separators (space or newline); an empty part has no separator."""

    between: tuple[str, ...]  # the separator before each wording

    @cached_property
    def count(self) -> int:
        return prod(wording.count for wording in self.wordings)

    def vary(self, slots: Slots, rng: Random) -> str:
        return self._join(wording.vary(slots, rng) for wording in self.wordings)

    def text(self, number: int, slots: Slots) -> str:
        numbers = []
        for wording in reversed(self.wordings):
            number, place = divmod(number, wording.count)
            numbers.append(place)
        places = zip(self.wordings, reversed(numbers), strict=True)
        return self._join(wording.text(place, slots) for wording, place in places)

    def _join(self, parts: Iterable[str]) -> str:
        text = ""
        for before, part in zip(self.between, parts, strict=True):
            text += (before if text and part else "") + part
        return text

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        yield from self._match(text, start, start, slots, 0)

    def _match(self, text: str, first: int, start: int, slots: dict[str, Any], place: int) -> Iterator[Match]:
        if place == len(self.wordings):
            yield start, slots
            return
        before = self.between[place] if start > first else ""
        wording = self.wordings[place]
        if text.startswith(before, start):
            for end, found in wording.match(text, start + len(before), slots):
                if end > start + len(before) or not before:
                    yield from self._match(text, first, end, found, place + 1)
        if before and wording.may_be_empty:
            yield from self._match(text, first, start, slots, place + 1)


@dataclass(frozen=True)
class Shuffled(Several):
    """Wordings in any order, separated by spaces."""

    @cached_property
    def count(self) -> int:
        return factorial(len(self.wordings)) * prod(wording.count for wording in self.wordings)

    def vary(self, slots: Slots, rng: Random) -> str:
        return rng.choice(self._ordered).vary(slots, rng)

    def text(self, number: int, slots: Slots) -> str:
        order, number = divmod(number, prod(wording.count for wording in self.wordings))
        return self._ordered[order].text(number, slots)

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        yield from self._match(text, start, start, slots, self.wordings)

    def _match(
        self, text: str, first: int, start: int, slots: dict[str, Any], left: tuple[Wording, ...]
    ) -> Iterator[Match]:
        if not left:
            yield start, slots
        for place, wording in enumerate(left):
            before = " " if start > first else ""
            if text.startswith(before, start):
                for end, found in wording.match(text, start + len(before), slots):
                    yield from self._match(text, first, end, found, left[:place] + left[place + 1 :])

    @cached_property
    def _ordered(self) -> Sequence[Joined]:
        return [Joined(order, (" ",) * len(order)) for order in permutations(self.wordings)]


@dataclass(frozen=True)
class Given(Several):
    """Those of several wordings whose slots all have values, in any order, separated by spaces."""

    @cached_property
    def count(self) -> int:
        return factorial(len(self.wordings)) * prod(wording.count for wording in self.wordings)

    def text(self, number: int, slots: Slots) -> str:
        left, parts = list(self.wordings), []
        while left:
            number, place = divmod(number, len(left))
            wording = left.pop(place)
            number, place = divmod(number, wording.count)
            if wording.names <= slots.keys():
                parts.append(wording.text(place, slots))
        return " ".join(parts)

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        yield from self._match(text, start, start, slots, self.wordings)

    def _match(
        self, text: str, first: int, start: int, slots: dict[str, Any], left: tuple[Wording, ...]
    ) -> Iterator[Match]:
        before = " " if start > first else ""
        if text.startswith(before, start):
            for place, wording in enumerate(left):
                for end, found in wording.match(text, start + len(before), slots):
                    yield from self._match(text, first, end, found, left[:place] + left[place + 1 :])
        yield start, slots


Values = Sequence[str] | Wording


@dataclass(frozen=True)
class _Context:
    """The context of parsing a wording: the possible texts of slots, and optionally the names of all slots."""

    values: Mapping[str, tuple[str, ...] | Wording]
    names: frozenset[str] | None


def wording(
    source: Any,
    values: Mapping[str, Values] | None = None,
    where: Place | str = "a wording",
    names: Collection[str] | None = None,
) -> Wording:
    """Return the wording that a text, or a list of places from YAML, describes.

    Args:
        source: a text, or a list of places, as in the docstring of this module.
        values: the possible texts of slots by name, which make reading unambiguous and fast; or a wording.
        where: the place in messages: the file, and the key in it.
        names: the slots that exist in addition to those in `values`; None allows any.

    Raises:
        UserError: a bracket is not closed, a slot is malformed or unknown, or a place is of an unknown kind.
    """
    listed = {
        name: given if isinstance(given, tuple | Wording) else tuple(given) for name, given in (values or {}).items()
    }
    known = _Context(listed, None if names is None else frozenset(names) | listed.keys())
    where = placed(where)
    if isinstance(source, str):
        return _parsed(source, known, where)
    if not isinstance(source, list) or not source:
        raise UserError(f"{where}: expected a text or a list of places, found {source!r:.60}; write one")
    places = [_place(place, known, where / number) for number, place in enumerate(source)]
    return Joined(tuple(place for place, _ in places), tuple(before for _, before in places))


def one_of(
    sources: Sequence[Any],
    values: Mapping[str, Values] | None = None,
    where: Place | str = "a wording",
    names: Collection[str] | None = None,
) -> Wording:
    """Return one of several wordings, each in the format of `wording`.

    Raises:
        UserError: there is none, or one is malformed.
    """
    here = placed(where)
    if not sources:
        raise UserError(f"{here}: no wording; write at least one")
    return Either(tuple(wording(source, values, here / number, names) for number, source in enumerate(sources)))


def _place(place: Any, known: _Context, where: Place) -> tuple[Wording, str]:
    match place:
        case {"maybe": inner, **rest} if not rest:
            written, before = _place(inner, known, where)
            return Either((written, Literal(""))), before
        case {"paragraph": inner, **rest} if not rest:
            return _place(inner, known, where)[0], "\n"
        case {"shuffled": [_, *_] as inner, **rest} if not rest:
            return Shuffled(tuple(_place(one, known, where)[0] for one in inner)), " "
        case {"given": [_, *_] as inner, **rest} if not rest:
            return Given(tuple(_place(one, known, where)[0] for one in inner)), " "
        case [_, *_]:
            return Either(tuple(_place(one, known, where / number)[0] for number, one in enumerate(place))), " "
        case str():
            return _parsed(place, known, where), " "
    raise UserError(
        f"{where}: found {place!r:.60}; write a text, a list of texts, or one of maybe, paragraph, shuffled, given"
    )


def _parsed(text: str, known: _Context, where: Place) -> Wording:
    tokens = list(_TOKEN.finditer(text))
    return _sequence(tokens, 0, known, where if where.text else where.quoting(text), inside=False)[0]


def _sequence(
    tokens: Sequence[re.Match[str]], start: int, known: _Context, where: Place, *, inside: bool
) -> tuple[Wording, int]:
    parts: list[Wording] = []
    while start < len(tokens):
        written, slot = tokens[start].group(0, "slot")
        if written in (">", "|") and inside:
            break
        if written == "<":
            either, start = _alternatives(tokens, start + 1, known, where)
            parts.append(either)
            continue
        if written in (">", "|", "{", "}"):
            raise UserError(f"{where}: '{written}' stands alone; write \\{written} for | < >, and {{{{ for a brace")
        if slot is not None:
            parts.append(_slot(slot, known, where))
        else:
            parts.append(Literal(written[1:] if written[0] == "\\" or written in ("{{", "}}") else written))
        start += 1
    return (parts[0] if len(parts) == 1 else Joined(tuple(parts), ("",) * len(parts))), start


def _alternatives(tokens: Sequence[re.Match[str]], start: int, known: _Context, where: Place) -> tuple[Wording, int]:
    found: list[Wording] = []
    while True:
        part, start = _sequence(tokens, start, known, where, inside=True)
        found.append(part)
        if start == len(tokens):
            raise UserError(f"{where}: '<' is not closed; write \\< for the character itself")
        start += 1
        if tokens[start - 1][0] == ">":
            return Either(tuple(found)), start


def _slot(source: str, known: _Context, where: Place) -> Wording:
    match = _SLOT.fullmatch(source)
    if not match:
        raise UserError(f"{where}: {{{source}}} is no slot; write {{name}}, {{n:d}} or {{n things}}")
    name, noun, form = match["name"], match["noun"], match["form"] or ""
    if known.names is not None:
        refuse_unknown({name, noun} - {None}, known.names, where)
    listed = known.values.get(noun or name)
    if noun:
        if not isinstance(listed, tuple):
            raise UserError(f"{where}: {{{source}}}: what {noun} may be is not listed; draw it from a table or a list")
        return Counted(name, noun, listed)
    if form in _NUMBER_TEXTS:
        return Number(name, form)
    if isinstance(listed, Wording):
        if form:
            raise UserError(f"{where}: {{{source}}}: {name} is a wording, which has no forms; write {{{name}}}")
        return listed
    return Slot(name, form, listed)


@cache
def _numbers_by_words() -> Mapping[str, int]:
    return {in_words(number): number for number in range(_MOST_IN_WORDS + 1)}


@cache
def _fractions_by_words() -> Mapping[str, Fraction]:
    parts = {Fraction(above, below) for below in _PARTS for above in range(1, below)}
    return {fraction_in_words(part): part for part in parts if part.denominator in _PARTS}


_WORDS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "w": _numbers_by_words,
    "x": lambda: {word: number for number, word in _TIMES.items()},
    "f": _fractions_by_words,
}
_NUMBER_TEXTS: Mapping[str, Callable[[Any], str]] = {
    "d": lambda value: format(value, "d"),
    ",": lambda value: format(value, ","),
    "$": lambda value: str(value) if Fraction(value).denominator == 1 else f"{float(value):.2f}",
    "q": str,
    "t": clock,
    "w": lambda value: in_words(int(value)),
    "x": _TIMES.__getitem__,
    "f": fraction_in_words,
}
