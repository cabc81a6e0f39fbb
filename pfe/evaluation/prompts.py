"""The prompts of both arms: the canonical prompt, and the same prompt behind its method library.

Example, canonical arm of ARC:
    Question: Which tool measures air pressure?
    Answer:
with the continuations " barometer", " ruler", …; the ICR arm has the library in front of it.
"""

from collections.abc import Callable, Mapping

from pfe.config import Arm, Benchmark
from pfe.errors import UserError
from pfe.icr.contexts import library_prefix
from pfe.icr.functions import Function, catalogue, documentation, signature
from pfe.models.request import Option, Request
from pfe.problem import Problem

DOCS: Mapping[str, Callable[[Function], str]] = {"signatures": signature, "full": documentation}


def request_for(problem: Problem, benchmark: Benchmark, arm: Arm) -> Request:
    """What a model is asked about one problem in one arm.

    Raises:
        UserError: the benchmark's prompt names a field that problems do not have.
    """
    prefix = library_prefix(benchmark.library, problem.functions) if arm == "icr" else ""
    prompt = canonical_prompt(problem, benchmark)
    return Request(
        problem=problem,
        prefix=prefix,
        prompt=prompt,
        options=_options(problem, benchmark.form, prompt),
        stop=benchmark.stop,
        max_tokens=benchmark.max_tokens,
    )


def canonical_prompt(problem: Problem, benchmark: Benchmark) -> str:
    """The bare prompt: the benchmark's template with the problem's text filled in.

    Raises:
        UserError: the template names an unknown field.
    """
    show = DOCS.get(benchmark.canonical_docs)
    functions = "\n".join(show(catalogue()[name]) for name in problem.functions) if show else ""
    fields = {
        "question": problem.question,
        "context": problem.context,
        "tests": "\n".join(problem.tests),
        "functions": functions,
    }
    try:
        return benchmark.prompt.format(**fields).lstrip("\n")
    except (KeyError, IndexError, ValueError) as error:
        raise UserError(
            f"prompt {benchmark.prompt!r} of the {problem.set} benchmark: unknown field {error}; "
            f"allowed: {', '.join(f'{{{name}}}' for name in fields)}"
        ) from None


def _options(problem: Problem, form: str, prompt: str) -> tuple[Option, ...]:
    """The texts whose log-likelihood is compared; none for generation.

    WinoGrande's form scores what follows the blank, given the sentence with each option filled in
    (partial evaluation, Trinh and Le 2018, arXiv:1806.02847).
    """
    if form == "choices":
        return tuple(Option(prompt, f" {choice}") for choice in problem.choices)
    if form == "suffix":
        before, _, after = prompt.partition("_")
        return tuple(Option(before + choice, f" {after.strip()}") for choice in problem.choices)
    return ()
