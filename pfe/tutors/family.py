"""What a synthetic family is: facts, a text that states them, and five routes to the answer.

Example: `remake("gsm1k_synth/coupon_change/s0/2")` makes that one problem again.

The five routes take the same problem and meet at the answer, or the problem is not used:

| route | starts from | gets there by |
| --- | --- | --- |
| derive | the facts the problem was made from | `solve` |
| verify | the same facts | the one candidate that `check` accepts |
| replay | the worked solution as written | recomputing its steps |
| read | the problem's text alone | `read`, then `solve` |
| eliminate | the problem's text alone | `read`, then the one candidate `check` does not refuse |
"""

import importlib
import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, ClassVar

from pfe.errors import UserError, nearest
from pfe.problem import AnswerKey, Domain, Problem, Scorer
from pfe.tutors import families
from pfe.tutors.arithmetic import evaluate

Facts = Mapping[str, Any]
ROUTES = ("derive", "verify", "replay", "read", "eliminate")


@dataclass(frozen=True)
class Draft:
    """The text of a problem: what `Family.write` makes of the facts."""

    question: str
    context: str = ""
    choices: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    group: str = ""


class Family(ABC):
    """One kind of problem, with its own wording, structure and solver.

    A subclass with a `name` in a module of `pfe/tutors/families/<set>/` is found by being there. It, or what it is a
    subclass of, sets `domain` and `scorer`, which judges the answers of other tutors, and writes the six methods below.
    """

    name: ClassVar[str]
    set: ClassVar[str]  # the folder it lies in
    domain: ClassVar[Domain]
    scorer: ClassVar[Scorer]

    def __init_subclass__(cls) -> None:
        cls.set = cls.__module__.split(".")[-2]

    @abstractmethod
    def facts(self, rng: Random) -> Facts:
        """Draw what is true in this problem. Nothing that only concerns the wording."""

    @abstractmethod
    def write(self, facts: Facts, rng: Random) -> Draft:
        """State the facts as a problem. `rng` is for wording, order and distractors."""

    @abstractmethod
    def solve(self, facts: Facts) -> str:
        """The answer, forwards from the facts."""

    @abstractmethod
    def check(self, facts: Facts, answer: str) -> bool:
        """Whether `answer` fits the facts, by another way than computing `solve` and comparing."""

    @abstractmethod
    def solution(self, facts: Facts) -> str:
        """The worked solution, without a last line for the answer.

        Arithmetic carries calculator annotations, `5 * 6 = <<5*6=30>>30`, the last one the answer.
        """

    @abstractmethod
    def read(self, problem: Problem) -> Facts:
        """Recover from the problem's text (context, question, choices) what `solve` and `check` need.

        Raises:
            ValueError: the text is not of this family.
        """

    def candidates(self, problem: Problem) -> Iterable[str]:
        """The answers among which `verify` and `eliminate` look: the choices, unless a subclass knows more."""
        return problem.choices

    def replay(self, problem: Problem) -> str:
        """The answer that the worked solution as written arrives at.

        Raises:
            ValueError: an annotated step is wrong.
        """
        steps = re.findall(r"<<([^=<>]+)=([^<>]+)>>", problem.solution)
        for expression, value in steps:
            if evaluate(expression) != evaluate(value):
                raise ValueError(f"{problem.id}: {expression} is not {value}")
        conclusion = problem.solution.rpartition("#### ")[2].strip()
        if steps and self.domain == "math":
            return str(evaluate(steps[-1][0]))
        return conclusion

    def make(self, seed: int, index: int) -> Problem:
        """Problem number `index` under the experiment's `seed`; the same arguments, the same problem."""
        id = f"{self.set}/{self.name}/s{seed}/{index}"
        facts = self.facts(Random(f"{id}:facts"))
        draft = self.write(facts, Random(f"{id}:text"))
        answer = self.solve(facts)
        return Problem(
            id=id, set=self.set, domain=self.domain, question=draft.question, answer=answer,
            context=draft.context, choices=draft.choices, functions=draft.functions,
            tests=draft.tests, group=draft.group or id,
            solution=self.worked(facts, answer),
            family=self.name, seed=_number(id), tutor="procedural",
        )  # fmt: skip

    def answer(self, problem: Problem, route: str) -> AnswerKey:
        """The answer key that one route gives.

        Raises:
            ValueError: the route finds no answer, or more than one.
        """
        facts = self.facts(Random(f"{problem.id}:facts"))
        if route == "derive":
            answer = self.solve(facts)
        elif route == "verify":
            answer = self._only(problem, facts)
        elif route == "replay":
            answer = self.replay(problem)
        elif route == "read":
            answer = self.solve(self.read(problem))
        elif route == "eliminate":
            answer = self._only(problem, self.read(problem))
        else:
            raise UserError(f"unknown route '{route}'; {nearest(route, ROUTES)}")
        return AnswerKey(problem.id, route, answer, self.key_text(facts, answer))

    def worked(self, facts: Facts, answer: str) -> str:
        """The worked solution with its last line, which `replay` and the scorer of numbers read."""
        return f"{self.solution(facts)}\n#### {answer}"

    def key_text(self, facts: Facts, answer: str) -> str:
        """What a student is shown for this answer: the bare answer, unless a subclass explains."""
        return answer

    def _only(self, problem: Problem, facts: Facts) -> str:
        fitting = [answer for answer in self.candidates(problem) if self.check(facts, answer)]
        if len(fitting) != 1:
            raise ValueError(f"{problem.id}: {len(fitting)} candidates fit, not one: {fitting[:3]}")
        return fitting[0]


