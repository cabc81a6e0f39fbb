"""Rules of an invented house, game or custom, of which an ending is a consequence: one look-up up to several hops.

Example: "When the {signal} is up, the {watch} are called." and "The {watch} {action}." make of "The green lantern is
up. The crew" and its library the ending "throws the nets out.", two hops away. Of two rules that give the same slot the
one with more conditions wins: "On the last day of the month, the {watch} {action}."

A problem's world is its rules with all slots filled, those that are needed and others of the same kind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pfe.errors import UserError
from pfe.problem import Domain, Problem, Tier
from pfe.tutors.content import engine_and_rest, read_content, table
from pfe.tutors.family import LENGTHS, BoundFamily, ContentFamily, Draft, Entry, Facts
from pfe.tutors.wording import Values, Wording, one_of, wording

_CONNECTED = 0.7  # of the rules that are not needed, the share that goes on from another
_EXCEPTIONS = 0.5  # of the problems with a special rule, the share in which it applies


@dataclass(frozen=True)
class Rule:
    """What one entry of the library can say: with the slots `given` it `gives` another; `says` are its wordings."""

    given: tuple[str, ...]
    gives: str
    says: tuple[str, ...]


@dataclass(frozen=True)
class Rulebook:
    """What a family's file says.

    Attributes:
        tier: how the answer is come by.
        slots: what may stand in each slot, or the name of the table that lists it.
        rules: what they need first comes first; of two that give a slot, that with more slots given is the exception.
        answer: the slot that is asked for.
        question: wordings; `{name}` is a first name with the pronouns `{he}`, `{his}`, `{him}`.
        label: wordings of what stands before the question, if anything does.
        asides: entries that no question is about.
    """

    tier: Tier
    slots: Mapping[str, tuple[str, ...] | str]
    rules: tuple[Rule, ...]
    answer: str
    question: tuple[str, ...]
    label: str = ""
    asides: tuple[str, ...] = ()

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """What may stand in each slot."""
        return {name: tuple(table(of) if isinstance(of, str) else of) for name, of in self.slots.items()}

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """The slots that rules give, in the order in which they become known."""
        return tuple(dict.fromkeys(rule.gives for rule in self.rules))

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The slots that the question must tell: rules need them, and none gives them."""
        given = dict.fromkeys(slot for rule in self.rules for slot in rule.given)
        return tuple(slot for slot in given if slot not in self.goals)


@dataclass(frozen=True)
class Law:
    """A rule, by its number, with its slots filled."""

    rule: int
    given: tuple[str, ...]
    gives: str


