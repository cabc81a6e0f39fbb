"""The base classes of synthetic families: facts, a text that states them, and five routes to the answer.

Example: `remake("gsm1k_synth/coupon_change/s0/2")` regenerates that one problem.

A problem is used only if the five routes arrive at the same answer. They share the facts and the solver, so they are
five checks by one tutor, not five tutors that agree:

| route | starts from | gets there by |
| --- | --- | --- |
| derive | the facts the problem was made from | `solve` |
| verify | the same facts | the one candidate that `check` accepts |
| replay | the worked solution as written | recomputing its steps |
| read | the problem's text alone | `read`, then `solve` |
| eliminate | the problem's text alone | `read`, then the one candidate that `check` does not reject |
"""

import importlib
import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pfe.errors import UserError, nearest
from pfe.problem import UNKNOWN, AnswerKey, Domain, Problem, Scorer, Skill, Variant
from pfe.tutors import engines, families
from pfe.tutors.arithmetic import evaluate
from pfe.tutors.content import content_files, content_sets, engine_and_rest, telling_mistakes
from pfe.tutors.place import Place

Facts = Mapping[str, Any]
PROCEDURAL = "procedural"  # the tutor of problems that families generate
ROUTES = ("derive", "verify", "replay", "read", "eliminate")
# Approximate numbers of entries in a generated library; it always has the needed entries.
LENGTHS = (4, 9, 16)
_TRIES = 50
_TRIALS = 5


@dataclass(frozen=True)
class Entry:
    """One entry of a library that is generated for a problem.

    Attributes:
        needed: whether the answer depends on it.
        tells: a key for what it states, if a worked solution has to find the entry by it.
    """

    text: str
    needed: bool = False
    tells: Any = None


@dataclass(frozen=True)
class Draft:
    """The text of a problem, as `Family.write` renders it from the facts, and the library generated for it."""

    question: str
    context: str = ""
    choices: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    group: str = ""
    library: tuple[Entry, ...] = ()

    def entry(self, tells: Any) -> str:
        """Return the text of the entry that states this."""
        return next(entry.text for entry in self.library if entry.tells == tells)

    def as_written(self, text: str) -> str:
        """Return the text with the capitals that it has in the question; unchanged if it is not there."""
        found = re.search(rf"\b{re.escape(text)}(?=s?\b)", self.question, re.IGNORECASE)
        return found[0] if found else text


def quoted(source: str, texts: Iterable[str]) -> str:
    """Return the lines with which a worked solution quotes a source: `The library says: "A naha has 5 jatas."`."""
    return "\n".join(f'The {source} says: "{text}"' for text in texts)


