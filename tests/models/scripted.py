"""A server on loopback that says what a test scripts, and questions to ask it."""

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pfe.cache import Cache
from pfe.config import Model, record
from pfe.icr.prefix import Prefix
from pfe.models.request import Option, Request
from pfe.models.responses import Responses
from pfe.models.server import Server, identity
from pfe.problem import Problem

CHOICES = ("barometer", "a ruler", "the thermometer on the wall", "balance")
PREFIX = Prefix("LIBRARY\n", ("METHOD 1\n", "METHOD 2\n", "METHOD 3\n"), "[PROBLEM]\n")
Body = dict[str, Any]
Reply = tuple[int, Body | bytes, dict[str, str]]


@dataclass
class Script:
    """What the scripted server says to (path, body), and what it was asked, with which headers."""

    says: Callable[[str, Body], Reply]
    asked: list[tuple[str, Body]] = field(default_factory=list)
    heads: list[Mapping[str, str]] = field(default_factory=list)
    url: str = ""

    @property
    def questions(self) -> list[Body]:
        """The bodies, without those that only try out what the server can."""
        return [body for _, body in self.asked if "Two and two are four." not in json.dumps(body)]


def text_reply(text: str | None, path: str = "/v1/chat/completions", finish: str = "stop", **more: Any) -> Reply:
    choice = {"message": {"role": "assistant", "content": text}} if "chat" in path else {"text": text}
    body = {
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, **choice}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 2},
    }
    return 200, body | more, {}


def error(status: int, message: str = "no", **headers: str) -> Reply:
    return status, {"error": {"message": message}}, headers


def chat(says: Callable[[str], Reply]) -> Callable[[str, Body], Reply]:
    """A server that only chats."""

    def answer(path: str, body: Body) -> Reply:
        chats = path.partition("?")[0].endswith("/chat/completions")
        return says(body["messages"][0]["content"]) if chats else error(404)

    return answer


@functools.cache  # its defaults are read from a file
def _model() -> Model:
    return record(Model, kind="openai", label="M", depends="", path="m", concurrency=3)


def server(url: str, cache: Cache, retries: int = 0, timeout: float = 20, **changes: Any) -> Server:
    model = replace(_model(), **{"base_url": url, **changes})
    return Server("mine", model, Responses(identity(model), cache), retries=retries, timeout=timeout)


def question(number: int = 1, **changes: Any) -> Request:
    """Four choices; `options=()` makes it a question for text."""
    prompt = f"Question: Which tool measures air pressure on {number} days?\nAnswer:"
    problem = Problem(f"a/{number}", "a", "science", "?", CHOICES[number % 4], choices=CHOICES)
    options = tuple(Option(prompt, f" {choice}") for choice in CHOICES)
    return replace(Request(problem, Prefix(), prompt, options, max_tokens=8), **changes)


def ask_twice(url: str, cache: Path) -> None:
    """Ask fifteen questions two times each; what a process of its own does, which imports no more than this module."""
    server(url, Cache(cache)).answer([*texts(15), *texts(15)])


def texts(count: int) -> list[Request]:
    return [question(number, options=()) for number in range(count)]
