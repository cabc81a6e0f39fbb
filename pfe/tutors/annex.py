"""Passages that leave out one thing, which stands in the library: in notes, files, records, signs.

Example: the passage on Kevin says "More about this in note 14." where it would tell why he looked for a job. The
library has notes 3, 9, 14 and 21, each with the reason of somebody; note 14 says "He had cracked a window …".

The passages, points and questions are those of the other families of the set. A file says how the library is kept:

| key | holds |
| --- | --- |
| `instead` | what the passage says in place of the sentence, may be nothing; it may name the `{key}` |
| `entries` | the entries of the library, with `{told}`, and `{key}` or `{who}` |
| `key` | where `{key}` is drawn from, as a slot of a passage is |
| `register` | entries from which one learns the `{key}` of `{who}`: one look-up more |
| `corrections` | entries that take the place of another: of two the correction is right |
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
from pfe.problem import Problem, Tier
from pfe.tutors.content import content_files, engine_and_rest, read_content
from pfe.tutors.family import LENGTHS, BoundFamily, ContentFamily, Draft, Entry, Facts
from pfe.tutors.telling import INSTEAD, Draw, Point, Sentence, Telling, either_case, lines, sentence_starts
from pfe.tutors.wording import Either, Wording, capital, wording

_SUBJECTS = ("hero", "name")
_CORRECTED = 0.6


@pydantic_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """What a family's file says."""

    entries: str
    key: Any = None
    instead: str = ""
    register: str = ""
    corrections: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Gap:
    """A point that a question asks for and that can be left out of a passage."""

    family: Any
    ask: int
    point: Point
    subject: str
    entry: Wording
    register: Wording | None
    correction: Wording | None
    instead: Wording | None
    wanted: frozenset[str]  # what must be read of the passage


