"""Rule induction: examples follow a rule that is never stated, and the question applies it to a new case.

Example: "Of 613, 629, 617 and 604 the people of Duost take 617." and three more show that they take the third number;
which do they take of 258, 212, 246 and 235? Others take the largest, the first, …

The four choices are the results of four rules for one case, or of one rule for four cases. The correct one is sampled
last.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.invented.wordings import Wordings
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content

_STRICT = ConfigDict(extra="forbid", strict=False)
_CHOICES = 4
_EXAMPLES = 4  # per owner
_OWN_WORDS = 5
_TRIES = 50
Case = tuple[str, ...]
Texts = Annotated[tuple[str, ...], MinLen(1)]
_CASE, _OUT = "wxyz", "klm"  # slots of a case, and of its result


@dataclass(frozen=True, config=_STRICT)
class Content:
    """The wordings: `says` has the {owner}, a case from {w} on and its result from {k} on; `asks` the owner and a case.

    `items` are the words or numbers that cases consist of, one tuple for each kind.
    """

    items: Annotated[tuple[Texts, ...], MinLen(1)]
    says: Annotated[Mapping[int, Texts], MinLen(1)]
    asks: Texts


@plain_dataclass(frozen=True)
class Owner:
    """The owner of a rule, with its own words, and the cases of its examples."""

    name: str
    rule: str
    words: tuple[str, ...]
    cases: tuple[Case, ...]


@plain_dataclass(frozen=True)
class World:
    """The owners, with a question about the first, the case in question and the choices.

    In a changed world the first owner has another of the `rules` or other words, and another choice is correct.
    """

    owners: tuple[Owner, ...]
    query: Case
    rules: tuple[str, ...]
    choices: tuple[str, ...]


class Discovery(InventedFamily[World]):
    """Owners of rules with four examples each; a subclass defines the rules."""

    skill = "discovery"
    asked = 4
    rules: ClassVar[Sequence[str]]

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])
        self._says = {size: Wordings(texts) for size, texts in self.content.says.items()}
        self._asks = Wordings(self.content.asks)

    @abstractmethod
    def cases(self, rng: Random, words: Sequence[str]) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
        """Sample the cases of four examples, and the candidates for the question: one, or four for the choices."""

    @abstractmethod
    def made(self, rule: str, words: Sequence[str], case: Case) -> str:
        """Return the result of a rule for a case."""

    @abstractmethod
    def explained(self, examples: Sequence[tuple[Case, str]], query: Case) -> set[str]:
        """Return the results for another case of all rules that fit the examples."""

    def world(self, cell: Cell, rng: Random) -> World:
        count = max(1, cell.rung // _EXAMPLES)
        names = [name.capitalize() for name in invented_names(rng, count, cell.names)]
        words = invented_names(rng, _OWN_WORDS * count, "plain")
        world = self._asking(names[0], tuple(words[:_OWN_WORDS]), rng)
        others = [
            Owner(name, rng.choice(self.rules), own, self.cases(rng, own)[0])
            for n, name in enumerate(names[1:], 1)
            for own in [tuple(words[_OWN_WORDS * n : _OWN_WORDS * (n + 1)])]
        ]
        return replace(world, owners=(*world.owners, *others))

    def _asking(self, name: str, own: tuple[str, ...], rng: Random) -> World:
        """Sample the owner in question, with the question."""
        while True:
            rules = tuple(rng.sample(self.rules, _CHOICES))
            cases, asked = self.cases(rng, own)
            owner, query = Owner(name, rng.choice(rules), own, cases), rng.choice(asked)
            results = self._results(owner, rules, asked, query)
            if len(results) == _CHOICES and self._is_decided(owner, query):
                return World((owner,), query, rules, tuple(rng.sample(sorted(results), _CHOICES)))

    def _results(self, owner: Owner, rules: Sequence[str], asked: Sequence[Case], query: Case) -> set[str]:
        """Return the results of four rules for the only candidate case, or the owner's rule's for four cases."""
        if len(asked) == 1:
            return {self.made(rule, owner.words, query) for rule in rules}
        return {self.made(owner.rule, owner.words, case) for case in asked}

    def another_question(self, world: World, rng: Random) -> World:
        first = world.owners[0]
        for _ in range(_TRIES):
            asked = self.cases(rng, first.words)[1]
            query = rng.choice(asked)
            results = self._results(first, world.rules, asked, query)
            if len(results) == _CHOICES and query not in first.cases and self._is_decided(first, query):
                return replace(world, query=query, choices=tuple(rng.sample(sorted(results), _CHOICES)))
        raise ValueError(f"{self.name}: the examples decide no other case")

    def _is_decided(self, owner: Owner, query: Case) -> bool:
        """Return whether all rules that fit the examples give the same result for the case."""
        known = [(case, self.made(owner.rule, owner.words, case)) for case in owner.cases]
        return self.explained(known, query) == {self.made(owner.rule, owner.words, query)}

    def question(self, world: World, rng: Random) -> str:
        return self._asks.write({"owner": world.owners[0].name, **dict(zip(_CASE, world.query, strict=False))}, rng)

    def choices(self, world: World) -> tuple[str, ...]:
        return world.choices

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        return [
            Entry(self._example(owner, case, rng), owner is world.owners[0])
            for owner in world.owners
            for case in owner.cases
        ]

    def _example(self, owner: Owner, case: Case, rng: Random) -> str:
        made = self.made(owner.rule, owner.words, case).split()
        slots = {"owner": owner.name, **dict(zip(_CASE, case, strict=False)), **dict(zip(_OUT, made, strict=False))}
        return self._says[len(case)].write(slots, rng)

    def solve(self, world: World) -> str:
        return self.made(world.owners[0].rule, world.owners[0].words, world.query)

    def changed(self, world: World) -> World:
        """Give the same cases the results of another rule, or of the same rule with other words."""
        first, *others = world.owners
        for owner in self.alternatives(first, world.rules):
            changed = replace(world, owners=(owner, *others))
            answer = self.solve(changed)
            if answer != self.solve(world) and answer in world.choices and self._is_decided(owner, world.query):
                return changed
        raise ValueError(f"{self.name}: the cases tell no other rule from the rest")

    def alternatives(self, owner: Owner, rules: Sequence[str]) -> Iterable[Owner]:
        """Return the owner with other rules or words, for a changed library."""
        return (replace(owner, rule=rule) for rule in rules)

    def read(self, problem: Problem) -> str:
        asked = self._asks.read(problem.question)
        if asked is None:
            raise ValueError(f"{problem.question!r} is no question of {self.name}")
        examples = [
            (_values(slots, _CASE), " ".join(_values(slots, _OUT)))
            for text in problem.library
            for wording in self._says.values()
            if (slots := wording.read(text)) and slots["owner"] == asked["owner"]
        ]
        answers = self.explained(examples, _values(asked, _CASE)) if examples else set()
        if len(answers) != 1:
            raise ValueError(f"{problem.id}: the examples leave {len(answers)} answers")
        return answers.pop()


def _values(slots: Mapping[str, str], names: str) -> tuple[str, ...]:
    return tuple(slots[name] for name in names if name in slots)


_PICKS: Mapping[str, Callable[[Case], str]] = {
    "first": lambda case: case[0],
    "second": lambda case: case[1],
    "third": lambda case: case[2],
    "last": lambda case: case[3],
    "smallest": lambda case: sorted(case, key=int)[0],
    "smaller": lambda case: sorted(case, key=int)[1],
    "larger": lambda case: sorted(case, key=int)[2],
    "largest": lambda case: sorted(case, key=int)[3],
}
_LOWEST, _HIGHEST, _WIDTH = 100, 900, 40  # of the numbers in a case; a number alone does not tell its rank


class Picks(Discovery):
    """One of four numbers, selected by its position or by its size."""

    rules = tuple(_PICKS)

    def cases(self, rng: Random, words: Sequence[str]) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
        *cases, query = (self._case(rng) for _ in range(_EXAMPLES + 1))
        return tuple(cases), (query,)

    @staticmethod
    def _case(rng: Random) -> Case:
        least = rng.randrange(_LOWEST, _HIGHEST)
        return tuple(map(str, rng.sample(range(least, least + _WIDTH), 4)))

    def made(self, rule: str, words: Sequence[str], case: Case) -> str:
        return _PICKS[rule](case)

    def explained(self, examples: Sequence[tuple[Case, str]], query: Case) -> set[str]:
        return {pick(query) for pick in _PICKS.values() if all(pick(case) == made for case, made in examples)}


class Classes(Discovery):
    """A class that is the value of one of four features."""

    rules = tuple("0123")

    def cases(self, rng: Random, words: Sequence[str]) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
        *cases, query = (tuple(rng.sample(self.content.items[0], 4)) for _ in range(_EXAMPLES + 1))
        return tuple(cases), (query,)

    def made(self, rule: str, words: Sequence[str], case: Case) -> str:
        return case[int(rule)]

    def explained(self, examples: Sequence[tuple[Case, str]], query: Case) -> set[str]:
        fitting = [int(rule) for rule in self.rules if all(case[int(rule)] == made for case, made in examples)]
        return {query[place] for place in fitting}


_SHARED = ((0, -1), (-1, 0), (1, -1), (-1, 1), (1, 0))


class Counting(Discovery):
    """Number words: two digits in a base, with the larger part first or last."""

    rules = tuple(f"{order} {base}" for order in ("front", "behind") for base in range(6, 13))

    def _asking(self, name: str, own: tuple[str, ...], rng: Random) -> World:
        """Sample first which words the question shares with the known pair, and how near the answer is to its value.

        So nearness does not depend on the shared words: neither with the library nor with the changed one.
        """
        shared, near = rng.choice(_SHARED), rng.randrange(_CHOICES)
        while True:
            world = super()._asking(name, own, rng)
            if self._shared_words(world) != shared or self._nearer_choices(world) != near:
                continue
            with suppress(ValueError):
                if self._nearer_choices(self.changed(world)) == (near + _CHOICES // 2) % _CHOICES:
                    return world

    @staticmethod
    def _shared_words(world: World) -> tuple[int, int]:
        """Return the places in the known pair of the two words of the question; -1 for a word that it does not have."""
        pair = _known_pair(world)
        first, last = (pair.index(word) if word in pair else -1 for word in world.query)
        return first, last

    def _nearer_choices(self, world: World) -> int:
        owner = world.owners[0]
        known = int(self.made(owner.rule, owner.words, _known_pair(world)))
        ranked = sorted(world.choices, key=lambda choice: (abs(int(choice) - known), int(choice)))
        return ranked.index(self.solve(world))

    def cases(self, rng: Random, words: Sequence[str]) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
        """Sample three single digits and one pair of them as examples; four other pairs are candidates to ask."""
        one, other, third = rng.sample(words, 3)
        pairs = [(a, b) for a in (one, other, third) for b in (one, other, third) if a != b]
        asked = rng.sample([pair for pair in pairs if pair != (one, other)], 4)
        return ((one,), (other,), (third,), (one, other)), tuple(asked)

    def made(self, rule: str, words: Sequence[str], case: Case) -> str:
        return self._number(rule, {word: digit for digit, word in enumerate(words, 1)}, case)

    @staticmethod
    def _number(rule: str, digits: Mapping[str, int], case: Case) -> str:
        order, base = rule.split()
        value = 0
        for word in case if order == "front" else case[::-1]:
            value = value * int(base) + digits[word]
        return str(value)

    def explained(self, examples: Sequence[tuple[Case, str]], query: Case) -> set[str]:
        digits = {case[0]: int(made) for case, made in examples if len(case) == 1}
        if not {word for case, _ in examples for word in case} | {*query} <= {*digits}:
            return set()
        fitting = [
            rule for rule in self.rules if all(self._number(rule, digits, case) == made for case, made in examples)
        ]
        return {self._number(rule, digits, query) for rule in fitting}

    def alternatives(self, owner: Owner, rules: Sequence[str]) -> Iterable[Owner]:
        """Return the owner with other digits for the same words."""
        words = list(permutations(owner.words))
        return (replace(owner, words=other) for other in Random(repr(owner)).sample(words, len(words)))


def _known_pair(world: World) -> Case:
    return next(case for case in world.owners[0].cases if len(case) > 1)


class Tongues(Discovery):
    """Sentences of three words in an invented language: its vocabulary, and its order of subject, verb and object."""

    rules = tuple("".join(order) for order in permutations("012"))

    def _vocabulary(self, words: Sequence[str]) -> dict[str, str]:
        nouns, verbs = self.content.items
        return dict(zip((*nouns[:3], *verbs[:2]), words, strict=True))

    def cases(self, rng: Random, words: Sequence[str]) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
        """Sample four sentences; the candidates are two nouns in either role with each of two verbs."""
        nouns, verbs = self.content.items
        one, other = rng.sample(nouns[:3], 2)
        asked = tuple((s, v, o) for s, o in ((one, other), (other, one)) for v in verbs[:2])
        every = [(s, v, o) for s, o in permutations(nouns[:3], 2) for v in verbs[:2] if (s, v, o) not in asked]
        return tuple(rng.sample(every, _EXAMPLES)), asked

    def made(self, rule: str, words: Sequence[str], case: Case) -> str:
        vocabulary = self._vocabulary(words)
        return _ordered(rule, [vocabulary[word] for word in case])

    def explained(self, examples: Sequence[tuple[Case, str]], query: Case) -> set[str]:
        meanings = sorted({word for case, _ in examples for word in case} | {*query})
        words = sorted({word for _, made in examples for word in made.split()})
        answers = set()
        for assigned in permutations(words, len(meanings)):
            vocabulary = dict(zip(meanings, assigned, strict=True))
            for rule in self.rules:
                if all(_ordered(rule, [vocabulary[word] for word in case]) == made for case, made in examples):
                    answers.add(_ordered(rule, [vocabulary[word] for word in query]))
        return answers

    def alternatives(self, owner: Owner, rules: Sequence[str]) -> Iterable[Owner]:
        """Return the owner with the words of the verbs or of two nouns exchanged."""
        a, b, c, v, w = owner.words
        exchanged = [(a, b, c, w, v), (b, a, c, v, w), (a, c, b, v, w), (c, b, a, v, w)]
        return (replace(owner, words=words) for words in exchanged)


def _ordered(rule: str, words: Sequence[str]) -> str:
    return " ".join(words[int(place)] for place in rule)
