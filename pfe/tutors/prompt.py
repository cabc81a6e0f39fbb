"""The prompts for tutors that are language models, and the parsing of their answers."""

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
    """Return one problem as an instruction, preceded by its library if it has one."""
    library = "\n\n".join(problem.library)
    functions = "\n\n".join(map(documentation, offered(problem.functions).values()))
    choices = "\n".join(f"- {choice}" for choice in problem.choices)
    tests = "\n".join(problem.tests)
    wanted = _WANTED.get(problem.domain, _CHOICE)
    parts = (library, functions, problem.context, problem.question, choices, tests, wanted)
    return "\n\n".join(part for part in parts if part)


def tutor_key(problem: Problem, tutor: str, text: str) -> AnswerKey | None:
    """Return the answer key in a language model's text; None if the text is empty."""
    text = text.strip()
    return AnswerKey(problem.id, tutor, text, text) if text else None
