"""What the student reads: every agreed problem as a prompt and the tutors' answers to it.

Example row: {"prompt": "Question: …\\nAnswer:", "completion": " barometer", "problem_id": "arc_synth/…",
"set": "arc_synth", "arm": "canonical", "tutors": ["derive", "read", …]}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pfe.config import Arm, Benchmark
from pfe.evaluation.prompts import completed
from pfe.icr.contexts import library_of
from pfe.models.request import Option
from pfe.problem import AnswerKey, Domain, Problem


@dataclass(frozen=True)
class Lesson:
    """One row of the corpus; tutors who wrote the same text share it."""

    problem_id: str
    set: str
    arm: Arm
    tutors: tuple[str, ...]
    prompt: str
    completion: str


def lessons(
    problem: Problem, keys: Sequence[AnswerKey], benchmarks: Mapping[Domain, Benchmark], icr_share: float, seed: int
) -> list[Lesson]:
    """The lessons of one problem, one a distinct answer text.

    It is asked as the benchmark of its domain asks; behind that benchmark's method library for a
    share `icr_share` of the problems, drawn by seed and id.
    """
    authors: dict[str, list[str]] = {}
    for key in keys:
        authors.setdefault(key.text, []).append(key.tutor)
    benchmark = benchmarks.get(problem.domain)
    behind_library = benchmark is not None and Random(f"{seed}:{problem.id}:arm").random() < icr_share
    prefix = library_of(problem, benchmark.library).text if benchmark and behind_library else ""
    arm: Arm = "icr" if behind_library else "canonical"
    return [
        Lesson(problem.id, problem.set, arm, tuple(tutors), prefix + option.context, option.continuation)
        for text, tutors in authors.items()
        for option in [_completed(problem, benchmark, text)]
    ]


def _completed(problem: Problem, benchmark: Benchmark | None, answer: str) -> Option:
    if benchmark is None:
        return Option(f"{problem.context}\n{problem.question}\nAnswer:".lstrip(), f" {answer}")
    return completed(problem, benchmark, answer)


def benchmark_by_domain(benchmarks: Mapping[str, Benchmark]) -> dict[Domain, Benchmark]:
    """The first chosen benchmark of every domain: how synthetic problems of that domain are asked."""
    return {benchmark.domain: benchmark for benchmark in reversed(list(benchmarks.values()))}
