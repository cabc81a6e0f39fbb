"""Multiple-choice questions about a passage: about a point, a slot, an order, a number, or which statement is true.

Example: the point `why` of `pfe.tutors.passage_template`, asked as "Why did Ada leave?", has the choices "She had a new
job." and "She did not like the house."; asked as "Ada left because  _  ." it has the same choices as "she had a new
job".

Each question has four choices.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, ClassVar

from pfe.errors import UserError
from pfe.tutors.arithmetic import evaluate
from pfe.tutors.content import check_keys, check_texts, table
from pfe.tutors.family import Facts
from pfe.tutors.passage_template import PassageTemplate, Point, lines, numbered
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Either, Wording, capital

BLANK = re.compile(r" {2}_ {2}\.?$")
_PLACES = ("after", "before", "first", "last")
CHOICES = 4  # choices per question
_HASTY = 0.8  # share of the problems that offer the shortest incorrect choices
_SOURCED = re.compile(r"passage|text|ccording")
_WRITTEN = re.compile(r"tale|letter|writer|author|report|notice|story|essay")


class Ask(ABC):
    """A kind of question about a passage: the question, the correct choice, and incorrect ones.

    Either all its questions end in a blank, or none does.
    """

    weight: float = 1.0
    own: ClassVar[tuple[str, ...]] = ()  # slots of a question that do not occur in a passage

    def __init__(self, questions: Sequence[str], told: PassageTemplate, where: Place) -> None:
        self.told, self.where = told, where
        self.blank = BLANK.search(questions[0]) is not None
        self.question: Wording = Either(tuple(self._question(one) for one in questions))

    def _question(self, source: str) -> Wording:
        here = self.where.quoting(source)
        return Either(tuple(self.told.parsed(one, here, names=self.own) for one in _asked(source)))

    @property
    @abstractmethod
    def needed(self) -> frozenset[str]:
        """Return the names that the passage must state for this question."""

    def about(self, facts: Facts) -> frozenset[str]:
        """Return the names in the passage that the answer depends on."""
        return self.needed

    def draw(self, facts: Facts, rng: Random) -> dict[str, Any]:
        """Return the facts that the question adds to those of the passage."""
        return {}

    def seen(self, choices: Sequence[str]) -> dict[str, Any]:
        """Return the facts that the choices add, if the question depends on them."""
        return {}

    @abstractmethod
    def answer(self, facts: Facts) -> str:
        """Return the correct choice."""

    @abstractmethod
    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        """Return at least three incorrect choices, the best first."""

    @abstractmethod
    def fits(self, facts: Facts, choice: str) -> bool:
        """Return whether a choice, parsed on its own, agrees with the passage."""

    def shown(self, text: str, facts: Facts) -> str:
        """Return a text as a choice: as a sentence, or as the words that fill the blank."""
        if not self.blank:
            return capital(text)
        names = (value for value in facts.values() if isinstance(value, str) and value[:1].isupper())
        named = re.match(r"I\b", text) or any(text.startswith(name) for name in names)
        return (text if named else text[:1].lower() + text[1:]).removesuffix(".")


def _asked(question: str) -> list[str]:
    """Return the question as it is and, if it can take them, with prefixes such as "According to the passage,".

    A question takes no prefix if it mentions its source already, or if it begins with a slot and has no blank.
    """
    blank = BLANK.search(question)
    if _SOURCED.search(question) or (question.startswith("{") and not blank):
        return [question]
    lowered = question[:1].lower() + question[1:]
    kind = "stated" if blank else "asked"
    before = lines(table("questions")[kind])
    if not _WRITTEN.search(question):
        before += lines(table("questions")[f"{kind}_by_author"])
    return [question, *(f"{words} {lowered}" for words in before)]


class OfPoint(Ask):
    """Questions about which of its ways a point has."""

    def __init__(self, point: Point, questions: Sequence[str], told: PassageTemplate, where: Place) -> None:
        super().__init__(questions, told, where)
        self.point = point

    @property
    def needed(self) -> frozenset[str]:
        return frozenset({self.point.name})

    def answer(self, facts: Facts) -> str:
        return self._choice(facts[self.point.name], facts)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        """Return the other ways as choices, often the shorter ones first.

        Human test writers spend less effort on incorrect choices, which are therefore shorter.
        """
        found = [self._choice(number, facts) for number in self.ways(facts, rng, len(self.point.means))[1:]]
        return sorted(found, key=len) if rng.random() < _HASTY else found

    def ways(self, facts: Facts, rng: Random, most: int = CHOICES) -> list[int]:
        """Return the point's own way first, and up to `most - 1` others in random order."""
        others = [number for number in range(len(self.point.means)) if number != facts[self.point.name]]
        return [facts[self.point.name], *rng.sample(others, min(len(others), most - 1))]

    def fits(self, facts: Facts, choice: str) -> bool:
        meant = [number for number in range(len(self.point.means)) if self._choice(number, facts) == choice]
        return facts[self.point.name] in meant

    def _choice(self, number: int, facts: Facts) -> str:
        return self.shown(self.point.meaning(number, facts), facts)