class Annex(ContentFamily, BoundFamily):
    """A family whose passages leave one point to the library."""

    engine: type[ContentFamily]  # that of the families whose passages it takes

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = self.content.weight
        self.keys = Draw(("key",), self.content.key).rows({}, ()) if self.content.key is not None else []
        self.tier: Tier = "rule" if self.content.corrections else "two_hops" if self.content.register else "lookup"

    @abstractmethod
    def options(self, gap: Gap, facts: Facts, rng: Random) -> list[int]:
        """The ways of the point that stand for the possible answers, that of the facts first."""

    @abstractmethod
    def draft(self, gap: Gap, facts: Facts, passage: str, rng: Random) -> Draft:
        """The problem's text."""

    @abstractmethod
    def passage_of(self, problem: Problem) -> str:
        """What the problem tells, as the passage was told."""

    @cached_property
    def gaps(self) -> Sequence[Gap]:
        """What can be left out of the passages of the set."""
        name = self.engine.__module__.rpartition(".")[2]
        files = [path for path in content_files(self.set) if engine_and_rest(path)[0] == name]
        found = [gap for path in files for gap in self._gaps(self.engine(self.set, path))]
        if not found:
            raise UserError(
                f"{self.path}: no family of {self.set} with engine '{name}' has a point that can be left out"
            )
        return found

    def facts(self, rng: Random) -> Facts:
        gap = rng.randrange(len(self.gaps))
        entries = rng.choice(LENGTHS)
        keys = rng.sample(self.keys, min(len(self.keys), 2 * max(LENGTHS))) if self.keys else []
        here = self.gaps[gap]
        own = dict(here.family.told.draw(rng))
        options = self.options(here, own, rng)
        ways = options[1:] + [rng.randrange(len(here.point.means)) for _ in range(entries)]
        others: list[Facts] = []
        while len(others) < max(len(options) - 1, self._room(entries)):
            other = {**here.family.told.draw(rng), here.point.name: ways[len(others)]}
            if other[here.subject] not in {own[here.subject], *(one[here.subject] for one in others)}:
                others.append(other)
        corrected = bool(self.content.corrections) and rng.random() < _CORRECTED
        return {
            "gap": gap, "own": own, "way": options[0], "options": options, "others": others,
            "keys": [row[""] for row in keys], "seed": rng.getrandbits(32),
            "before": rng.choice(options[1:]) if corrected else None,
        }  # fmt: skip

    def _room(self, entries: int) -> int:
        """How many others the library tells of."""
        return max(1, (entries - 1) // 2 if self.content.register else entries - 1)

    def write(self, facts: Facts, rng: Random) -> Draft:
        gap = self.gaps[facts["gap"]]
        instead = gap.instead.vary(self._slots(gap, facts, 0), rng) if gap.instead else ""
        own = {**facts["own"], INSTEAD: {gap.point.name: capital(instead)}}
        passage = gap.family.told.tell(own, rng, frozenset({gap.point.name}), self.between)
        return self.draft(gap, facts, passage, rng)

    between = "\n"

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        gap = self.gaps[facts["gap"]]
        made: list[Entry] = []
        for place, own in enumerate([{**facts["own"], gap.point.name: facts["way"]}, *facts["others"]]):
            here = Random(f"{facts['seed']}:{place}")
            slots = {**self._slots(gap, facts, place), **own}
            mine = place == 0
            corrected = mine and facts["before"] is not None
            told = {**slots, gap.point.name: facts["before"]} if corrected else slots
            made.append(Entry(capital(gap.entry.vary(told, here)), mine and not corrected))
            if gap.register:
                made.append(Entry(capital(gap.register.vary(slots, here)), mine))
            if gap.correction and (corrected or (place == 1 and facts["before"] is None)):
                now = slots if mine else {**slots, gap.point.name: facts["options"][-1]}
                made.append(Entry(capital(gap.correction.vary(now, here)), corrected))
        return made

    def change(self, facts: Facts, rng: Random) -> Facts:
        ways = [way for way in facts["options"][1:] if way != facts["before"]] or facts["options"][1:]
        return {**facts, "way": rng.choice(ways)}

    def solve(self, facts: Facts) -> str:
        gap = self.gaps[facts["gap"]]
        return str(gap.family.solve({**facts["own"], "ask": gap.ask, gap.point.name: facts["way"]}))

    def check(self, facts: Facts, answer: str) -> bool:
        gap = self.gaps[facts["gap"]]
        return bool(gap.family.check({**facts["own"], "ask": gap.ask, gap.point.name: facts["way"]}, answer))

    def solution(self, facts: Facts) -> str:
        cited = [entry.text for entry in self.entries(facts, Random(0)) if entry.needed]
        return "The passage does not tell it.\n" + "\n".join(f'The library says: "{text}"' for text in cited)

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
        """What a question may name, as it writes it."""
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
        own = facts["own"] if place == 0 else facts["others"][place - 1]
        return {**own, "who": own[gap.subject]} | ({"key": facts["keys"][place]} if facts["keys"] else {})

    def _gaps(self, family: Any) -> Iterator[Gap]:
        told: Telling = family.told
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
                continue  # what is asked could not be read any more
            values = {**told.values, "told": Sentence(point.said), "who": told.values[subject]}
            if all(isinstance(row[""], str) for row in self.keys) and self.keys:
                values["key"] = tuple(row[""] for row in self.keys)
            entry = self._wording(self.content.entries, values)
            if entry is None:
                raise UserError(f"{self.path}: entries is empty; write lines with {{told}}")
            yield Gap(
                family, number, point, subject, entry,
                register=self._wording(self.content.register, values),
                correction=self._wording(self.content.corrections, values),
                instead=self._wording(self.content.instead, values),
                wanted=wanted,
            )  # fmt: skip

    def _wording(self, text: str, values: Mapping[str, Any]) -> Wording | None:
        made = tuple(wording(line, values, str(self.path)) for line in lines(text))
        return Either(made) if made else None


def _reads(texts: Wording | None, text: str, known: Facts) -> dict[str, Any] | None:
    try:
        return texts.read(text, known) if texts else None
    except ValueError:
        return None


def _keys(instead: Wording, passage: str) -> Iterator[Any]:
    """The keys in the sentences that stand for what is left out."""
    for start in sentence_starts(passage):
        for text in either_case(passage, start):
            yield from (found["key"] for _, found in instead.match(text, start, {}))
    raise ValueError("the passage names no entry")
