"""Passages that are composed of sentences, and the parser that recovers their facts.

Example: the points and the passage

    slots: {hero: people, n: {from: 3, to: 9}}
    points:
      why:
        ask: Why did {hero} leave?
        ways: |
          {He} had <found|been offered> work in a mill. => {He} had a new job.
          The house was too <damp|cold> in winter. => {He} did not like the house.
    passage:
    - ["{hero} lived in a village for {n:d} years.", why]

are rendered as "Ada lived in a village for 4 years. She had found work in a mill."; reading this gives the name, the
number and way 0 for `why`. A point is a fact with several possible values, its ways. Each way has a sentence for the
passage and a meaning, which is the answer to the point's question.

The keys of `slots` are sampled in this order; several names in one key get different rows of one table:

| written | is one of |
| --- | --- |
| `[kettle, jug]` | the rows; `kettle => cold`, or a mapping, has columns: `{thing}`, `{thing_2}`, `{thing_place}` |
| `table` `table.key` `slot.column` | the rows of a shared table, a part of it, or a list in a row sampled before |
| `{from: 3, to: 60, step: 5}` | these numbers |
| `{after: year, within: 20}` | a number that exceeds the slot `year` by 1 to 20, for a later event |
| `{is: Pottery, do: "<shape|make> a jug"}` | such a row, with a column that is a wording itself |
| `coined` `coined_names` | invented words, in lower case or capitalised |
| `people` `girls` `boys` | first names, with `{hero_he}`, `{hero_his}`; `{he}` and `{He}` refer to the hero |

The passage is a list of paragraphs. An item of it is a point's name, a sentence, a block of several such lines (`? `
begins an optional line, `/ ` another wording of the line above), a list of items, `{maybe: item}`, `{one: [items]}`,
`{shuffled: [items]}`, `{some: 2, of: [items]}` or `{each: 4, say: item}`, where `#` is 1, 2, 3 and 4. The first letter
of a sentence is capitalised automatically. The table `phrases` defines wordings that every passage can use, such as
`{one_day}`; words in the table `synonyms` may be replaced by their synonyms.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from random import Random
from typing import Any

from pfe.errors import UserError, nearest
from pfe.tutors.content import TABLES, check_keys, check_texts, table
from pfe.tutors.invented_words import coined
from pfe.tutors.place import Place, placed
from pfe.tutors.wording import Match, Single, Slots, Values, Wording, capital, one_of, wording

Row = Mapping[str, Any]
PRONOUNS = {
    "she": {"he": "she", "his": "her", "him": "her", "himself": "herself", "boy": "girl", "man": "woman"},
    "he": {"he": "he", "his": "his", "him": "him", "himself": "himself", "boy": "boy", "man": "man"},
}
INSTEAD = "instead"  # the facts' key for the texts that replace omitted points
_COINED = 3000
_HERO = re.compile(r"\{(\w+_)?(he|his|him|himself|He|His|Him)\}")
_MAY_FOLLOW = re.compile(
    r"\{(?!one_day|later)|(?:The|A|An|It|Its|Most|Many|All|Some|No|Every|Each|Nobody|Both)\b|[A-Z][a-z]+s\b"
)
_START = re.compile(r"^|(?<=[.!?:\")]) |\n")


@dataclass(frozen=True)
class Alternatives(Wording):
    """The wordings of a point in a passage; its slot holds the number of the way."""

    name: str
    wordings: tuple[Wording, ...]

    @property
    def count(self) -> int:
        return 1

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset({self.name}).union(*(way.names for way in self.wordings))

    def vary(self, slots: Slots, rng: Random) -> str:
        return self.wordings[slots[self.name]].vary(slots, rng)

    def text(self, number: int, slots: Slots) -> str:
        return self.wordings[slots[self.name]].text(number, slots)

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        for number, way in enumerate(self.wordings):
            if slots.get(self.name, number) == number:
                yield from way.match(text, start, {**slots, self.name: number})


@dataclass(frozen=True)
class Sentence(Wording):
    """Another wording, capitalised."""

    inner: Wording

    @property
    def count(self) -> int:
        return self.inner.count

    @property
    def names(self) -> frozenset[str]:
        return self.inner.names

    def vary(self, slots: Slots, rng: Random) -> str:
        return capital(self.inner.vary(slots, rng))

    def text(self, number: int, slots: Slots) -> str:
        return capital(self.inner.text(number, slots))

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        for variant in either_case(text, start):
            yield from self.inner.match(variant, start, slots)


@dataclass(frozen=True)
class Templates(Single):
    """A slot whose values are templates themselves: its value is the source of one of them."""

    sources: Mapping[str, Wording]

    def vary(self, slots: Slots, rng: Random) -> str:
        return self.sources[slots[self.name]].vary(slots, rng)

    def text(self, number: int, slots: Slots) -> str:
        return self.sources[slots[self.name]].text(number, slots)

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        for source, inner in self.sources.items():
            if slots.get(self.name, source) == source:
                yield from inner.match(text, start, {**slots, self.name: source})


@dataclass(frozen=True)
class Draw:
    """Slots that are sampled from one source, each with a different row."""

    names: tuple[str, ...]
    source: Any
    _columns: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    _listed: list[Row] = field(default_factory=list)

    def rows(self, facts: Mapping[str, Any], draws: Sequence["Draw"]) -> Sequence[Row]:
        """Return the rows to sample from.

        If the source is a list in another slot's row, these are the lists of all rows that the facts allow.
        """
        match self.source:
            case {"after": str(earlier), "within": int(span), **rest} if not rest:
                return self._later(earlier, span, facts, draws)
        if not isinstance(self.source, str):
            if not self._listed:
                self._listed.extend(_listed(self.source))
            return self._listed
        head, _, column = self.source.partition(".")
        parent = next((draw for draw in draws if head in draw.names), None)
        if parent is None:
            return _shared(self.source)
        lists = [row[column] for row in parent.fitting(head, facts, draws)]
        return _rows([value for values in lists for value in values])

    def _later(self, earlier: str, span: int, facts: Mapping[str, Any], draws: Sequence["Draw"]) -> Sequence[Row]:
        """Return the numbers up to `span` above the value of the slot `earlier`, or above any value it may have."""
        starts = [draw.fitting(earlier, facts, draws) for draw in draws if earlier in draw.names]
        if not starts:
            raise UserError(f"after: nothing is drawn for {{{earlier}}}; name it under slots, above")
        numbers = {row[""] + more for row in starts[0] for more in range(1, span + 1)}
        return [{"": number} for number in sorted(numbers)]

    def fitting(self, name: str, facts: Mapping[str, Any], draws: Sequence["Draw"]) -> list[Row]:
        """Return the rows that `name` may have, given the facts."""
        known = {column: facts[slot] for slot, column in self.columns(name, draws) if slot in facts}
        return [row for row in self.rows(facts, draws) if all(row.get(c) == value for c, value in known.items())]

    def columns(self, name: str, draws: Sequence["Draw"]) -> Sequence[tuple[str, str]]:
        """Return the slots of `name`, each with the column whose value it has."""
        if not self._columns:
            columns = {column: None for row in self.rows({}, draws) for column, value in row.items() if _plain(value)}
            for one in self.names:
                self._columns[one] = [(f"{one}_{column}" if column else one, column) for column in columns]
        return self._columns[name]


@dataclass(frozen=True)
class Said:
    """A sentence, or a few that belong together."""

    wording: Wording

    @property
    def names(self) -> frozenset[str]:
        return self.wording.names

    def always(self, but: str = "") -> frozenset[str]:
        """Return the names that it states in every rendering, if the point `but` is omitted."""
        if not isinstance(self.wording, Alternatives):
            return self.wording.names
        if self.wording.name == but:
            return frozenset()
        ways = [way.names for way in self.wording.wordings]
        return ways[0].intersection(*ways) | {self.wording.name}

    @property
    def sentences(self) -> tuple[Wording, ...]:
        return (self.wording,)

    def tell(self, facts: Slots, rng: Random, needed: frozenset[str]) -> list[str]:
        instead: Mapping[str, str] = facts.get(INSTEAD, {})
        if isinstance(self.wording, Alternatives) and self.wording.name in instead:
            return [text] if (text := instead[self.wording.name]) else []
        return [text] if (text := capital(self.wording.vary(facts, rng))) else []


@dataclass(frozen=True)
class Block:
    """Items of a passage: in sequence, shuffled, a sample of them, one of them, or optional."""

    items: tuple["Said | Block", ...]
    kind: str
    some: int = 0

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(item.names for item in self.items))

    def always(self, but: str = "") -> frozenset[str]:
        """Return the names that it states in every rendering, if the point `but` is omitted."""
        told = [item.always(but) for item in self.items]
        if self.kind in ("row", "shuffled"):
            return frozenset().union(*told)
        return told[0].intersection(*told) if self.kind == "one" else frozenset()

    @property
    def sentences(self) -> tuple[Wording, ...]:
        return tuple(sentence for item in self.items for sentence in item.sentences)

    def tell(self, facts: Slots, rng: Random, needed: frozenset[str]) -> list[str]:
        chosen = self._chosen(rng, needed)
        return [sentence for item in chosen for sentence in item.tell(facts, rng, needed)]

    def _chosen(self, rng: Random, needed: frozenset[str]) -> Sequence["Said | Block"]:
        forced = [item for item in self.items if item.names & needed]
        if self.kind == "row":
            return self.items
        if self.kind == "maybe":
            return self.items if forced or rng.random() < 0.5 else ()
        if self.kind == "shuffled":
            return rng.sample(self.items, len(self.items))
        if self.kind == "one":
            most = max(len(item.names & needed) for item in self.items)
            return [rng.choice([item for item in self.items if len(item.names & needed) == most])]
        free = [item for item in self.items if item not in forced]
        more = min(len(free), max(0, self.some - len(forced)))
        chosen = [*forced, *rng.sample(free, more)]
        return rng.sample(chosen, len(chosen))


@dataclass(frozen=True)
class Point:
    """A fact with several possible ways: the sentence of each, its meaning, and the questions about it."""

    name: str
    said: Alternatives
    means: tuple[Wording, ...]
    asks: tuple[str, ...]

    def meaning(self, number: int, facts: Slots) -> str:
        return capital(self.means[number].text(0, facts))

    @property
    def claims(self) -> bool:
        """Return whether all its meanings are sentences."""
        return all(str(means.text(0, _Dots())).endswith((".", "!")) for means in self.means)


class _Dots(dict[str, Any]):
    """Slots in which every name has a value."""

    def __missing__(self, name: str) -> Any:
        return 1


@dataclass(frozen=True)
class PassageTemplate:
    """A passage template: the slots and points to sample, and the sentences to render and parse."""

    draws: tuple[Draw, ...]
    points: Mapping[str, Point]
    passage: Block
    values: Mapping[str, Values] = field(repr=False)
    names: frozenset[str]
    where: Place

    def draw(self, rng: Random, yes: Callable[[Point, Random], int] | None = None) -> dict[str, Any]:
        """Sample all facts of a passage.

        Args:
            yes: samples a point's way; without it all ways are equally likely.
        """
        facts: dict[str, Any] = {}
        for draw in self.draws:
            rows = draw.rows(facts, self.draws)
            chosen = rng.sample(rows, len(draw.names))
            taken = {value for value in facts.values() if isinstance(value, str)}
            if any(row.get("") in taken for row in chosen):  # no two people have the same name
                chosen = rng.sample([row for row in rows if row.get("") not in taken], len(draw.names))
            for name, row in zip(draw.names, chosen, strict=True):
                facts |= {f"{name}_{c}" if c else name: value for c, value in row.items() if _plain(value)}
        for name, point in self.points.items():
            facts[name] = yes(point, rng) if yes else rng.randrange(len(point.means))
        return facts

    def tell(self, facts: Slots, rng: Random, needed: frozenset[str] = frozenset(), paragraphs: str = "\n") -> str:
        """Render the passage, including every optional sentence that states something in `needed`."""
        told = [" ".join(paragraph.tell(facts, rng, needed)) for paragraph in self.passage.items]
        return paragraphs.join(paragraph for paragraph in told if paragraph)

    def read(self, text: str, wanted: frozenset[str] | None = None) -> dict[str, Any]:
        """Parse the facts that the sentences of a passage state, until all names in `wanted` are known.

        Sentences that do not belong to this passage are skipped.
        """
        found: dict[str, Any] = {}
        telling = [sentence for sentence in self._telling if wanted is None or sentence.names & wanted]
        for _, _, found in self.spans(text, telling):
            if wanted is not None and wanted <= found.keys():
                break
        return self.completed(found)

    def spans(
        self, text: str, telling: Sequence[Wording] | None = None
    ) -> Iterator[tuple[str, frozenset[str], dict[str, Any]]]:
        """Yield each sentence that states something, the slots and points it adds, and all facts known so far."""
        found: dict[str, Any] = {}
        end = 0
        for start in sentence_starts(text):
            if start < end or start == len(text):
                continue
            best = max(self._matches(text, start, found, telling), key=lambda match: match[0], default=None)
            if best:
                end, slots = best
                yield text[start:end], frozenset(slots) - frozenset(found), slots
                found = slots

    def completed(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facts, and the other columns of each row that they determine uniquely."""
        facts = dict(found)
        for draw in self.draws:
            for name in draw.names:
                known = [slot in facts for slot, _ in draw.columns(name, self.draws)]
                if all(known) or not any(known):
                    continue
                fitting = draw.fitting(name, facts, self.draws)
                if len(fitting) == 1:
                    facts |= {f"{name}_{c}" if c else name: v for c, v in fitting[0].items() if _plain(v)}
        return facts

    def others(self, slot: str, facts: Slots) -> list[str]:
        """Return the other values that a slot may have if the rest of the facts stays.

        Raises:
            UserError: there is no such slot.
        """
        for draw in self.draws:
            for name in draw.names:
                for full, column in draw.columns(name, self.draws):
                    if full == slot:
                        rows = draw.rows(facts, self.draws)
                        return [row[column] for row in rows if column in row and row[column] != facts[slot]]
        raise UserError(f"{self.where / 'slots'}: nothing is drawn for {{{slot}}}; {nearest(slot, self.names)}")

    @cached_property
    def apart(self) -> frozenset[str]:
        """Return the points that have exactly one sentence of their own and occur in no other sentence."""
        told = [sentence.names for sentence in self.passage.sentences if not isinstance(sentence, Alternatives)]
        alone = [sentence.name for sentence in self.passage.sentences if isinstance(sentence, Alternatives)]
        return frozenset(name for name in alone if alone.count(name) == 1).difference(*told)

    def parsed(
        self, source: str, where: Place, more: Mapping[str, Values] | None = None, names: Collection[str] = ()
    ) -> Wording:
        """Parse a wording that may use the slots and phrases of this passage, and `more`.

        Args:
            names: further slots, whose possible texts are unknown.
        """
        return _parse(source, {**self.values, **(more or {})}, where, self.names.union(names))

    def lowered(self, source: str, where: Place, names: Collection[str] = ()) -> Wording:
        """Parse a wording as `parsed` does, with the values of slots in lower case."""
        return _parse(source, self._lowered, where, self.names.union(names))

    @cached_property
    def _lowered(self) -> Mapping[str, Values]:
        return {
            name: tuple(map(str.lower, values)) if isinstance(values, tuple) else values
            for name, values in self.values.items()
        }

    def quotes(self, text: str, names: frozenset[str], facts: Slots) -> list[str]:
        """Return the sentences of a passage that state something in `names`, in agreement with the facts."""
        telling = [sentence for sentence in self._telling if sentence.names & names]
        found = ((start, self._ends(text, start, telling, dict(facts))) for start in sentence_starts(text))
        return [text[start : max(ends)] for start, ends in found if ends]

    def _ends(self, text: str, start: int, telling: Sequence[Wording], known: dict[str, Any]) -> list[int]:
        return [end for end, _ in self._matches(text, start, known, telling)]

    def _matches(
        self, text: str, start: int, found: dict[str, Any], telling: Sequence[Wording] | None = None
    ) -> Iterator[Match]:
        variants = either_case(text, start)
        for sentence in self._telling if telling is None else telling:
            for variant in variants:
                for end, slots in sentence.match(variant, start, found):
                    if end == len(text) or text[end].isspace():
                        yield end, slots
                        break

    @cached_property
    def _telling(self) -> tuple[Wording, ...]:
        return tuple(sentence for sentence in self.passage.sentences if sentence.names)


