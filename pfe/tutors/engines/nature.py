"""Laws of an invented nature: substances, creatures, plants, worlds and machines with invented names.

Example: "Every animal with three fins sheds its shell in winter." and "The tolma has three fins." determine what a
tolma does in winter, unless it lives in caves and "An animal with three fins that lives in caves sleeps in winter." The
rules are those of `pfe.tutors.engines.rules`; names are invented, and choices are worded as in a science test.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from random import Random
from typing import Any, ClassVar, Literal, cast

from pfe.errors import UserError, nearest
from pfe.tutors.content import table
from pfe.tutors.engines import rules
from pfe.tutors.facts import facts
from pfe.tutors.family import Facts
from pfe.tutors.invented_words import coined
from pfe.tutors.place import Place
from pfe.tutors.wording import Match, Single, Slots, Values, Wording, capital, wording

_PHRASES = "asking"
_NAMES = 1000  # for each of at most three slots with invented names in a family


@cache
def _names() -> list[str]:
    return coined(Random("nature"), 3 * _NAMES)


@dataclass(frozen=True)
class NatureBook(rules.Rulebook):
    """A rulebook in which some slots have invented names.

    Attributes:
        coined: how the names of each such slot are written: a `word` in lower case, a `name` capitalised.
        borrowed: slots that may also have the objects (or `<table>.subjects`) of a table of facts as values.
        choice: wordings of a choice; all four choices use the same one, which may also state what the question states.
    """

    coined: Mapping[str, Literal["word", "name"]] = field(default_factory=dict)
    borrowed: Mapping[str, str] = field(default_factory=dict)
    choice: str = ""

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        names, values = iter(_names()), dict(super().values)
        for slot, source in self.borrowed.items():
            values[slot] = tuple(dict.fromkeys((*values.get(slot, ()), *_lent(source))))
        for slot, kind in self.coined.items():
            values[slot] = tuple(capital(name) if kind == "name" else name for name in islice(names, _NAMES))
        return values


def _lent(source: str) -> Sequence[str]:
    """Return the objects of a table of facts, or its subjects.

    Raises:
        UserError: there is no such table.
    """
    relation, _, side = source.partition(".")
    lent = [fact for fact in facts() if fact.relation == relation]
    if not lent:
        raise UserError(f"unknown table of facts '{relation}'; {nearest(relation, {f.relation for f in facts()})}")
    return [fact.subject if side == "subjects" else fact.object for fact in lent]


@dataclass(frozen=True)
class Coined(Single):
    """A slot that has one word."""

    def text(self, number: int, slots: Slots) -> str:
        return str(slots[self.name])

    def match(self, text: str, start: int, slots: dict[str, Any]) -> Iterator[Match]:
        word = re.compile(r"[A-Za-z]+").match(text, start)
        if word and slots.get(self.name, word[0]) == word[0]:
            yield word.end(), {**slots, self.name: word[0]}


class Engine(rules.Engine):
    """Science questions about one kind of invented laws; `NatureBook` documents the content of the file."""

    domain = "science"
    kind: ClassVar[type[rules.Rulebook]] = NatureBook

    def options(self, facts: Facts, rng: Random) -> Facts:
        value, others = self.alternatives(facts, rng)
        reads = rng.randrange(self._choice.count)
        values = (value, *others[: self.answers - 1])
        said = facts["slots"]
        return {"options": tuple(self._choice.text(reads, {**said, self.book.answer: one}) for one in values)}

    def meanings(self, facts: Facts) -> dict[str, str]:
        said = facts["slots"]
        return {option: self._choice.read(option, said)[self.book.answer] for option in facts["options"]}

    def asking(self, facts: Facts) -> Wording:
        """Return the questions that go with the choices.

        If the choices are sentences, these are complete questions. If the choices only complete a sentence, such as a
        verb phrase, they are unfinished questions.
        """
        return self._closed if facts["options"][0].endswith(".") else self._open

    @cached_property
    def _closed(self) -> Wording:
        asked = self.book.question
        return self.questions([one for one in asked if one.endswith(("?", "."))] or asked)

    @cached_property
    def _open(self) -> Wording:
        asked, choice = self.book.question, cast(NatureBook, self.book).choice
        broken = [one for one in asked if not one.endswith(("?", "."))]
        needs_subject = "." in choice and f"{{{self.book.answer}:C}}" not in choice
        return self.questions(broken if broken and needs_subject else asked)

    def check_slots(self, where: Place) -> None:
        super().check_slots(where)
        for slot, source in cast(NatureBook, self.book).borrowed.items():
            try:
                _lent(source)
            except UserError as error:
                raise UserError(f"{Place(self.path) / 'borrowed' / slot}: {error}") from None

    @cached_property
    def values(self) -> Mapping[str, Values]:
        shared = {name: wording(text, where=_PHRASES) for name, text in table(_PHRASES).items()}
        names = {slot: Coined(slot) for slot in cast(NatureBook, self.book).coined}
        return {**shared, **self.book.values, **names}

    @cached_property
    def _choice(self) -> Wording:
        source = cast(NatureBook, self.book).choice or f"{{{self.book.answer}}}"
        return wording(source, self.values, Place(self.path) / "choice", ())
