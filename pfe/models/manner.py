"""How one server is asked: in which way, and with how much room for its thoughts.

Example: `Manner("chat", thinks=True)` asks `Question("Question: …\\nAnswer:", max_tokens=256, stop=("\\n",))` in one
message of the user, for up to 256 + max_thinking_tokens tokens and without the stop string, which a thought may hold.

Thoughts are switched off by what servers document for it, tried in turn where one is seen to think:
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
MOST_STOPS = 4  # that OpenAI's protocol allows; all are looked for in what comes back
SWITCHES: tuple[Mapping[str, Any], ...] = (
    {"chat_template_kwargs": {"enable_thinking": False}},
    {"reasoning_effort": "none"},
)
PROBE = "Two and two are four."


@dataclass(frozen=True)
class Question:
    """A prompt, and how its answer is decoded; `schema` is JSON Schema, "" for none."""

    prompt: str
    max_tokens: int
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    seed: int | None = None
    schema: str = ""

    def with_thought(self, tokens: int) -> "Question":
        """Return the question with room for a thought, and without stop strings, which would end it."""
        return replace(self, max_tokens=self.max_tokens + tokens, stop=())


# Has a thinking model think a little and any other answer in a word; the stop string shows whether any is refused.
PROBE_QUESTION = Question(f"{PROBE} Reply with the word yes.", LETTER_TOKENS, stop=("<|end_of_reply|>",))
# For one that is still writing by then: a thought that a template opens in the prompt shows where it is closed.
LONGER_PROBE = replace(PROBE_QUESTION, max_tokens=512)


@dataclass(frozen=True)
class Manner:
    """A way to ask, whether the server thinks, the fields that switch its thoughts off, and a chat's system message."""

    way: str
    thinks: bool = False
    switch: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None

    @property
    def route(self) -> Route:
        """The route of the protocol."""
        return "chat" if self.way == "chat" else "completions"

    def body(self, question: Question) -> dict[str, Any]:
        """Return what is sent to ask a question so."""
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