def telling(
    slots: Mapping[str, Any], points: Mapping[str, Any], passage: Sequence[Any], where: Place | str, opening: str = ""
) -> PassageTemplate:
    """Return the passage template that a content file describes.

    Args:
        points: by name, their `ask` and `ways`, or `yes` and `no`, as lines.
        opening: the phrase that may precede a point's sentence, if the sentence's first word allows that.

    Raises:
        UserError: a table, point or slot is unknown, or a wording is malformed.
    """
    draws = tuple(Draw(tuple(re.split(r", *", names)), source) for names, source in slots.items())
    where = placed(where)
    _check_draws(draws, slots, where / "slots")
    drawn = {slot for draw in draws for name in draw.names for slot, _ in draw.columns(name, draws)}
    known = frozenset(drawn | points.keys())
    values: dict[str, Values] = {**phrases(), **_values(draws, where)}
    made = {
        name: _point(name, content, values, known, where / "points" / name, opening) for name, content in points.items()
    }
    made_values: dict[str, Values] = values | {name: point.said for name, point in made.items()}
    parse = partial(_parse, values=made_values, names=known)
    items = (_item(item, made, parse, where / "passage" / number) for number, item in enumerate(passage))
    return PassageTemplate(draws, made, Block(tuple(items), "row"), made_values, known, where)


