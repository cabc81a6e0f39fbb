"""Programming tasks in invented terms that only the problem's library defines, by one definition or by a chain of them.

Example: "Write a function to count the tolip numbers in a list." and the glossary "A number is brusk if it is even. A
brusk number is also called tolip if it is above 10. No brusk number counts that ends in 4."
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from string import Template
from typing import Any, ClassVar

from pydantic import ConfigDict

from pfe.errors import UserError, nearest
from pfe.problem import Problem, Skill
from pfe.tutors.content import Filled, engine_and_rest, read_content, table
from pfe.tutors.engines.program import (
    ProgramFamily,
    Task,
    asks_of,
    check_template,
    check_templates,
    part_tables,
    read_sentence,
)
from pfe.tutors.family import LENGTHS, BoundFamily, ContentFamily, Draft, Entry, Facts, quoted
from pfe.tutors.invented_words import coined
from pfe.tutors.place import Place
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

_TERMS = ("a", "b")
_RIVALS = 5  # rivals for each definition
_TRIES = 60
_DRAWS = 2000
_QUESTIONS = 60  # attempts to add questions to the first one of a world
_SURPRISE = 2  # random bonus, in uses of a term, when the least used terms are chosen
_CALLS = 16  # a definition that changes none of so many results counts as redundant
_HISSING = ("s", "x", "z")
_SHARED = 0.3  # share of the unneeded chains that build on the first needed definition


@dataclass(frozen=True)
class Kind:
    """One kind of definition.

    Attributes:
        says: its wordings, with `{term}` (which it defines), `{of}` (on which it builds) and `{phrase}`. A wording
            without `{term}` is an exception to `{of}`.
        parts: the possible phrases, in the format of `PartTable`.
        code: the meaning, in terms of `$part`, the phrase's code, and `$of`, the meaning that it builds on.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    says: Filled[tuple[str, ...]]
    parts: Filled[str]
    code: str = "$part"

    @property
    def is_exception(self) -> bool:
        return all("{term" not in text for text in self.says)


