"""The base of science facts: what the families of the engine `facts` hold, one record a fact.

Example: `content/arc_synth/organ_job.yaml` says `heart: pumps blood to every part of the body`, which is
`Fact("heart", "organ_job", "pumps blood to every part of the body", "human body", "easy", …)`, and its `sentence` is
"The heart pumps blood to every part of the body."
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from pfe.tutors.content import Filled, content_files, engine_and_rest, read_content
from pfe.tutors.wording import capital, wording

ENGINE = "facts"
Level = Literal["easy", "challenge"]


@dataclass(frozen=True)
class Ask:
    """The questions about a table, by what is asked for; each a wording, or `question => how each choice reads`.

    Those that ask for the `subject` say the object, those for the `object` the subject, and those for the `odd` one
    the subject, too: three objects of it are offered, and one that is none. Questions for the object may say, besides
    the subject or in its place, what it is `{like}`: another object of that subject.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    subject: list[str] = field(default_factory=list)
    object: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class FactTable:
    """What one file says: a relation with all that it holds between, and how it is told and asked.

    Where subjects are sorted into `kinds`, choices are all of one kind. Of two subjects that are `alike` one is not
    offered, nor an object of it, where the other is right.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    topic: str
    level: Level
    sentence: Filled[str]
    facts: Filled[dict[str, Filled[str] | Filled[list[Filled[str]]]]]
    ask: Ask
    alike: list[list[str]] = field(default_factory=list)
    kinds: list[list[str]] = field(default_factory=list)

    @property
    def objects(self) -> Mapping[str, Sequence[str]]:
        """All objects of each subject."""
        return {subject: [held] if isinstance(held, str) else held for subject, held in self.facts.items()}


@dataclass(frozen=True)
class Fact:
    """One true sentence of grade-school science, in its parts; `telling` is the wording that joins them."""

    subject: str
    relation: str
    object: str
    topic: str
    level: Level
    telling: str


def sentence(fact: Fact) -> str:
    """The fact in plain English."""
    told = wording(fact.telling, where=fact.relation)
    return capital(told.text(0, {"subject": fact.subject, "object": fact.object}))


@cache
def facts(set: str = "arc_synth") -> tuple[Fact, ...]:
    """All facts of a set, in the order of the files.

    Raises:
        UserError: a file is wrong.
    """
    found: list[Fact] = []
    for path in content_files(set):
        engine, rest = engine_and_rest(path)
        if engine == ENGINE:
            found += facts_of(path.stem, fact_table(path, rest))
    return tuple(found)


def facts_of(relation: str, table: FactTable) -> list[Fact]:
    """The facts of one table."""
    return [
        Fact(subject, relation, object, table.topic, table.level, table.sentence)
        for subject, objects in table.objects.items()
        for object in objects
    ]


def fact_table(path: Path, rest: Mapping[str, Any]) -> FactTable:
    """The table that a file of the engine `facts` holds.

    Raises:
        UserError: a key is unknown, missing or ill-typed; names it, with the file.
    """
    return read_content(path, FactTable, dict(rest))
