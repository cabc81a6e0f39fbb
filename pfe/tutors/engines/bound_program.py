"""Programs for terms that only the library of the problem explains: one definition, or some that build on each other.

Example: "Write a function to count the tolip numbers in a list." and the glossary "A number is brusk if it is even. A
brusk number is also called tolip if it is above 10. No brusk number counts that ends in 4."
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from random import Random
from string import Template
from typing import Any

from pfe.errors import UserError
from pfe.problem import Problem, Tier
from pfe.tutors.coinage import coined
from pfe.tutors.content import engine_and_rest, read_content, table
from pfe.tutors.engines.program import ProgramFamily, Task, read_sentence
from pfe.tutors.family import LENGTHS, BoundFamily, ContentFamily, Draft, Entry, Facts
from pfe.tutors.programs import (
    Drawing,
    Example,
    PartTable,
    defined,
    passes,
    shown,
    telling_examples,
    value,
    with_imports,
)
from pfe.tutors.wording import Wording, capital, one_of, wording

_RIVALS = 5  # of each definition
_TRIES = 60
_CALLS = 16  # after which a definition that has changed no result is taken for idle
_HISSING = ("s", "x", "z")
_SHARED = 0.3  # of the definitions that are not needed and build on another, those that build on a needed one


@dataclass(frozen=True)
class Kind:
    """One kind of definition.

    Attributes:
        says: its wordings, with `{term}` (what it defines), `{of}` (what it builds on) and `{phrase}`. One without
            `{term}` is an exception to `{of}`.
        parts: what the phrase may be, as `PartTable` takes it.
        code: the meaning, of `$part`, the code of the phrase, and `$of`, the meaning that it builds on.
    """

    says: tuple[str, ...]
    parts: str
    code: str = "$part"

    @property
    def is_exception(self) -> bool:
        return all("{term" not in text for text in self.says)


@dataclass(frozen=True)
class Glossary:
    """What a family's file says.

    Attributes:
        tier: how the answer is come by.
        kinds: of definitions, by name.
        chains: kinds that follow each other, each building on the one before it; a term is the last that one defines.
        tasks: as in the engine `program`; `{a}` and `{b}` are terms, `$a` and `$b` what they mean.
        slots: what else may stand in a sentence.
    """

    tier: Tier
    kinds: Mapping[str, Kind]
    chains: tuple[tuple[str, ...], ...]
    tasks: tuple[Task, ...]
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Definition:
    """One entry of a library; an exception defines no term."""

    kind: str
    term: str
    of: str
    phrase: str


Chain = tuple[Definition, ...]


class Engine(ContentFamily, ProgramFamily, BoundFamily):
    """Tasks in the terms of one kind of glossary; see `Glossary` for what the file says."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.glossary = read_content(path, Glossary, rest)
        self.tier = self.glossary.tier
        kinds = self.glossary.kinds
        self.parts = {name: PartTable(kind.parts, f"{path}, {name}") for name, kind in kinds.items()}
        self.slots = {slot: PartTable(text, f"{path}, {slot}") for slot, text in self.glossary.slots.items()}
        for kind in [kind for chain in self.glossary.chains for kind in chain if kind not in kinds]:
            raise UserError(f"{path}: chains: '{kind}' is none of the kinds {', '.join(kinds)}")

    def facts(self, rng: Random) -> Facts:
        while True:
            facts = self.stranger({}, rng)
            if self._is_sound(facts):
                return facts

    def stranger(self, facts: Facts, rng: Random) -> Facts:
        while True:
            number = rng.randrange(len(self.glossary.tasks))
            terms = {name: self._chain(rng, ()) for name in self._terms(number)}
            if not all(self._makes_sense(_parts(chain)) for chain in terms.values()):
                continue
            slots = {slot: parts.draw(rng) for slot, parts in self.slots.items() if slot in self._telling[number]}
            needed = [one for chain in terms.values() for one in chain]
            others = tuple(self._others(needed, rng))
            if _distinct([*needed, *others]):
                return {"task": number, **slots, "terms": terms, "others": others}

    def write(self, facts: Facts, rng: Random) -> Draft:
        words = {slot: facts.get(slot, parts.draw(rng)) for slot, parts in self.slots.items()}
        cells = {name: cell for slot, phrase in words.items() for name, cell in self.slots[slot].cells(slot, phrase)}
        terms = {name: _term(chain) for name, chain in facts["terms"].items()}
        return Draft(capital(self._asks[facts["task"]].vary({**cells, **terms}, rng)), tests=self.tests(facts))

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        needed = [one for chain in facts["terms"].values() for one in chain]
        told = [(one, True) for one in needed] + [(one, False) for one in facts["others"]]
        return [Entry(capital(self._says[one.kind].vary(vars(one), rng)), used) for one, used in told]

    def change(self, facts: Facts, rng: Random) -> Facts:
        terms: Mapping[str, Chain] = facts["terms"]
        places = [(name, place) for name, chain in terms.items() for place in range(len(chain))]
        rng.shuffle(places)
        for name, place in places:
            phrases = list(self.parts[terms[name][place].kind].parts)
            rng.shuffle(phrases)
            for phrase in phrases:
                changed = {**facts, "terms": {**terms, name: _with(terms[name], place, phrase)}}
                if not passes(self._function(changed), self.examples_of(facts)):
                    return changed
        raise ValueError(f"{self.name}: every other library gives the same answer")

    def read(self, problem: Problem) -> Facts:
        for number, ask in enumerate(self._asks):
            words = read_sentence(ask, problem.question)
            if words is not None:
                slots = {slot: self.slots[slot].phrase(slot, words) for slot in self._telling[number]}
                terms = {name: self._chain_of(words[name], problem.library) for name in self._terms(number)}
                return {"task": number, **slots, "terms": terms, "others": ()}
        raise ValueError(f"{problem.question!r} is not of the family {self.name}")

    def solution(self, facts: Facts) -> str:
        needed = [one for chain in facts["terms"].values() for one in chain]
        lines = [f'The library says: "{capital(self._says[one.kind].text(0, vars(one)))}"' for one in needed]
        cells = {slot: facts[slot] for slot in self._telling[facts["task"]]}
        why = Template(self._task(facts).why).substitute(
            cells | {name: _term(chain) for name, chain in facts["terms"].items()}
        )
        return "\n".join([*lines, why])

    def programs(self, facts: Facts) -> Sequence[str]:
        return self._programs(facts, self.function_name(facts))

    def function_name(self, facts: Facts) -> str:
        cells = self._cells(facts) | {name: _term(chain) for name, chain in facts["terms"].items()}
        return Template(self._task(facts).name).substitute(cells)

    def tests(self, facts: Facts) -> tuple[str, ...]:
        return shown(self.function_name(facts), self.examples_of(facts))

    # Drawing.

    def _chain(self, rng: Random, below: Chain) -> Chain:
        """Definitions that build on each other, the first of them on `below`, if there is any."""
        kinds = rng.choice([chain for chain in self.glossary.chains if chain[: len(below)] == _kinds(below)])
        chain = list(below)
        for kind in kinds[len(below) :]:
            before = _term(tuple(chain)) if chain else ""
            term = "" if self.glossary.kinds[kind].is_exception else coined(rng, 1, syllables=_syllables())[0]
            chain.append(Definition(kind, term, before, self.parts[kind].draw(rng)))
        return tuple(chain)

    @lru_cache(8192)  # noqa: B019  (families live as long as the process)
    def _makes_sense(self, parts: tuple[tuple[str, str], ...]) -> bool:
        """Whether each definition of a chain, given as kind and phrase, matters: none is idle or empties those before.

        "Divisible by three" and then "no multiple of three" leaves no number; "below five" and "below twenty" all.
        """
        results = self._results(parts)
        return len({*results}) > 1 and all(
            self._results(parts[:place] + parts[place + 1 :]) != results for place in range(1, len(parts))
        )

    @lru_cache(8192)  # noqa: B019  (families live as long as the process)
    def _results(self, parts: tuple[tuple[str, str], ...]) -> Sequence[str]:
        """What the first task gives for a good many calls."""
        chain = tuple([Definition(kind, "a", "", phrase) for kind, phrase in parts])
        slots = {slot: next(iter(self.slots[slot].parts)) for slot in self._telling[0]}
        facts = {"task": 0, **slots, "terms": dict.fromkeys(self._terms(0), chain)}
        inputs = Template(self._task(facts).inputs).substitute(self._cells(facts))
        drawing, function = Drawing(Random(0)), self._function(facts)
        return tuple(repr(value(function, drawing.call(inputs))) for _ in range(_CALLS))

    def _others(self, needed: Sequence[Definition], rng: Random) -> Iterator[Definition]:
        missing, known = rng.choice(LENGTHS) - len(needed), list(needed)
        for _ in range(_TRIES):
            if missing <= 0:
                return
            below = (needed[0],) if rng.random() < _SHARED else ()
            chain = self._chain(rng, below)[len(below) :]
            # An exception to what is needed would be needed too.
            whole = (*below, *chain)
            if chain and chain[0].term and _distinct([*known, *chain]) and self._makes_sense(_parts(whole)):
                yield from chain
                known += chain
                missing -= len(chain)

    def _is_sound(self, facts: Facts) -> bool:
        """Whether the tests tell another meaning, and each definition matters."""
        try:
            self.change(facts, Random(0))
        except ValueError:
            return False
        return all(self._alters(facts, name, place) for name, chain in facts["terms"].items()
                   for place in range(1, len(chain)))  # fmt: skip

    def _alters(self, facts: Facts, name: str, place: int) -> bool:
        """Whether the tests show it if one of the definitions is overlooked."""
        chain = facts["terms"][name]
        shorter = {**facts, "terms": {**facts["terms"], name: chain[:place] + chain[place + 1 :]}}
        return not passes(self._function(shorter), self.examples_of(facts))

    def examples_of(self, facts: Facts) -> tuple[Example, ...]:
        slots = tuple((slot, facts[slot]) for slot in self._telling[facts["task"]])
        return self._examples(facts["task"], slots, tuple(facts["terms"].items()))

    @lru_cache(256)  # noqa: B019  (families live as long as the process)
    def _examples(
        self, task: int, slots: tuple[tuple[str, str], ...], terms: tuple[tuple[str, Chain], ...]
    ) -> tuple[Example, ...]:
        facts = {"task": task, **dict(slots), "terms": dict(terms)}
        rng = Random(f"{self.name}:{task}:{slots}:{terms}")
        rivals = [self._function(other) for other in self.rivals(facts, rng)]
        inputs = Template(self._task(facts).inputs).substitute(self._cells(facts))
        return telling_examples(self._function(facts), rivals, inputs, rng)

    def rivals(self, facts: Facts, rng: Random) -> Iterator[Facts]:
        """The task with another meaning of one definition, or without one."""
        for name, chain in facts["terms"].items():
            for place, one in enumerate(chain):
                others = [phrase for phrase in self.parts[one.kind].parts if phrase != one.phrase]
                for phrase in rng.sample(others, min(_RIVALS, len(others))):
                    yield {**facts, "terms": {**facts["terms"], name: _with(chain, place, phrase)}}
                if place:
                    yield {**facts, "terms": {**facts["terms"], name: chain[:place] + chain[place + 1 :]}}

    def _function(self, facts: Facts) -> Any:
        return defined(self._programs(facts, "task")[0], "task")

    # Meaning.

    def _programs(self, facts: Facts, name: str) -> Sequence[str]:
        meanings = {term: self._meaning(chain) for term, chain in facts["terms"].items()}
        cells = self._cells(facts) | meanings | {"name": name}
        return [with_imports(Template(text).substitute(cells).strip()) for text in self._task(facts).programs]

    def _meaning(self, chain: Chain) -> str:
        code = ""
        for one in chain:
            part = self.parts[one.kind].parts[one.phrase]["code"]
            code = Template(self.glossary.kinds[one.kind].code).substitute(part=part, of=code)
        return code

    def _cells(self, facts: Facts) -> dict[str, str]:
        cells: dict[str, str] = {}
        for slot in self._telling[facts["task"]]:
            part = self.slots[slot].parts[facts[slot]]
            cells |= {f"{slot}_{column}": cell for column, cell in part.items()} | {slot: part["code"]}
        return cells

    def _task(self, facts: Facts) -> Task:
        return self.glossary.tasks[facts["task"]]

    def _terms(self, number: int) -> list[str]:
        return [name for name in ("a", "b") if name in self._asks[number].names]

    # Wordings.

    @cached_property
    def _telling(self) -> Sequence[Sequence[str]]:
        texts = ["\n".join((task.name, task.inputs, *task.programs)) for task in self.glossary.tasks]
        return tuple([slot for slot in self.slots if f"${slot}" in text or f"${{{slot}" in text] for text in texts)

    @cached_property
    def _asks(self) -> Sequence[Wording]:
        values: dict[str, Any] = {name: wording(text) for name, text in table("program_openers").items()}
        for slot, parts in self.slots.items():
            values |= {name: tuple(column) for name, column in parts.columns(slot).items()}
        return tuple(
            one_of((task.asks[0], *task.asks), values, f"{self.path}, task {number}")
            for number, task in enumerate(self.glossary.tasks, 1)
        )

    @cached_property
    def _says(self) -> Mapping[str, Wording]:
        return {
            name: one_of(kind.says, {"phrase": tuple(self.parts[name].parts)}, f"{self.path}, {name}")
            for name, kind in self.glossary.kinds.items()
        }

    def _chain_of(self, term: str, library: Sequence[str]) -> Chain:
        """The definitions that say what a term means, those that others build on first.

        Raises:
            ValueError: one is missing.
        """
        told = [one for text in library if term in text.lower() for one in self._read_entry(text)]
        base = next((one for one in told if one.term == term), None)
        if base is None:
            raise ValueError(f"no entry says what {term} is")
        below = self._chain_of(base.of, library) if base.of else ()
        return (*below, base, *(one for one in told if not one.term and one.of == term))

    def _read_entry(self, text: str) -> Iterator[Definition]:
        for name, says in self._says.items():
            slots = read_sentence(says, text)
            if slots and not any(" " in slots.get(slot, "") for slot in ("term", "of")):
                term, of = (slots.get(slot, "").lower() for slot in ("term", "of"))
                yield Definition(name, term, of, slots["phrase"])
                return


def _term(chain: Chain) -> str:
    return next(one.term for one in reversed(chain) if one.term)


def _parts(chain: Chain) -> tuple[tuple[str, str], ...]:
    return tuple((one.kind, one.phrase) for one in chain)


@cache
def _syllables() -> Mapping[str, Sequence[str]]:
    """For terms whose plural ends in a bare s: "six dravis" can be read back, "six dravises" cannot."""
    parts: Mapping[str, Sequence[str]] = table("syllables")
    return {**parts, "codas": [coda for coda in parts["codas"] if coda not in _HISSING]}


def _kinds(chain: Chain) -> tuple[str, ...]:
    return tuple(one.kind for one in chain)


def _with(chain: Chain, place: int, phrase: str) -> Chain:
    return (*chain[:place], replace(chain[place], phrase=phrase), *chain[place + 1 :])


def _distinct(definitions: Sequence[Definition]) -> bool:
    terms = [one.term for one in definitions if one.term]
    meanings = [(one.kind, one.of, one.phrase) for one in definitions]
    return len(set(terms)) == len(terms) and len(set(meanings)) == len(meanings)
