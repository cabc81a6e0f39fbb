"""Lessons for comparing trainers: our synthetic word problems with answers, and a library of a given length in context.

Example: `rows(folder, WORKLOADS["few"], tokenizer, steps=2)` returns eight rows of five lessons with 300 tokens of
GSM1K's methods in context, in the format of the corpus.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.data import settings


@dataclass(frozen=True)
class Workload:
    """Steps of `rows` rows with `lessons` lessons each, and a library of at most `library` tokens in context."""

    name: str
    library: int
    rows: int
    lessons: int

    @property
    def lessons_per_step(self) -> int:
        return self.rows * self.lessons


WORKLOADS = {
    "many": Workload("24 lessons with a library of 1,000 tokens in context", 1000, 1, 24),
    "few": Workload("5 lessons with a library of 300 tokens in context", 300, 4, 5),
    "no_library": Workload("lessons without a library", 0, 32, 1),
}


def new_tokenizer(folder: str) -> Any:
    """Return the scratch student's tokenizer, trained on the problems."""
    from pfe.training import student

    sizes = settings().student
    return student.new_tokenizer([problem.text for problem in _problems(folder)], sizes.vocabulary, sizes.context)


def rows(folder: str, workload: Workload, tokenizer: Any, steps: int) -> list[dict[str, Any]]:
    """Return the rows of all steps, in the format of the corpus; the library is cut to whole methods."""
    from pfe.evaluation.prompts import canonical_prompt
    from pfe.icr.contexts import library

    problems, benchmark = _problems(folder), settings().benchmark["gsm1k"]
    whole = library(benchmark.library)
    lengths = [len(tokenizer(whole.shortened(n).text)["input_ids"]) for n in range(len(whole.methods) + 1)]
    fitting = [n for n, length in enumerate(lengths) if length <= workload.library]
    prefix = whole.shortened(max(fitting)).text if fitting else ""
    rows_of_steps = []
    for start in range(0, steps * workload.lessons_per_step, workload.lessons):
        lessons = [problems[index % len(problems)] for index in range(start, start + workload.lessons)]
        rows_of_steps.append(
            {
                "library": prefix,
                "library_loss": False,
                "prompts": [canonical_prompt(problem, benchmark) for problem in lessons],
                "completions": [f" {problem.answer}" for problem in lessons],
            }
        )
    return rows_of_steps


def _problems(folder: str) -> list[Any]:
    from pfe.problem import Problem

    return list(Problem.read(Path(folder) / "data/candidates/gsm1k_synth.parquet"))
