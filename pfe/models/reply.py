"""A tolerant parser of a server's replies: it reads the first choice, whatever types the other fields have.

Example: `read_reply('{"choices": [{"message": {"content": "18"}, "finish_reason": "stop"}]}', "chat").text` is "18".

A reply with an answer has been paid for, so no other field makes it unreadable: invalid token counts become None or 0,
and invalid log-probabilities are dropped.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pfe.thoughts import after_thoughts

Route = Literal["chat", "completions"]
MOST_TOKENS = 10**9  # a larger count is invalid
OPENED = "<think>"
# Fields for a message's thought: vLLM, SGLang, llama.cpp, DeepSeek; newer vLLM, Ollama, OpenRouter; Ollama's own.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_EMPTY_THOUGHT = re.compile(r"\A\s*<(\w+)>\s*</\1>")  # some models write it if thoughts are switched off
_DEEPEST = 50  # levels of nesting that are read; answers are at level six
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class ReplyError(ValueError):
    """A reply without an answer; the message is the server's error message, or empty."""


@dataclass(frozen=True)
class Reply:
    """The first choice of a reply; token counts are None if the server reports none.

    `tokens` and `log_probabilities` (nats) are those that the completions route returns on request. `model` is the
    model that answered, "" if the server does not name it. `content` is the whole reply as sent. A thought in a field
    of its own is put before the text, in `<think>`; `reasoning_tokens` counts the tokens of a hidden thought.
    """

    text: str | None
    finish: str
    stopped: bool
    tokens_in: int | None
    tokens_out: int | None
    tokens: tuple[str, ...] = ()
    log_probabilities: tuple[float | None, ...] = ()
    model: str = ""
    reasoning_tokens: int = 0
    content: str = field(default="", repr=False)

    @property
    def thinks(self) -> bool:
        """Whether a thought, shown or only counted, comes before the answer."""
        text = _EMPTY_THOUGHT.sub("", self.text or "")
        return self.reasoning_tokens > 0 or after_thoughts(text) != text

    @property
    def cut_short(self) -> bool:
        """Whether a thought left no room for the answer, or a stop string ended the thought."""
        answer = after_thoughts(self.text or "") or ""
        return self.thinks and (self.finish == "length" or not answer.strip())


def read_reply(content: str, route: Route) -> Reply:
    """Return the first choice of a reply.

    Raises:
        ReplyError: it contains neither a text nor null in its place.
    """
    reply = _parse(content)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise ReplyError(error_message(reply))
    usage, logprobs = _mapping(reply.get("usage")), _mapping(choice.get("logprobs") if route == "completions" else None)
    tokens, values = _tokens(logprobs)
    finish, model = choice.get("finish_reason"), reply.get("model")
    return Reply(
        text=_text(choice, route),
        finish=finish if isinstance(finish, str) else "",
        stopped=isinstance(choice.get("stop_reason"), str),
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        tokens=tokens,
        log_probabilities=values,
        model=_clean(model) if isinstance(model, str) else "",
        reasoning_tokens=_count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")) or 0,
        content=content,
    )


def error_message(reply: Mapping[str, Any]) -> str:
    """Return a server's error message, with its code and type if given; "" if there is none."""
    error = reply.get("error", reply)
    if isinstance(error, str):
        return _clean(error)
    error = _mapping(error)
    parts = [error.get("message") or error.get("detail") or reply.get("detail"), error.get("code"), error.get("type")]
    return _clean(" ".join(str(part) for part in parts if isinstance(part, str | int)))


def error_text(content: str) -> str:
    """Return the error message in the text of a reply, or the text itself if it has none."""
    try:
        return error_message(_parse(content)) or content
    except ReplyError:
        return content


def error_parameter(content: str) -> str:
    """Return the request field that an error names as its cause (OpenAI's `param`), "" if it names none."""
    try:
        parameter = _mapping(_parse(content).get("error")).get("param")
    except ReplyError:
        return ""
    return parameter if isinstance(parameter, str) else ""


