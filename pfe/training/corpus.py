"""The training corpus: lessons (a prompt and its completion), and rows of lessons that share one library.

Example, a library-bound problem (the library comes once, before all questions about it):
    [LIBRARY] … A kralo pays two coins, on market days nothing. … [PROBLEM]
    Question: What does a kralo pay on a market day?\\nAnswer:      →  " nothing"
and the same question with a changed library, an irrelevant one, and none, each with the correct answer there.
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
    """One prompt and its completion with a library in context ("" for none); `tutors` wrote that completion.

    `entries` are those of a library that was written for this problem alone: it says nothing that holds elsewhere.
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
    """The rules that turn problems into lessons: the benchmark format of each domain, the shares, the seed."""

    benchmarks: Mapping[Domain, Benchmark]
    shares: Corpus
    seed: int

    def teaches(self, problem: Problem) -> bool:
        """Return whether the problem becomes lessons, by `corpus.problems`."""
        return self.shares.problems == "all" or not problem.library_bound

    def lessons(self, problems: Iterable[Problem], keys: Mapping[str, Sequence[AnswerKey]]) -> list[Lesson]:
        """Return the lessons of problems, one for each distinct answer text in each arm; `keys` are answer keys by id.

        Problems that share a library are also asked with each other's changed libraries.
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
        """Yield the lessons of problems that share one library."""
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
        """Yield lessons with other libraries: a changed one changes the answer; without the right facts it is unknown.

        With the changed library in context, the problems `beside` this one are asked too; their answers may stay the
        same.
        """
        if (changed := problem.variant("changed")) and self._drawn(problem, "changed", self.shares.changed):
            asked = [
                (problem, changed.answer),
                *((other, _answer_with_library(other, changed.library)) for other in beside),
            ]
            for other, answer in asked:
                if answer is not None:
                    # The worked solution and the tests fit the original library only.
                    other = replace(other, solution="", tests=())
                    yield self._variant(other, replace(changed, answer=answer), "changed")
        if self._drawn(problem, "unknown", self.shares.unknown):
            bare = self._drawn(problem, "bare", 0.5)
            variant = problem.variant("bare" if bare else "irrelevant")
            if variant:
                yield self._variant(problem, variant, "canonical" if bare else "irrelevant")

    def _variant(self, problem: Problem, variant: Variant, arm: LessonArm) -> Lesson:
        if problem.functions:  # the toolbox is the library, and "no call" is an ordinary answer
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
        """Return whether a problem is sampled for `what`, with probability `share`."""
        return Random(f"{self.seed}:{problem.id}:{what}").random() < share


def rows(lessons: Iterable[Lesson], per_library: int) -> list[CorpusRow]:
    """Group lessons into rows: up to `per_library` of one set, arm and library; those without a library stay alone.

    For a library that many problems share, only its first row has a loss on the library's text.
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
    """Return the first chosen benchmark of every domain; its format asks the synthetic problems of that domain."""
    return {benchmark.domain: benchmark for benchmark in reversed(list(benchmarks.values()))}


def _answer_with_library(problem: Problem, library: Sequence[str]) -> str | None:
    """Return the answer to a family's problem with another library in context, if it is known."""
    family = family_of(problem.id)
    return family.answer_with_library(problem, library) if isinstance(family, BoundFamily) else None


def asked_plainly(problem: Problem, answer: str) -> Option:
    """Return a question in a plain format: for a domain without a benchmark, or if no choice or blank can be filled."""
    asked = f"{problem.context}\n{problem.question}".lstrip()
    return Option(f"{asked}\n{_ANSWER}", f" {answer}")
