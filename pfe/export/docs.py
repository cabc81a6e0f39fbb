"""A benchmark in the format of lm-evaluation-harness: parts of one output type each, with one row (`doc`) per problem.

Example, a row of ARC:
    {"id": "arc_easy/7", "benchmark": "arc_easy", "library": "[SCIENCE FACT LIBRARY] …",
     "prompt": "Question: …\\nAnswer:", "choices": ["barometer", "ruler"], "gold": 0}

WinoGrande's rows have `contexts` and one `continuation` in place of `prompt` and `choices`. Rows with written answers
have an `answer` in place of `choices` and `gold`. Every row has its `library`, which the arm ICR puts in front; Parquet
stores equal libraries once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pfe.config import Benchmark
from pfe.evaluation.prompts import request_for
from pfe.icr.contexts import library_of
from pfe.models.request import Request, fills_blank
from pfe.problem import Problem

Kind = Literal["choices", "suffix", "written"]
Doc = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """The problems of a benchmark with the same kind of answer; only a mixed benchmark has several parts.

    `name` is the benchmark's, followed by the kind if the benchmark has several.
    """

    name: str
    benchmark: str
    kind: Kind
    docs: tuple[Doc, ...]


def parts(name: str, benchmark: Benchmark, problems: Sequence[Problem]) -> list[Part]:
    """Return the parts of a benchmark, one for each kind of answer among the problems.

    Raises:
        UserError: a template or library is invalid.
    """
    docs: dict[Kind, list[Doc]] = {}
    for problem in problems:
        kind = kind_of(problem, benchmark)
        docs.setdefault(kind, []).append(doc_of(name, benchmark, problem))
    return [Part(name if len(docs) == 1 else f"{name}_{kind}", name, kind, tuple(rows)) for kind, rows in docs.items()]


def kind_of(problem: Problem, benchmark: Benchmark) -> Kind:
    """Return the kind of answer that the harness asks for."""
    if benchmark.writes(problem):
        return "written"
    return "suffix" if benchmark.form == "suffix" else "choices"


def doc_of(name: str, benchmark: Benchmark, problem: Problem) -> Doc:
    """Return the row of a problem."""
    prefix = library_of(problem, benchmark.library)
    return {
        "id": problem.id,
        "benchmark": name,
        "library": prefix.text,
        **_asked(problem, request_for(problem, benchmark, prefix)),
    }


def _asked(problem: Problem, request: Request) -> dict[str, Any]:
    if not request.options:
        return {"prompt": request.prompt, "answer": problem.answer}
    gold = problem.choices.index(problem.answer)
    if fills_blank(request):
        contexts = [option.context for option in request.options]
        return {"contexts": contexts, "continuation": request.options[0].continuation.removeprefix(" "), "gold": gold}
    choices = [option.continuation.removeprefix(" ") for option in request.options]
    return {"prompt": request.prompt, "choices": choices, "gold": gold}
