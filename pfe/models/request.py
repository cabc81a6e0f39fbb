"""What a model is asked, and what can answer.

Example: `Request(problem, prefix="[METHOD LIBRARY] …", prompt="Question: …\\nAnswer:",
options=(Option("Question: …\\nAnswer:", " barometer"), …))`
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pfe.problem import Problem


@dataclass(frozen=True)
class Option:
    """One way to go on: `continuation` is scored given `context`, which stands behind the prefix."""

    context: str
    continuation: str


@dataclass(frozen=True)
class Request:
    """One question to a model: choose among `options`, or, where there are none, generate.

    `prefix` is what many problems share (the method library; empty in the canonical arm). Generation
    goes on until one of `stop` or `max_tokens` tokens.
    """

    problem: Problem
    prefix: str
    prompt: str
    options: tuple[Option, ...] = ()
    stop: tuple[str, ...] = ()
    max_tokens: int = 1


class Examinee(Protocol):
    """Anything that can be examined on choices."""

    def choose(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        """A score for every option of every request; the highest is the model's choice."""


@runtime_checkable
class Writer(Examinee, Protocol):
    """An examinee that can write text too."""

    def generate(self, requests: Sequence[Request]) -> list[str]:
        """The text that the model writes after every prompt, cut before a stop string."""
