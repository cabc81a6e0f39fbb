"""The request format for one server: the way of asking, and the token budget of thoughts.

Example: a server with `RequestFormat("chat", thinks=True)` gets `Question("Question: …\\nAnswer:", max_tokens=256,
stop=("\\n",))` as one user message, with a limit of 256 + max_thinking_tokens tokens and without the stop string, which
a thought may contain.

Thoughts are switched off by documented fields, which are tried in turn if a server is seen to think:
- `chat_template_kwargs: {"enable_thinking": false}`: vLLM ("Reasoning Outputs"), SGLang ("Reasoning Parser") and
  llama.cpp (tools/server/README.md). Ollama ignores it, as it does `think` on this route.
- `reasoning_effort: "none"`: Ollama (OpenAI compatibility, ollama#14820), OpenAI since GPT-5.1, OpenRouter. Models that
  cannot think refuse it, and so do older ones of OpenAI.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pfe.models.reply import Route
from pfe.models.request import LETTER_TOKENS

WAYS = ("echo", "chat", "completions")
MOST_STOPS = 4  # the most that OpenAI's protocol allows; the reply is searched for all of them
SWITCHES: tuple[Mapping[str, Any], ...] = (
    {"chat_template_kwargs": {"enable_thinking": False}},
    {"reasoning_effort": "none"},
)
PROBE = "Two and two are four."


@dataclass(frozen=True)
class Question:
    """A prompt with the decoding settings of its answer; `schema` is a JSON Schema, "" for none."""

    prompt: str
    max_tokens: int
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    seed: int | None = None
    schema: str = ""

    def with_thought(self, tokens: int) -> "Question":
        """Return the question with `tokens` more for a thought, and without stop strings, which would end it."""
        return replace(self, max_tokens=self.max_tokens + tokens, stop=())


# A thinking model thinks briefly, any other answers in a word; the stop string shows whether stop strings are refused.
PROBE_QUESTION = Question(f"{PROBE} Reply with the word yes.", LETTER_TOKENS, stop=("<|end_of_reply|>",))
# For a reply that was cut off: a thought that the template opens in the prompt is recognized only where it is closed.
LONGER_PROBE = replace(PROBE_QUESTION, max_tokens=512)


@dataclass(frozen=True)
class RequestFormat:
    """A way of asking, with whether the server thinks, the fields that prevent it, and a chat's system message."""

    way: str
    thinks: bool = False
    switch: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None

    @property
    def route(self) -> Route:
        """The route of the API."""
        return "chat" if self.way == "chat" else "completions"

    def body(self, question: Question) -> dict[str, Any]:
        """Return the request body for a question."""
        body: dict[str, Any] = {"max_tokens": question.max_tokens, "temperature": question.temperature}
        if question.stop:
            body["stop"] = list(question.stop[:MOST_STOPS])
        if question.seed is not None:
            body["seed"] = question.seed
        if self.route == "completions":
            return body | {"prompt": question.prompt}
        if question.schema:
            schema = {"name": "answer", "strict": True, "schema": json.loads(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        messages = [{"role": "user", "content": question.prompt}]
        if self.system is not None:
            messages.insert(0, {"role": "system", "content": self.system})
        return {**body, "messages": messages, **self.switch}
