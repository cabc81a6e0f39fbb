"""What the passage families share: topics, how they are told and read again, invented names.

Example: a topic with the key `say("The {name} opened in {year:d}.", "In {year:d} the {name} was opened.")` is told
in one of the two wordings, somewhere in a passage about a bridge; reading finds the sentence and gives the year back.
"""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, ClassVar

from pfe.problem import Problem
from pfe.tutors.families.boolq_synth.kinds import KINDS, fill, title
from pfe.tutors.family import Draft, Facts, Family, unfill_any

CHOICES = ("no", "yes")
_MARK = "§"


@dataclass(frozen=True)
class Said:
    """Wordings of one sentence, and what else is meant where it is said."""

    wordings: tuple[str, ...]
    means: Mapping[str, Any] = field(default_factory=dict)


Key = tuple[Said, ...]


def say(*wordings: str, **means: Any) -> Key:
    """A key sentence. Keys add up: `say("It is open.", open=True) + say("It is shut.", open=False)`."""
    return (Said(wordings, means),)


@dataclass(frozen=True)
class Topic:
    """What a passage is about: the sentences that carry facts, and the questions that may follow.

    `kind` names the entity, which brings an opening sentence and padding, unless the topic has its own `opening` or
    `padding`.
    """

    kind: str
    keys: tuple[Key, ...]
    questions: Key
    opening: Key = ()
    padding: tuple[str, ...] = ()


class Passage(Family):
    """A passage about invented things and a yes/no question in lower case without a question mark."""

    domain = "boolean"
    scorer = "boolean"
    topics: ClassVar[Mapping[str, Topic]]

    def start(self, rng: Random) -> dict[str, Any]:
        """A topic, and the name of what the passage is about."""
        topic = rng.choice(list(self.topics))
        return {"topic": topic, "name": title(self.topics[topic].kind, rng)}

    def write(self, facts: Facts, rng: Random) -> Draft:
        topic = self.topics[facts["topic"]]
        openings, padding = KINDS[topic.kind]
        opening = fill(rng.choice(openings), facts["name"], rng)
        if topic.opening:
            opening = _sentence(topic.opening, facts, rng)
        body = [_sentence(key, facts, rng) for key in topic.keys]
        target = rng.randint(66, 100)
        padding = topic.padding or padding
        for sentence in rng.sample(padding, len(padding)):
            if len(" ".join([opening, *body]).split()) >= target:
                break
            body.insert(rng.randint(0, len(body)), fill(sentence, facts["name"], rng))
        context = f"{facts['name']} -- {' '.join([opening, *body])}"
        return Draft(_sentence(topic.questions, facts, rng).lower(), context=context, choices=CHOICES)

    def read(self, problem: Problem) -> Facts:
        name, _, passage = problem.context.partition(" -- ")
        sentences = re.split(r"(?<=\.) (?=[A-Z])", passage)
        marked = [_mark(name, sentence) for sentence in sentences]
        for label, topic in self.topics.items():
            facts: dict[str, Any] = {}
            try:
                for key in (topic.opening, *topic.keys):
                    facts |= _found(key, marked, facts)
                asked = _found(topic.questions, [_mark(name.lower(), problem.question)], facts)
            except ValueError:
                continue
            return asked | facts | {"topic": label, "name": name}
        raise ValueError(f"{problem.id}: no topic of {self.name} fits")

    def solve(self, facts: Facts) -> str:
        return "yes" if self.holds(facts) else "no"

    def check(self, facts: Facts, answer: str) -> bool:
        return answer in CHOICES and (self.refutes(facts) if answer == "no" else not self.refutes(facts))

    @abstractmethod
    def holds(self, facts: Facts) -> bool:
        """Whether the passage supports what is asked."""

    @abstractmethod
    def refutes(self, facts: Facts) -> bool:
        """Whether the passage rules out what is asked, found by another way than `holds`."""


def number(text: str) -> int:
    """A whole number written with commas, such as `12,400`."""
    return int(text.replace(",", ""))


def same(one: str, other: str) -> bool:
    """Whether two names are the same but for capital letters."""
    return one.lower() == other.lower()


def _sentence(key: Key, facts: Facts, rng: Random) -> str:
    """One wording of the sentence that means what the facts say."""
    fitting = [said for said in key if all(facts[name] == value for name, value in said.means.items())]
    sentence = rng.choice([wording for said in fitting for wording in said.wordings]).format(**facts)
    return sentence[0].upper() + sentence[1:]


def _found(key: Key, sentences: list[str], known: Facts) -> dict[str, Any]:
    """What the first sentence that fits the key, and agrees with what is known, says.

    Raises:
        ValueError: no sentence does.
    """
    for said, sentence in product(key, sentences):
        for wording in said.wordings:
            marked = wording.replace("{name}", _MARK)
            try:
                found = unfill_any((marked[0].upper() + marked[1:], marked), sentence)
            except ValueError:
                continue
            if all(same(str(known.get(slot, value)), str(value)) for slot, value in found.items()):
                return found | dict(said.means)
    if key:
        raise ValueError("no sentence fits")
    return {}


def _mark(name: str, text: str) -> str:
    """The text with a mark for the name, which may hold the same words as the slots around it."""
    return re.sub(rf"\b{re.escape(name)}\b", _MARK, text)