class OfSlots(Ask):
    """Questions whose correct choice is a text with slots.

    The incorrect choices are listed under `wrong`, or take the other values of the slot's table.
    """

    def __init__(
        self, content: Mapping[str, Any], questions: Sequence[str], told: PassageTemplate, where: Place
    ) -> None:
        super().__init__(questions, told, where)
        self.right = told.parsed(content["answer"], where / "answer")
        self.begins_with_slot = content["answer"].startswith("{")
        self.rivals = [told.parsed(text, where / "wrong") for text in lines(content.get("wrong", ""))]
        if not self.rivals and len(self.right.names) != 1:
            raise UserError(f"{where / 'answer'}: '{content['answer']}' needs wrong choices; write them under `wrong`")

    @property
    def needed(self) -> frozenset[str]:
        return self.right.names.union(*(rival.names for rival in self.rivals))

    def shown(self, text: str, facts: Facts) -> str:
        if self.blank and self.begins_with_slot:  # a title keeps its capital letter
            return text.removesuffix(".")
        return super().shown(text, facts)

    def answer(self, facts: Facts) -> str:
        return self.shown(self.right.text(0, facts), facts)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        if self.rivals:
            found = [rival.text(0, facts) for rival in self.rivals]
        else:
            (slot,) = self.right.names
            found = [self.right.text(0, {**facts, slot: value}) for value in self.told.others(slot, facts)]
        return [self.shown(text, facts) for text in rng.sample(found, len(found))]

    def fits(self, facts: Facts, choice: str) -> bool:
        known = {name: facts[name] for name in self.right.names}
        whole = f"{choice}." if self.blank and self.right.text(0, facts).endswith(".") else choice
        for text in (whole, whole[:1].lower() + whole[1:], capital(whole)):
            try:
                self.right.read(text, known)
            except ValueError:
                continue
            return True
        return False


class OfOrder(Ask):
    """Questions about the event just after or before another one, or about the first or the last event."""

    own = ("did",)

    def __init__(
        self, place: str, content: Mapping[str, Any], questions: Sequence[str], told: PassageTemplate, where: Place
    ) -> None:
        super().__init__(questions, told, where)
        self.place, self.slots = place, tuple(content["order"])
        for number, slot in enumerate(self.slots):
            refuse_unknown({slot}, told.names, where / "order" / number)
        events = {"did": told.values[self.slots[0]]}
        self.question = Either(tuple(told.parsed(question, where / place, events) for question in questions))
        self.says = told.parsed(content["answer"], where / "answer", events)
        self.weight = 0.5

    @property
    def needed(self) -> frozenset[str]:
        return frozenset(self.slots)

    def draw(self, facts: Facts, rng: Random) -> dict[str, Any]:
        if self.place in ("first", "last"):
            return {}
        spots = self.slots[1:] if self.place == "before" else self.slots[:-1]
        return {"did": facts[rng.choice(spots)]}

    def answer(self, facts: Facts) -> str:
        chain = [facts[slot] for slot in self.slots]
        steps = {"after": 1, "before": -1}
        if self.place not in steps:
            return self._say(chain[0 if self.place == "first" else -1], facts)
        return self._say(chain[chain.index(facts["did"]) + steps[self.place]], facts)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        events = [facts[slot] for slot in self.slots if facts[slot] != facts.get("did")]
        others = [event for event in self.told.others(self.slots[0], facts) if event not in events]
        others = [event for event in others if event != facts.get("did")]
        said = [self._say(event, facts) for event in rng.sample(events, len(events)) + rng.sample(others, len(others))]
        return [text for text in said if text != self.answer(facts)]

    def fits(self, facts: Facts, choice: str) -> bool:
        said = [self._say(facts[slot], facts) for slot in self.slots]
        if choice not in said:
            return False
        if self.place in ("first", "last"):
            return said.index(choice) == (0 if self.place == "first" else len(said) - 1)
        between = said.index(choice) - [facts[slot] for slot in self.slots].index(facts["did"])
        return between == (1 if self.place == "after" else -1)

    def _say(self, event: str, facts: Facts) -> str:
        return self.shown(self.says.text(0, {**facts, "did": event}), facts)