class MathFamily(Family):
    """A word problem whose answer is a whole number from 0 to `largest`."""

    domain = "math"
    scorer = "number"
    largest: ClassVar[int] = 2000

    def candidates(self, problem: Problem) -> Iterable[str]:
        return map(str, range(self.largest + 1))

    def key_text(self, facts: Facts, answer: str) -> str:
        return self.worked(facts, answer)


@cache
def families_of(set: str) -> Mapping[str, Family]:
    """The families of one synthetic set by name, module by module, and in each in alphabetical order.

    Raises:
        UserError: there is no such set, or two of its families have one name.
    """
    sets = [module.name for module in pkgutil.iter_modules(families.__path__)]
    if set not in sets:
        raise UserError(f"unknown synthetic set '{set}'; {nearest(set, sets)}")
    package = importlib.import_module(f"{families.__name__}.{set}")
    modules = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    by_name: dict[str, Family] = {}
    for module in [importlib.import_module(module.name) for module in modules]:
        for _, kind in sorted(vars(module).items()):
            if isinstance(kind, type) and issubclass(kind, Family) and kind.__module__ == module.__name__:
                if (name := vars(kind).get("name")) in by_name:
                    raise UserError(f"{module.__file__}: the name '{name}' of {kind.__name__} is taken; give another")
                if name is not None:
                    by_name[name] = kind()
    return by_name


def family_of(problem_id: str) -> Family:
    """The family that made a problem.

    Raises:
        UserError: the id is not that of a synthetic problem.
    """
    set, _, rest = problem_id.partition("/")
    name = rest.partition("/")[0]
    by_name = families_of(set)
    if name not in by_name:
        raise UserError(f"unknown family '{name}' of {set}; {nearest(name, by_name)}")
    return by_name[name]


def remake(problem_id: str) -> Problem:
    """Make a problem again from its id alone.

    Raises:
        UserError: the id is not of the form `<set>/<family>/s<seed>/<index>`.
    """
    match = re.fullmatch(r"\w+/\w+/s(\d+)/(\d+)", problem_id)
    if not match:
        raise UserError(f"'{problem_id}' is not of the form <set>/<family>/s<seed>/<index>")
    return family_of(problem_id).make(int(match[1]), int(match[2]))


def unfill(template: str, text: str) -> dict[str, Any]:
    """The inverse of `template.format(**facts)`: `{x}` gives text, `{n:d}` a whole number.

    A name that occurs twice must stand for the same text both times.

    Raises:
        ValueError: the text is not of this template.
    """
    match = _pattern(template).fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} does not fit {template!r}")
    return {name: int(value) if f"{{{name}:d}}" in template else value for name, value in match.groupdict().items()}


@cache
def _pattern(template: str) -> re.Pattern[str]:
    pattern, seen = "", set()
    for literal, name, number in re.findall(r"([^{]*)(?:\{(\w+)(:d)?\})?", template):
        pattern += re.escape(literal)
        if name in seen:
            pattern += f"(?P={name})"
        elif name:
            seen.add(name)
            pattern += f"(?P<{name}>{'-?[0-9]+' if number else '.+?'})"
    return re.compile(pattern, re.DOTALL)


def unfill_any(templates: Iterable[str], text: str) -> dict[str, Any]:
    """`unfill` with the first template that fits.

    Raises:
        ValueError: none fits.
    """
    for template in templates:
        if _pattern(template).fullmatch(text):
            return unfill(template, text)
    raise ValueError(f"no template fits {text!r}")


def _number(id: str) -> int:
    return int.from_bytes(sha256(id.encode()).digest()[:6])