class Family(ABC):
    """One kind of problem, with its own wording, structure and solver.

    Families are discovered: a file `pfe/tutors/content/<set>/<family>.yaml`, or a subclass with a `name` in a module of
    `pfe/tutors/families/<set>/`, needs no registration. A class or one of its base classes sets `domain` and `scorer`
    (which judges the answers of other tutors), and implements the six abstract methods below. Within a set, a family of
    weight 2 generates twice as many problems as a family of weight 1.
    """

    name: str
    set: str  # the name of its folder
    domain: ClassVar[Domain]
    scorer: ClassVar[Scorer]
    weight: float = 1.0
    library_bound: ClassVar[bool] = False
    asked: int = 1  # consecutive problems about one world, which share its library

    def __init_subclass__(cls) -> None:
        cls.set = cls.__module__.split(".")[-2]

    @abstractmethod
    def facts(self, rng: Random) -> Facts:
        """Sample the facts of a problem, and nothing that only concerns the wording."""

    @abstractmethod
    def write(self, facts: Facts, rng: Random) -> Draft:
        """State the facts as a problem. `rng` is for wording, order and distractors."""

    @abstractmethod
    def solve(self, facts: Facts) -> str:
        """Compute the answer forwards from the facts."""

    @abstractmethod
    def check(self, facts: Facts, answer: str) -> bool:
        """Return whether `answer` fits the facts, by another method than comparing it with `solve`."""

    @abstractmethod
    def solution(self, facts: Facts, draft: Draft) -> str:
        """Return the worked solution, without a last line for the answer.

        Text in quotation marks is copied from the draft, because a student learns to copy from its context. Arithmetic
        carries calculator annotations, `5 * 6 = <<5*6=30>>30`; the last one gives the answer.
        """

    @abstractmethod
    def read(self, problem: Problem) -> Facts:
        """Parse from the problem's text (context, question, choices) the facts that `solve` and `check` need.

        Raises:
            ValueError: the text is not of this family.
        """

    def candidates(self, problem: Problem) -> Iterable[str]:
        """Return the answers that `verify` and `eliminate` try: the choices, unless a subclass overrides this."""
        return problem.choices

    def replay(self, problem: Problem) -> str:
        """Return the answer that the worked solution, as written, arrives at.

        Raises:
            ValueError: an annotated step is incorrect.
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
        """Generate problem number `index` for the experiment's `seed`; the same arguments give the same problem."""
        id = f"{self.set}/{self.name}/s{seed}/{index}"
        return self.problem(id, self.drawn(id))

    def drawn(self, id: str) -> Facts:
        """Return the facts of the problem with this id."""
        return self.facts(Random(f"{id}:facts"))

    def problem(self, id: str, facts: Facts) -> Problem:
        """Return the problem with this id, built from its facts."""
        draft = self.drafted(id, facts)
        answer = self.solve(facts)
        return Problem(
            id=id, set=self.set, domain=self.domain, question=draft.question, answer=answer,
            context=draft.context, choices=draft.choices, functions=draft.functions,
            tests=draft.tests, group=draft.group or id,
            solution=f"{self.solution(facts, draft)}\n#### {answer}",
            family=self.name, seed=seed_of(id), tutor=PROCEDURAL,
            library=_texts(draft.library),
            needed=tuple(place for place, entry in enumerate(draft.library) if entry.needed),
        )  # fmt: skip

    def drafted(self, id: str, facts: Facts) -> Draft:
        """Return the text of the problem with this id."""
        return self.write(facts, Random(f"{id}:text"))

    def answer(self, problem: Problem, route: str) -> AnswerKey:
        """Return the answer key that one route finds.

        Raises:
            ValueError: the route finds no answer, or more than one.
            UserError: there is no such route.
        """
        facts = self.drawn(problem.id)
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
        return AnswerKey(problem.id, route, answer, self.key_text(problem, answer))

    def key_text(self, problem: Problem, answer: str) -> str:
        """Return this answer as a student sees it: the answer alone, unless a subclass adds an explanation."""
        return answer

    def try_out(self) -> None:
        """Generate some problems to find mistakes that a single problem may not show.

        Raises:
            UserError: there is one; says where.
        """
        for index in range(_TRIALS):
            self.make(0, index)

    def _only(self, problem: Problem, facts: Facts) -> str:
        fitting = [answer for answer in self.candidates(problem) if self.check(facts, answer)]
        if len(fitting) != 1:
            raise ValueError(f"{problem.id}: {len(fitting)} candidates fit, not one: {fitting[:3]}")
        return fitting[0]