class Engine(ContentFamily, BoundFamily):
    """Problems behind one kind of rules; see `Rulebook` for what the file says."""

    domain: ClassVar[Domain] = "commonsense"
    scorer = "choice"
    answers: ClassVar[int] = 4  # of as many the library speaks at least
    kind: ClassVar[type[Rulebook]] = Rulebook

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.book = read_content(path, self.kind, rest)
        self.tier = self.book.tier
        used = {slot for rule in self.book.rules for slot in (*rule.given, rule.gives)}
        if missing := used - self.book.values.keys():
            raise UserError(f"{path}: list under `slots` what may stand in {', '.join(sorted(missing))}")
        if self.book.answer not in self.book.goals:
            raise UserError(f"{path}: no rule gives the answer, {self.book.answer}")

    def facts(self, rng: Random) -> Facts:
        slots = {slot: rng.choice(values) for slot, values in self.book.values.items() if slot not in self.book.goals}
        gender = rng.choice(("she", "he"))
        names = rng.sample(table("first_names")[gender], 3)
        slots |= {"a": names[0], "b": names[1], "name": names[2], **_PRONOUNS[gender]}
        known = {slot: slots[slot] for slot in self.book.asked}
        laws = self._laws(known, rng)
        facts: dict[str, Any] = {"slots": slots, "laws": tuple(laws), "options": ()}
        return {**facts, **self.options(facts, rng)}

    def write(self, facts: Facts, rng: Random) -> Draft:
        choices = list(facts["options"])
        rng.shuffle(choices)
        label = self._label.write(facts["slots"], rng) if self._label else ""
        question = self.asking(facts).write(facts["slots"], rng)
        return Draft(question, context=label, choices=tuple(choices))

    def asking(self, facts: Facts) -> Wording:
        """The questions that go with the choices."""
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

    def solution(self, facts: Facts) -> str:
        lines, known = [], {slot: facts["slots"][slot] for slot in self.book.asked}
        for goal in self.book.goals:
            if law := self._law(facts["laws"], known, goal):
                lines.append(f'The library says: "{self._says[law.rule].text(0, self._filled(law))}"')
                if others := [other for other in self._applying(facts["laws"], known, goal) if other != law]:
                    overruled = self._says[others[0].rule].text(0, self._filled(others[0]))
                    lines.append(f'That is more special than "{overruled}", so it counts.')
                known[goal] = law.gives
        return "\n".join([*lines, f"So it is: {self.solve(facts)}"])

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        needed = self._needed(facts)
        entries = [Entry(self._says[law.rule].write(self._filled(law), rng), law in needed) for law in facts["laws"]]
        return [*entries, *(Entry(aside) for aside in self._asides(rng))]

    def change(self, facts: Facts, rng: Random) -> Facts:
        """Another law where the answer comes from; if it can be, so that all choices still stand in the library."""
        answer, ways = self.solve(facts), []
        for law in self._needed(facts):
            for value in dict.fromkeys(
                other.gives for other in facts["laws"] if self._gives(other) == self._gives(law)
            ):
                laws = tuple(replace(law, gives=value) if other == law else other for other in facts["laws"])
                changed = {**facts, "laws": laws}
                if value != law.gives and self._solved(changed) not in (None, answer):
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

    # The world.

    def _laws(self, known: Mapping[str, str], rng: Random) -> list[Law]:
        """The rules of a world in which the slots that are asked are `known`."""
        total = rng.choice(LENGTHS)
        seen = {slot: [value] for slot, value in known.items()}
        needed = dict(known)
        laws: list[Law] = []
        for goal in self.book.goals:
            rules = [number for number, rule in enumerate(self.book.rules) if rule.gives == goal]
            rules.sort(key=lambda number: len(self.book.rules[number].given))
            exception = len(rules) > 1 and rng.random() < _EXCEPTIONS
            values = rng.sample(self.book.values[goal], len(self.book.values[goal]))
            needed[goal] = values[0]
            count = max(
                self.answers if goal == self.book.answer else 2, ceil(total * len(rules) / len(self.book.rules))
            )
            found = self._ground(rules, needed, seen, values, count, exception, rng)
            seen[goal] = [law.gives for law in found]
            laws += found
        return laws

    def _ground(
        self,
        rules: Sequence[int],
        needed: Mapping[str, str],
        seen: Mapping[str, Sequence[str]],
        values: Sequence[str],
        count: int,
        exception: bool,
        rng: Random,
    ) -> list[Law]:
        """Laws that give one slot: first those that the answer hangs on, then others of the same kind."""

        def due(number: int) -> tuple[str, ...]:
            return tuple(needed[slot] for slot in self.book.rules[number].given)

        general, special = rules[0], rules[-1]
        laws = [Law(special if exception else general, due(special if exception else general), values[0])]
        if exception:
            laws.append(Law(general, due(general), values[1]))
        taken = {(law.rule, law.given) for law in laws} | {(special, due(special))}
        for attempt in range(20 * count):
            if len(laws) >= min(count, len(values)):
                break
            number = rules[attempt % len(rules)] if len(rules) > 1 else general
            given = self._other(number, needed, seen, rng)
            if (number, given) not in taken:
                taken.add((number, given))
                laws.append(Law(number, given, values[len(laws)]))
        return laws

    def _other(
        self, number: int, needed: Mapping[str, str], seen: Mapping[str, Sequence[str]], rng: Random
    ) -> tuple[str, ...]:
        """Other conditions of a rule; where there are several, mostly all but one are those that are needed."""
        slots = self.book.rules[number].given
        moved = {rng.choice(slots)} if len(slots) > 1 and rng.random() < 0.7 else {*slots}
        given = []
        for slot in slots:
            common = len(seen[slot]) > 1 and rng.random() < _CONNECTED
            pool = seen[slot] if common else self.book.values[slot]
            given.append(rng.choice(pool) if slot in moved else needed[slot])
        return tuple(given)

    # What is asked.

    def options(self, facts: Facts, rng: Random) -> Facts:
        """The choices: endings of which the library speaks, and the slots that they add."""
        value, others = self.alternatives(facts, rng)
        tails = [_tails().vary({}, rng) for _ in range(self.answers)]
        values = (value, *others[: self.answers - 1])
        return {"options": tuple(f"{option}{tail}." for option, tail in zip(values, tails, strict=True))}

    def meanings(self, facts: Facts) -> dict[str, str]:
        """The value of the slot that is asked for that each choice stands for."""
        values = self.book.values[self.book.answer]
        return {option: max(filter(option.startswith, values), key=len) for option in facts["options"]}

    def namings(self, problem: Problem) -> Sequence[Mapping[str, str]]:
        """The ways in which the choices may name people of the question: the slots of these."""
        return [{}]

    def alternatives(self, facts: Facts, rng: Random) -> tuple[str, list[str]]:
        """The right value, and the others that the library gives, first those of rules that are overruled."""
        value = self._known(facts)[self.book.answer]
        trap = self._overruled(facts)
        others = {law.gives for law in facts["laws"] if self._gives(law) == self.book.answer} - {value, *trap}
        rest = sorted(others)
        rng.shuffle(rest)
        return value, [*trap, *rest]

    def _overruled(self, facts: Mapping[str, Any]) -> list[str]:
        """The answer that a general rule would give where an exception counts."""
        known = self._known(facts)
        applying = self._applying(facts["laws"], known, self.book.answer)
        return [law.gives for law in applying if law.gives != known[self.book.answer]]

    def _asides(self, rng: Random) -> list[str]:
        asides = self.book.asides
        return rng.sample(asides, min(len(asides), rng.randint(0, 2)))

    # What follows from it.

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

    def _known(self, facts: Mapping[str, Any]) -> dict[str, str]:
        """The slots that are asked and those that follow from them.

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
        """Whether some law gives the value, its conditions hold, and no exception to it does: backwards."""
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
        """What may stand in the slots of the file's wordings."""
        return self.book.values

    @cached_property
    def _says(self) -> tuple[Wording, ...]:
        return tuple(
            one_of(rule.says, self.values, f"{self.path}, rule {number}")
            for number, rule in enumerate(self.book.rules, 1)
        )

    @cached_property
    def _question(self) -> Wording:
        return self.questions(self.book.question)

    def questions(self, sources: Sequence[str]) -> Wording:
        """Those wordings as one, with the people and slots that may stand in them."""
        names = table("first_names")
        everybody = (*names["she"], *names["he"])
        answers = self.book.values[self.book.answer]
        people = dict.fromkeys(("a", "b", "name"), everybody) | {"of_a": answers, "of_b": answers}
        words = {name: tuple(words[name] for words in _PRONOUNS.values()) for name in _PRONOUNS["he"]}
        return one_of(sources, {**people, **words, **self.values}, f"{self.path}, question")

    @cached_property
    def _label(self) -> Wording | None:
        return wording(self.book.label, self.values, f"{self.path}, label") if self.book.label else None

    def _read_law(self, text: str) -> Iterator[Law]:
        for number, (rule, says) in enumerate(zip(self.book.rules, self._says, strict=True)):
            for end, slots in says.match(text, 0, {}):
                if end == len(text):
                    yield Law(number, tuple(slots[slot] for slot in rule.given), slots[rule.gives])
                    return


@cache
def _tails() -> Wording:
    """What may follow a deed and says nothing of it."""
    return one_of(table("captions")["tails"])


_PRONOUNS = {
    "she": {"he": "she", "his": "her", "him": "her", "himself": "herself"},
    "he": {"he": "he", "his": "his", "him": "him", "himself": "himself"},
}
