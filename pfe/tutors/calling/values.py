"""The kinds of values in requests: the texts that people write for them, and the forms that calls use.

Example: "half past seven in the evening" is a time of day; a call writes it as "19:30", "7:30 PM" or 1170,
depending on the documentation of the function.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from math import ceil
from random import Random
from typing import Any

from pfe.errors import UserError, nearest
from pfe.tutors.content import table
from pfe.tutors.invented_words import coined
from pfe.tutors.wording import Either, Slot, Worded, Wording, in_words, one_of, wording

Spec = str | list[str] | Mapping[str, Any]
YEAR = 2027
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class Form:
    """One way to write a value in a call.

    `note` follows the description of the parameter in the documentation; `type` is its JSON Schema type; `codes` pairs
    each value with its code if only some values are allowed. `write(value)` returns the written value, and
    `agrees(value, written)` returns whether a written value stands for `value`.
    """

    note: str
    type: str
    write: Callable[[Any], Any] = field(compare=False)
    agrees: Callable[[Any, Any], bool] = field(compare=False)
    codes: tuple[tuple[str, Any], ...] = ()

    @property
    def allowed(self) -> tuple[Any, ...]:
        return tuple(code for _, code in self.codes)


@dataclass(frozen=True)
class Kind:
    """A kind of value: its texts (`said`), the value of a text (`value`), and the `forms` in which calls may write it.

    `defaults` are the values that may be a parameter's default; it is empty if a default would make no sense.
    `concepts` are the options of a choice.
    """

    said: Wording
    draw: Callable[[Random], str]
    value: Callable[[str], Any]
    forms: tuple[Form, ...]
    defaults: tuple[Any, ...] = ()
    concepts: tuple[str, ...] = ()

    def form(self, rng: Random, other: Form | None = None, invented: bool = False) -> Form:
        """Draw a form other than `other`, most likely the plainest one; return the first form if there is no other."""
        forms = [form for form in self._forms(rng, invented) if form != other]
        return rng.choice([forms[0], *forms]) if forms else self.forms[0]

    def form_of(self, note: str, allowed: Sequence[Any]) -> Form:
        """Return the form that the documentation describes by its note and the allowed values.

        Raises:
            ValueError: this kind has no such form.
        """
        if self.concepts:
            return _choice_of(self.concepts, note, allowed)
        for form in self.forms:
            if form.note == note:
                return form
        raise ValueError(f"no form of this kind: {note!r}")

    def _forms(self, rng: Random, invented: bool) -> Sequence[Form]:
        return [*_choices(self.concepts, rng, invented)] if self.concepts else self.forms


def kind(spec: Spec) -> Kind:
    """Return the kind that a role's `kind` describes.

    It is a name in this module (`date`, `clock`, `length`, …) or in `tables/vocabulary.yaml`; a list of texts, with the
    articles that people write (calls leave them out); or one of
    `{choice: [texts]}`, `{flag: [texts]}`, `{count: [least, most]}`, `{code: "INV-{n}"}`,
    `{list: kind}`, `{quote: vocabulary}`, or a kind with bounds: `{clock: [7, 22]}` (hours), `{money: [5, 80]}`.

    Raises:
        UserError: the description is none of these.
    """
    match spec:
        case str() if spec in _KINDS:
            return _of_name(spec)
        case str() if spec in table("vocabulary"):
            return _vocabulary(spec)
        case list():
            return _texts(one_of(spec), lambda rng: rng.choice(spec), _TEXT)
        case {"choice": list(concepts)}:
            return _choice(tuple(concepts))
        case {"flag": list(phrases)}:
            return replace(_listed(dict.fromkeys(_all(phrases), True), _FLAG), defaults=(False, False, False, True))
        case {"count": [int(least), int(most)]}:
            return _count(least, most)
        case Mapping() if len(spec) == 1 and spec.keys() <= _SCALES.keys():
            ((name, (least, most)),) = spec.items()
            return _between(name, least, most)
        case {"code": str(pattern)}:
            return _code(pattern)
        case {"list": inner}:
            one = kind(inner)
            all = several(one, _LIST)
            return replace(all, value=lambda text: tuple(one.value(part) for part in all.value(text)))
        case {"quote": str(name)}:
            return _quote(kind(name))
    raise UserError(f"unknown kind {spec!r:.60}; {nearest(str(spec), [*_KINDS, *table('vocabulary')])}")


def bare(text: str) -> str:
    """Strip a lower-case article or "#", as calls do: `"the aquarium"` → `"aquarium"`, `"#4155"` → `"4155"`."""
    return re.sub(r"^(?:an?|the) |^#", "", text)


def several(inner: Kind, forms: tuple[Form, ...] = ()) -> Kind:
    """Return the kind of two or three joined values, "Oslo and Lima"; its value is the tuple of their texts."""
    values = {name: Worded(name, inner.said) for name in ("first", "second", "third")}
    two, three = wording("{first} and {second}", values), wording("{first}, {second}<,|> and {third}", values)
    said = Either((two, three))

    def draw(rng: Random) -> str:
        texts: list[str] = []
        count = rng.choice((2, 2, 3))
        while len(texts) < count:
            text = inner.draw(rng)
            if inner.value(text) not in map(inner.value, texts):
                texts.append(text)
        return (two if count == 2 else three).write(dict(zip(values, texts, strict=False)), rng)

    def value(text: str) -> tuple[str, ...]:
        read = said.read(text)
        return tuple(read[name] for name in values if name in read)

    return Kind(said, draw, value, forms)


@cache
def _numbers() -> Mapping[str, int]:
    return {in_words(n): n for n in range(100)}


def _back(read: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
    """Return an `agrees` that compares the value with `read` of the written value."""
    return lambda value, written: bool(read(written) == value)


def _same(value: Any, written: Any) -> bool:
    return type(value) is type(written) and bool(value == written)


_TEXT = (
    Form("", "string", str, _same),
    Form(", in lower case", "string", str.lower, lambda v, w: w.islower() and w.casefold() == v.casefold()),
    Form(", in capitals", "string", str.upper, lambda v, w: w.isupper() and w.casefold() == v.casefold()),
    Form(
        ", with _ for every space",
        "string",
        lambda v: v.replace(" ", "_"),
        lambda v, w: " " not in w and w.replace("_", " ") == v.replace("_", " "),
    ),
)
_QUOTED = (
    Form("", "string", lambda v: v[1:-1], lambda v, w: v == f'"{w}"'),
    Form(", exactly as quoted", "string", lambda v: v[1:-1], lambda v, w: v == f'"{w}"'),
    Form(", without the full stop or mark at its end", "string", lambda v: v[1:-1].rstrip(".!?"),
         lambda v, w: w[-1:] not in ".!?" and v[1:-1].startswith(w) and len(v) - len(w) <= 3),
)  # fmt: skip
_PERSON = (
    Form("", "string", str, _same),
    Form(", last name first, as in Park, Ines", "string", lambda v: ", ".join(reversed(v.split(" "))),
         _back(lambda w: " ".join(reversed(w.split(", "))))),
    Form(", last name only", "string", lambda v: v.split(" ")[-1], lambda v, w: v.endswith(f" {w}")),
    Form(", as initial and last name, as in I. Park", "string", lambda v: f"{v[0]}. {v.split(' ')[-1]}",
         lambda v, w: w[1:3] == ". " and v[0] == w[0] and v.endswith(w[2:])),
)  # fmt: skip
_FILE = (
    Form("", "string", str, _same),
    Form(", without its ending", "string", lambda v: v.rsplit(".", 1)[0], lambda v, w: v.startswith(f"{w}.")),
    Form(", with ./ in front", "string", lambda v: f"./{v}", _back(lambda w: w.removeprefix("./") if "/" in w else "")),
)
_EMAIL = (
    Form("", "string", str, _same),
    Form(", with mailto: in front", "string", lambda v: f"mailto:{v}", lambda v, w: w.split("mailto:") == ["", v]),
    Form(", in angle brackets", "string", lambda v: f"<{v}>", lambda v, w: (w[:1], w[1:-1], w[-1:]) == ("<", v, ">")),
)
_CODE = (
    Form("", "string", str, _same),
    Form(", the digits alone", "integer", lambda v: int(re.sub(r"\D", "", v)),
         lambda v, w: isinstance(w, int) and v.endswith(str(w))),
    Form(", without the hyphen", "string", lambda v: v.replace("-", ""),
         lambda v, w: "-" not in w and [*v.replace("-", "")] == [*w]),
    Form(", in lower case", "string", str.lower, lambda v, w: w.islower() and w.upper() == v),
)  # fmt: skip
_FLAG = (
    Form("", "boolean", bool, _same),
    Form(', "yes" or "no"', "string", lambda v: "yes" if v else "no", _back(lambda w: {"yes": True, "no": False}[w])),
    Form(", 1 for yes and 0 for no", "integer", int, _back(lambda w: {1: True, 0: False}[w])),
)
_COUNT = (
    Form("", "integer", int, _same),
    Form(", as a word, as in three", "string", in_words, _back(lambda w: _numbers()[w])),
    Form(", at most 5 (larger numbers are given as 5)", "integer", lambda v: min(v, 5),
         lambda v, w: w == v < 5 or w == 5 <= v),
    Form(", rounded up to an even number", "integer", lambda v: v + v % 2, lambda v, w: w % 2 == 0 <= w - v <= 1),
)  # fmt: skip
_LIST = (
    Form("", "array", list, lambda v, w: [*v] == w),
    Form(", separated by commas alone", "string", ",".join, _back(lambda w: tuple(w.split(",")))),
    Form(", in alphabetical order", "array", sorted, lambda v, w: {*v} == {*w} and all(map(str.__le__, w, w[1:]))),
    Form(", separated by semicolons alone", "string", ";".join, _back(lambda w: tuple(w.split(";")))),
)


def _day(text: str, shape: str) -> date:
    return datetime.strptime(f"{YEAR} {text}", f"%Y {shape}").date()


_DATE = (
    Form(f", as YYYY-MM-DD (the year is {YEAR})", "string", date.isoformat, _back(date.fromisoformat)),
    Form(", as MM-DD", "string", lambda v: f"{v:%m-%d}", _back(lambda w: _day(w, "%m-%d"))),
    Form(", as DD/MM", "string", lambda v: f"{v:%d/%m}", _back(lambda w: _day(w, "%d/%m"))),
    Form(f", as MM/DD/YYYY (the year is {YEAR})", "string", lambda v: f"{v:%m/%d/%Y}",
         _back(lambda w: datetime.strptime(w, "%m/%d/%Y").date())),
    Form(", day and month in words, as in 7 March", "string", lambda v: f"{v.day} {v:%B}",
         _back(lambda w: _day(w, "%d %B") if w == w.title() else None)),
    Form(f", as DD.MM.YYYY (the year is {YEAR})", "string", lambda v: f"{v:%d.%m.%Y}",
         _back(lambda w: datetime.strptime(w, "%d.%m.%Y").date())),
)  # fmt: skip


def _twelve(minutes: int) -> str:
    hour = minutes // 60
    return f"{(hour - 1) % 12 + 1}:{minutes % 60:02} {'AM' if hour < 12 else 'PM'}"


def _minutes(text: str) -> int:
    moment = datetime.strptime(text, "%I:%M %p")
    minutes = 60 * moment.hour + moment.minute
    return minutes if _twelve(minutes) == text else -1


def _hours(text: str) -> int:
    hours, minutes = text.split(":")
    return 60 * int(hours) + int(minutes)


def _clock_text(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


_CLOCK = (
    Form(", as HH:MM", "string", _clock_text, _back(_hours)),
    Form(", as in 7:30 PM", "string", _twelve, _back(_minutes)),
    Form(", in minutes after midnight", "integer", int, _same),
    Form(", as four digits, as in 0930", "string", lambda v: _clock_text(v).replace(":", ""),
         _back(lambda w: 60 * int(w[:2]) + int(w[2:]))),
    Form(', as HH:MM, but "noon" for 12:00', "string", lambda v: "noon" if v == 720 else _clock_text(v),
         lambda v, w: v == 720 if w == "noon" else v == _hours(w) != 720),
)  # fmt: skip
_WEEKDAY = (
    Form("", "string", str, _same),
    Form(", in lower case", "string", str.lower, lambda v, w: w.islower() and w.title() == v),
    Form(", as its first three letters, as in Tue", "string", lambda v: v[:3], lambda v, w: len(w) == 3 and
         v.startswith(w)),
    Form(", as a number, Monday being 1", "integer", lambda v: 1 + _WEEKDAYS.index(v),
         _back(lambda w: _WEEKDAYS[w - 1])),
    Form(", as a number, Sunday being 0", "integer", lambda v: (1 + _WEEKDAYS.index(v)) % 7,
         _back(lambda w: _WEEKDAYS[w - 1])),
    Form(', but "weekend" for Saturday and Sunday', "string", lambda v: "weekend" if v[0] == "S" else v,
         lambda v, w: v in ("Saturday", "Sunday") if w == "weekend" else v == w and w[0] != "S"),
)  # fmt: skip
_MONTH = (
    Form("", "string", str, _same),
    Form(", as its number", "integer", lambda v: 1 + _MONTHS.index(v), _back(lambda w: _MONTHS[w - 1])),
    Form(", as its first three letters, as in Mar", "string", lambda v: v[:3],
         lambda v, w: len(w) == 3 and v.startswith(w)),
    Form(", in lower case", "string", str.lower, lambda v, w: w.islower() and w.title() == v),
)  # fmt: skip
_SOON = (
    Form(", as the number of days from today", "integer", int, _same),
    Form(', "today" or "+" and a number of days, as in "+2"', "string", lambda v: f"+{v}" if v else "today",
         _back(lambda w: 0 if w == "today" else int(w))),
    Form(", as the number of hours from now, a day being 24", "integer", lambda v: 24 * v, _back(lambda w: w / 24)),
)  # fmt: skip
_LENGTH = (
    Form(", in minutes", "integer", int, _same),
    Form(", in seconds", "integer", lambda v: 60 * v, _back(lambda w: w / 60)),
    Form(", in hours, rounded to two decimals", "number", lambda v: _plain(round(v / 60, 2)),
         lambda v, w: round(v / 60, 2) == w),
    Form(", as H:MM", "string", lambda v: f"{v // 60}:{v % 60:02}", _back(_hours)),
    Form(", in minutes, rounded up to full quarters of an hour", "integer", lambda v: 15 * ceil(v / 15),
         lambda v, w: w % 15 == 0 <= w - v < 15),
)  # fmt: skip
_MONEY = (
    Form("", "number", lambda v: _plain(v / 100), _back(lambda w: round(100 * w))),
    Form(", in cents", "integer", int, _same),
    Form(", as text with two decimals", "string", lambda v: f"{v / 100:.2f}", _back(lambda w: round(100 * float(w)))),
    Form(", rounded up to whole units", "integer", lambda v: ceil(v / 100), lambda v, w: 0 <= 100 * w - v < 100),
)
_PERCENT = (
    Form(", in percent", "integer", int, _same),
    Form(", as a fraction of 1", "number", lambda v: _plain(v / 100), _back(lambda w: round(100 * w))),
    Form(", with the sign, as in 7%", "string", lambda v: f"{v}%", _back(lambda w: int(w.rstrip("%")))),
)
_DEGREES = (
    Form(", in degrees", "integer", int, _same),
    Form(", in tenths of a degree", "integer", lambda v: 10 * v, _back(lambda w: w / 10)),
    Form(", as text, as in 20C", "string", lambda v: f"{v}C", _back(lambda w: int(w.rstrip("C")))),
)


def _plain(number: float) -> float | int:
    """Return whole numbers as integers (2 for 2.0), others rounded to six decimals."""
    return int(number) if number == int(number) else round(number, 6)


def _measured(small: str, large: str) -> tuple[Form, ...]:
    return (
        Form(f", in {large}", "number", lambda v: _plain(v / 1000), _back(lambda w: round(1000 * w))),
        Form(f", in {small}", "integer", int, _same),
        Form(f", in {large}, rounded up to whole ones", "integer", lambda v: ceil(v / 1000),
             lambda v, w: 0 <= 1000 * w - v < 1000),
    )  # fmt: skip


def _listed(values: Mapping[str, Any], forms: tuple[Form, ...], defaults: Sequence[str] = ()) -> Kind:
    texts = tuple(values)
    usual = tuple(values[text] for text in defaults or texts)
    return Kind(Slot("value", "", texts), lambda rng: rng.choice(texts), values.__getitem__, forms, usual)


def _texts(said: Wording, draw: Callable[[Random], str], forms: tuple[Form, ...]) -> Kind:
    return Kind(said, draw, bare, forms)


def _all(sources: Sequence[str]) -> list[str]:
    said = one_of(sources)
    return [said.text(number, {}) for number in range(said.count)]


_FORMS_OF = {"person": _PERSON, "file": _FILE, "pdf": _FILE, "text_file": _FILE, "email": _EMAIL}


@cache
def _vocabulary(name: str) -> Kind:
    """Return a kind of `tables/vocabulary.yaml`: a list, or a wording `write` with lists or number ranges as slots."""
    source = table("vocabulary")[name]
    forms = _FORMS_OF.get(name, _TEXT)
    if isinstance(source, list):
        return _texts(Slot("value", "", tuple(source)), lambda rng: rng.choice(source), forms)
    parts = {key: _part(value) for key, value in source.items() if key != "write"}
    said = wording(source["write"], {key: part for key, part in parts.items() if isinstance(part, list)}, name)

    def draw(rng: Random) -> str:
        drawn = {
            key: rng.choice(part) if isinstance(part, list) else rng.randint(part.start, part.stop)
            for key, part in parts.items()
        }
        return said.write(drawn, rng)

    return _texts(said, draw, forms)


def _part(source: Any) -> list[str] | range:
    match source:
        case [int(least), int(most)]:
            return range(least, most)
        case str():
            return list(table("vocabulary")[source])
    return list(source)


def _quote(inner: Kind) -> Kind:
    said = wording('"{text}"', {"text": inner.said})
    return _texts(said, lambda rng: f'"{inner.draw(rng)}"', _QUOTED)


def _count(least: int, most: int) -> Kind:
    numbers = range(least, most + 1)
    texts = {str(n): n for n in numbers} | {in_words(n): n for n in numbers if n <= 12}
    return _listed(texts, _COUNT if most > 5 and most <= 40 else _COUNT[:1], [str(n) for n in numbers])


def _code(pattern: str) -> Kind:
    said = wording(pattern.replace("{n}", "{n:d}"))
    forms = [_CODE[0]]
    if pattern != "{n}":
        forms.append(_CODE[1])
    if "<" not in pattern:
        forms += [*([_CODE[2]] if "-" in pattern else []), *([_CODE[3]] if pattern[0].isupper() else [])]
    draw = lambda rng: said.write({"n": rng.randint(1000, 99999)}, rng)  # noqa: E731
    return _texts(said, draw, tuple(forms))


def _choice(concepts: tuple[str, ...]) -> Kind:
    return replace(_listed({concept: concept for concept in concepts}, ()), concepts=concepts)


_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace(" ", "_"),
    lambda text: text.replace(" ", "_").upper(),
    lambda text: text,
    lambda text: text[:3].lower(),
    lambda text: "-".join(text.split()).title(),
)


def _choices(concepts: Sequence[str], rng: Random, invented: bool) -> Iterator[Form]:
    """Yield the forms of a choice: the words in a random spelling, and codes that the documentation explains."""
    mixed = rng.sample(concepts, len(concepts))
    spelling = rng.choice(_SPELLINGS)
    words = [spelling(concept) for concept in mixed]
    if len({*words}) == len(words) and not invented:
        yield _coded("", list(zip(mixed, words, strict=True)))
    first = rng.choice((0, 1))
    codes = [range(first, first + len(mixed)), "ABCDEFGHIJ"[: len(mixed)], coined(rng, len(mixed))]
    for code in [codes[2], *rng.sample(codes[:2], 2)] if invented else rng.sample(codes[:2], 2):
        yield _explained(list(zip(mixed, code, strict=True)))


def _explained(codes: Sequence[tuple[str, Any]]) -> Form:
    return _coded(f" ({', '.join(f'{code} for {concept}' for concept, code in codes)})", codes)


def _coded(note: str, codes: Sequence[tuple[str, Any]]) -> Form:
    by_concept, by_code = dict(codes), {code: concept for concept, code in codes}
    type = "integer" if isinstance(codes[0][1], int) else "string"
    return Form(note, type, by_concept.__getitem__, _back(by_code.get), tuple(codes))


def _choice_of(concepts: Sequence[str], note: str, allowed: Sequence[Any]) -> Form:
    if note:
        pairs = [part.split(" for ", 1) for part in note.removeprefix(" (").removesuffix(")").split(", ")]
        by_text = {str(code): code for code in allowed}
        codes = [(concept, by_text[code]) for code, concept in pairs if code in by_text]
        if sorted(concept for concept, _ in codes) != sorted(concepts):
            raise ValueError(f"not all of {concepts} are explained: {note!r}")
        return _explained(codes)
    for spelling in _SPELLINGS:
        by_word = {spelling(concept): concept for concept in concepts}
        if {*by_word} == {*allowed}:
            return _coded("", [(by_word[word], word) for word in allowed])
    raise ValueError(f"not {concepts}: {allowed}")


def _dates() -> Mapping[str, date]:
    texts: dict[str, date] = {}
    for number in range(365):
        day = date(YEAR, 1, 1) + timedelta(number)
        nth = f"{day.day}{'th' if 4 <= day.day <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day.day % 10, 'th')}"
        month = _MONTHS[day.month - 1]
        for text in (
            f"{month} {day.day}", f"{day.day} {month}", f"{month} {nth}", f"the {nth} of {month}",
            f"{month[:3]} {day.day}", f"{day.day} {month[:3]}",
        ):  # fmt: skip
            texts[text] = day
    return texts


def _clocks() -> Mapping[str, int]:
    texts: dict[str, int] = {"noon": 720}
    for value in sorted({*range(360, 1380, 15), *range(360, 1380, 10)}):
        hour, minute = divmod(value, 60)
        twelve, part = (hour - 1) % 12 + 1, "am" if hour < 12 else "pm"
        texts[f"{hour}:{minute:02}"] = value
        figure = f"{twelve}:{minute:02}" if minute else str(twelve)
        texts |= {f"{figure} {part}": value, f"{figure}{part}": value}
        if minute in (0, 15, 30, 45) and hour != 12:
            texts[_spoken_clock(hour, minute)] = value
    return texts


def _spoken_clock(hour: int, minute: int) -> str:
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    named = in_words((hour + (minute == 45) - 1) % 12 + 1)
    step = {0: "", 15: "quarter past ", 30: "half past ", 45: "quarter to "}[minute]
    return f"{step}{named} {part}"


def _lengths() -> Mapping[str, int]:
    texts: dict[str, int] = {}
    for n in (*range(5, 60), *range(60, 125, 5)):
        texts[f"{n} minutes"] = n
    for n in (5, 10, 15, 20, 25, 30, 40, 45, 50, 90):
        texts |= {f"{in_words(n)} minutes": n, f"{n} min": n}
    for n in range(2, 13):
        texts |= {f"{n} hours": 60 * n, f"{in_words(n)} hours": 60 * n, f"{n} hours and a quarter": 60 * n + 15}
    for n in range(2, 6):
        texts |= {f"{n} and a half hours": 60 * n + 30, f"{n}.5 hours": 60 * n + 30}
    return texts | {"an hour": 60, "half an hour": 30, "an hour and a half": 90, "a quarter of an hour": 15,
                    "an hour and a quarter": 75, "1 hour": 60}  # fmt: skip


def _amounts() -> Mapping[str, int]:
    texts: dict[str, int] = {}
    for whole in [*range(2, 100), *range(100, 1000, 5), *range(1000, 5001, 50)]:
        figure = f"{whole:,}"
        texts |= {f"${figure}": 100 * whole, f"{figure} dollars": 100 * whole, f"{figure} euros": 100 * whole,
                  f"€{figure}": 100 * whole}  # fmt: skip
    for cents in range(325, 20000, 25):
        if cents % 100:
            texts |= {f"${cents / 100:.2f}": cents, f"€{cents / 100:.2f}": cents, f"{cents / 100:.2f} euros": cents}
    return texts


def _weights() -> Mapping[str, int]:
    texts = {f"{n} {unit}": n for n in range(50, 1000, 25) for unit in ("g", "grams")}
    for tenths in [*range(10, 300, 5), *range(300, 1210, 10)]:
        figure = _plain(tenths / 10)
        texts |= {f"{figure} {unit}": 100 * tenths for unit in ("kg", "kilos") if (figure, unit) != (1, "kilos")}
    return texts


def _distances() -> Mapping[str, int]:
    texts = {f"{n} {unit}": n for n in range(100, 1000, 50) for unit in ("m", "meters")}
    for tenths in [*range(10, 100, 5), *range(100, 1000, 10)]:
        figure = _plain(tenths / 10)
        texts |= {
            f"{figure} {unit}": 100 * tenths for unit in ("km", "kilometers") if (figure, unit) != (1, "kilometers")
        }
    return texts


def _volumes() -> Mapping[str, int]:
    texts = {f"{n} ml": n for n in range(50, 1000, 50)}
    for tenths in range(10, 300, 5):
        figure = _plain(tenths / 10)
        texts |= {f"{figure} {unit}": 100 * tenths for unit in ("l", "liters") if (figure, unit) != (1, "liters")}
    return texts


def _soon() -> Mapping[str, int]:
    days = {"today": 0, "tomorrow": 1, "the day after tomorrow": 2, "in a week": 7, "in two weeks": 14}
    return days | {f"in {n} days": n for n in range(2, 11)} | {f"in {in_words(n)} days": n for n in range(3, 7)}


_KINDS: Mapping[str, Callable[[], Kind]] = {
    "date": lambda: replace(_listed(_dates(), _DATE), defaults=()),
    "clock": lambda: _listed(_clocks(), _CLOCK),
    "weekday": lambda: _listed({day: day for day in _WEEKDAYS}, _WEEKDAY),
    "month": lambda: _listed({month: month for month in _MONTHS}, _MONTH),
    "soon": lambda: _listed(_soon(), _SOON),
    "length": lambda: _listed(_lengths(), _LENGTH, ["15 minutes", "30 minutes", "45 minutes", "2 hours", "1 hour"]),
    "money": lambda: _listed(_amounts(), _MONEY, ["$10", "$20", "$50", "$100", "$250"]),
    "percent": lambda: _listed({f"{n}{sign}": n for n in range(2, 101) for sign in ("%", " percent")}, _PERCENT),
    "degrees": lambda: _listed({f"{n}{sign}": n for n in range(5, 31) for sign in (" degrees", "°")}, _DEGREES),
    "weight": lambda: _listed(_weights(), _measured("grams", "kilograms"), ["500 g", "1 kg", "2 kg"]),
    "distance": lambda: _listed(_distances(), _measured("meters", "kilometers"), ["500 m", "1 km", "5 km", "10 km"]),
    "volume": lambda: _listed(_volumes(), _measured("milliliters", "liters"), ["250 ml", "500 ml", "1 l", "2 l"]),
}


# The size of one unit of a bound in units of the value: hours, minutes, whole units of money, kilograms, …
_SCALES: Mapping[str, int] = {
    "clock": 60, "length": 1, "money": 100, "percent": 1, "degrees": 1, "weight": 1000, "distance": 1000,
    "volume": 1000,
}  # fmt: skip


@cache
def _of_name(name: str) -> Kind:
    return _KINDS[name]()


def _between(name: str, least: float, most: float) -> Kind:
    """Return a kind of this module with its values from `least` to `most`, in the units of `_SCALES`.

    Raises:
        UserError: the kind has no listed values, or none within the bounds.
    """
    inner, scale = _of_name(name), _SCALES[name]
    if not isinstance(inner.said, Slot):
        raise UserError(f"{name} cannot be bounded")
    within = {text: value for text in inner.said.values or () if least <= (value := inner.value(text)) / scale <= most}
    if not within:
        raise UserError(f"no {name} from {least} to {most}; the kind has other values")
    usual = [text for text, value in within.items() if value in inner.defaults]
    return _listed(within, inner.forms, usual)
