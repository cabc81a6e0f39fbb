"""Look-up and two hops: what is so of a thing, or of another thing that belongs to it.

Example of two hops: "The guild of the moalen keeps the chuedin." and "The chuedin is made of glass." answer "What is
the tool that the guild of the moalen keeps made of?" with glass.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.invented.family import ARTICLE, SIZES, InventedFamily, names
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content
from pfe.tutors.family import Draft, Entry, Facts
from pfe.tutors.wording import Wording, one_of

_STRICT = ConfigDict(extra="forbid", strict=False)
_CHOICES = 4
_GUESSED = 8  # of fewer values than this one is guessed too often, so they are always choices
Texts = Annotated[tuple[str, ...], MinLen(1)]


@dataclass(frozen=True, config=_STRICT)
class Attribute:
    """What is said of a thing, and what the world says of real ones.

    `says` has {thing} and {value}, `asks` {thing}; `world` gives real things of each value, by their noun phrases: all
    values have some, so that none of four choices is likelier than another.
    """

    says: Texts
    asks: Texts
    world: Annotated[Mapping[str, Texts], MinLen(_CHOICES)]

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.world)


@dataclass(frozen=True, config=_STRICT)
class Relation:
    """What belongs to a thing: `says` has {thing} and {other}."""

    says: Texts


@dataclass(frozen=True, config=_STRICT)
class Content:
    """One family: its attributes; in two hops the `relation` to what has them, in one what a thing is `called`."""

    attributes: Mapping[str, Attribute]
    relation: Relation | None = None
    called: tuple[str, ...] = ()


class Relations(InventedFamily):
    """Things and what holds of them; behind a relation, if there is one."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self.skill = "hops" if self.content.relation else "lookup"

    def facts(self, rng: Random) -> Facts:
        attribute = rng.choice(list(self.content.attributes))
        described = self.content.attributes[attribute]
        by_world = rng.choice(described.values)
        right, changed, *others = rng.sample([value for value in described.values if value != by_world], 3)
        choices = rng.sample([right, changed, by_world, *others], _CHOICES)
        things, owners = self._cast(rng)
        values = dict(zip(things, [right, by_world, changed, *others], strict=False))
        for thing in things[len(values) :]:
            values[thing] = rng.choice(described.values)
        return {
            "attribute": attribute,
            "asked": owners[0] if owners else things[0],
            "target": things[0],
            "values": values,
            "owners": dict(zip(owners, things, strict=False)),
            "aside": self._aside(attribute, things, rng),
            "choices": tuple(choices) if len(described.values) < _GUESSED or rng.random() < 0.5 else (),
            "changed": changed,
            "by_world": by_world,
            "real": rng.choice(described.world[by_world]),
        }

    def _cast(self, rng: Random) -> tuple[list[str], list[str]]:
        hops = 2 if self.content.relation else 1
        count = max(_CHOICES, rng.choice(SIZES) // hops)
        cast = [ARTICLE + name for name in names(rng, hops * count)]
        rng.shuffle(cast)
        return cast[:count], cast[count:]

    def _aside(self, attribute: str, things: Sequence[str], rng: Random) -> Mapping[str, tuple[str, str]]:
        """Of every third thing a value of another attribute, where there is one."""
        others = [name for name in self.content.attributes if name != attribute]
        if not others:
            return {}
        drawn = {thing: rng.choice(others) for thing in things[::3]}
        return {thing: (name, rng.choice(self.content.attributes[name].values)) for thing, name in drawn.items()}

    def write(self, facts: Facts, rng: Random) -> Draft:
        question = self._asks[facts["attribute"]].write({"thing": facts["asked"]}, rng)
        return Draft(question, choices=facts["choices"])

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        return list(self._entries(facts, rng, []))

    def contradiction(self, facts: Facts, rng: Random) -> tuple[Sequence[Entry], str, str]:
        real, value = facts["real"], facts["values"][facts["target"]]
        denied = Entry(self._says[facts["attribute"]].write({"thing": real, "value": value}, Random(real)), needed=True)
        return list(self._entries(facts, rng, [denied])), value, facts["by_world"]

    def _entries(self, facts: Facts, rng: Random, denied: Sequence[Entry]) -> Iterable[Entry]:
        """The library; where `denied` is given, it and a link to the real thing stand for what is needed."""
        for thing, value in facts["values"].items():
            text = self._says[facts["attribute"]].write({"thing": thing, "value": value}, rng)
            needed = thing == facts["target"]
            if not (needed and denied):
                yield Entry(text, needed)
        for thing, (attribute, value) in facts["aside"].items():
            yield Entry(self._says[attribute].write({"thing": thing, "value": value}, rng))
        for owner, thing in facts["owners"].items():
            needed = owner == facts["asked"]
            other = facts["real"] if needed and denied else thing
            yield Entry(self._relation.write({"thing": owner, "other": other}, rng), needed)
        yield from denied
        if denied and not facts["owners"]:
            yield Entry(self._called.write({"thing": facts["asked"], "real": facts["real"]}, rng), needed=True)

    def change(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "values": {**facts["values"], facts["target"]: facts["changed"]}}

    def solve(self, facts: Facts) -> str:
        return str(facts["values"][facts["target"]])

    def check(self, facts: Facts, answer: str) -> bool:
        return facts["target"] in {thing for thing, value in facts["values"].items() if value == answer}

    def candidates(self, problem: Problem) -> Iterable[str]:
        return problem.choices or self.content.attributes[self._question(problem)[0]].values

    def solution(self, facts: Facts, draft: Draft) -> str:
        lines = [f"What is said of {facts['target']} decides."]
        if facts["owners"]:
            lines.insert(0, f"{facts['asked']} leads to {facts['target']}.")
        return "\n".join([*lines, f"It is: {self.solve(facts)}."])

    def read(self, problem: Problem) -> Facts:
        attribute, asked = self._question(problem)
        owners = {}
        target = asked
        if self.content.relation:
            found = [slots for text in problem.library if (slots := self._relation.slots_of(text))]
            owners = {slots["thing"]: slots["other"] for slots in found}
            if asked not in owners:
                raise ValueError(f"{problem.id}: nothing is said of {asked}")
            target = owners[asked]
        statements = [slots for text in problem.library if (slots := self._says[attribute].slots_of(text))]
        values = {slots["thing"]: slots["value"] for slots in statements}
        if target not in values:
            raise ValueError(f"{problem.id}: nothing is said of {target}")
        return {"attribute": attribute, "asked": asked, "target": target, "values": values, "owners": owners}

    def _question(self, problem: Problem) -> tuple[str, str]:
        for attribute, wording in self._asks.items():
            if slots := wording.slots_of(problem.question):
                return attribute, str(slots["thing"])
        raise ValueError(f"{problem.id}: {problem.question!r} is no question of {self.name}")

    @cached_property
    def _says(self) -> Mapping[str, Wording]:
        return {
            name: one_of(attribute.says, {"value": attribute.values}, f"{self.path}: attributes.{name}.says")
            for name, attribute in self.content.attributes.items()
        }

    @cached_property
    def _asks(self) -> Mapping[str, Wording]:
        return {
            name: one_of(attribute.asks, where=f"{self.path}: attributes.{name}.asks")
            for name, attribute in self.content.attributes.items()
        }

    @cached_property
    def _relation(self) -> Wording:
        relation = self.content.relation
        return one_of(relation.says if relation else (), where=f"{self.path}: relation.says")

    @cached_property
    def _called(self) -> Wording:
        return one_of(self.content.called, where=f"{self.path}: called")
