"""Sentences with a blank that stands for one of two; another trigger, and it stands for the other: twins.

Example: "{a} lent {b} a scarf because _ was [warm enough|freezing]." makes "Ruth lent Carla a scarf because _ was
freezing." (Carla) and its twin "… because _ was warm enough." (Ruth).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content, table
from pfe.tutors.family import ContentFamily, Draft, Facts
from pfe.tutors.wording import Wording, wording

_TRIGGER = re.compile(r"\[(?P<a>[^\[\]~]+)~(?P<b>[^\[\]~]+)\]")
_SIDES = ("a", "b")


@dataclass(frozen=True)
class Twins:
    """What a family's file says.

    Attributes:
        why: what decides, in words: how the two differ.
        sentences: each with `_`, both `{a}` and `{b}`, and one trigger, `[behind which _ is a ~ behind which it is b]`.
            With people the slots `{his}`, `{him}`, `{he}`, `{himself}` are those of both; other slots are of `props`.
        things: pairs that may stand for a and b, where they are no people; in the order that the sentences need.
        props: what else stands in braces: slots and what may be there.
    """

    why: str
    sentences: tuple[str, ...]
    things: tuple[tuple[str, str], ...] = ()
    props: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Engine(ContentFamily):
    """Twins of one kind; see `Twins` for what the file says."""

    domain = "coreference"
    scorer = "choice"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.twins = read_content(path, Twins, rest)
        for sentence in self.twins.sentences:
            if len(_TRIGGER.findall(sentence)) != 1:
                raise UserError(f"{path}: {sentence!r:.80}: write one trigger, as in [warm enough ~ freezing]")
            if sentence.count("_") != 1:
                raise UserError(f"{path}: {sentence!r:.80}: write one blank, _")
            if not ({"{a}", "{b}"} <= {*re.findall(r"\{[ab]\}", sentence.replace(":C", ""))}):
                raise UserError(f"{path}: {sentence!r:.80}: name both {{a}} and {{b}}")

    def facts(self, rng: Random) -> Facts:
        slots: dict[str, str] = {slot: rng.choice(values) for slot, values in self.twins.props.items()}
        gender = rng.choice(("she", "he"))
        names = rng.sample(table("first_names")[gender], 3)
        a, b = rng.choice(self.twins.things) if self.twins.things else names[:2]
        slots |= {"a": a, "b": b, "who": names[2], **_PRONOUNS[gender]}
        return {"slots": slots, "sentence": rng.randrange(len(self.twins.sentences)), "side": rng.choice(_SIDES)}

    def write(self, facts: Facts, rng: Random) -> Draft:
        slots = facts["slots"]
        choices = [slots["a"], slots["b"]]
        rng.shuffle(choices)
        text = self._wordings[facts["sentence"]][facts["side"]].write(slots, rng)
        return Draft(text, choices=tuple(choices))

    def solve(self, facts: Facts) -> str:
        return str(facts["slots"][facts["side"]])

    def check(self, facts: Facts, answer: str) -> bool:
        """Whether no wording with the other trigger gives a sentence in which the blank is `answer`."""
        (other,) = {*_SIDES} - {facts["side"]}
        return answer in (facts["slots"]["a"], facts["slots"]["b"]) and answer != facts["slots"][other]

    def solution(self, facts: Facts) -> str:
        slots, side = facts["slots"], facts["side"]
        (other,) = {*_SIDES} - {side}
        trigger, twin = (self._triggers[facts["sentence"]][one].text(0, slots) for one in (side, other))
        return f'{self.twins.why}\n"{trigger}" speaks of {slots[side]}; were it "{twin}", that would be {slots[other]}.'

    def read(self, problem: Problem) -> Facts:
        for a, b in (problem.choices, problem.choices[::-1]):
            for sentence, sides in enumerate(self._wordings):
                for side, told in sides.items():
                    for slots in _reads(told, problem.question, {"a": a, "b": b}):
                        if not self.twins.things or (a, b) in self.twins.things:
                            return {"slots": slots, "sentence": sentence, "side": side}
        raise ValueError(f"{problem.id}: {problem.question!r} is no sentence of {self.name}")

    @cached_property
    def _wordings(self) -> tuple[Mapping[str, Wording], ...]:
        return tuple(
            {side: self._wording(_TRIGGER.sub(_side(side), sentence)) for side in _SIDES}
            for sentence in self.twins.sentences
        )

    @cached_property
    def _triggers(self) -> tuple[Mapping[str, Wording], ...]:
        found = [_TRIGGER.search(sentence) for sentence in self.twins.sentences]
        return tuple({side: self._wording(match[side].strip()) for side in _SIDES} for match in found if match)

    def _wording(self, source: str) -> Wording:
        names = table("first_names")
        words = {name: tuple(words[name] for words in _PRONOUNS.values()) for name in _PRONOUNS["he"]}
        people = {"who": (*names["she"], *names["he"])}
        return wording(source, {**words, **people, **self.twins.props}, f"{self.path}")


def _side(side: str) -> Any:
    return lambda match: match[side].strip()


def _reads(told: Wording, text: str, known: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for end, slots in told.match(text, 0, known):
        if end == len(text):
            yield slots


_PRONOUNS = {
    "she": {"he": "she", "his": "her", "him": "her", "himself": "herself"},
    "he": {"he": "he", "his": "his", "him": "him", "himself": "himself"},
}
