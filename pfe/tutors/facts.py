"""The base of science facts: one record for each fact in the families of the engine `facts`.

Example: `content/arc_synth/organ_job.yaml` says `heart: pumps blood to every part of the body`, which becomes
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
    """The questions about a table, by what they ask for; each is a wording, or `question => wording of each choice`.

    Questions for the `subject` state the object. Questions for the `object` state the subject. Questions for the `odd`
    one out state the subject, too: three choices are its objects, and the correct one is not. Questions for the object
    may also state, in addition to or instead of the subject, another object of that subject: `{like}`.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    subject: list[str] = field(default_factory=list)
    object: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class FactTable:
    """The content of one file: a relation, all facts of this relation, and how they are worded and asked.

    If `kinds` groups the subjects, all choices are of one kind. If two subjects are `alike` and one of them is correct,
    neither the other nor its objects are offered.
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
        """Return all objects of each subject."""
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
    """Return the fact as an English sentence."""
    told = wording(fact.telling, where=fact.relation)
    return capital(told.text(0, {"subject": fact.subject, "object": fact.object}))


@cache
def facts(set: str = "arc_synth") -> tuple[Fact, ...]:
    """Return all facts of a set, in the order of the files.

    Raises:
        UserError: a file is malformed.
    """
    found: list[Fact] = []
    for path in content_files(set):
        engine, rest = engine_and_rest(path)
        if engine == ENGINE:
            found += facts_of(path.stem, fact_table(path, rest))
    return tuple(found)


def facts_of(relation: str, table: FactTable) -> list[Fact]:
    """Return the facts of one table."""
    return [
        Fact(subject, relation, object, table.topic, table.level, table.sentence)
        for subject, objects in table.objects.items()
        for object in objects
    ]


def fact_table(path: Path, rest: Mapping[str, Any]) -> FactTable:
    """Return the table in a file of the engine `facts`.

    Raises:
        UserError: a key is unknown, missing or ill-typed; names it, with the file.
    """
    return read_content(path, FactTable, dict(rest))
