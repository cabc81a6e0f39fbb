"""What a synthetic family is: facts, a text that states them, and five routes to the answer.

Example: `remake("gsm1k_synth/coupon_change/s0/2")` makes that one problem again.

The five routes take the same problem and meet at the answer, or the problem is not used. They share facts and
solver, so they are five checks of one tutor and not five that agree:

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pfe.errors import UserError, nearest
from pfe.problem import UNKNOWN, AnswerKey, Domain, Problem, Scorer, Tier, Variant
from pfe.tutors import engines, families
from pfe.tutors.arithmetic import evaluate
from pfe.tutors.content import content_files, content_sets, engine_and_rest

Facts = Mapping[str, Any]
PROCEDURAL = "procedural"  # the tutor of what families make
ROUTES = ("derive", "verify", "replay", "read", "eliminate")
# How many entries a library that is written for a problem has: about as many, and always those that are needed.
LENGTHS = (4, 9, 16)
_TRIES = 50


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

    A file `pfe/tutors/content/<set>/<family>.yaml`, or a subclass with a `name` in a module of
    `pfe/tutors/families/<set>/`, is found by being there. A class, or what it is a subclass of, sets `domain` and
    `scorer`, which judges the answers of other tutors, and writes the six methods below. Of two families of a set
    one of weight 2 makes twice as many problems as one of weight 1.
    """

    name: str
    set: str  # the folder it lies in
    domain: ClassVar[Domain]
    scorer: ClassVar[Scorer]
    weight: float = 1.0
    library_bound: ClassVar[bool] = False

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
        return self.problem(id, self.facts(Random(f"{id}:facts")))

    def problem(self, id: str, facts: Facts) -> Problem:
        """The problem of this id, which its facts are drawn for."""
        draft = self.write(facts, Random(f"{id}:text"))
        answer = self.solve(facts)
        return Problem(
            id=id, set=self.set, domain=self.domain, question=draft.question, answer=answer,
            context=draft.context, choices=draft.choices, functions=draft.functions,
            tests=draft.tests, group=draft.group or id,
            solution=self.worked(facts, answer),
            family=self.name, seed=seed_of(id), tutor=PROCEDURAL,
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


@dataclass(frozen=True)
class Entry:
    """One method of a library that is written for a problem, and whether the answer depends on it."""

    text: str
    needed: bool = False


class BoundFamily(Family):
    """A kind of problem whose answer stands in a library that is invented with it.

    Its facts hold that world too: `entries` tells it, `read` goes from `Problem.library` and the question back to the
    facts, and fails where the library does not say enough. The question and the choices must fit the changed facts too.
    """

    library_bound = True
    tier: Tier = "lookup"

    @abstractmethod
    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        """The library, in any order: what is needed, and what else holds in that world (see `LENGTHS`).

        It draws from `rng` the same number of times for the facts and for what `change` makes of them, so that only
        the changed entries differ.
        """

    @abstractmethod
    def change(self, facts: Facts, rng: Random) -> Facts:
        """The same world but for a fact that the answer depends on: the answer is another."""

    def unknown(self, facts: Facts) -> str:
        """What is right for who has no library, or another one: that it cannot be known, unless a subclass knows."""
        return UNKNOWN

    def helps(self, problem: Problem) -> bool:
        """Whether the problem's library says what the answer depends on."""
        try:
            self.solve(self.read(problem))
        except ValueError:
            return False
        return True

    def stranger(self, facts: Facts, rng: Random) -> Facts:
        """What another problem is made from, whose library should not answer this one."""
        return self.facts(rng)

    def problem(self, id: str, facts: Facts) -> Problem:
        problem = super().problem(id, facts)
        library, unknown = self._library(problem.id, facts), self.unknown(facts)
        return replace(
            problem,
            library=_texts(library),
            needed=tuple(place for place, entry in enumerate(library) if entry.needed),
            tier=self.tier,
            variants=(
                self._changed(problem, facts),
                Variant("irrelevant", self._irrelevant(problem, facts), unknown),
                Variant("bare", (), unknown),
            ),
        )

    def _changed(self, problem: Problem, facts: Facts) -> Variant:
        changed = self.change(facts, Random(f"{problem.id}:change"))
        answer = self.solve(changed)
        if answer == problem.answer:
            raise ValueError(f"{problem.id}: the changed library gives the same answer")
        return Variant("changed", _texts(self._library(problem.id, changed)), answer, problem.answer)

    def _library(self, id: str, facts: Facts) -> list[Entry]:
        entries = list(self.entries(facts, Random(f"{id}:library")))
        Random(f"{id}:order").shuffle(entries)
        return entries

    def _irrelevant(self, problem: Problem, facts: Facts) -> tuple[str, ...]:
        """A library of this kind that does not answer the problem."""
        for attempt in range(_TRIES):
            id = f"{problem.id}:other{attempt}"
            texts = _texts(self._library(id, self.stranger(facts, Random(f"{id}:facts"))))
            if not self.helps(replace(problem, library=texts)):
                return texts
        raise ValueError(f"{problem.id}: every library of {self.name} answers it")


class ContentFamily(Family):
    """A family that is written as content, `path`; an engine is a subclass that reads what its files say."""

    def __init__(self, set: str, path: Path) -> None:
        self.set, self.path, self.name = set, path, path.stem

    def make(self, seed: int, index: int) -> Problem:
        """Problem number `index` under the experiment's `seed`; the same arguments, the same problem.

        Raises:
            UserError: a text of the file has a slot that nothing fills.
        """
        try:
            return super().make(seed, index)
        except KeyError as error:
            id = f"{self.set}/{self.name}/s{seed}/{index}"
            raise UserError(f"{id}: nothing in the family is called {error.args[0]!r}; mend the name") from error


class MathFamily(Family):
    """A word problem whose answer is a whole number from 0 to `largest`."""

    domain = "math"
    scorer = "number"
    largest: ClassVar[int] = 2000

    def candidates(self, problem: Problem) -> Iterable[str]:
        return map(str, range(self.largest + 1))

    def key_text(self, facts: Facts, answer: str) -> str:
        return self.worked(facts, answer)


def synthetic_sets() -> list[str]:
    """The sets that have families, by name."""
    return sorted({*(module.name for module in pkgutil.iter_modules(families.__path__)), *content_sets()})


@cache
def families_of(set: str) -> Mapping[str, Family]:
    """The families of one synthetic set by name: classes module by module, then files of content.

    Raises:
        UserError: there is no such set, two of its families have one name, or a file of content is wrong.
    """
    if set not in synthetic_sets():
        raise UserError(f"unknown synthetic set '{set}'; {nearest(set, synthetic_sets())}")
    by_name: dict[str, Family] = {}
    for family, source in [*_classes(set), *_content(set)]:
        if family.name in by_name:
            kind = type(family).__name__
            raise UserError(f"{source}: the name '{family.name}' of {kind} is taken; give another")
        by_name[family.name] = family
    return by_name


def _classes(set: str) -> Iterator[tuple[Family, str | None]]:
    if set not in {module.name for module in pkgutil.iter_modules(families.__path__)}:
        return
    package = importlib.import_module(f"{families.__name__}.{set}")
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        for _, kind in sorted(vars(module).items()):
            ours = isinstance(kind, type) and issubclass(kind, Family) and kind.__module__ == module.__name__
            if ours and vars(kind).get("name") is not None:
                yield kind(), module.__file__


def _content(set: str) -> Iterator[tuple[Family, str]]:
    for path in content_files(set):
        yield _engine(path)(set, path), str(path)


def _engine(path: Path) -> type[ContentFamily]:
    name, _ = engine_and_rest(path)
    names = [module.name for module in pkgutil.iter_modules(engines.__path__)]
    if name not in names:
        raise UserError(f"{path}: unknown engine '{name}'; {nearest(name, names)}")
    engine: type[ContentFamily] = importlib.import_module(f"{engines.__name__}.{name}").Engine
    return engine


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
    match = re.fullmatch(r"\w+/[\w-]+/s(\d+)/(\d+)", problem_id)
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


def _texts(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(entry.text for entry in entries)


def seed_of(id: str) -> int:
    """The number that a problem bears as its seed: all that is drawn for it, its id decides."""
    return int.from_bytes(sha256(id.encode()).digest()[:6])