def _check_draws(draws: Sequence[Draw], slots: Mapping[str, Any], where: Place) -> None:
    """Reject a slot whose source is invalid or has too few rows.

    Raises:
        UserError: there is one.
    """
    for draw, key in zip(draws, slots, strict=True):
        try:
            rows = draw.rows({}, draws)
        except UserError as error:
            raise UserError(f"{where / key}: {error}") from None
        if len(rows) < len(draw.names):
            raise UserError(f"{where / key}: {len(rows)} to draw from, for {len(draw.names)} slots; list more")


def sentence_starts(text: str) -> list[int]:
    """Return where a sentence may begin.

    These are the start of the text, and positions after a full stop, colon, question or exclamation mark, quotation
    mark, closing parenthesis or line break.
    """
    return [match.end() for match in _START.finditer(text)]


def either_case(text: str, start: int) -> Sequence[str]:
    """Return the text and, if it differs, the text with a lower-case letter at `start`."""
    lowered = text[:start] + text[start : start + 1].lower() + text[start + 1 :]
    return [text] if lowered == text else [text, lowered]


def lines(text: str | Sequence[str]) -> list[str]:
    """Return the lines of a YAML block without empty ones, or a list as it is."""
    return [line.strip() for line in text.splitlines() if line.strip()] if isinstance(text, str) else list(text)