@dataclass(frozen=True)
class Glossary:
    """The content of a family's file.

    Attributes:
        skill: how the answer is found.
        kinds: of definitions, by name.
        chains: sequences of kinds in which each builds on the one before; a chain's term is the last that it defines.
        tasks: as in the engine `program`; `{a}` and `{b}` are terms, `$a` and `$b` their meanings; in `why` they are
            the terms as the question writes them.
        slots: the parts for other slots of a sentence.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    skill: Skill
    kinds: Filled[Mapping[str, Kind]]
    chains: Filled[tuple[Filled[tuple[str, ...]], ...]]
    tasks: Filled[tuple[Task, ...]]
    slots: Mapping[str, Filled[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Definition:
    """One entry of a library; an exception defines no term."""

    kind: str
    term: str
    of: str
    phrase: str


Chain = tuple[Definition, ...]


class Engine(ContentFamily, ProgramFamily, BoundFamily):
    """Tasks in the terms of one kind of glossary; `Glossary` documents the content of the file."""

    asked = 6

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.glossary = read_content(path, Glossary, rest)
        self.skill = self.glossary.skill
        kinds = self.glossary.kinds
        place = Place(path)
        self.parts = {name: PartTable(kind.parts, place / "kinds" / name / "parts") for name, kind in kinds.items()}
        self.slots = part_tables(self.glossary.slots, place / "slots")
        for number, chain in enumerate(self.glossary.chains):
            for kind in chain:
                if kind not in kinds:
                    raise UserError(f"{place / 'chains' / number}: '{kind}' is no kind; {nearest(kind, kinds)}")
        for name, one in kinds.items():
            check_template(one.code, ("part", "of"), place / "kinds" / name / "code")
        for number, task in enumerate(self.glossary.tasks):
            check_templates(task, self.slots, place / "tasks" / number, _TERMS)

    def facts(self, rng: Random) -> Facts:
        return self.world(rng)[0]

    def world(self, rng: Random) -> Sequence[Facts]:
        for _ in range(_DRAWS):
            first = self.stranger({}, rng)
            if self._is_sound(first):
                questions = [first, *islice(self._questions_beside(first, rng), self.asked - 1)]
                if len(questions) == self.asked:
                    return questions
        raise UserError(f"{self.path}: no problems come out whose tests tell one definition from others; vary `parts`")

    def stranger(self, facts: Facts, rng: Random) -> Facts:
        for _ in range(_DRAWS):
            number = rng.randrange(len(self.glossary.tasks))
            terms = {name: self._chain(rng, ()) for name in self._terms(number)}
            if not all(self._makes_sense(_parts(chain)) for chain in terms.values()):
                continue
            needed = [one for chain in terms.values() for one in chain]
            told = (*needed, *self._others(needed, rng))
            if _distinct(told):
                return {"task": number, **self._draw_slots(number, rng), "terms": terms, "told": told}
        raise UserError(f"{self.path}: no definitions come out of which each matters; give `kinds` more `parts`")

    def _questions_beside(self, first: Facts, rng: Random) -> Iterator[Facts]:
        """Yield other tasks in the terms of the same library; terms that were used rarely come first."""
        chains = {_term(chain): chain for chain in self._chains(first["told"])}
        asked, before = Counter(map(_term, first["terms"].values())), [first]
        for _ in range(_QUESTIONS):
            number = rng.randrange(len(self.glossary.tasks))
            names = self._terms(number)
            if len(chains) < len(names):
                continue
            seldom = sorted(chains, key=lambda term: asked[term] + _SURPRISE * rng.random())
            terms = {name: chains[term] for name, term in zip(names, seldom, strict=False)}
            facts = {"told": first["told"], "task": number, **self._draw_slots(number, rng), "terms": terms}
            if facts not in before and self._is_sound(facts):
                asked.update(map(_term, terms.values()))
                before.append(facts)
                yield facts

    def _chains(self, told: Sequence[Definition]) -> Iterator[Chain]:
        """Yield the chains of a library's terms, if every definition in the chain matters."""
        for one in told:
            if one.term and self._makes_sense(_parts(chain := _chain_of(one.term, told))):
                yield chain

    def _draw_slots(self, number: int, rng: Random) -> dict[str, str]:
        return {slot: parts.draw(rng) for slot, parts in self.slots.items() if slot in self._telling[number]}

    def write(self, facts: Facts, rng: Random) -> Draft:
        words = {slot: facts.get(slot, parts.draw(rng)) for slot, parts in self.slots.items()}
        cells = {name: cell for slot, phrase in words.items() for name, cell in self.slots[slot].cells(slot, phrase)}
        terms = {name: _term(chain) for name, chain in facts["terms"].items()}
        return Draft(capital(self._asks[facts["task"]].vary({**cells, **terms}, rng)), tests=self.tests(facts))

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        needed = _needed(facts)
        return [Entry(capital(self._says[one.kind].vary(vars(one), rng)), one in needed, one) for one in facts["told"]]

    def change(self, facts: Facts, rng: Random) -> Facts:
        needed = _needed(facts)
        for one in rng.sample(needed, len(needed)):
            phrases = list(self.parts[one.kind].parts)
            rng.shuffle(phrases)
            for phrase in phrases:
                changed = _with(facts, one, replace(one, phrase=phrase))
                if not passes(self._function(changed), self.examples_of(facts)):
                    return changed
        raise ValueError(f"{self.name}: every other library gives the same answer")

    def read(self, problem: Problem) -> Facts:
        for number, ask in enumerate(self._asks):
            words = read_sentence(ask, problem.question)
            if words is not None:
                slots = {slot: self.slots[slot].phrase(slot, words) for slot in self._telling[number]}
                told = [one for text in problem.library for one in self._read_entry(text)]
                terms = {name: _chain_of(words[name], told) for name in self._terms(number)}
                return {"task": number, **slots, "terms": terms, "told": tuple(told)}
        raise ValueError(f"{problem.question!r} is not of the family {self.name}")

    def solution(self, facts: Facts, draft: Draft) -> str:
        cells = {slot: facts[slot] for slot in self._telling[facts["task"]]}
        terms = {name: draft.as_written(_term(chain)) for name, chain in facts["terms"].items()}
        why = Template(self._task(facts).why).substitute(cells | terms)
        return f"{quoted('library', map(draft.entry, _needed(facts)))}\n{why}"

    def programs(self, facts: Facts) -> Sequence[str]:
        return self._programs(facts, self.function_name(facts))

    def function_name(self, facts: Facts) -> str:
        cells = self._cells(facts) | {name: _term(chain) for name, chain in facts["terms"].items()}
        return Template(self._task(facts).name).substitute(cells)

    def tests(self, facts: Facts) -> tuple[str, ...]:
        return shown(self.function_name(facts), self.examples_of(facts))

    # Drawing.

    def _chain(self, rng: Random, below: Chain) -> Chain:
        """Sample definitions that build on each other and, if it is not empty, on the chain `below`."""
        kinds = rng.choice([chain for chain in self.glossary.chains if chain[: len(below)] == _kinds(below)])
        chain = list(below)
        for kind in kinds[len(below) :]:
            before = _term(tuple(chain)) if chain else ""
            term = "" if self.glossary.kinds[kind].is_exception else coined(rng, 1, syllables=_syllables())[0]
            chain.append(Definition(kind, term, before, self.parts[kind].draw(rng)))
        return tuple(chain)

    @lru_cache(8192)  # noqa: B019  (families live as long as the process)
    def _makes_sense(self, parts: tuple[tuple[str, str], ...]) -> bool:
        """Return whether each definition of a chain, given as kind and phrase, matters.

        None may be redundant, and not all results may be equal. "Divisible by three" and then "no multiple of three"
        leaves no number; "below five" and then "below twenty" leaves all.
        """
        results = self._results(parts)
        return len({*results}) > 1 and all(
            self._results(parts[:place] + parts[place + 1 :]) != results for place in range(1, len(parts))
        )

    @lru_cache(8192)  # noqa: B019  (families live as long as the process)
    def _results(self, parts: tuple[tuple[str, str], ...]) -> Sequence[str]:
        """Return the results of the first task for `_CALLS` sampled calls."""
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
            # An exception to a needed definition would be needed, too.
            whole = (*below, *chain)
            if chain and chain[0].term and _distinct([*known, *chain]) and self._makes_sense(_parts(whole)):
                yield from chain
                known += chain
                missing -= len(chain)

    def _is_sound(self, facts: Facts) -> bool:
        """Return whether the tests detect a changed meaning, and the omission of any definition."""
        try:
            self.change(facts, Random(0))
        except ValueError:
            return False
        return all(self._alters(facts, one) for chain in facts["terms"].values() for one in chain[1:])

    def _alters(self, facts: Facts, one: Definition) -> bool:
        """Return whether the tests detect that one of the definitions is ignored."""
        return not passes(self._function(_with(facts, one)), self.examples_of(facts))

    def examples_of(self, facts: Facts) -> tuple[Example, ...]:
        slots = tuple((slot, facts[slot]) for slot in self._telling[facts["task"]])
        return self._examples(facts["task"], slots, tuple(facts["terms"].items()))

    @lru_cache(256)  # noqa: B019  (families live as long as the process)
    def _examples(
        self, task: int, slots: tuple[tuple[str, str], ...], terms: tuple[tuple[str, Chain], ...]
    ) -> tuple[Example, ...]:
        facts = {"task": task, **dict(slots), "terms": dict(terms), "told": ()}
        rng = Random(f"{self.name}:{task}:{slots}:{terms}")
        rivals = [self._function(other) for other in self.rivals(facts, rng)]
        inputs = Template(self._task(facts).inputs).substitute(self._cells(facts))
        return telling_examples(self._function(facts), rivals, inputs, rng)

    def rivals(self, facts: Facts, rng: Random) -> Iterator[Facts]:
        """Yield the task with another meaning of one definition, or without one."""
        bases = {chain[0] for chain in facts["terms"].values()}
        for one in _needed(facts):
            others = [phrase for phrase in self.parts[one.kind].parts if phrase != one.phrase]
            for phrase in rng.sample(others, min(_RIVALS, len(others))):
                yield _with(facts, one, replace(one, phrase=phrase))
            if one not in bases:
                yield _with(facts, one)

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
        return [name for name in _TERMS if name in self._asks[number].names]

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
            asks_of(task, values, Place(self.path) / "tasks" / number, _TERMS)
            for number, task in enumerate(self.glossary.tasks)
        )

    @cached_property
    def _says(self) -> Mapping[str, Wording]:
        return {
            name: one_of(
                kind.says,
                {"phrase": tuple(self.parts[name].parts)},
                Place(self.path) / "kinds" / name / "says",
                ("term", "of"),
            )
            for name, kind in self.glossary.kinds.items()
        }

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
    """Return syllables for terms whose plural ends in a plain s.

    "Six dravis" can be read back, "six dravises" cannot.
    """
    parts: Mapping[str, Sequence[str]] = table("syllables")
    return {**parts, "codas": [coda for coda in parts["codas"] if coda not in _HISSING]}


