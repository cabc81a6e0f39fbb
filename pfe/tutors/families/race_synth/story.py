"""What the families of race_synth share: a passage of alternative sentences, and questions that know their answer.

Example: the passage text

    - The gate opens at {open}.
    | You can come in from {open}.
    ? Dogs are welcome.

is one sentence that has two wordings, and one that may be left out; a blank line begins a paragraph. Reading goes back
from "You can come in from half past nine." to {"open": "half past nine"}.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import ClassVar

from pfe.problem import Problem
from pfe.tutors.family import Draft, Facts, Family, unfill, unfill_any

Words = dict[str, str]


@dataclass(frozen=True)
class Line:
    """One place in a passage: its wordings, whether it may be left out, whether it begins a paragraph."""

    wordings: tuple[str, ...]
    optional: bool
    opens: bool


class Ask(ABC):
    """One kind of question about a passage.

    `questions` are wordings with slots; `why` is the worked explanation, with slots that `words` fills.
    """

    questions: tuple[str, ...]
    why: str

    def draw(self, facts: Facts, rng: Random) -> Words:
        """What the question adds to the facts of the passage."""
        return {}

    @abstractmethod
    def answer(self, facts: Facts) -> str:
        """The right choice, forwards from the facts."""

    @abstractmethod
    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        """At least three wrong choices, the best first."""

    @abstractmethod
    def fits(self, facts: Facts, choice: str) -> bool:
        """Whether no sentence of the passage speaks against the choice."""

    def words(self, facts: Facts) -> Words:
        return {}


class Value(Ask):
    """A detail that stands in the passage: the value under `key`, among those under other keys and from a pool.

    `says` turns a value as the passage has it into a choice. Checking goes from the choice to the keys it stands
    under, not from the key to the choice.
    """

    def __init__(
        self,
        *questions: str,
        key: str,
        why: str,
        rivals: tuple[str, ...] = (),
        pool: tuple[str, ...] = (),
        says: Mapping[str, str] | None = None,
    ) -> None:
        self.questions, self.why, self.key, self.rivals, self.pool = questions, why, key, rivals, pool
        self.says = says or {}

    def answer(self, facts: Facts) -> str:
        return self._say(facts[self.key])

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        inside = [facts[key] for key in self.rivals]
        outside = [value for value in self.pool if value not in inside and value != facts[self.key]]
        rng.shuffle(inside)
        rng.shuffle(outside)
        return [self._say(value) for value in inside + outside]

    def fits(self, facts: Facts, choice: str) -> bool:
        return [key for key in (self.key, *self.rivals) if self._say(facts[key]) == choice] == [self.key]

    def _say(self, value: str) -> str:
        return self.says.get(value, value)


class Computed(Ask):
    """A number, time or price worked out from several sentences.

    `compute` goes forwards, `near` gives wrong results of likely slips, `holds` puts a choice back into the story.
    """

    def __init__(
        self,
        *questions: str,
        compute: Callable[[Facts], str],
        near: Callable[[Facts], list[str]],
        holds: Callable[[Facts, str], bool],
        why: str,
        words: Callable[[Facts], Words] = lambda facts: {},
    ) -> None:
        self.questions, self.why = questions, why
        self._compute, self._near, self._holds, self._words = compute, near, holds, words

    def answer(self, facts: Facts) -> str:
        return self._compute(facts)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        near = self._near(facts)
        rng.shuffle(near)
        return near

    def fits(self, facts: Facts, choice: str) -> bool:
        return self._holds(facts, choice)

    def words(self, facts: Facts) -> Words:
        return self._words(facts)


class Sequence(Ask):
    """What came right after, right before, first or last in a chain of events.

    `keys` are the facts that hold the events, in the order in which they happened; `says` words an event as a choice.
    The questions for each of the `PLACES` may name the event `{did_}`.
    """

    PLACES: ClassVar[tuple[str, ...]] = ("after", "before", "first", "last")

    def __init__(
        self,
        place: str,
        questions: Mapping[str, tuple[str, ...]],
        keys: tuple[str, ...],
        says: Mapping[str, str],
        why: str,
    ) -> None:
        self.place, self.questions, self.keys, self.says, self.why = place, questions[place], keys, says, why

    def draw(self, facts: Facts, rng: Random) -> Words:
        if self.place in ("first", "last"):
            return {}
        spots = range(1, len(self.keys)) if self.place == "before" else range(len(self.keys) - 1)
        return {"did_": self._chain(facts)[rng.choice(spots)]}

    def answer(self, facts: Facts) -> str:
        chain = self._chain(facts)
        steps = {"after": 1, "before": -1}
        if self.place in steps:
            return chain[chain.index(facts["did_"]) + steps[self.place]]
        return chain[0 if self.place == "first" else -1]

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        others = [event for event in self._chain(facts) if event not in (right, facts.get("did_"))]
        rng.shuffle(others)
        return others

    def fits(self, facts: Facts, choice: str) -> bool:
        pairs = list(zip(self._chain(facts), self._chain(facts)[1:], strict=False))
        if self.place == "after":
            return (facts["did_"], choice) in pairs
        if self.place == "before":
            return (choice, facts["did_"]) in pairs
        return all(choice != pair[self.place == "first"] for pair in pairs)

    def _chain(self, facts: Facts) -> list[str]:
        return [self.says[facts[key]] for key in self.keys]


class Claims(Ask):
    """Which statement is true, or which is not.

    `claims` are sentences with slots of the passage. A false one has one slot changed to a value of `others`. The four
    statements on offer are part of the facts. Checking takes a statement apart and looks for the slot that the passage
    contradicts.
    """

    def __init__(self, *questions: str, claims: tuple[str, ...], others: Mapping[str, tuple[str, ...]], true: bool):
        self.questions, self.claims, self.others, self.true = questions, claims, others, true
        self.why = "{verdicts_}"

    def draw(self, facts: Facts, rng: Random) -> Words:
        claims = rng.sample(self.claims, 4)
        odd, *rest = claims
        said = [odd.format(**facts) if self.true else self._bend(odd, facts, rng)]
        said += [self._bend(claim, facts, rng) if self.true else claim.format(**facts) for claim in rest]
        return {f"said{place}": claim for place, claim in enumerate(rng.sample(said, 4))}

    def answer(self, facts: Facts) -> str:
        stated = {claim.format(**facts) for claim in self.claims}
        return next(said for said in self._said(facts) if (said in stated) == self.true)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        return [said for said in self._said(facts) if said != right]

    def fits(self, facts: Facts, choice: str) -> bool:
        return (not self._clash(facts, choice)) == self.true

    def words(self, facts: Facts) -> Words:
        lines = []
        for said in self._said(facts):
            clash = self._clash(facts, said)
            verdict = f"the passage has '{clash}' there, so this is false" if clash else "this is in the passage"
            lines.append(f'"{said}": {verdict}.')
        return {"verdicts_": "\n".join(lines)}

    def _said(self, facts: Facts) -> list[str]:
        return [facts[f"said{place}"] for place in range(4)]

    def _bend(self, claim: str, facts: Facts, rng: Random) -> str:
        slot = rng.choice([name for name in _slots(claim) if name in self.others])
        others = [value for value in self.others[slot] if value != facts[slot]]
        return claim.format(**{**facts, slot: rng.choice(others)})

    def _clash(self, facts: Facts, said: str) -> str:
        """The value in the passage that speaks against the statement; empty if none does."""
        for claim in self.claims:
            try:
                found = unfill(claim, said)
            except ValueError:
                continue
            clashes = [str(facts[name]) for name, value in found.items() if facts[name] != value]
            if len(clashes) <= 1:
                return clashes[0] if clashes else ""
        raise ValueError(f"{said!r} is no statement about this passage")


class Story(Family):
    """A passage with a question of one of several kinds.

    Attributes:
        passage: the text of the lines, as in the example of this module.
        asks: the kinds of question by name.
    """

    domain = "reading"
    scorer = "choice"
    passage: ClassVar[str]
    asks: ClassVar[Mapping[str, Ask]]

    @abstractmethod
    def scene(self, rng: Random) -> Words:
        """The facts of the passage, all of them texts."""

    def facts(self, rng: Random) -> Facts:
        scene = self.scene(rng)
        kind = rng.choice(list(self.asks))
        return scene | {"ask": kind} | self.asks[kind].draw(scene, rng)

    def write(self, facts: Facts, rng: Random) -> Draft:
        ask = self.asks[facts["ask"]]
        right = self.solve(facts)
        choices = [right]
        for wrong in ask.wrong(facts, rng):
            if wrong not in choices and len(choices) < 4:
                choices.append(wrong)
        rng.shuffle(choices)
        text = ""
        for line in self._lines:
            if not line.optional or rng.random() < 0.6:
                text += ("\n" if line.opens else " ") if text else ""
                text += rng.choice(line.wordings).format(**facts)
        question = rng.choice(ask.questions).format(**facts)
        return Draft(question, context=text, choices=tuple(choices))

    def solve(self, facts: Facts) -> str:
        return self.asks[facts["ask"]].answer(facts)

    def check(self, facts: Facts, answer: str) -> bool:
        return self.asks[facts["ask"]].fits(facts, answer)

    def solution(self, facts: Facts) -> str:
        ask = self.asks[facts["ask"]]
        return ask.why.format(**{**facts, **ask.words(facts), "answer": ask.answer(facts)})

    def read(self, problem: Problem) -> Facts:
        found = next(_readings(self._lines, problem.context, {}), None)
        if found is None:
            raise ValueError(f"{problem.id}: the passage is not one of {self.name}")
        for kind, ask in self.asks.items():
            try:
                asked = unfill_any(ask.questions, problem.question)
            except ValueError:
                continue
            if all(found.get(name, value) == value for name, value in asked.items()):
                said = {f"said{place}": choice for place, choice in enumerate(problem.choices)}
                return found | asked | {"ask": kind} | (said if isinstance(ask, Claims) else {})
        raise ValueError(f"{problem.id}: {problem.question!r} is no question of {self.name}")

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        lines: list[Line] = []
        for block in self.passage.strip().split("\n\n"):
            opens = True
            for place in re.split(r"\n(?=[-?] )", block):
                wordings = [re.sub(r"\s+", " ", wording).strip() for wording in re.split(r"\n\| ", place[2:])]
                lines.append(Line(tuple(wordings), place[0] == "?", opens))
                opens = False
        return tuple(lines)


def _readings(lines: tuple[Line, ...], text: str, found: Words) -> Iterator[Words]:
    """The values of the slots with which the lines give the text."""
    if not lines:
        if not text:
            yield found
        return
    for wording in lines[0].wordings:
        match = _pattern(wording).match(text)
        if match and all(found.get(name, value) == value for name, value in match.groupdict().items()):
            yield from _readings(lines[1:], text[match.end() :].lstrip(), found | match.groupdict())
    if lines[0].optional:
        yield from _readings(lines[1:], text, found)


@cache
def _pattern(wording: str) -> re.Pattern[str]:
    pattern, seen = "", set()
    for literal, name in re.findall(r"([^{]*)(?:\{(\w+)\})?", wording):
        pattern += re.escape(literal)
        if name:
            pattern += f"(?P={name})" if name in seen else rf"(?P<{name}>(?:[^.!?\n]|\.(?=\d))+?)"
            seen.add(name)
    return re.compile(pattern + r"(?=\s|$)")


def _slots(template: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", template)