class OfNumber(Ask):
    """Questions about a number that is computed from the numbers in a passage."""

    own = ("n",)

    def __init__(
        self, content: Mapping[str, Any], questions: Sequence[str], told: PassageTemplate, where: Place
    ) -> None:
        super().__init__(questions, told, where)
        self.sum, self.near = content["number"], lines(content["near"])
        for key, text in (("number", self.sum), *(("near", text) for text in self.near)):
            refuse_unknown(slots_of(text), told.names, (where / key).quoting(text))
        self.says = told.parsed(content["answer"], where / "answer", names=self.own)

    @property
    def needed(self) -> frozenset[str]:
        return frozenset().union(*map(slots_of, (self.sum, *self.near)))

    def answer(self, facts: Facts) -> str:
        return self._say(self.sum, facts)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        near = [self._say(text, facts) for text in self.near if _value(text, facts) > 0]
        return rng.sample(near, len(near))

    def fits(self, facts: Facts, choice: str) -> bool:
        return bool(self._number(choice) - _value(self.sum, facts) == 0)

    def _number(self, choice: str) -> Any:
        for text in (choice, choice[:1].lower() + choice[1:]):
            try:
                return self.says.read(text)["n"]
            except ValueError:
                continue
        raise ValueError(f"{choice!r} holds no number")

    def _say(self, text: str, facts: Facts) -> str:
        value = _value(text, facts)
        number = int(value) if value.denominator == 1 else value
        return capital(self.says.text(0, {**facts, "n": number}))


class OfClaims(Ask):
    """Questions about which of four statements is true, or is not; each states a way of a different point."""

    def __init__(self, true: bool, questions: Sequence[str], told: PassageTemplate, where: Place) -> None:
        super().__init__(questions, told, where)
        self.true = true
        always = told.passage.always()
        self.points = {name: point for name, point in told.points.items() if point.claims and name in always}

    @property
    def needed(self) -> frozenset[str]:
        return frozenset()

    def about(self, facts: Facts) -> frozenset[str]:
        said = facts["claims"]
        return frozenset(
            name for name, point in self.points.items()
            if any(self._said(point, number, facts) in said for number in range(len(point.means)))
        )  # fmt: skip

    def draw(self, facts: Facts, rng: Random) -> dict[str, Any]:
        odd, *rest = rng.sample(sorted(self.points), CHOICES)
        said = [self._claim(odd, facts, rng, true=self.true)]
        said += [self._claim(name, facts, rng, true=not self.true) for name in rest]
        return self.seen(rng.sample(said, CHOICES))

    def seen(self, choices: Sequence[str]) -> dict[str, Any]:
        return {"claims": tuple(choices)}

    def answer(self, facts: Facts) -> str:
        true = {self._said(point, facts[name], facts) for name, point in self.points.items() if name in facts}
        return next(str(claim) for claim in facts["claims"] if (claim in true) == self.true)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        return [claim for claim in facts["claims"] if claim != right]

    def fits(self, facts: Facts, choice: str) -> bool:
        for name, point in self.points.items():
            for number in range(len(point.means)):
                if self._said(point, number, facts) == choice:
                    return bool((facts[name] == number) == self.true)
        return False

    def _claim(self, name: str, facts: Facts, rng: Random, *, true: bool) -> str:
        point, way = self.points[name], facts[name]
        others = [number for number in range(len(point.means)) if number != way]
        return self._said(point, way if true else rng.choice(others), facts)

    def _said(self, point: Point, way: int, facts: Facts) -> str:
        return self.shown(point.meaning(way, facts), facts)


