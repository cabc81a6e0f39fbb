"""Families whose passage omits one fact, which the library states as a note, a file, a record or a sign.

Example: the passage about Kevin says "More about this in note 14." instead of why he looked for a job. The library has
notes 3, 9, 14 and 21, each with the reason of one person; note 14 says "He had cracked a window …".

The passages, points and questions come from the other families of the set. A file describes the library:

| key | holds |
| --- | --- |
| `instead` | the text that replaces the sentence in the passage; may be empty, may name the `{key}` |
| `entries` | wordings of the library's entries, with `{told}`, and `{key}` or `{who}` |
| `key` | the source of `{key}`, written like the source of a passage's slot |
| `register` | wordings of entries that state the `{key}` of `{who}`: one more hop of retrieval |
| `corrections` | wordings of entries that override another entry: of the two, the correction is correct |
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as pydantic_dataclass

from pfe.errors import UserError
from pfe.problem import Problem, Skill
from pfe.tutors.content import Filled, Weight, engine_and_rest, read_content
from pfe.tutors.family import LENGTHS, BoundFamily, ContentFamily, Draft, Entry, Facts, families_of, quoted
from pfe.tutors.passage_template import (
    INSTEAD,
    Draw,
    PassageTemplate,
    Point,
    Sentence,
    either_case,
    lines,
    sentence_starts,
)
from pfe.tutors.place import Place
from pfe.tutors.wording import Either, Wording, capital, wording

_SUBJECTS = ("hero", "name")
_CORRECTED = 0.5  # share of the people, if the file has `corrections`
_KEY = "key"  # `Entry.tells` of the register's entries
_TRIES = 5000


@pydantic_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """The content of a family's file."""

    entries: Filled[str]
    key: Any = None
    instead: str = ""
    register: str = ""
    corrections: str = ""
    weight: Weight = 1.0


@dataclass(frozen=True)
class Gap:
    """A point that a question asks for and that a passage can omit."""

    family: Any
    ask: int
    point: Point
    subject: str
    entry: Wording
    register: Wording | None
    correction: Wording | None
    instead: Wording | None
    wanted: frozenset[str]  # the names that must be parsed from the passage


