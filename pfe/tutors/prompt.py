"""What a tutor that is a language model is asked, and how its answer is read."""

from pfe.icr.definitions import offered
from pfe.icr.functions import documentation
from pfe.problem import AnswerKey, Problem

_WANTED = {
    "math": "Work step by step. End with a line `#### ` and the number.",
    "code": "Answer with the Python code alone.",
    "function_call": "Answer with the function call or calls alone, in Python syntax, one a line.",
    "format": "Answer with exactly what is asked for and nothing else.",
    "boolean": "Answer yes or no.",
}
_CHOICE = "Answer with the text of the right choice alone."


def tutor_prompt(problem: Problem) -> str:
    """One problem as an instruction, behind the library that it needs where there is one."""
    library = "\n\n".join(problem.library)
    functions = "\n\n".join(map(documentation, offered(problem.functions).values()))
    choices = "\n".join(f"- {choice}" for choice in problem.choices)
    tests = "\n".join(problem.tests)
    wanted = _WANTED.get(problem.domain, _CHOICE)
    parts = (library, functions, problem.context, problem.question, choices, tests, wanted)
    return "\n\n".join(part for part in parts if part)


def tutor_key(problem: Problem, tutor: str, text: str) -> AnswerKey | None:
    """The answer key that a language model's text makes; None where it wrote nothing."""
    text = text.strip()
    return AnswerKey(problem.id, tutor, text, text) if text else None
