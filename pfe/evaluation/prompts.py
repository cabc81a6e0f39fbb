"""What a model is asked about a problem, and how the problem reads once it is solved.

Example, ARC:
    Question: Which tool measures air pressure?
    Answer:
with the continuations " barometer", " ruler", …; an arm may put a prefix in front of it.
Source: the zero-shot requests of lm-evaluation-harness 0.4.13, where it has the task; `docs/evaluation.md`
lists the departures.
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
    """What a model is asked about one problem behind one prefix; `order` counts the orders of its methods."""
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
    """The bare prompt: the benchmark's template with the problem's text filled in.

    `{functions}` ends in an empty line, and is nothing where no documentation is shown.
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
    """The prompt and its answer, as an example of a few-shot prompt reads; `DELIMITER` follows it.

    The answer is what lm-evaluation-harness shows: the whole rationale where there is one, the first alias.
    """
    answer = problem.answer
    if benchmark.scorer == "number":
        answer = problem.solution or answer
    elif benchmark.scorer == "alias" and problem.aliases:
        answer = problem.aliases[0]
    example = completed(problem, benchmark, answer)
    return example.context + example.continuation


def completed(problem: Problem, benchmark: Benchmark, answer: str) -> Option:
    """The prompt and how this answer goes on: what is scored, shown as an example, and learnt from.

    A program ends in [DONE]. WinoGrande's form fills the answer into the sentence and goes on with what follows the
    blank (partial evaluation, Trinh and Le 2018, arXiv:1806.02847).
    """
    return _completed(canonical_prompt(problem, benchmark), benchmark, answer)


def _completed(prompt: str, benchmark: Benchmark, answer: str) -> Option:
    if benchmark.form == "suffix":
        before, _, after = prompt.partition("_")
        return Option(before + answer, f" {after.strip()}")
    if benchmark.scorer == "program":
        return Option(prompt, f"{answer}\n[DONE]")
    return Option(prompt, f" {answer}")