def _parse(content: str) -> dict[str, Any]:
    content = content.removeprefix("\ufeff")
    try:
        try:
            reply = json.loads(content, parse_int=_number)
        except RecursionError:
            reply = json.loads(_shallow(content), parse_int=_number)
    except (ValueError, RecursionError):
        raise ReplyError("") from None
    if not isinstance(reply, dict):
        raise ReplyError("")
    return reply


def _number(digits: str) -> int:
    """Parse the first 20 digits of an integer: Python refuses thousands of digits, and no valid count has so many."""
    return int(digits[:20])


def _shallow(content: str) -> str:
    """Replace whatever is nested deeper in JSON than any answer by null."""
    pieces, depth, start = [], 0, 0
    for part in _PARTS.finditer(content):
        mark = part.group()
        if mark in "[{":
            depth += 1
            if depth == _DEEPEST:
                pieces.append(content[start : part.start()] + "null")
        elif mark in "]}":
            if depth == _DEEPEST:
                start = part.end()
            depth -= 1
    return "".join(pieces) + content[start:]


def _text(choice: Mapping[str, Any], route: Route) -> str | None:
    """Return the text or that of a refusal (OpenAI's `refusal`), after the thought if it came in a field of its own.

    The result is None if the server sends null for all of them.

    Raises:
        ReplyError: the choice has no message or text.
    """
    if route == "completions":
        return _joined(choice.get("text"))
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ReplyError("")
    content = message.get("content")
    text, thought = _joined(message.get("refusal") if content is None else content), _thought(message)
    if not thought.strip():
        return text
    return f"{OPENED}\n{thought}\n</think>\n\n{text}" if (text or "").strip() else f"{OPENED}\n{thought}"


def _joined(text: Any) -> str | None:
    """Return a text, which some servers send in parts; None for null.

    Raises:
        ReplyError: it is no text.
    """
    if isinstance(text, list) and text and all(isinstance(part, dict) for part in text):
        parts = [part.get("text") for part in text if part.get("type") in (None, "text", "output_text")]
        # Mistral's answers begin with a part of type "thinking", and have no other part if the thought is cut off.
        text = "".join(part for part in parts if isinstance(part, str)) if parts or any(_thoughts(text)) else text
    if text is not None and not isinstance(text, str):
        raise ReplyError("")
    return None if text is None else _clean(text)


def _thought(message: Mapping[str, Any]) -> str:
    """Return the thought that a message has apart from its text, "" if there is none."""
    for name in _THOUGHTS:
        if isinstance(thought := message.get(name), str) and thought:
            return _clean(thought)
    content = message.get("content")
    return _clean("".join(_thoughts(content))) if isinstance(content, list) else ""


def _thoughts(parts: Sequence[Any]) -> Iterator[str]:
    """Yield the texts in a message's parts of type "thinking", whose values are texts or lists of parts."""
    for part in parts:
        if isinstance(part, dict) and part.get("type") == "thinking":
            thought = part.get("thinking")
            for inner in thought if isinstance(thought, list) else [thought]:
                text = inner.get("text") if isinstance(inner, dict) else inner
                if isinstance(text, str):
                    yield text


def _tokens(logprobs: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[float | None, ...]]:
    """Return tokens and their log-probabilities, equally many; both are empty if any entry is invalid."""
    tokens, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(values, list) or len(tokens) != len(values):
        return (), ()
    if not all(isinstance(token, str) for token in tokens):
        return (), ()
    if not all(value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values):
        return (), ()
    return tuple(tokens), tuple(None if value is None else float(value) for value in values)


def _count(value: Any) -> int | None:
    """Return a token count, also if it is sent as 12.0 or "12"; None if it is invalid."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = _number(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _clean(text: str) -> str:
    """Replace lone surrogates, which JSON can express but UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()
