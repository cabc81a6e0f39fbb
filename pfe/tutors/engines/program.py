"""Small Python tasks that are stated in one sentence; each file has a group of them.

Example: `{Write} count the {kind} <in|of> a <word|string>.` makes "Write a function to count the vowels in a word."
with `assert count_vowels("orange") == 3`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod
from pathlib import Path
from random import Random
from string import Template
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field

from pfe.errors import UserError, nearest
from pfe.problem import AnswerKey, Domain, Problem, Scorer
from pfe.sandbox.programs import run_tests
from pfe.tutors.content import Filled, engine_and_rest, read_content, table
from pfe.tutors.family import ROUTES, ContentFamily, Draft, Facts, Family
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.programs import Example, PartTable, defined, shown, telling_examples, with_imports
from pfe.tutors.wording import Either, Wording, capital, wording

_RIVALS_A_SLOT = 3
_BREADTH = 0.5
_TRIES = 500


@dataclass(frozen=True)
class Task:
    """One task of a file; `$slot` stands for the part's `code`, `$slot_column` for another cell, `$name` for the name.

    Attributes:
        asks: wordings of the sentence, with `{slot}` and the openers of `tables/program_openers.yaml`.
        name: the function's name.
        inputs: how the arguments of a call are sampled, with the functions of `Drawing`.
        programs: two or more, each written in a different way.
        why: the approach in words; `$slot` is the phrase.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    asks: Filled[tuple[str, ...]]
    name: str
    inputs: Filled[str]
    programs: Annotated[tuple[str, ...], Field(min_length=2)]
    why: str


@dataclass(frozen=True)
class Tasks:
    """The content of a family's file: the parts of each slot, in the format of `PartTable`, and the tasks.

    A slot that the name, inputs and programs of a task do not mention only changes its wording.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    tasks: Filled[tuple[Task, ...]]
    slots: Mapping[str, Filled[str]] = field(default_factory=dict)


class ProgramFamily(Family):
    """Tasks whose answer is a program; the routes answer with programs that are written in different ways.

    | route | starts from | program |
    | --- | --- | --- |
    | derive | the facts | the first |
    | verify | the facts, and `check` | the second |
    | replay | the worked solution as written, run again on the tests | the first |
    | read | the question's text (and the library) alone | the last |
    | eliminate | the same, and `check` | the second |
    """

    domain: ClassVar[Domain] = "code"
    scorer: ClassVar[Scorer] = "program"

    def programs(self, facts: Facts) -> Sequence[str]:
        """Return the programs of the task, complete with their imports; the first is the reference."""
        raise NotImplementedError

    def tests(self, facts: Facts) -> tuple[str, ...]:
        """Return the assertions in the problem."""
        raise NotImplementedError

    def function_name(self, facts: Facts) -> str:
        """Return the name under which the tests call the function."""
        raise NotImplementedError

    def solve(self, facts: Facts) -> str:
        return self.programs(facts)[0]

    def check(self, facts: Facts, answer: str) -> bool:
        """Return whether the program passes, in the sandbox, the tests generated for these facts."""
        return run_tests(answer, "", self.tests(facts)).passed

    def candidates(self, problem: Problem) -> Iterable[str]:
        return self.programs(self.read(problem))

    def replay(self, problem: Problem) -> str:
        """Return the program at the end of the worked solution, after it has passed the problem's tests.

        Raises:
            ValueError: it fails one.
        """
        program = super().replay(problem)
        if not run_tests(program, problem.setup, problem.tests).passed:
            raise ValueError(f"{problem.id}: the program of the worked solution fails the tests")
        return program

    def answer(self, problem: Problem, route: str) -> AnswerKey:
        if route not in ROUTES:
            raise UserError(f"unknown route '{route}'; {nearest(route, ROUTES)}")
        from_text = route in ("read", "eliminate")
        facts = self.read(problem) if from_text else self.drawn(problem.id)
        programs = self.programs(facts)
        program = programs[{"derive": 0, "replay": 0, "read": -1}.get(route, 1)]
        if route == "replay":
            self.replay(problem)
        if route in ("verify", "eliminate") and not self.check(facts, program):
            raise ValueError(f"{problem.id}: program fails:\n{program}")
        return AnswerKey(problem.id, route, program, program)


class Engine(ContentFamily, ProgramFamily):
    """Tasks of one kind, as `Tasks` describes them. The facts are the task's number and a phrase for each slot."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        self.content = read_content(path, Tasks, rest)
        self.slots = part_tables(self.content.slots, Place(path) / "slots")
        self.weight = float(len(self.content.tasks))
        for number, task in enumerate(self.content.tasks):
            check_templates(task, self.slots, Place(path) / "tasks" / number)

    @cached_property
    def asks(self) -> Sequence[Wording]:
        """Return the wordings of each task."""
        openers = {name: wording(text) for name, text in table("program_openers").items()}
        values: dict[str, Any] = dict(openers)
        for slot, parts in self.slots.items():
            values |= {name: tuple(column) for name, column in parts.columns(slot).items()}
        return tuple(
            asks_of(task, values, Place(self.path) / "tasks" / number) for number, task in enumerate(self.content.tasks)
        )

    @cached_property
    def telling(self) -> Sequence[Sequence[str]]:
        """Return, for each task, the slots that determine what is computed."""
        texts = ["\n".join((task.name, task.inputs, *task.programs)) for task in self.content.tasks]
        return tuple([slot for slot in self.slots if _mentions(text, slot)] for text in texts)

    @cached_property
    def _breadths(self) -> Sequence[float]:
        """Return the weight of each task, which is larger if its parts and wordings make more problems."""
        return [
            (ask.count * prod(len(parts.parts) for slot, parts in self.slots.items() if slot in ask.names)) ** _BREADTH
            for ask in self.asks
        ]

    def facts(self, rng: Random) -> Facts:
        number = rng.choices(range(len(self.asks)), self._breadths)[0]
        for _ in range(_TRIES):
            facts = {"task": number, **{slot: self.slots[slot].draw(rng) for slot in self.telling[number]}}
            try:
                self.tests(facts)
            except ValueError:
                continue
            return facts
        where = Place(self.path) / "tasks" / number
        raise UserError(
            f"{where}: no calls of its `inputs` tell what it computes from what other parts would; vary them"
        )

    def write(self, facts: Facts, rng: Random) -> Draft:
        words = {slot: parts.draw(rng) for slot, parts in self.slots.items()}
        chosen = {slot: facts.get(slot, word) for slot, word in words.items()}
        cells = {name: cell for slot, phrase in chosen.items() for name, cell in self.slots[slot].cells(slot, phrase)}
        return Draft(capital(self.asks[facts["task"]].vary(cells, rng)), tests=self.tests(facts))

    def read(self, problem: Problem) -> Facts:
        for number, ask in enumerate(self.asks):
            slots = read_sentence(ask, problem.question)
            if slots is None:
                continue
            return {"task": number, **{slot: self.slots[slot].phrase(slot, slots) for slot in self.telling[number]}}
        raise ValueError(f"{problem.question!r} is not of the family {self.name}")

    def solution(self, facts: Facts, draft: Draft) -> str:
        return Template(self._task(facts).why).substitute(facts)

    def programs(self, facts: Facts) -> Sequence[str]:
        cells = self._cells(facts) | {"name": self.function_name(facts)}
        return [with_imports(Template(text).substitute(cells).strip()) for text in self._task(facts).programs]

    def function_name(self, facts: Facts) -> str:
        name = Template(self._task(facts).name).substitute(self._cells(facts))
        return re.sub(r"\W+", "_", name.lower())

    def tests(self, facts: Facts) -> tuple[str, ...]:
        return shown(self.function_name(facts), self._examples(tuple(facts.items())))

    def neighbours(self, facts: Facts, rng: Random) -> list[Facts]:
        """Sample the facts of tasks that differ in one part."""
        slots = self.telling[facts["task"]]
        others = [{**facts, slot: self.slots[slot].draw(rng)} for slot in slots for _ in range(_RIVALS_A_SLOT)]
        return [other for other in others if other != facts]

    @lru_cache(256)  # noqa: B019  (families live as long as the process)
    def _examples(self, items: tuple[tuple[str, Any], ...]) -> tuple[Example, ...]:
        facts = dict(items)
        rng = Random(f"{self.name}:{items}")
        rivals = [self._function(other) for other in self.neighbours(facts, rng)]
        inputs = Template(self._task(facts).inputs).substitute(self._cells(facts))
        return telling_examples(self._function(facts), rivals, inputs, rng)

    def _function(self, facts: Facts) -> Any:
        return defined(self.solve(facts), self.function_name(facts))

    def _task(self, facts: Facts) -> Task:
        return self.content.tasks[facts["task"]]

    def _cells(self, facts: Facts) -> dict[str, str]:
        cells: dict[str, str] = {}
        for slot in self.telling[facts["task"]]:
            part = self.slots[slot].parts[facts[slot]]
            cells |= {f"{slot}_{column}": cell for column, cell in part.items()} | {slot: part["code"]}
        return cells