@cache
def phrases() -> Mapping[str, Wording]:
    """Return the wordings of the table `phrases`; each may use those above it."""
    made: dict[str, Wording] = {}
    for name, source in table("phrases").items():
        made[name] = one_of([varied(line) for line in lines(source)], made, f"{TABLES / 'phrases.yaml'}: {name}")
    return made


@cache
def _synonyms() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern for words outside of slots that have synonyms, and the alternatives for each word."""
    groups = [line.split("|") for line in lines(table("synonyms")["words"])]
    longest = sorted((group[0] for group in groups), key=len, reverse=True)
    found = re.compile(rf"(?<![{{\w'-])(?:{'|'.join(longest)})(?![}}\w'-])")
    return found, {group[0]: f"<{'|'.join(group)}>" for group in groups}


def varied(source: str) -> str:
    """Return a sentence with alternatives for the words that have synonyms."""
    found, alternatives = _synonyms()
    return found.sub(lambda match: alternatives[match[0]], source)


def _point(
    name: str, content: Any, values: Mapping[str, Values], names: frozenset[str], where: Place, opening: str
) -> Point:
    if not isinstance(content, dict):
        raise UserError(f"{where}: found {content!r:.60}; write ask, and ways or yes and no")
    check_keys(content, ("yes", "no") if {"yes", "no"} & content.keys() else ("ways",), ("ask",), where)
    check_texts(content, content, where)
    said, means = [], []
    for key, line, told, meant in _ways(content, where):
        here = (where / key).quoting(line)
        said.append(_parse(varied(_opened(told, opening)), values, here, names))
        means.append(_parse(meant, values, here, names))
    return Point(name, Alternatives(name, tuple(said)), tuple(means), tuple(lines(content.get("ask", ""))))


def _ways(content: Mapping[str, Any], where: Place) -> Iterator[tuple[str, str, str, str]]:
    """Yield the key, the whole line, the sentence and the meaning of each way of a point."""
    if "ways" not in content:
        yield from ((answer, line, line, answer) for answer in ("yes", "no") for line in lines(content[answer]))
        return
    for line in lines(content["ways"]):
        pair = re.split(r"\s+=>\s+", line)
        if len(pair) != 2:
            raise UserError(f"{(where / 'ways').quoting(line)}: write how it is told => what it means")
        yield "ways", line, pair[0], pair[1]


def _opened(source: str, opening: str) -> str:
    """Return a sentence with the opening as an optional prefix, unless its first word does not allow one."""
    first = re.match(r"<[^<>]*>|\S+", source)
    words = re.split(r"[<>|]", first[0]) if first else []
    if not opening or not words or any(word and not _MAY_FOLLOW.match(word) for word in words):
        return source
    start = first[0] if first else ""
    lowered = re.sub(r"(^|[<|])([A-Z])", lambda match: match[1] + match[2].lower(), start).replace("{He}", "{he}")
    return f"<|{{{opening}}} >{lowered.replace('{His}', '{his}')}{source[len(start) :]}"


def _item(item: Any, points: Mapping[str, Point], parse: Callable[..., Wording], where: Place) -> Said | Block:
    def made(items: Sequence[Any]) -> tuple[Said | Block, ...]:
        return tuple(_item(one, points, parse, where) for one in items)

    item = item.strip() if isinstance(item, str) else item
    match item:
        case str() if "\n" in item:
            return Block(made(_stacked(lines(item))), "row")
        case str() if item in points:
            return Said(points[item].said)
        case str() if re.fullmatch(r"\w+", item):
            raise UserError(f"{where.quoting(item)}: no such point; {nearest(item, points)}")
        case str():
            return Said(parse(varied(item), where=where.quoting(item)))
        case [_, *_]:
            return Block(made(item), "row")
        case {"maybe": inner, **rest} if not rest:
            return Block(made([inner]), "maybe")
        case {"one": [_, *_] as inner, **rest} if not rest:
            return Block(made(inner), "one")
        case {"shuffled": [_, *_] as inner, **rest} if not rest:
            return Block(made(inner), "shuffled")
        case {"some": int(count), "of": [_, *_] as inner, **rest} if not rest:
            return Block(made(inner), "some", count)
        case {"each": int(count), "say": inner, **rest} if not rest:
            return Block(made([numbered(inner, number) for number in range(1, count + 1)]), "row")
    kinds = "a sentence, a point, a list, or maybe, one, shuffled, some, each"
    raise UserError(f"{where}: found {item!r:.60}; write {kinds}")


def _stacked(texts: Sequence[str]) -> list[Any]:
    """Return lines as items: `? ` begins an optional line, `/ ` another wording of the line above."""
    items: list[Any] = []
    for text in texts:
        if text.startswith("/ ") and items:
            above = items.pop()
            items.append(
                {"one": [*(above["one"] if isinstance(above, dict) and "one" in above else [above]), text[2:]]}
            )
        else:
            items.append({"maybe": text[2:]} if text.startswith("? ") else text)
    return items


def numbered(value: Any, number: int) -> Any:
    """Return a part of a file with each `#` replaced by the number."""
    if isinstance(value, str):
        return value.replace("#", str(number))
    if isinstance(value, list):
        return [numbered(one, number) for one in value]
    return {key: numbered(one, number) for key, one in value.items()} if isinstance(value, dict) else value


def _parse(source: str, values: Mapping[str, Values], where: Place, names: Collection[str]) -> Wording:
    return wording(_HERO.sub(_pronoun, source), values, where if where.text else where.quoting(source), names)


def _pronoun(match: re.Match[str]) -> str:
    return f"{{{match[1] or 'hero_'}{match[2].lower()}{':C' if match[2][0].isupper() else ''}}}"


def _values(draws: Sequence[Draw], where: Place) -> dict[str, Values]:
    values: dict[str, Values] = {}
    for draw in draws:
        rows = draw.rows({}, draws)
        for name in draw.names:
            for slot, column in draw.columns(name, draws):
                texts = dict.fromkeys(row[column] for row in rows if column in row)
                if any("<" in text or "{" in text for text in map(str, texts)):
                    here = where / "slots"
                    parsed = {text: _parse(varied(text), phrases(), here.quoting(text), ()) for text in texts}
                    values[slot] = Templates(slot, parsed)
                elif all(isinstance(text, str) for text in texts):
                    values[slot] = tuple(texts)
    return values


def _plain(value: Any) -> bool:
    return not isinstance(value, list | dict)


def _listed(source: Any) -> list[Row]:
    match source:
        case {"from": int(low), "to": int(high), **rest} if not rest:
            return [{"": number} for number in range(low, high + 1)]
        case {"from": int(low), "to": int(high), "step": int(step), **rest} if not rest and step > 0:
            return [{"": number} for number in range(low, high + 1, step)]
        case list():
            return _rows(source)
    raise UserError(f"found {source!r:.60}; write a table, a list, from and to, or after and within")


def _rows(values: Sequence[Any]) -> list[Row]:
    return [_row(value) for value in values]


def _row(value: Any) -> Row:
    if isinstance(value, str):
        columns = re.split(r"\s+=>\s+", value)
        return {"" if place == 1 else str(place): text for place, text in enumerate(columns, 1)}
    if isinstance(value, dict):
        return {("" if column == "is" else column): inner for column, inner in value.items()}
    return {"": value}


@cache
def _shared(source: str) -> list[Row]:
    if source in ("people", "girls", "boys"):
        names = table("first_names")
        kinds = {"girls": ("she",), "boys": ("he",)}.get(source, ("she", "he"))
        return [{"": name, **PRONOUNS[kind]} for kind in kinds for name in names[kind]]
    if source in ("coined", "coined_names"):
        words = coined(Random(source), _COINED)
        return [{"": word if source == "coined" else word.capitalize()} for word in words]
    name, *keys = source.split(".")
    values = table(name)
    for key in keys:
        if not isinstance(values, dict) or key not in values:
            raise UserError(
                f"the table '{name}' has no '{key}'; {nearest(key, values if isinstance(values, dict) else ())}"
            )
        values = values[key]
    return _rows(lines(values) if isinstance(values, str) else values)
