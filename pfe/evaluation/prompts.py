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
    return Request(
        problem=problem,
        prefix=prefix,
        prompt=prompt,
        options=_options(problem, benchmark.form, prompt),
        stop=benchmark.stop,
        max_tokens=benchmark.max_tokens,
        order=order,
    )


def canonical_prompt(problem: Problem, benchmark: Benchmark) -> str:
    """The bare prompt: the benchmark's template with the problem's text filled in.

    `{functions}` ends in an empty line, and is nothing where no documentation is shown.
    """
    show = DOCS.get(benchmark.canonical_docs)
    shown = [show(function) for function in offered(problem.functions).values()] if show else []
    return benchmark.prompt.format(
        question=problem.question,
        context=problem.context,
        tests="\n".join(problem.tests),
        functions="\n".join([*shown, "", ""]) if shown else "",
    )


def solved(problem: Problem, benchmark: Benchmark) -> str:
    """The prompt and its answer, as an example of a few-shot prompt reads; `DELIMITER` follows it.

    The answer is what lm-evaluation-harness shows: the whole rationale where there is one, the first
    alias, the program up to [DONE], the sentence with its blank filled in.
    """
    prompt = canonical_prompt(problem, benchmark)
    match benchmark.scorer:
        case _ if benchmark.form == "suffix":
            option = _options(problem, benchmark.form, prompt)[problem.choices.index(problem.answer)]
            return option.context + option.continuation
        case "program":
            return f"{prompt}{problem.answer}\n[DONE]"
        case "number":
            return f"{prompt} {problem.solution or problem.answer}"
        case "alias":
            return f"{prompt} {(*problem.aliases, problem.answer)[0]}"
    return f"{prompt} {problem.answer}"


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
