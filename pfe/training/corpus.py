"""What the student reads: lessons, and rows of one library with the lessons that have it in context.

Example, a library-bound problem (the library once, four lines further):
    [LIBRARY] … A kralo pays two coins, on market days nothing. … [PROBLEM]
    Question: What does a kralo pay on a market day?\\nAnswer:      →  " nothing"
and the same question with a changed library, one for other things, and none, each with what is right there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from pfe.config import Benchmark, Corpus
from pfe.evaluation.prompts import completed
from pfe.icr.contexts import library_of, own_library
from pfe.icr.definitions import definition
from pfe.models.request import Option
from pfe.problem import AnswerKey, Domain, Problem, Variant
from pfe.progress import progress
from pfe.training.rows import CorpusRow
from pfe.tutors.family import BoundFamily, family_of

LessonArm = Literal["canonical", "icr", "changed", "irrelevant"]
_ANSWER = "Answer:"


@dataclass(frozen=True)
class Lesson:
    """One prompt and its completion with a library in context ("" for none), by the tutors who wrote that text.

    `entries` are those of a library that is the problem's own: it says nothing that is worth knowing elsewhere.
    `skill`, `rung` and `names` are the problem's.
    """

    problem_id: str
    set: str
    arm: LessonArm
    tutors: tuple[str, ...]
    library: str
    prompt: str
    completion: str
    entries: tuple[str, ...] = ()
    skill: str = ""
    rung: int = 0
    names: str = ""


@dataclass(frozen=True)
class Teacher:
    """How problems become lessons: the benchmarks that ask each domain, the shares, the experiment's seed."""

    benchmarks: Mapping[Domain, Benchmark]
    shares: Corpus
    seed: int

    def teaches(self, problem: Problem) -> bool:
        """Whether lessons are made of it, by `corpus.problems`."""
        return self.shares.problems == "all" or not problem.library_bound

    def lessons(self, problems: Iterable[Problem], keys: Mapping[str, Sequence[AnswerKey]]) -> list[Lesson]:
        """The lessons of problems whose answer keys are given by id, one a distinct answer text in each arm.

        Problems that share a library are asked with each other's changed libraries too.
        """
        worlds: dict[tuple[str, ...], list[Problem]] = {}
        plain: list[Problem] = []
        for problem in problems:
            if problem.library_bound:
                worlds.setdefault(problem.library, []).append(problem)
            else:
                plain.append(problem)
        made: list[Lesson] = []
        with progress(len(plain) + sum(map(len, worlds.values())), "lessons", "problem") as done:
            for problem in plain:
                made += self._plain(problem, keys[problem.id])
                done(1)
            for world in worlds.values():
                first = world[0]
                made += [
                    replace(lesson, skill=first.skill, rung=first.rung, names=first.names)
                    for lesson in self._bound(world, keys)
                ]
                done(len(world))
        return made

    def _bound(self, world: Sequence[Problem], keys: Mapping[str, Sequence[AnswerKey]]) -> Iterator[Lesson]:
        """The lessons of problems that have one library."""
        for problem in world:
            for lesson in self._behind(problem, keys[problem.id], "icr", own_library(problem.library).text):
                yield replace(lesson, entries=problem.library)
        for problem in world:
            yield from self._variants(problem, [other for other in world if other != problem])

    def _plain(self, problem: Problem, keys: Sequence[AnswerKey]) -> list[Lesson]:
        benchmark = self.benchmarks.get(problem.domain)
        if benchmark and benchmark.library and self._drawn(problem, "arm", self.shares.icr_share):
            return self._behind(problem, keys, "icr", library_of(problem, benchmark.library).text)
        return self._behind(problem, keys, "canonical", "")

    def _behind(self, problem: Problem, keys: Sequence[AnswerKey], arm: LessonArm, library: str) -> list[Lesson]:
        authors: dict[str, list[str]] = {}
        for key in keys:
            authors.setdefault(key.text, []).append(key.tutor)
        return [
            Lesson(problem.id, problem.set, arm, tuple(tutors), library, option.context, option.continuation)
            for text, tutors in authors.items()
            for option in [self._option(problem, text)]
        ]

    def _variants(self, problem: Problem, beside: Sequence[Problem]) -> Iterator[Lesson]:
        """The problem behind other libraries: a changed one has another answer, without the right one none is known.

        Behind the changed one those `beside` it are asked too, whose answers may be as before.
        """
        if (changed := problem.variant("changed")) and self._drawn(problem, "changed", self.shares.changed):
            asked = [(problem, changed.answer), *((other, _answer_behind(other, changed.library)) for other in beside)]
            for other, answer in asked:
                if answer is not None:
                    # Worked solution and tests fit the right library.
                    other = replace(other, solution="", tests=())
                    yield self._variant(other, replace(changed, answer=answer), "changed")
        if self._drawn(problem, "unknown", self.shares.unknown):
            bare = self._drawn(problem, "bare", 0.5)
            variant = problem.variant("bare" if bare else "irrelevant")
            if variant:
                yield self._variant(problem, variant, "canonical" if bare else "irrelevant")

    def _variant(self, problem: Problem, variant: Variant, arm: LessonArm) -> Lesson:
        if problem.functions:  # the toolbox is the library, and no call an answer like another
            problem = replace(problem, functions=tuple(map(definition, variant.library)))
        known = arm == "changed" or problem.domain == "function_call"
        option = self._option(problem, variant.answer) if known else asked_plainly(problem, variant.answer)
        library = own_library(variant.library).text
        return Lesson(
            problem.id, problem.set, arm, (problem.tutor,),
            library, option.context, option.continuation, variant.library,
        )  # fmt: skip

    def _option(self, problem: Problem, answer: str) -> Option:
        benchmark = self.benchmarks.get(problem.domain)
        return asked_plainly(problem, answer) if benchmark is None else completed(problem, benchmark, answer)

    def _drawn(self, problem: Problem, what: str, share: float) -> bool:
        """Whether the lot of a problem for something falls within a share."""
        return Random(f"{self.seed}:{problem.id}:{what}").random() < share


