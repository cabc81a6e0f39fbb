"""What the student reads: lessons, and rows of one library with the lessons behind it.

Example, a library-bound problem (the library once, four lines further):
    [LIBRARY] … A kralo pays two coins, on market days nothing. … [PROBLEM]
    Question: What does a kralo pay on a market day?\\nAnswer:      →  " nothing"
and the same question behind a changed library, one for other things, and none, each with what is right there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from pfe.config import Benchmark, Corpus
from pfe.evaluation.prompts import canonical_prompt, completed
from pfe.icr.contexts import library_of, own_library
from pfe.icr.definitions import definition
from pfe.models.request import Option
from pfe.problem import AnswerKey, Domain, Problem, Variant
from pfe.progress import progress
from pfe.training.rows import CorpusRow
from pfe.tutors.family import BoundFamily, family_of

# How a lesson asks and answers: the answer alone, the worked solution before it, the choices shown, or the rest of an
# entry of the library.
Kind = Literal["answer", "worked", "choices", "recited"]
LessonArm = Literal["canonical", "icr", "changed", "irrelevant"]
_WORKED = "Solution:"
_ANSWER = "Answer:"
_CHOICE = "\n- "


@dataclass(frozen=True)
class Lesson:
    """One prompt and its completion behind a library ("" for none); tutors who wrote the same text share it.

    `entries` are those of a library that is the problem's own: it says nothing that is worth knowing elsewhere.
    `skill`, `rung` and `names` are the problem's.
    """

    problem_id: str
    set: str
    arm: LessonArm
    kind: Kind
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

        Problems that have one library are asked behind each other's changed libraries too.
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
        yield from self._recited(world[0], "icr", world[0].library)
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
        kind = self._kind(problem)
        return [
            Lesson(problem.id, problem.set, arm, kind, tuple(tutors), library, option.context, option.continuation)
            for text, tutors in authors.items()
            for option in [self._option(problem, kind, text)]
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
            yield from self._recited(problem, "changed", changed.library)
        if self._drawn(problem, "unknown", self.shares.unknown):
            bare = self._drawn(problem, "bare", 0.5)
            variant = problem.variant("bare" if bare else "irrelevant")
            if variant:
                yield self._variant(problem, variant, "canonical" if bare else "irrelevant")

    def _recited(self, problem: Problem, arm: LessonArm, entries: Sequence[str]) -> Iterator[Lesson]:
        """Beginnings of entries, each with its rest: what is asked most densely of a library is what stands in it."""
        rng = Random(f"{self.seed}:{problem.id}:{arm}:recited")
        library = own_library(entries).text
        for entry in rng.sample(entries, min(self.shares.recited, len(entries))):
            words = entry.split(" ")
            if len(words) > 2:
                cut = rng.randint(1, len(words) // 2)
                prompt, rest = " ".join(words[:cut]), " " + " ".join(words[cut:])
                yield Lesson(
                    problem.id, problem.set, arm, "recited", (problem.tutor,), library, prompt, rest, tuple(entries)
                )

    def _variant(self, problem: Problem, variant: Variant, arm: LessonArm) -> Lesson:
        if problem.functions:  # the toolbox is the library, and no call an answer like another
            problem = replace(problem, functions=tuple(map(definition, variant.library)))
        known = arm == "changed" or problem.domain == "function_call"
        option = self._option(problem, "answer", variant.answer) if known else asked_plainly(problem, variant.answer)
        library = own_library(variant.library).text
        return Lesson(
            problem.id, problem.set, arm, "answer", (problem.tutor,),
            library, option.context, option.continuation, variant.library,
        )  # fmt: skip

    def _kind(self, problem: Problem) -> Kind:
        if problem.domain not in ("math", "code") and self._drawn(problem, "worked", self.shares.worked):
            return "worked"
        shown = len(problem.choices) > 2 and self._drawn(problem, "choices", self.shares.choices)
        return "choices" if shown else "answer"

    def _option(self, problem: Problem, kind: Kind, answer: str) -> Option:
        benchmark = self.benchmarks.get(problem.domain)
        if kind == "answer" and benchmark is not None:
            return completed(problem, benchmark, answer)
        asked = _asked(problem, benchmark)
        if kind == "choices":
            asked += "".join(f"{_CHOICE}{choice}" for choice in problem.choices)
        if kind != "worked":
            return Option(f"{asked}\n{_ANSWER}", f" {answer}")
        solution = problem.solution.rpartition("\n#### ")[0] or problem.solution
        return Option(f"{asked}\n{_WORKED}", f" {solution}\n{_ANSWER} {answer}")

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
        kinds=tuple(lesson.kind for lesson in lessons),
        tutors=tuple(" ".join(lesson.tutors) for lesson in lessons),
        prompts=tuple(lesson.prompt for lesson in lessons),
        completions=tuple(lesson.completion for lesson in lessons),
    )


def plainly_asked(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The problems of a row as prompt and answer alone, whether choices are shown or a solution is written."""
    for kind, prompt, completion in zip(row["kinds"], row["prompts"], row["completions"], strict=True):
        if kind == "answer":
            yield prompt, completion
        elif kind == "choices":
            yield f"{prompt.partition(_CHOICE)[0]}\n{_ANSWER}", completion
        elif kind == "worked":
            yield f"{prompt.removesuffix(_WORKED)}{_ANSWER}", completion.rpartition(f"\n{_ANSWER}")[2]


def benchmark_by_domain(benchmarks: Mapping[str, Benchmark]) -> dict[Domain, Benchmark]:
    """The first chosen benchmark of every domain: how synthetic problems of that domain are asked."""
    return {benchmark.domain: benchmark for benchmark in reversed(list(benchmarks.values()))}


def _asked(problem: Problem, benchmark: Benchmark | None) -> str:
    """The prompt of the benchmark without its last line, where that asks for the answer; the plain text else."""
    if benchmark is None or benchmark.form == "suffix":
        return f"{problem.context}\n{problem.question}".lstrip()
    prompt = canonical_prompt(problem, benchmark)
    return prompt.rpartition("\n")[0] if prompt.endswith(":") and "\n" in prompt else prompt


def _answer_behind(problem: Problem, library: Sequence[str]) -> str | None:
    """The answer to a family's problem behind another library, if one is known."""
    family = family_of(problem.id)
    return family.behind(problem, library) if isinstance(family, BoundFamily) else None


def asked_plainly(problem: Problem, answer: str) -> Option:
    """A question as no benchmark asks it, of a domain that none is of, or where no choice is right, no blank filled."""
    return Option(f"{_asked(problem, None)}\n{_ANSWER}", f" {answer}")
