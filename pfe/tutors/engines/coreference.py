"""Twin sentences whose blank stands for one of two people or things; exchanging the trigger makes it the other one.

Example: "{a} lent {b} a scarf because _ was [warm enough~freezing]." makes "Ruth lent Carla a scarf because _ was
freezing." (Carla) and its twin "… because _ was warm enough." (Ruth).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pydantic import ConfigDict

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import Filled, engine_and_rest, read_content, table
from pfe.tutors.family import ContentFamily, Draft, Facts
from pfe.tutors.place import Place
from pfe.tutors.wording import Either, Joined, Wording, wording

_TRIGGER = re.compile(r"\[(?P<a>[^\[\]~]+)~(?P<b>[^\[\]~]+)\]")
_SIDES = ("a", "b")
_ADJUNCTS = 0.25


@dataclass(frozen=True)
class Sentence:
    """A sentence about two things: its text, and the possible values of each."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    text: str
    a: Filled[tuple[str, ...]]
    b: Filled[tuple[str, ...]]


@dataclass(frozen=True)
class Twins:
    """The content of a family's file.

    Attributes:
        why: what decides, in words: how the two differ.
        sentences: each with `_`, `{a}`, `{b}` and one trigger, `[if _ is a ~ if _ is b]`. For two people, `{his}`,
            `{him}`, `{he}` and `{himself}` are the pronouns of both, and of `{who}`, a third one.
        props: the other slots in braces, with their possible values.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    why: Filled[str]
    sentences: Filled[tuple[str | Sentence, ...]]
    props: Mapping[str, Filled[tuple[str, ...]]] = field(default_factory=dict)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(sentence if isinstance(sentence, str) else sentence.text for sentence in self.sentences)


class Engine(ContentFamily):
    """Twins of one kind; `Twins` documents the content of the file."""

    domain = "coreference"
    scorer = "choice"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.twins = read_content(path, Twins, rest)
        self.weight = float(len(self.twins.sentences))
        for number, text in enumerate(self.twins.texts):
            where = self._place(number).quoting(text)
            if len(_TRIGGER.findall(text)) != 1:
                raise UserError(f"{where}: write one trigger, as in [warm enough~freezing]")
            if text.count("_") != 1:
                raise UserError(f"{where}: write one blank, _")
            if not {"{a", "{b"} <= {*re.findall(r"\{[ab](?=[:}])", text)}:
                raise UserError(f"{where}: name both {{a}} and {{b}}")

    def facts(self, rng: Random) -> Facts:
        slots: dict[str, str] = {slot: rng.choice(values) for slot, values in self.twins.props.items()}
        gender = rng.choice(("she", "he"))
        names = rng.sample(table("first_names")[gender], 3)
        number = rng.randrange(len(self.twins.sentences))
        sentence = self.twins.sentences[number]
        a, b = names[:2] if isinstance(sentence, str) else (rng.choice(sentence.a), rng.choice(sentence.b))
        slots |= {"a": a, "b": b, "who": names[2], **_PRONOUNS[gender]}
        return {"slots": slots, "sentence": number, "side": rng.choice(_SIDES)}

    def write(self, facts: Facts, rng: Random) -> Draft:
        slots = facts["slots"]
        choices = [slots["a"], slots["b"]]
        rng.shuffle(choices)
        told, behind = self._wordings[facts["sentence"]][facts["side"]]
        text = (behind if behind and rng.random() < _ADJUNCTS else told).write(slots, rng)
        return Draft(text, choices=tuple(choices))

    def solve(self, facts: Facts) -> str:
        return str(facts["slots"][facts["side"]])

    def check(self, facts: Facts, answer: str) -> bool:
        """Return whether `answer` is one of the two, and is not the one for which the other trigger stands."""
        (other,) = {*_SIDES} - {facts["side"]}
        return answer in (facts["slots"]["a"], facts["slots"]["b"]) and answer != facts["slots"][other]

    def solution(self, facts: Facts, draft: Draft) -> str:
        slots, side, triggers = facts["slots"], facts["side"], self._triggers[facts["sentence"]]
        (other,) = {*_SIDES} - {side}
        trigger, twin = triggers[side].part_of(draft.question, slots), triggers[other].text(0, slots)
        return f'{self.twins.why}\n"{trigger}" speaks of {slots[side]}; of {slots[other]} it would say: {twin}.'

    def read(self, problem: Problem) -> Facts:
        for a, b in (problem.choices, problem.choices[::-1]):
            for sentence, sides in enumerate(self._wordings):
                if not self._may_be(sentence, a, b):
                    continue
                for side, wordings in sides.items():
                    for slots in _reads(wordings, problem.question, {"a": a, "b": b}):
                        return {"slots": slots, "sentence": sentence, "side": side}
        raise ValueError(f"{problem.id}: {problem.question!r} is no sentence of {self.name}")

    def _may_be(self, number: int, a: str, b: str) -> bool:
        sentence = self.twins.sentences[number]
        return isinstance(sentence, str) or (a in sentence.a and b in sentence.b)

    @cached_property
    def _wordings(self) -> tuple[Mapping[str, tuple[Wording, Wording | None]], ...]:
        """Return the wordings of both sides of every sentence: as it is, and with an adjunct in front.

        There is no wording with an adjunct unless the sentence begins with a slot.
        """
        return tuple(
            {side: self._side(_TRIGGER.sub(partial(_chosen, side), text), self._place(number)) for side in _SIDES}
            for number, text in enumerate(self.twins.texts)
        )

    def _place(self, number: int) -> Place:
        return Place(self.path) / "sentences" / number

    def _side(self, text: str, where: Place) -> tuple[Wording, Wording | None]:
        told = self._wording(text, where)
        if not text.startswith(("{", "The {")):
            return told, None
        return told, Joined((self._before, self._wording(text.replace("The {", "the {", 1), where)), ("", " "))

    @cached_property
    def _before(self) -> Wording:
        return Either(tuple(self._wording(text, Place("adjuncts.yaml")) for text in table("adjuncts")["before"]))

    @cached_property
    def _triggers(self) -> tuple[Mapping[str, Wording], ...]:
        found = [_TRIGGER.search(text) for text in self.twins.texts]
        return tuple(
            {side: self._wording(match[side].strip(), self._place(number)) for side in _SIDES}
            for number, match in enumerate(found)
            if match
        )

    def _wording(self, source: str, where: Place) -> Wording:
        names = table("first_names")
        words = {name: tuple(words[name] for words in _PRONOUNS.values()) for name in _PRONOUNS["he"]}
        people = {"who": (*names["she"], *names["he"])}
        return wording(source, {**words, **people, **self.twins.props}, where, _SIDES)


def _chosen(side: str, trigger: re.Match[str]) -> str:
    return trigger[side].strip()


def _reads(wordings: Iterable[Wording | None], text: str, known: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for told in wordings:
        for end, slots in told.match(text, 0, known) if told else ():
            if end == len(text):
                yield slots


_PRONOUNS = {
    "she": {"he": "she", "his": "her", "him": "her", "himself": "herself"},
    "he": {"he": "he", "his": "his", "him": "him", "himself": "himself"},
}
