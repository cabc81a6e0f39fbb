"""What the programming tasks of mbpp_synth share: tables of task parts, tests that bite, five programs.

Example: the row `divisible by {3 7} | multiple_of_{0} | x % {0} == 0` of a table is two parts of a task; with the
second one a question says "... numbers that are divisible by 7", the function is called `sum_multiple_of_7`, and the
programs test `x % 7 == 0`.
"""

import pickle
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product, zip_longest
from random import Random
from string import Template
from textwrap import dedent
from typing import Any, ClassVar

from pfe.errors import UserError, nearest
from pfe.problem import AnswerKey, Problem
from pfe.sandbox.programs import run_tests
from pfe.tutors.family import ROUTES, Draft, Facts, Family

STYLE_OF: Mapping[str, str] = {
    "derive": "loop",
    "verify": "comprehension",
    "replay": "recursion",
    "read": "functional",
    "eliminate": "library",
}
_MODULE = re.compile(r"(?<![\w.])(collections|copy|datetime|functools|heapq|itertools|math|operator|re)\.\w")
_ATTEMPTS = 24
_RIVALS_A_SLOT = 4
_TRIALS = 8


class PartTable:
    """The parts that may fill one slot of a task, written as lines of `|`-separated cells below a line of column names.

    A line that begins with `|` continues the one above. The first column is the phrase that stands in the question; it
    names the part everywhere. A list in braces, `{3 7}`, makes one part of each of its words; the other cells refer to
    the chosen words by `{0}`, `{1}`.

    Raises:
        ValueError: a line has not as many cells as there are columns, or a phrase occurs twice.
    """

    def __init__(self, text: str) -> None:
        whole_lines = re.sub(r"\n\s*\| ", " | ", text.strip()).splitlines()
        columns, *lines = [_cells(line) for line in whole_lines]
        self._rows = [[dict(zip(columns, cells, strict=True)) for cells in _expanded(line)] for line in lines]
        parts = [part for row in self._rows for part in row]
        self.parts: Mapping[str, Mapping[str, str]] = {part[columns[0]]: part for part in parts}
        if len(self.parts) < len(parts):
            raise ValueError(f"a phrase occurs twice in the table that begins {lines[0]}")

    def draw(self, rng: Random) -> str:
        """The phrase of one part; a line with many parts is drawn more often, by the square root of their number."""
        row = rng.choices(self._rows, [len(row) ** 0.5 for row in self._rows])[0]
        return next(iter(rng.choice(row).values()))

    def pattern(self) -> str:
        """A regular expression for any of the phrases, the longest first."""
        return "|".join(re.escape(phrase) for phrase in sorted(self.parts, key=len, reverse=True))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(" | ")]


def _expanded(cells: Sequence[str]) -> Iterator[list[str]]:
    pieces = re.split(r"\{([^}]*)\}", cells[0])
    for words in product(*(choices.split() for choices in pieces[1::2])):
        phrase = "".join(literal + word for literal, word in zip_longest(pieces[::2], words, fillvalue=""))
        rest = list(cells[1:])
        for place, word in enumerate(words):
            rest = [cell.replace(f"{{{place}}}", word) for cell in rest]
        yield [phrase, *rest]