class BoundFamily(Family):
    """A kind of problem whose answer is in a library that is generated with it.

    Its facts also hold the world that the library describes: `entries` states it, and `read` parses the facts from
    `Problem.library` and the question. `read` fails if the library does not say enough. The question and the choices
    must also fit the changed facts.
    """

    library_bound = True
    skill: Skill = "lookup"

    def another_question(self, facts: Facts, rng: Random) -> Facts:
        """Return facts with the same world and another question.

        A subclass whose `asked` is more than 1 overrides this or `world`.

        Raises:
            ValueError: nothing else can be asked.
        """
        raise ValueError(f"{self.name}: nothing else can be asked of a world")

    @abstractmethod
    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        """Return the library in any order: the needed entries, and others that hold in that world (see `LENGTHS`).

        It samples from `rng` the same number of times for the facts and for the result of `change`, so that only the
        changed entries differ.
        """

    @abstractmethod
    def change(self, facts: Facts, rng: Random) -> Facts:
        """Return the same world with a changed fact that the answer depends on, so that the answer differs."""

    def unknown(self, facts: Facts) -> str:
        """Return the correct answer if the library is absent or irrelevant.

        This is the answer that it cannot be known, unless a subclass overrides it.
        """
        return UNKNOWN

    def answer_with_library(self, problem: Problem, library: Sequence[str]) -> str | None:
        """Return the answer to the problem with another library in context.

        It is None if that library gives no answer, or one that is not among the choices.
        """
        try:
            answer = self.solve(self.read(replace(problem, library=tuple(library))))
        except ValueError:
            return None
        return answer if answer in (problem.choices or (answer,)) else None

    def helps(self, problem: Problem) -> bool:
        """Return whether the problem's library states what the answer depends on."""
        try:
            self.solve(self.read(problem))
        except ValueError:
            return False
        return True

    def stranger(self, facts: Facts, rng: Random) -> Facts:
        """Sample the facts of another problem, whose library should not answer this one."""
        return self.facts(rng)

    def drawn(self, id: str) -> Facts:
        return self._questions(self._world(id))[int(id.rpartition("/")[2]) % self.asked]

    @lru_cache(1024)  # noqa: B019  (families live as long as the process, and take turns)
    def _questions(self, world: str) -> Sequence[Facts]:
        """Return the facts of the problems about one world, by the id of the first.

        The world is resampled, up to `_TRIES` times, if all of them rest on the same entries.
        """
        rng = Random(f"{world}:facts")
        for _ in range(_TRIES):
            made = self.world(rng)
            if not self._repeats(made):
                break
        return made

    def _repeats(self, made: Sequence[Facts]) -> bool:
        """Return whether all questions about a world rest on the same entries, so that it is resampled."""
        return len(made) > 1 and len({self._grounds(facts)[0] for facts in made}) == 1

    def world(self, rng: Random) -> Sequence[Facts]:
        """Return the facts of `asked` problems that share one library.

        The default calls `facts` once and `beside` for each further problem, and samples another world if too little
        can be asked about it. An engine whose world depends on its questions overrides this.

        Raises:
            ValueError: too little can be asked about every sampled world.
        """
        for _ in range(_TRIES):
            made = [self.facts(rng)]
            try:
                while len(made) < self.asked:
                    made.append(self._unlike(made, rng))
            except ValueError:
                continue
            return made
        raise ValueError(f"of no world of {self.name} {self.asked} things can be asked; list more")

    def _unlike(self, made: Sequence[Facts], rng: Random) -> Facts:
        """Sample several questions and return the one that has least in common with those before it."""
        before = [self._grounds(facts) for facts in made]
        best, least = made[0], (True, len(made) + 1, 0)
        for _ in range(_TRIES):
            other = self.another_question(made[0], rng)
            needed, answer = self._grounds(other)
            alike = (
                any(needed == texts for texts, _ in before),
                sum(answer == text for _, text in before),
                sum(len(needed & texts) for texts, _ in before),
            )
            if alike < least:
                best, least = other, alike
            if not any(least):
                break
        return best

    def _grounds(self, facts: Facts) -> tuple[frozenset[str], str]:
        """Return the entries that an answer rests on, and the answer."""
        entries = self.entries(facts, Random(0))
        return frozenset(entry.text for entry in entries if entry.needed), self.solve(facts)

    def problem(self, id: str, facts: Facts) -> Problem:
        problem, unknown = super().problem(id, facts), self.unknown(facts)
        return replace(
            problem,
            group=self._world(id) if problem.group == id else problem.group,
            skill=self.skill,
            variants=(
                self._changed(problem, facts),
                Variant("irrelevant", self._irrelevant(problem, facts), unknown),
                Variant("bare", (), unknown),
            ),
        )

    def drafted(self, id: str, facts: Facts) -> Draft:
        return replace(super().drafted(id, facts), library=self._library(self._world(id), facts))

    def _changed(self, problem: Problem, facts: Facts) -> Variant:
        changed = self.change(facts, Random(f"{problem.id}:change"))
        answer = self.solve(changed)
        if answer == problem.answer:
            raise ValueError(f"{problem.id}: the changed library gives the same answer")
        return Variant("changed", _texts(self._library(self._world(problem.id), changed)), answer, problem.answer)

    def _world(self, id: str) -> str:
        """Return the id of the first problem about the same world."""
        start, _, index = id.rpartition("/")
        return f"{start}/{int(index) // self.asked * self.asked}"

    def _library(self, world: str, facts: Facts) -> tuple[Entry, ...]:
        entries = list(self.entries(facts, Random(f"{world}:library")))
        Random(f"{world}:order").shuffle(entries)
        return tuple(entries)

    def _irrelevant(self, problem: Problem, facts: Facts) -> tuple[str, ...]:
        """Sample a library of this family that does not answer the problem.

        Raises:
            ValueError: every sampled library answers it.
        """
        for attempt in range(_TRIES):
            id = f"{problem.id}:other{attempt}"
            texts = _texts(self._library(id, self.stranger(facts, Random(f"{id}:facts"))))
            if not self.helps(replace(problem, library=texts)):
                return texts
        raise ValueError(f"{problem.id}: every library of {self.name} answers it, so few are there; list more")