def _kinds(chain: Chain) -> tuple[str, ...]:
    return tuple(one.kind for one in chain)


def _chain_of(term: str, told: Sequence[Definition]) -> Chain:
    """Return the definitions that give a term its meaning, in the order in which they build on each other.

    Raises:
        ValueError: one is missing.
    """
    base = next((one for one in told if one.term == term), None)
    if base is None:
        raise ValueError(f"no entry says what {term} is")
    below = _chain_of(base.of, told) if base.of else ()
    return (*below, base, *(one for one in told if not one.term and one.of == term))


def _needed(facts: Facts) -> list[Definition]:
    """Return the definitions that the answer depends on, each once."""
    return list(dict.fromkeys(one for chain in facts["terms"].values() for one in chain))


def _with(facts: Facts, old: Definition, *new: Definition) -> Facts:
    """Return the facts with `old` replaced by another definition, or removed, in the library and in all chains."""
    told, *chains = (
        tuple(other for one in listed for other in (new if one == old else (one,)))
        for listed in (facts["told"], *facts["terms"].values())
    )
    return {**facts, "told": told, "terms": dict(zip(facts["terms"], chains, strict=True))}


def _distinct(definitions: Sequence[Definition]) -> bool:
    terms = [one.term for one in definitions if one.term]
    meanings = [(one.kind, one.of, one.phrase) for one in definitions]
    return len(set(terms)) == len(terms) and len(set(meanings)) == len(meanings)
