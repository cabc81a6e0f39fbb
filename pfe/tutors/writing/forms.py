"""JSON forms that a tutor fills in: one per domain, each converted to and from a problem.

Example from the domain coreference:
    {"sentence": "Ann lent Bea her ladder because _ had a tall tree to prune.", "choices": ["Ann", "Bea"],
     "answer": "Bea", "explanation": "To prune a tall tree one needs a ladder, and Bea borrowed one."}

A form validates every constraint beyond its types itself, because the schemas of servers support few constraints. Its
error messages can be sent back to the tutor.
"""

import ast
import json
import re
from abc import abstractmethod
from collections.abc import Mapping
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, StringConstraints, field_validator, model_validator

from pfe.errors import UserError
from pfe.icr.definitions import offered
from pfe.icr.functions import Function
from pfe.problem import Domain, Problem
from pfe.sandbox import assertions
from pfe.scorers.calls.gold import NO_CALL
from pfe.scorers.choice import named_choice
from pfe.scorers.python import UNREADABLE, syntax_tree
from pfe.tutors.family import seed_of

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=6000)]
Kind = Literal["str", "int", "float", "bool", "dict", "list[str]", "list[int]", "list[float]", "list[dict]"]
_JSON_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "dict": "object"}


class Form(BaseModel):
    """The base class of the forms; each form includes the reasoning that leads to the answer."""

    model_config = ConfigDict(extra="forbid")
    domain: ClassVar[Domain]

    @classmethod
    @abstractmethod
    def of(cls, problem: Problem) -> Self:
        """Return the form of an existing problem, to be shown as an example.

        Raises:
            ValueError: the problem does not fit this form.
        """

    @abstractmethod
    def problem(self, id: str, set: str, tutor: str) -> Problem:
        """Return the problem; its id seeds the order of its choices."""


class Math(Form):
    """A word problem with a whole number for an answer."""

    domain = "math"
    question: Text
    steps: list[Text]
    answer: int

    @classmethod
    def of(cls, problem: Problem) -> Self:
        steps = re.sub(r"<<[^<>]*>>", "", _explanation(problem)).split("\n")
        return cls(question=problem.question, steps=steps, answer=int(problem.answer))

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        return _problem(self, id, set, tutor, self.question, str(self.answer), "\n".join(self.steps))


class Choices(Form):
    """A form with choices, one of which is the answer."""

    count: ClassVar[int] = 4
    choices: list[Text]
    answer: Text
    explanation: Text

    @model_validator(mode="after")
    def _one_is_right(self) -> Self:
        if len(self.choices) != self.count:
            raise ValueError(f"there are to be {self.count} choices, and there are {len(self.choices)}")
        by_sense: dict[str, str] = {}
        for choice in self.choices:
            words = re.findall(r"\w+", choice)
            # Case matters in short words: the genotypes Gg and gg differ.
            sense = " ".join(word.casefold() if len(word) > 2 else word for word in words) or choice
            if sense in by_sense:
                raise ValueError(f"the choices {by_sense[sense]!r} and {choice!r} are the same, so two would be right")
            by_sense[sense] = choice
        if named_choice(tuple(self.choices), self.answer) is None:
            raise ValueError(f"the answer {self.answer!r} is not one of the choices; repeat one of them word for word")
        return self

    def right(self) -> str:
        """Return the choice that the answer names."""
        return named_choice(tuple(self.choices), self.answer) or ""

    def shuffled(self, id: str) -> tuple[str, ...]:
        """Shuffle the choices, seeded by the problem's id: models favour some positions for the correct choice."""
        order = sorted(self.choices)
        Random(f"{id}:choices").shuffle(order)
        return tuple(order)


class Science(Choices):
    """A question of school science."""

    domain = "science"
    question: Text

    @classmethod
    def of(cls, problem: Problem) -> Self:
        return cls(question=problem.question, **_chosen(problem))

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        choices = self.shuffled(id)
        return _problem(self, id, set, tutor, self.question, self.right(), self.explanation, choices=choices)


class Reading(Choices):
    """A passage and a question about it."""

    domain = "reading"
    passage: Text
    question: Text

    @classmethod
    def of(cls, problem: Problem) -> Self:
        return cls(passage=problem.context, question=problem.question, **_chosen(problem))

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        return _problem(
            self, id, set, tutor, self.question, self.right(), self.explanation,
            context=self.passage, choices=self.shuffled(id),
        )  # fmt: skip


class Endings(Choices):
    """The beginning of a scene and four ways to go on, one of them possible."""

    domain = "commonsense"
    activity: Text
    beginning: Text

    @classmethod
    def of(cls, problem: Problem) -> Self:
        return cls(activity=problem.context, beginning=problem.question, **_chosen(problem))

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        return _problem(
            self, id, set, tutor, self.beginning, self.right(), self.explanation,
            context=self.activity, choices=self.shuffled(id),
        )  # fmt: skip


class Coreference(Choices):
    """A sentence with a blank, and two that could stand in it."""

    domain = "coreference"
    count = 2
    sentence: Text

    @field_validator("sentence")
    @classmethod
    def _has_one_blank(cls, sentence: str) -> str:
        if sentence.count("_") != 1:
            raise ValueError("the sentence is to have one blank, written as a single _")
        return sentence

    @classmethod
    def of(cls, problem: Problem) -> Self:
        return cls(sentence=problem.question, **_chosen(problem))

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        choices = self.shuffled(id)
        return _problem(self, id, set, tutor, self.sentence, self.right(), self.explanation, choices=choices)