class CodeFamily(Family):
    """A small Python task in the manner of MBPP: one or two sentences, three assertions, a function to write.

    The facts are one phrase for each slot; they are the task. Subclasses set

    - `slots`: the table of each slot,
    - `templates`: wordings of the question, each with every `{slot}`,
    - `decoration`: the slots that change the wording only, not what the function computes,
    - `function`: the function's name, `styles`: its program in five styles, `explanation`: the approach in words.

    In these three `$slot` stands for the part's `code` (in the explanation: its phrase), `$slot_column` for another
    cell of the part, and in the programs `$name` for the function's name.

    The five routes answer with five programs, so that a student sees more than one way to write each:

    | route | starts from | program |
    | --- | --- | --- |
    | derive | the facts | `loop`: explicit loops |
    | verify | the facts, and `check` | `comprehension`: comprehensions and generator expressions |
    | replay | the worked solution as written, run again on the tests | `recursion`: a function that calls itself |
    | read | the question's text alone | `functional`: map, filter, reduce, lambda |
    | eliminate | the question's text alone, and `check` | `library`: itertools, collections, re, datetime, ... |
    """

    domain = "code"
    scorer = "program"
    slots: ClassVar[Mapping[str, PartTable]]
    templates: ClassVar[tuple[str, ...]]
    decoration: ClassVar[frozenset[str]] = frozenset()
    function: ClassVar[str]
    styles: ClassVar[Mapping[str, str]]
    explanation: ClassVar[str]

    @abstractmethod
    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        """Draw the arguments of one call, such that the task has a meaning for them."""

    def sound(self, facts: Facts) -> bool:
        """Whether these parts make a sensible task together."""
        return True

    def facts(self, rng: Random) -> Facts:
        while True:
            facts = {slot: table.draw(rng) for slot, table in self.slots.items()}
            if self.sound(facts) and self._varies(facts, rng):
                return facts

    def write(self, facts: Facts, rng: Random) -> Draft:
        return Draft(rng.choice(self.templates).format(**facts), tests=self.tests(facts, rng))

    def solve(self, facts: Facts) -> str:
        return self.programs(facts)[STYLE_OF["derive"]]

    def check(self, facts: Facts, answer: str) -> bool:
        """Whether the program passes, in the sandbox, tests that are drawn for the facts alone."""
        return run_tests(answer, "", self.tests(facts, Random(f"{self.name}:{sorted(facts.items())}"))).passed

    def solution(self, facts: Facts) -> str:
        return Template(self.explanation).substitute(facts)

    def read(self, problem: Problem) -> Facts:
        for template in self.templates:
            if match := _pattern(type(self), template).fullmatch(problem.question):
                return match.groupdict()
        raise ValueError(f"{problem.question!r} is not of the family {self.name}")

    def candidates(self, problem: Problem) -> Iterable[str]:
        return self.programs(self.read(problem)).values()

    def replay(self, problem: Problem) -> str:
        """The program at the end of the worked solution, after it has passed the problem's tests.

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
        facts = self.read(problem) if from_text else self.facts(Random(f"{problem.id}:facts"))
        program = self.programs(facts)[STYLE_OF[route]]
        if route == "replay":
            self.replay(problem)
        if route in ("verify", "eliminate") and not self.check(facts, program):
            raise ValueError(f"{problem.id}: the {STYLE_OF[route]} program fails")
        return AnswerKey(problem.id, route, program, program)

    def function_name(self, facts: Facts) -> str:
        """The name under which the tests call the function."""
        filled = Template(self.function).substitute(self.cells(facts)).replace("-", "minus_")
        return re.sub("__+", "_", filled).strip("_")

    def programs(self, facts: Facts) -> Mapping[str, str]:
        """The function in five styles, complete with its imports, by the name of the style."""
        cells = self.cells(facts) | {"name": self.function_name(facts)}
        return {style: _with_imports(Template(text).substitute(cells)) for style, text in self.styles.items()}

    def tests(self, facts: Facts, rng: Random) -> tuple[str, str, str]:
        """Three assertions that the task's program passes and programs of other tasks fail.

        Of several triples of inputs that one is taken which the fewest rivals survive, programs of tasks that differ
        in one slot, and which has the fewest equal results. Programs that return a constant, nothing, or an argument
        as it is always fail.

        Raises:
            ValueError: no inputs tell the task from a constant.
        """
        name, own = self.function_name(facts), self._reference(facts)
        rivals = [self._reference(other) for other in self._neighbours(facts, rng)]
        best: list[tuple[tuple[Any, ...], Any]] = []
        weakness = (len(rivals) + 1, 3)
        for _ in range(_ATTEMPTS):
            calls = [self.inputs(facts, rng) for _ in range(3)]
            values = [_value(own, arguments) for arguments in calls]
            pairs = list(zip(calls, values, strict=True))
            if _telling(pairs):
                surviving = sum(all(_value(rival, a) == value for a, value in pairs) for rival in rivals)
                repeated = sum(value in values[:place] for place, value in enumerate(values))
                if (surviving, repeated) < weakness:
                    best, weakness = pairs, (surviving, repeated)
                if weakness == (0, 0):
                    break
        if not best:
            raise ValueError(f"{self.name}: no telling inputs found for {facts}")
        one, two, three = (f"assert {name}({', '.join(map(repr, a))}) == {value!r}" for a, value in best)
        return one, two, three

    def _varies(self, facts: Facts, rng: Random) -> bool:
        """Whether the result depends on the input: of `_TRIALS` results three quarters at most are equal to each
        other or to an argument."""
        own = self._reference(facts)
        calls = [self.inputs(facts, rng) for _ in range(_TRIALS)]
        values = [_value(own, arguments) for arguments in calls]
        equal = max(values.count(value) for value in values)
        returned = sum(value in arguments for arguments, value in zip(calls, values, strict=True))
        return max(equal, returned) <= 0.75 * _TRIALS

    def _neighbours(self, facts: Facts, rng: Random) -> list[Facts]:
        telling = [(slot, table) for slot, table in self.slots.items() if slot not in self.decoration]
        others = [{**facts, slot: table.draw(rng)} for slot, table in telling for _ in range(_RIVALS_A_SLOT)]
        return [other for other in others if other != facts and self.sound(other)]

    def _reference(self, facts: Facts) -> Callable[..., Any]:
        return _defined(self.solve(facts), self.function_name(facts))

    def cells(self, facts: Facts) -> dict[str, str]:
        """What the `$`-names of the programs and of the function's name stand for."""
        cells: dict[str, str] = {}
        for slot, table in self.slots.items():
            part = table.parts[facts[slot]]
            cells |= {f"{slot}_{column}": cell for column, cell in part.items()} | {slot: part.get("code", "")}
        return cells


def five(**programs: str) -> Mapping[str, str]:
    """The five programs of a family, by style, without the indentation of the module they are written in."""
    return {style: dedent(text).strip() for style, text in programs.items()}


@cache
def _pattern(family: type[CodeFamily], template: str) -> re.Pattern[str]:
    pattern, seen = "", set()
    for literal, slot in re.findall(r"([^{]*)(?:\{(\w+)\})?", template):
        pattern += re.escape(literal)
        if slot in seen:
            pattern += f"(?P={slot})"
        elif slot:
            seen.add(slot)
            pattern += f"(?P<{slot}>{family.slots[slot].pattern()})"
    return re.compile(pattern)


def _with_imports(program: str) -> str:
    imports = "".join(f"import {module}\n" for module in sorted(set(_MODULE.findall(program))))
    return f"{imports}\n\n{program}" if imports else program


@lru_cache(4096)
def _defined(program: str, name: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def _value(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What the function returns, or, where a rival cannot cope with the arguments, the type of its error."""
    try:
        return function(*pickle.loads(pickle.dumps(arguments)))  # a copy, which the function may change
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return type(error)


def _telling(pairs: Sequence[tuple[tuple[Any, ...], Any]]) -> bool:
    values = [value for _, value in pairs]
    constant = values[0] == values[1] == values[2]
    returned = any(all(arguments[place] == value for arguments, value in pairs) for place in range(len(pairs[0][0])))
    return not constant and not returned and not any(isinstance(value, type) for value in values)