class ContentFamily(Family):
    """A family written as a content file, `path`; each engine is a subclass that interprets such files."""

    def __init__(self, set: str, path: Path) -> None:
        self.set, self.path, self.name = set, path, path.stem

    def make(self, seed: int, index: int) -> Problem:
        """Generate problem number `index` for the experiment's `seed`; the same arguments give the same problem.

        Raises:
            UserError: no problem can be generated from the file's content.
        """
        with telling_mistakes(self.path, f"{self.set}/{self.name}/s{seed}/{index}"):
            return super().make(seed, index)


class MathFamily(Family):
    """A word problem whose answer is a whole number from 0 to `largest`."""

    domain = "math"
    scorer = "number"
    largest: ClassVar[int] = 2000

    def candidates(self, problem: Problem) -> Iterable[str]:
        return map(str, range(self.largest + 1))

    def key_text(self, problem: Problem, answer: str) -> str:
        return f"{problem.solution.rpartition('#### ')[0]}#### {answer}"


def synthetic_sets() -> list[str]:
    """Return the names of the sets that have families, sorted."""
    return sorted({*(module.name for module in pkgutil.iter_modules(families.__path__)), *content_sets()})


@cache
def families_of(set: str) -> Mapping[str, Family]:
    """Return the families of one synthetic set by name: classes module by module, then content files.

    Raises:
        UserError: there is no such set, two of its families have the same name, or a content file is malformed.
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
        yield content_family(set, path), str(path)


def content_family(set: str, path: Path) -> ContentFamily:
    """Return the family that a content file describes.

    Raises:
        UserError: the file has a mistake; says where.
    """
    engine = _engine(path)
    with telling_mistakes(path, "the family"):
        return engine(set, path)


def _engine(path: Path) -> type[ContentFamily]:
    name = engine_and_rest(path)[0].partition(".")[0]  # the engine itself reads what follows a dot
    names = [module.name for module in pkgutil.iter_modules(engines.__path__)]
    if name not in names:
        raise UserError(f"{Place(path) / 'engine'}: unknown engine '{name}'; {nearest(name, names)}")
    engine: type[ContentFamily] = importlib.import_module(f"{engines.__name__}.{name}").Engine
    return engine


def family_of(problem_id: str) -> Family:
    """Return the family that generated a problem.

    Raises:
        UserError: the id is not that of a synthetic problem.
    """
    set, _, rest = problem_id.partition("/")
    name = rest.partition("/")[0]
    by_name = families_of(set)
    if name not in by_name:
        raise UserError(f"unknown family '{name}' of {set}; {nearest(name, by_name)}")
    return by_name[name]


@dataclass(frozen=True)
class ProblemId:
    """The parts of an id such as `gsm1k_synth/coupon_change/s0/2`; `maker` is a family or a tutor."""

    set: str
    maker: str
    seed: int
    index: int


def problem_id(text: str) -> ProblemId:
    """Split an id into its parts.

    Raises:
        UserError: it is not of the form `<set>/<family>/s<seed>/<index>`.
    """
    match = re.fullmatch(r"(\w+)/([\w-]+)/s(0|[1-9][0-9]*)/(0|[1-9][0-9]*)", text)
    if not match:
        example = "as in gsm1k_synth/coupon_change/s0/2"
        raise UserError(f"'{text}' is not of the form <set>/<family>/s<seed>/<index>, {example}, no zeros in front")
    return ProblemId(match[1], match[2], int(match[3]), int(match[4]))


def remake(id: str) -> Problem:
    """Regenerate a problem from its id alone.

    Raises:
        UserError: the id is not of the form `<set>/<family>/s<seed>/<index>`, or there is no such set or family.
    """
    parts = problem_id(id)
    return family_of(id).make(parts.seed, parts.index)


def unfill(template: str, text: str) -> dict[str, Any]:
    """Invert `template.format(**facts)`: `{x}` yields a text, `{n:d}` a whole number.

    A name that occurs twice must stand for the same text both times.

    Raises:
        ValueError: the text does not fit the template.
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
    """Apply `unfill` with the first template that fits.

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
    """Return the number that a problem states as its seed: a 48-bit hash of its id."""
    return int.from_bytes(sha256(id.encode()).digest()[:6])