class OmittedFact(ContentFamily, BoundFamily):
    """A family whose passages leave one point to the library."""

    engine: type[ContentFamily]  # the engine of the families whose passages it uses
    asked = 4

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = self.content.weight
        self.keys = self._keys()
        self.skill: Skill = "rules" if self.content.corrections else "hops" if self.content.register else "lookup"

    def _keys(self) -> Sequence[Mapping[str, Any]]:
        if self.content.key is None:
            return []
        where = Place(self.path) / "key"
        try:
            rows = Draw(("key",), self.content.key).rows({}, ())
        except UserError as error:
            raise UserError(f"{where}: {error}") from None
        if len(rows) < 2 * max(LENGTHS):
            raise UserError(f"{where}: {len(rows)} to draw from; a library may need {2 * max(LENGTHS)}")
        return rows

    @abstractmethod
    def ways(self, gap: Gap, count: int, rng: Random) -> list[int]:
        """Sample a way of the point for each of `count` people; the first ones differ as far as possible."""

    @abstractmethod
    def options(self, gap: Gap, way: int, told: Sequence[int], rng: Random) -> list[int]:
        """Return the ways that the possible answers stand for, the correct one first.

        The others are preferably ways in `told`, which the library states for other people.
        """

    @abstractmethod
    def draft(self, gap: Gap, facts: Facts, passage: str, rng: Random) -> Draft:
        """Return the text of the problem."""

    @abstractmethod
    def passage_of(self, problem: Problem) -> str:
        """Return the passage in the problem's text, exactly as it was written."""

    @cached_property
    def gaps(self) -> Sequence[Gap]:
        """Return the points that can be omitted from the passages of the set."""
        families = families_of(self.set).values()
        found = [gap for family in families if type(family) is self.engine for gap in self._gaps(family)]
        if not found:
            name = self.engine.__module__.rpartition(".")[2]
            raise UserError(
                f"{self.path}: no family of {self.set} with engine '{name}' has a point that can be left out"
            )
        return found

    def facts(self, rng: Random) -> Facts:
        number = rng.randrange(len(self.gaps))
        gap, entries = self.gaps[number], rng.choice(LENGTHS)
        keys = rng.sample(self.keys, min(len(self.keys), 2 * max(LENGTHS))) if self.keys else []
        people = self._people(gap, max(self.asked, self._room(entries)), rng)
        corrected = [place for place in range(len(people)) if self.content.corrections and rng.random() < _CORRECTED]
        world = {
            "gap": number, "people": people, "keys": [row[""] for row in keys], "seed": rng.getrandbits(32),
            "before": {place: self._before(gap, people[place], rng) for place in corrected},
        }  # fmt: skip
        return self._asking(world, 0, rng)

    def another_question(self, facts: Facts, rng: Random) -> Facts:
        """Return facts with the same library, whose passage and question are about another person in it.

        Raises:
            ValueError: the library describes only one person.
        """
        others = [place for place in range(len(facts["people"])) if place != facts["place"]]
        if not others:
            raise ValueError(f"{self.name}: the library tells of one alone")
        return self._asking(facts, rng.choice(others), rng)

    def _people(self, gap: Gap, count: int, rng: Random) -> list[Facts]:
        """Sample the people whom the library describes, each with a distinct name."""
        ways = self.ways(gap, count, rng)
        people: list[Facts] = []
        for _ in range(_TRIES):
            if len(people) == count:
                break
            one = {**gap.family.told.draw(rng), gap.point.name: ways[len(people)]}
            if all(one[gap.subject] != other[gap.subject] for other in people):
                people.append(one)
        return people

    def _before(self, gap: Gap, one: Facts, rng: Random) -> int:
        """Return the incorrect way that the library states for a person until a correction overrides it."""
        ways = range(len(gap.point.means))
        return self.options(gap, one[gap.point.name], rng.sample(ways, len(ways)), rng)[1]

    def _asking(self, world: Facts, place: int, rng: Random) -> Facts:
        """Return the facts of a question about the person at `place` of the world."""
        gap, own, before = self.gaps[world["gap"]], world["people"][place], world["before"]
        told = [one[gap.point.name] for one in world["people"]]
        rng.shuffle(told)
        options = self.options(gap, own[gap.point.name], [before[place], *told] if place in before else told, rng)
        return {**world, "place": place, "own": own, "way": options[0], "options": options}

    def _room(self, entries: int) -> int:
        """Return how many people a library of `entries` entries can describe."""
        each = 2 if self.content.register else 1 + _CORRECTED if self.content.corrections else 1
        return int(entries / each)

    def write(self, facts: Facts, rng: Random) -> Draft:
        gap = self.gaps[facts["gap"]]
        instead = gap.instead.vary(self._slots(gap, facts, facts["place"]), rng) if gap.instead else ""
        own = {**facts["own"], INSTEAD: {gap.point.name: capital(instead)}}
        passage = gap.family.told.tell(own, rng, frozenset({gap.point.name}), self.between)
        return self.draft(gap, facts, passage, rng)

    between = "\n"

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        gap = self.gaps[facts["gap"]]
        made: list[Entry] = []
        for place, one in enumerate(facts["people"]):
            here, mine = Random(f"{facts['seed']}:{place}"), place == facts["place"]
            right = {**self._slots(gap, facts, place), gap.point.name: facts["way"] if mine else one[gap.point.name]}
            corrected = place in facts["before"]
            told = {**right, gap.point.name: facts["before"][place]} if corrected else right
            made.append(Entry(capital(gap.entry.vary(told, here)), mine and not corrected))
            if gap.register:
                made.append(Entry(capital(gap.register.vary(right, here)), mine, _KEY))
            if gap.correction and corrected:
                made.append(Entry(capital(gap.correction.vary(right, here)), mine))
        return made

    def change(self, facts: Facts, rng: Random) -> Facts:
        before = facts["before"].get(facts["place"])
        ways = [way for way in facts["options"][1:] if way != before] or facts["options"][1:]
        return {**facts, "way": rng.choice(ways)}

    def solve(self, facts: Facts) -> str:
        gap = self.gaps[facts["gap"]]
        return str(gap.family.solve({**facts["own"], "ask": gap.ask, gap.point.name: facts["way"]}))

    def check(self, facts: Facts, answer: str) -> bool:
        gap = self.gaps[facts["gap"]]
        return bool(gap.family.check({**facts["own"], "ask": gap.ask, gap.point.name: facts["way"]}, answer))

    def solution(self, facts: Facts, draft: Draft) -> str:
        needed = sorted((entry for entry in draft.library if entry.needed), key=lambda entry: entry.tells != _KEY)
        return "The passage does not tell it.\n" + quoted("library", [entry.text for entry in needed])

    def read(self, problem: Problem) -> Facts:
        passage = self.passage_of(problem)
        for number, gap in enumerate(self.gaps):
            if _reads(gap.family.asks[gap.ask].question, problem.question, {}) is None:
                continue
            own = gap.family.told.read(passage, gap.wanted)
            asked = _reads(gap.family.asks[gap.ask].question, problem.question, self.known(own))
            if asked is not None and gap.subject in own:
                own = gap.family.told.completed({**asked, **own})
                return {"gap": number, "own": own, "way": self._way(gap, own, passage, problem.library)}
        raise ValueError(f"{problem.id}: {problem.question!r} is no question of {self.set}")

    def known(self, own: Facts) -> Facts:
        """Return the facts that a question may name, in the form in which it writes them."""
        return own

    def _way(self, gap: Gap, own: Facts, passage: str, library: Sequence[str]) -> int:
        key: Any = own[gap.subject]
        who = key.lower()
        if gap.register:
            key = self._key(gap.register, library, who)
        elif gap.instead and "key" in gap.instead.names:
            key = next(_keys(gap.instead, passage))
        for entry in (gap.correction, gap.entry):
            for text in library if entry else ():
                found = _reads(entry, text, {}) or _reads(entry, text[:1].lower() + text[1:], {})
                if found and key in (found.get("key"), found.get("who")):
                    return int(found[gap.point.name])
        raise ValueError(f"the library does not tell of {key!r}")

    def _key(self, register: Wording, library: Sequence[str], who: str) -> Any:
        for text in library:
            found = _reads(register, text, {}) or _reads(register, text[:1].lower() + text[1:], {})
            if found and found["who"].lower() == who:
                return found["key"]
        raise ValueError(f"the library has no key of {who!r}")

    def _slots(self, gap: Gap, facts: Facts, place: int) -> dict[str, Any]:
        own = facts["people"][place]
        return {**own, "who": own[gap.subject]} | ({"key": facts["keys"][place]} if facts["keys"] else {})

    def _gaps(self, family: Any) -> Iterator[Gap]:
        told: PassageTemplate = family.told
        drawn = [name for draw in told.draws for name in draw.names]
        subject = next((name for name in _SUBJECTS if name in drawn), None)
        for number, ask in enumerate(family.asks):
            point = getattr(ask, "point", None)
            if subject is None or point is None or point.name not in told.apart:
                continue
            rest = told.passage.always(point.name)
            meant = frozenset().union(*(means.names for means in point.means))
            wanted = frozenset(name for name in {subject, *meant} if not name.startswith(f"{subject}_"))
            if wanted - rest:
                continue  # without the point, the passage may not state all that the question needs
            values = {**told.values, "told": Sentence(point.said), "who": told.values[subject]}
            if all(isinstance(row[""], str) for row in self.keys) and self.keys:
                values["key"] = tuple(row[""] for row in self.keys)
            entry = self._wording("entries", values, told)
            if entry is None or "told" not in self.content.entries:
                raise UserError(f"{Place(self.path) / 'entries'}: tells nothing; write lines with {{told}}")
            yield Gap(
                family, number, point, subject, entry,
                register=self._wording("register", values, told),
                correction=self._wording("corrections", values, told),
                instead=self._wording("instead", values, told),
                wanted=wanted,
            )  # fmt: skip

    def _wording(self, key: str, values: Mapping[str, Any], told: PassageTemplate) -> Wording | None:
        names = told.names | ({"key"} if self.keys else set())
        where = Place(self.path) / key
        made = tuple(wording(line, values, where, names) for line in lines(getattr(self.content, key)))
        return Either(made) if made else None


def _reads(texts: Wording | None, text: str, known: Facts) -> dict[str, Any] | None:
    try:
        return texts.read(text, known) if texts else None
    except ValueError:
        return None


def _keys(instead: Wording, passage: str) -> Iterator[Any]:
    """Yield the keys in the sentences that replace the omitted one.

    Raises:
        ValueError: the passage names no further key.
    """
    for start in sentence_starts(passage):
        for text in either_case(passage, start):
            yield from (found["key"] for _, found in instead.match(text, start, {}))
    raise ValueError("the passage names no entry")