def part_tables(slots: Mapping[str, str], where: Place) -> Mapping[str, PartTable]:
    """Return the table of parts for each slot."""
    return {slot: PartTable(text, where / slot) for slot, text in slots.items()}


def asks_of(task: Task, values: Mapping[str, Any], where: Place, names: Sequence[str] = ()) -> Wording:
    """Return the wordings of a task; `vary` samples the first twice as often as each other one."""
    texts = ((0, task.asks[0]), *enumerate(task.asks))
    return Either(tuple(wording(text, values, where / "asks" / number, names) for number, text in texts))


def check_templates(task: Task, slots: Mapping[str, PartTable], where: Place, terms: Sequence[str] = ()) -> None:
    """Reject a `$` name that is no slot, no cell of a slot, no term and not the function's name.

    Raises:
        UserError: there is one.
    """
    cells = {cell for slot, parts in slots.items() for cell in parts.columns(slot)} | {*terms}
    texts = {"name": (task.name, cells), "inputs": (task.inputs, cells), "why": (task.why, {*slots, *terms})}
    for key, (text, known) in texts.items():
        check_template(text, known, where / key)
    for number, program in enumerate(task.programs):
        check_template(program, cells | {"name"}, where / "programs" / number)


def check_template(text: str, known: Collection[str], where: Place) -> None:
    """Reject a `$` with a name that is not in `known`.

    Raises:
        UserError: there is one, or a `$` without a name.
    """
    template = Template(text)
    if not template.is_valid():
        raise UserError(f"{where}: a `$` stands alone; write $$ for the character itself")
    refuse_unknown(template.get_identifiers(), known, where)


def _mentions(text: str, slot: str) -> bool:
    return re.search(rf"\${slot}(?:_|\b)|\${{{slot}(?:_|\b)", text) is not None


def read_sentence(ask: Wording, question: str) -> dict[str, Any] | None:
    """Parse the slots of a sentence, whose first word may be capitalised only because of its position.

    It is None if the sentence does not fit.
    """
    for text in (question, question[:1].lower() + question[1:]):
        try:
            return ask.read(text)
        except ValueError:
            continue
    return None
