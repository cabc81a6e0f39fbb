"""The prompt of a problem, and the solved problem as a few-shot example.

Example, ARC:
    Question: Which tool measures air pressure?
    Answer:
with the continuations " barometer", " ruler", …; an arm may put a prefix in front of it.
Source: the zero-shot requests of lm-evaluation-harness 0.4.13, if it has the task; `docs/evaluation.md`
lists the differences.
"""

from collections.abc import Callable, Mapping

from pfe.config import Benchmark
from pfe.icr.definitions import offered
from pfe.icr.functions import Function, documentation, signature
from pfe.icr.prefix import Prefix
from pfe.models.request import Option, Request
from pfe.problem import Problem

DOCS: Mapping[str, Callable[[Function], str]] = {"signatures": signature, "full": documentation}
DELIMITER = "\n\n"  # between solved examples, and between the last of them and the prompt


def request_for(problem: Problem, benchmark: Benchmark, prefix: Prefix, order: int = 0) -> Request:
    """Return the request for one problem with one prefix in context; `order` is the index of the methods' order."""
    prompt = canonical_prompt(problem, benchmark)
    answers = () if benchmark.writes(problem) else problem.choices
    return Request(
        problem=problem,
        prefix=prefix,
        prompt=prompt,
        options=tuple(_completed(prompt, benchmark, answer) for answer in answers),
        stop=benchmark.stop,
        max_tokens=benchmark.max_tokens,
        order=order,
    )


def canonical_prompt(problem: Problem, benchmark: Benchmark) -> str:
    """Return the zero-shot prompt: the benchmark's template with the problem's text filled in.

    `{functions}` ends in an empty line; it is "" if no documentation is shown.
    """
    show = DOCS.get(benchmark.canonical_docs)
    functions = [show(function) for function in offered(problem.functions).values()] if show else []
    return benchmark.prompt.format(
        question=problem.question,
        context=problem.context,
        tests="\n".join(problem.tests),
        functions="\n".join([*functions, "", ""]) if functions else "",
    )


def solved(problem: Problem, benchmark: Benchmark) -> str:
    """Return the prompt followed by its answer, as a few-shot example; callers append `DELIMITER`.

    The answer is the one that lm-evaluation-harness shows: the whole rationale if there is one, the first alias.
    """
    answer = problem.answer
    if benchmark.scorer == "number":
        answer = problem.solution or answer
    elif benchmark.scorer == "alias" and problem.aliases:
        answer = problem.aliases[0]
    example = completed(problem, benchmark, answer)
    return example.context + example.continuation


def completed(problem: Problem, benchmark: Benchmark, answer: str) -> Option:
    """Return the prompt and the answer as its continuation, as used in scoring, few-shot examples and training.

    A program ends in [DONE]. In WinoGrande's form the context has the answer in place of the blank, and the
    continuation is the text after the blank (partial evaluation, Trinh and Le 2018, arXiv:1806.02847).
    """
    return _completed(canonical_prompt(problem, benchmark), benchmark, answer)


def _completed(prompt: str, benchmark: Benchmark, answer: str) -> Option:
    if benchmark.form == "suffix":
        before, _, after = prompt.partition("_")
        return Option(before + answer, f" {after.strip()}")
    if benchmark.scorer == "program":
        return Option(prompt, f"{answer}\n[DONE]")
    return Option(prompt, f" {answer}")
