"""Rules of an invented house, game or custom, from which an ending follows by single-hop retrieval or in several hops.

Example: from "When the {signal} is up, the {watch} are called." and "The {watch} {action}." in the library, the
question "The green lantern is up. The crew" has the ending "throws the nets out.", two hops away. If two rules give the
same slot, the one with more conditions overrides the other: "On the last day of the month, the {watch} {action}."

A problem's world consists of its rules with all slots filled: the needed ones, and others of the same kind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pydantic import ConfigDict

from pfe.errors import UserError, nearest
from pfe.problem import Domain, Problem, Skill
from pfe.tutors.content import Filled, engine_and_rest, read_content, table
from pfe.tutors.family import LENGTHS, BoundFamily, ContentFamily, Draft, Entry, Facts, quoted
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Values, Wording, one_of, wording

_CONNECTED = 0.7  # share of the new conditions of unneeded rules whose value is already in the world
_ONE_MOVED = 0.7  # how often only one of several conditions changes
_TRIES = 200
_ASKED = (6, 4, 3)  # questions about a world with 1, 2 and more rules; each has its own entries for every rule
_EXCEPTIONS = 0.5  # share of the problems with an exception in which it applies


@dataclass(frozen=True)
class Rule:
    """One kind of entry: from the slots `given` it `gives` another slot; `says` are its wordings."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    given: Filled[tuple[str, ...]]
    gives: str
    says: Filled[tuple[str, ...]]