class Boolean(Form):
    """A passage and a question that it answers with yes or no."""

    domain = "boolean"
    passage: Text
    question: Text
    answer: Literal["yes", "no"]
    explanation: Text

    @classmethod
    def of(cls, problem: Problem) -> Self:
        return cls.model_validate(
            {"passage": problem.context, "question": problem.question, "answer": problem.answer}
            | {"explanation": _explanation(problem)}
        )

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        return _problem(
            self, id, set, tutor, self.question, self.answer, self.explanation,
            context=self.passage, choices=("no", "yes"),
        )  # fmt: skip


class Code(Form):
    """A task for one Python function, with the function and its tests."""

    domain = "code"
    task: Text
    program: Text
    tests: list[Text]
    explanation: Text

    @model_validator(mode="after")
    def _tests_ask_it(self) -> Self:
        tree = syntax_tree(self.program)
        if tree is None or not any(isinstance(node, ast.FunctionDef) for node in tree.body):
            raise ValueError("the program is no Python that defines a function")
        if len(self.tests) < 3:
            raise ValueError(f"there are to be three tests or more, and there are {len(self.tests)}")
        for test in self.tests:
            try:
                assertions.read(test, "")
            except UserError as error:
                raise ValueError(str(error)) from None
        return self

    @classmethod
    def of(cls, problem: Problem) -> Self:
        explanation = problem.solution.partition("\n#### ")[0]
        return cls(task=problem.question, program=problem.answer, tests=list(problem.tests), explanation=explanation)

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        tests = tuple(self.tests)
        return _problem(self, id, set, tutor, self.task, self.program, self.explanation, tests=tests)


class ParameterForm(BaseModel):
    """A parameter; its `default` is a Python literal, "" where it must be given."""

    model_config = ConfigDict(extra="forbid")
    name: Text
    type: Kind
    description: Text
    default: str

    @field_validator("default")
    @classmethod
    def _is_a_literal(cls, default: str) -> str:
        if default:
            try:
                json.dumps(ast.literal_eval(default))
            except (*UNREADABLE, TypeError):
                raise ValueError(f"the default {default!r} is no Python literal; a text needs its quotes") from None
        return default


class FunctionForm(BaseModel):
    """A function on offer."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$", max_length=64)]
    description: Text
    parameters: list[ParameterForm]

    @classmethod
    def of(cls, function: Function) -> Self:
        parameters = [
            {"name": p.name, "type": _kind(p.type), "description": p.description or p.name, "default": p.default or ""}
            for p in function.parameters
        ]
        return cls.model_validate(
            {"name": function.name, "description": function.description, "parameters": parameters}
        )

    @property
    def definition(self) -> str:
        """Return the definition as JSON, with parameters in JSON Schema, in the format of `Problem.functions`."""
        schemas = {p.name: _schema(p) for p in self.parameters}
        required = [p.name for p in self.parameters if not p.default]
        parameters = {"type": "object", "properties": schemas, "required": required}
        value = {"name": self.name, "description": self.description, "parameters": parameters}
        return json.dumps(value, ensure_ascii=False)


class Calls(Form):
    """A request, functions on offer, and the calls that do what is asked."""

    domain = "function_call"
    request: Text
    functions: list[FunctionForm]
    calls: list[Text]
    explanation: Text

    @model_validator(mode="after")
    def _functions_differ(self) -> Self:
        names = [function.name for function in self.functions]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError("there are to be two functions or more on offer, each with a name of its own")
        return self

    @classmethod
    def of(cls, problem: Problem) -> Self:
        functions = [FunctionForm.of(function) for function in offered(problem.functions).values()]
        calls = [] if problem.answer == NO_CALL else problem.answer.split("\n")
        return cls(request=problem.question, functions=functions, calls=calls, explanation=_explanation(problem))

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        functions = tuple(function.definition for function in self.functions)
        answer = "\n".join(self.calls) or NO_CALL
        return _problem(self, id, set, tutor, self.request, answer, self.explanation, functions=functions)


class Format(Form):
    """Data and an instruction that leaves exactly one way to write them."""

    domain = "format"
    task: Text
    answer: Text
    explanation: Text

    @classmethod
    def of(cls, problem: Problem) -> Self:
        explanation = problem.solution.partition("\n#### ")[0]
        return cls(task=problem.question, answer=problem.answer, explanation=explanation)

    def problem(self, id: str, set: str, tutor: str) -> Problem:
        return _problem(self, id, set, tutor, self.task, self.answer, self.explanation)


FORMS: Mapping[Domain, type[Form]] = {
    form.domain: form for form in (Math, Science, Reading, Boolean, Endings, Coreference, Code, Calls, Format)
}
WRITTEN = "written"  # the family of problems written by a language model


def _problem(
    form: Form, id: str, set: str, tutor: str, question: str, answer: str, explanation: str, **parts: Any
) -> Problem:
    return Problem(
        id=id, set=set, domain=form.domain, question=question, answer=answer, solution=f"{explanation}\n#### {answer}",
        group=id, family=WRITTEN, seed=seed_of(id), tutor=tutor, **parts,
    )  # fmt: skip


def _chosen(problem: Problem) -> dict[str, Any]:
    return {"choices": list(problem.choices), "answer": problem.answer, "explanation": _explanation(problem)}


def _explanation(problem: Problem) -> str:
    return problem.solution.rpartition("\n#### ")[0]


def _kind(type: str) -> str:
    """Return the kind of a parameter's Python type, without details that its description states better."""
    return "dict" if type.startswith("dict[") else type.removesuffix(" | None")


def _schema(parameter: ParameterForm) -> dict[str, Any]:
    inner = parameter.type.removeprefix("list[").removesuffix("]")
    schema: dict[str, Any] = {"type": _JSON_TYPES[inner]}
    if inner != parameter.type:
        schema = {"type": "array", "items": schema}
    default = {"default": ast.literal_eval(parameter.default)} if parameter.default else {}
    return {**schema, "description": parameter.description, **default}