def rows(lessons: Iterable[Lesson], per_library: int) -> list[CorpusRow]:
    """The lessons in rows: up to `per_library` of one set, arm and library, and without library each alone.

    Of every library that many problems have the first row alone takes a loss for its text.
    """
    waiting: dict[tuple[str, str, str], list[Lesson]] = {}
    made: list[CorpusRow] = []
    read: set[str] = set()
    for lesson in lessons:
        key = (lesson.set, lesson.arm, lesson.library)
        waiting.setdefault(key, []).append(lesson)
        if not lesson.library or len(waiting[key]) == per_library:
            made.append(_row(waiting.pop(key), read))
    return [*made, *(_row(rest, read) for rest in waiting.values())]


def _row(lessons: Sequence[Lesson], read: set[str]) -> CorpusRow:
    first = lessons[0]
    new = bool(first.library) and not first.entries and first.library not in read
    read.add(first.library)
    return CorpusRow(
        set=first.set,
        skill=first.skill,
        rung=first.rung,
        names=first.names,
        arm=first.arm,
        library=first.library,
        entries=first.entries,
        library_loss=new,
        problem_ids=tuple(lesson.problem_id for lesson in lessons),
        tutors=tuple(" ".join(lesson.tutors) for lesson in lessons),
        prompts=tuple(lesson.prompt for lesson in lessons),
        completions=tuple(lesson.completion for lesson in lessons),
    )


def benchmark_by_domain(benchmarks: Mapping[str, Benchmark]) -> dict[Domain, Benchmark]:
    """The first chosen benchmark of every domain: how synthetic problems of that domain are asked."""
    return {benchmark.domain: benchmark for benchmark in reversed(list(benchmarks.values()))}


def _answer_behind(problem: Problem, library: Sequence[str]) -> str | None:
    """The answer to a family's problem behind another library, if one is known."""
    family = family_of(problem.id)
    return family.behind(problem, library) if isinstance(family, BoundFamily) else None


def asked_plainly(problem: Problem, answer: str) -> Option:
    """A question as no benchmark asks it, of a domain that none is of, or where no choice is right, no blank filled."""
    asked = f"{problem.context}\n{problem.question}".lstrip()
    return Option(f"{asked}\n{_ANSWER}", f" {answer}")