@dataclass(frozen=True)
class Rulebook:
    """The content of a family's file.

    Attributes:
        skill: how the answer is found.
        slots: the possible values of each slot, or the name of the table that lists them.
        rules: in the order in which they apply; if two give one slot, the one with more conditions is the exception.
        answer: the slot that is asked for.
        question: wordings; `{name}` is a first name with the pronouns `{he}`, `{his}`, `{him}`.
        label: wordings of a text before the question; may be empty.
        asides: entries that no question is about.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    skill: Skill
    slots: Mapping[str, Filled[tuple[str, ...]] | str]
    rules: Filled[tuple[Rule, ...]]
    answer: str
    question: Filled[tuple[str, ...]]
    label: str = ""
    asides: tuple[str, ...] = ()

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """Return the possible values of each slot."""
        return {name: tuple(table(of) if isinstance(of, str) else of) for name, of in self.slots.items()}

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """Return the slots that rules give, in the order in which they become known."""
        return tuple(dict.fromkeys(rule.gives for rule in self.rules))

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """Return the slots that the question must state: rules need them, and no rule gives them."""
        given = dict.fromkeys(slot for rule in self.rules for slot in rule.given)
        return tuple(slot for slot in given if slot not in self.goals)


@dataclass(frozen=True)
class Law:
    """A rule, by its number, with its slots filled."""

    rule: int
    given: tuple[str, ...]
    gives: str


class Engine(ContentFamily, BoundFamily):
    """Problems with one kind of rules in the library; `Rulebook` documents the content of the file."""

    domain: ClassVar[Domain] = "commonsense"
    scorer = "choice"
    answers: ClassVar[int] = 4  # minimum number of answers that the library states
    kind: ClassVar[type[Rulebook]] = Rulebook

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.book = read_content(path, self.kind, rest)
        self.skill = self.book.skill
        self.asked = _ASKED[min(len(self.book.rules), len(_ASKED)) - 1]
        place = Place(path)
        self.check_slots(place / "slots")
        for number, rule in enumerate(self.book.rules):
            for slot in (*rule.given, rule.gives):
                refuse_unknown({slot}, self.book.values, (place / "rules" / number).quoting(slot))
        if self.book.answer not in self.book.goals:
            near = nearest(self.book.answer, self.book.goals)
            raise UserError(f"{place / 'answer'}: no rule gives '{self.book.answer}'; {near}")

    def check_slots(self, where: Place) -> None:
        """Reject a slot whose table does not exist or is no list of texts.

        Raises:
            UserError: there is one.
        """
        for slot, source in self.book.slots.items():
            if not isinstance(source, str):
                continue
            try:
                listed = table(source)
            except UserError as error:
                raise UserError(f"{where / slot}: {error}, or list what may stand there") from None
            if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
                raise UserError(f"{where / slot}: the table '{source}' is no list of texts; take one that is")

    def facts(self, rng: Random) -> Facts:
        slots = self._slots(rng)
        known = {slot: slots[slot] for slot in self.book.asked}
        laws = self._laws(known, rng)
        facts: dict[str, Any] = {"slots": slots, "laws": tuple(laws), "options": ()}
        return {**facts, **self.options(facts, rng)}

    def another_question(self, facts: Facts, rng: Random) -> Facts:
        """Sample other values of the slots that the question states, from which the same laws lead to an answer.

        Raises:
            ValueError: no other values were found.
        """
        spoken: dict[str, set[str]] = {}
        for law in facts["laws"]:
            for slot, value in zip(self.book.rules[law.rule].given, law.given, strict=True):
                spoken.setdefault(slot, set()).add(value)
        for _ in range(_TRIES):
            known = {slot: rng.choice(sorted(spoken[slot])) for slot in self.book.asked}
            other = {**facts, "slots": self._slots(rng) | known}
            if any(known[slot] != facts["slots"][slot] for slot in known) and self._leads(other):
                return {**other, **self.options(other, rng)}
        raise ValueError(f"{self.name}: the laws lead to one answer alone")

    def write(self, facts: Facts, rng: Random) -> Draft:
        choices = list(facts["options"])
        rng.shuffle(choices)
        label = self._label.write(facts["slots"], rng) if self._label else ""
        question = self.asking(facts).write(facts["slots"], rng)
        return Draft(question, context=label, choices=tuple(choices))

    def asking(self, facts: Facts) -> Wording:
        """Return the questions that go with the choices."""
        return self._question

    def solve(self, facts: Facts) -> str:
        value = self._known(facts)[self.book.answer]
        for answer, meant in self.meanings(facts).items():
            if meant == value:
                return answer
        raise ValueError(f"{self.name}: {value!r} is none of the choices")

    def check(self, facts: Facts, answer: str) -> bool:
        meant = self.meanings(facts).get(answer)
        return meant is not None and self._proves(facts, self.book.answer, meant)

    def solution(self, facts: Facts, draft: Draft) -> str:
        lines, known = [], {slot: facts["slots"][slot] for slot in self.book.asked}
        for goal in self.book.goals:
            if law := self._law(facts["laws"], known, goal):
                lines.append(quoted("library", [draft.entry(law)]))
                if others := [other for other in self._applying(facts["laws"], known, goal) if other != law]:
                    lines.append(f'That is more special than "{draft.entry(others[0])}", so it counts.')
                known[goal] = law.gives
        return "\n".join([*lines, f"So it is: {self.solve(facts)}"])

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        needed = self._needed(facts)
        texts = ((law, self._says[law.rule].write(self._filled(law), rng)) for law in facts["laws"])
        entries = [Entry(text, law in needed, law) for law, text in texts]
        return [*entries, *(Entry(aside) for aside in self._asides(rng))]

    def change(self, facts: Facts, rng: Random) -> Facts:
        """Exchange the values that two laws give, one of which the answer rests on.

        If possible, these laws give the answer. Every value is given as often as before, so no count distinguishes the
        changed world from the original.
        """
        answer, ways = self.solve(facts), []
        for law in self._needed(facts):
            for other in facts["laws"]:
                if self._gives(other) != self._gives(law) or other.gives == law.gives:
                    continue
                exchanged = {law: other.gives, other: law.gives}
                laws = tuple(replace(one, gives=exchanged.get(one, one.gives)) for one in facts["laws"])
                changed = {**facts, "laws": laws}
                if self._solved(changed) not in (None, answer):
                    ways.append((self._gives(law) == self.book.answer, changed))
        first = min(last for last, _ in ways)
        return rng.choice([changed for last, changed in ways if last == first])

    def read(self, problem: Problem) -> Facts:
        laws = [law for text in problem.library for law in self._read_law(text)]
        known: dict[str, Any] = {}
        if self._label:
            known = self._label.read(problem.context)
        for names in self.namings(problem):
            try:
                slots = self._question.read(problem.question, {**known, **names})
            except ValueError:
                continue
            return {"slots": slots, "laws": tuple(laws), "options": problem.choices}
        raise ValueError(f"{problem.id}: {problem.question!r} is no question of {self.name}")

    # World.

    def _slots(self, rng: Random) -> dict[str, str]:
        """Sample people, and a value of each slot that no rule gives."""
        slots = {slot: rng.choice(values) for slot, values in self.book.values.items() if slot not in self.book.goals}
        gender = rng.choice(("she", "he"))
        names = rng.sample(table("first_names")[gender], 3)
        return slots | {"a": names[0], "b": names[1], "name": names[2], **_PRONOUNS[gender]}

    def _laws(self, known: Mapping[str, str], rng: Random) -> list[Law]:
        """Sample the laws of a world.

        They lead from the values `known` of the slots that the question states, and from other values of these, to
        answers.
        """
        total = rng.choice(LENGTHS)
        seen = {slot: [value] for slot, value in known.items()}
        starts = [dict(known), *self._starts(known, rng)]
        laws: list[Law] = []
        for goal in self.book.goals:
            rules = [number for number, rule in enumerate(self.book.rules) if rule.gives == goal]
            rules.sort(key=lambda number: len(self.book.rules[number].given))
            exception = len(rules) > 1 and rng.random() < _EXCEPTIONS
            values = rng.sample(self.book.values[goal], len(self.book.values[goal]))
            count = max(
                self.answers if goal == self.book.answer else 2,
                self.asked + (self.asked // 2 if len(rules) > 1 else 0),
                ceil(total * len(rules) / len(self.book.rules)),
            )
            found = self._ground(rules, starts, seen, values, count, exception, rng)
            starts = [{**start, goal: law.gives} for start in starts if (law := self._law(found, start, goal))]
            seen[goal] = [law.gives for law in found]
            laws += found
        return laws

    def _starts(self, known: Mapping[str, str], rng: Random) -> list[dict[str, str]]:
        """Sample other values of the slots that the question states, for the further questions about the world."""
        starts: list[dict[str, str]] = []
        for _ in range(_TRIES):
            if len(starts) == self.asked - 1:
                break
            moved = self._moved(self.book.asked, rng)
            start = {slot: rng.choice(self.book.values[slot]) if slot in moved else known[slot] for slot in known}
            if start not in (known, *starts):
                starts.append(start)
        return starts

    def _ground(
        self,
        rules: Sequence[int],
        starts: Sequence[Mapping[str, str]],
        seen: Mapping[str, Sequence[str]],
        values: Sequence[str],
        count: int,
        exception: bool,
        rng: Random,
    ) -> list[Law]:
        """Sample the laws that give one slot.

        First come those that the answers rest on, beginning with the first start's, then others of the kind.
        """
        needed, *others = starts
        general, special = rules[0], rules[-1]

        def due(number: int, start: Mapping[str, str]) -> tuple[str, ...]:
            return tuple(start[slot] for slot in self.book.rules[number].given)

        first = special if exception else general
        laws = [Law(first, due(first, needed), values[0])]
        if exception:
            laws.append(Law(general, due(general, needed), values[1]))
        taken = {(law.rule, law.given) for law in laws} | {(special, due(special, needed))}

        def add(number: int, given: tuple[str, ...]) -> None:
            if (number, given) not in taken and len(laws) < min(count, len(values)):
                taken.add((number, given))
                laws.append(Law(number, given, values[len(laws)]))

        for place, start in enumerate(others):
            ruled = (general, due(general, start)) in taken
            add(general, due(general, start))
            if ruled or place % 2:
                add(special, due(special, start))
        for attempt in range(20 * count):
            number = rules[attempt % len(rules)]
            add(number, self._other(number, needed, seen, rng))
        return laws

    def _other(
        self, number: int, needed: Mapping[str, str], seen: Mapping[str, Sequence[str]], rng: Random
    ) -> tuple[str, ...]:
        """Sample other conditions for a rule.

        If there are several conditions, usually all but one of them are the needed ones.
        """
        slots = self.book.rules[number].given
        moved = self._moved(slots, rng)
        given = []
        for slot in slots:
            common = len(seen[slot]) > 1 and rng.random() < _CONNECTED
            pool = seen[slot] if common else self.book.values[slot]
            given.append(rng.choice(pool) if slot in moved else needed[slot])
        return tuple(given)

    def _moved(self, slots: Sequence[str], rng: Random) -> set[str]:
        """Sample the conditions that are to change."""
        return {rng.choice(slots)} if len(slots) > 1 and rng.random() < _ONE_MOVED else {*slots}

    # Questions.

    def options(self, facts: Facts, rng: Random) -> Facts:
        """Return the choices, which are endings that the library states, and the slots that they add."""
        value, others = self.alternatives(facts, rng)
        tails = [_tails().vary({}, rng) for _ in range(self.answers)]
        values = (value, *others[: self.answers - 1])
        return {"options": tuple(f"{option}{tail}." for option, tail in zip(values, tails, strict=True))}

    def meanings(self, facts: Facts) -> dict[str, str]:
        """Return, for each choice, the value of the asked slot that it stands for."""
        values = self.book.values[self.book.answer]
        return {option: max(filter(option.startswith, values), key=len) for option in facts["options"]}

    def namings(self, problem: Problem) -> Sequence[Mapping[str, str]]:
        """Return the ways in which the choices may name people in the question, as values of slots."""
        return [{}]

    def alternatives(self, facts: Facts, rng: Random) -> tuple[str, list[str]]:
        """Return the correct value and, in random order, the others that the library gives.

        The values of overruled rules come first among the others.
        """
        value = self._known(facts)[self.book.answer]
        trap = self._overruled(facts)
        others = {law.gives for law in facts["laws"] if self._gives(law) == self.book.answer} - {value, *trap}
        rest = sorted(others)
        rng.shuffle(rest)
        return value, [*trap, *rest]

    def _overruled(self, facts: Mapping[str, Any]) -> list[str]:
        """Return the answers of general rules that an exception overrides."""
        known = self._known(facts)
        applying = self._applying(facts["laws"], known, self.book.answer)
        return [law.gives for law in applying if law.gives != known[self.book.answer]]

    def _asides(self, rng: Random) -> list[str]:
        asides = self.book.asides
        return rng.sample(asides, min(len(asides), rng.randint(0, 2)))

    # Inference.

    def _gives(self, law: Law) -> str:
        return self.book.rules[law.rule].gives

    def _filled(self, law: Law) -> dict[str, str]:
        rule = self.book.rules[law.rule]
        return {**dict(zip(rule.given, law.given, strict=True)), rule.gives: law.gives}

    def _applying(self, laws: Sequence[Law], known: Mapping[str, str], goal: str) -> list[Law]:
        return [
            law
            for law in laws
            if self._gives(law) == goal
            and all(
                known.get(slot) == value for slot, value in zip(self.book.rules[law.rule].given, law.given, strict=True)
            )
        ]

    def _law(self, laws: Sequence[Law], known: Mapping[str, str], goal: str) -> Law | None:
        applying = self._applying(laws, known, goal)
        return max(applying, key=lambda law: len(law.given), default=None)

    def _leads(self, facts: Facts) -> bool:
        try:
            self._known(facts)
        except ValueError:
            return False
        return True

    def _known(self, facts: Mapping[str, Any]) -> dict[str, str]:
        """Return the slots that the question states, and those that follow from them.

        Raises:
            ValueError: a law is missing.
        """
        known = {slot: facts["slots"][slot] for slot in self.book.asked}
        for goal in self.book.goals:
            law = self._law(facts["laws"], known, goal)
            if law is None:
                raise ValueError(f"{self.name}: no rule gives {goal}")
            known[goal] = law.gives
        return known

    def _needed(self, facts: Facts) -> list[Law]:
        known = self._known(facts)
        laws = [self._law(facts["laws"], known, goal) for goal in self.book.goals]
        return [law for law in laws if law is not None]

    def _solved(self, facts: Facts) -> str | None:
        try:
            return self.solve(facts)
        except ValueError:
            return None

    def _proves(self, facts: Facts, slot: str, value: str) -> bool:
        """Return whether some law gives the value, its conditions hold, and no exception to it applies.

        This is computed by backward chaining.
        """
        if slot in self.book.asked:
            return bool(facts["slots"][slot] == value)
        for law in facts["laws"]:
            if self._gives(law) == slot and law.gives == value and self._holds(facts, law):
                return not any(
                    self._gives(other) == slot and len(other.given) > len(law.given) and self._holds(facts, other)
                    for other in facts["laws"]
                )
        return False

    def _holds(self, facts: Facts, law: Law) -> bool:
        given = zip(self.book.rules[law.rule].given, law.given, strict=True)
        return all(self._proves(facts, slot, value) for slot, value in given)

    # Wordings.

    @cached_property
    def values(self) -> Mapping[str, Values]:
        """Return the possible values of the slots in the file's wordings."""
        return self.book.values

    @cached_property
    def _says(self) -> tuple[Wording, ...]:
        return tuple(
            self._saying(rule, Place(self.path) / "rules" / number / "says")
            for number, rule in enumerate(self.book.rules)
        )

    def _saying(self, rule: Rule, where: Place) -> Wording:
        slots = {*rule.given, rule.gives}
        for number, text in enumerate(rule.says):
            said = wording(text, self.values, where / number, ()).names
            refuse_unknown(said, slots, (where / number).quoting(text))
            if missing := slots - said:
                raise UserError(f"{where / number}: lacks {{{min(missing)}}}; say all that the rule names")
        return one_of(rule.says, self.values, where)

    @cached_property
    def _question(self) -> Wording:
        return self.questions(self.book.question)

    def questions(self, sources: Sequence[str]) -> Wording:
        """Return these wordings as one, with the people and slots that they may name."""
        names = table("first_names")
        everybody = (*names["she"], *names["he"])
        answers = self.book.values[self.book.answer]
        people = dict.fromkeys(("a", "b", "name"), everybody) | {"of_a": answers, "of_b": answers}
        words = {name: tuple(words[name] for words in _PRONOUNS.values()) for name in _PRONOUNS["he"]}
        return one_of(sources, {**people, **words, **self.values}, Place(self.path) / "question", ())

    @cached_property
    def _label(self) -> Wording | None:
        return wording(self.book.label, self.values, Place(self.path) / "label", ()) if self.book.label else None

    def _read_law(self, text: str) -> Iterator[Law]:
        for number, (rule, says) in enumerate(zip(self.book.rules, self._says, strict=True)):
            for end, slots in says.match(text, 0, {}):
                if end == len(text):
                    yield Law(number, tuple(slots[slot] for slot in rule.given), slots[rule.gives])
                    return


@cache
def _tails() -> Wording:
    """Return the texts that may follow a deed and say nothing about it."""
    return one_of(table("captions")["tails"])


_PRONOUNS = {
    "she": {"he": "she", "his": "her", "him": "her", "himself": "herself"},
    "he": {"he": "he", "his": "his", "him": "him", "himself": "himself"},
}