def claims_of(told: PassageTemplate) -> list[Ask]:
    """Return the questions about which statement is true and which is not.

    They need at least four points that every passage states and whose meanings are sentences; else there are none.
    """
    asks = [
        ask
        for key, true in (("is_true", True), ("not_true", False))
        for ask in _forms(
            table("questions")[key], partial(OfClaims, true), told, Place("questions.yaml") / key, weight=1.5
        )
    ]
    return [ask for ask in asks if isinstance(ask, OfClaims) and len(ask.points) >= CHOICES]


def asks_of(content: Mapping[str, Mapping[str, Any]], told: PassageTemplate) -> list[Ask]:
    """Return the kinds of question that a file describes, those of its points first.

    Raises:
        UserError: a question of the file lacks a key, or has an unknown or malformed one.
    """
    asks: list[Ask] = []
    for point in told.points.values():
        asks += _forms(point.asks, partial(OfPoint, point), told, told.where / "points" / point.name / "ask")
    for name, described in content.items():
        _check_described(described, told.where / "asks" / name)
        asks += _described(described, told, told.where / "asks" / name)
    return asks


def _check_described(content: Mapping[str, Any], where: Place) -> None:
    """Reject a question that lacks a key, or that has one that its kind does not know.

    Raises:
        UserError: it does.
    """
    if "order" in content:
        check_keys(content, ("order", "answer"), _PLACES, where)
        if not any(place in content for place in _PLACES):
            raise UserError(f"{where}: nothing is asked; add one of {', '.join(_PLACES)}")
    elif "number" in content:
        check_keys(content, ("ask", "number", "near", "answer"), (), where)
    else:
        check_keys(content, ("ask", "answer"), ("wrong", "each"), where)
    check_texts(content, content.keys() - {"each"}, where)
    for key in ("answer", "number"):
        if not isinstance(content.get(key, ""), str):
            raise UserError(f"{where / key}: found {content[key]!r:.60}; write one text")
    if not isinstance(content.get("each", 1), int):
        raise UserError(f"{where / 'each'}: found {content['each']!r:.60}; write a number")
    if isinstance(content.get("order", []), str):
        raise UserError(f"{where / 'order'}: found {content['order']!r:.60}; list the slots")


def _described(content: Mapping[str, Any], told: PassageTemplate, where: Place) -> list[Ask]:
    if "order" in content:
        places = [place for place in _PLACES if place in content]
        return [ask for p in places for ask in _forms(content[p], partial(OfOrder, p, content), told, where)]
    if "number" in content:
        return _forms(content["ask"], partial(OfNumber, content), told, where)
    if "each" not in content:
        return _forms(content["ask"], partial(OfSlots, content), told, where)
    numbers = range(1, content["each"] + 1)
    one = {key: value for key, value in content.items() if key != "each"}
    asks: list[Ask] = []
    for number in numbers:
        rivals = [numbered(content["answer"], other) for other in numbers if other != number]
        made = {**numbered(one, number), "wrong": rivals}
        asks += _forms(made["ask"], partial(OfSlots, made), told, where, weight=2 / len(numbers))
    return asks


def _forms(
    questions: str | Sequence[str],
    make: Callable[[Sequence[str], PassageTemplate, Place], Ask],
    told: PassageTemplate,
    where: Place,
    weight: float = 1.0,
) -> list[Ask]:
    """Return one kind of question, split into the questions that end in a blank and those that do not."""
    forms = [[q for q in lines(questions) if bool(BLANK.search(q)) == blank] for blank in (False, True)]
    asks = [make(form, told, where) for form in forms if form]
    for ask in asks:
        ask.weight *= weight / len(asks)
    return asks


def slots_of(text: str) -> frozenset[str]:
    """Return the names of the slots in a sum."""
    return frozenset(re.findall(r"\{(\w+)\}", text))


def _value(text: str, facts: Facts) -> Fraction:
    return evaluate(re.sub(r"\{(\w+)\}", lambda slot: str(facts[slot[1]]), text))
