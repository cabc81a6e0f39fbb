"""What a server sent, read for its first answer: of any JSON, whatever types its fields have.

Example: `read('{"choices": [{"message": {"content": "18"}, "finish_reason": "stop"}]}', "chat").text` is "18".

A reply that holds an answer is paid for, so nothing beside the answer makes it unreadable: counts that are no counts
are not known, and log-probabilities that are none are as good as not sent.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Route = Literal["chat", "completions"]
MOST_TOKENS = 10**9  # a larger count is no count
_DEEPEST = 50  # brackets in brackets that are read; answers stand in six
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class ReplyError(ValueError):
    """There is no answer in what came; the message is what the server says of it, or nothing."""


@dataclass(frozen=True)
class Reply:
    """The first choice of a reply; counts of tokens are None where the server gives none.

    `tokens` and `log_probabilities` (nats) are those the completion route returns on demand. `model` is who answered,
    "" where that is not said. `content` is the whole of what was sent.
    """

    text: str | None
    finish: str
    stopped: bool
    tokens_in: int | None
    tokens_out: int | None
    tokens: tuple[str, ...] = ()
    log_probabilities: tuple[float | None, ...] = ()
    model: str = ""
    content: str = field(default="", repr=False)


def read_reply(content: str, route: Route) -> Reply:
    """The first choice of a reply.

    Raises:
        ReplyError: it holds no text, nor says that there is none.
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
        content=content,
    )


def error_message(reply: Mapping[str, Any]) -> str:
    """What a server says of an error, with its code where it gives one; "" where it says nothing."""
    error = reply.get("error", reply)
    if isinstance(error, str):
        return _clean(error)
    error = _mapping(error)
    parts = [error.get("message") or error.get("detail") or reply.get("detail"), error.get("code"), error.get("type")]
    return _clean(" ".join(str(part) for part in parts if isinstance(part, str | int)))


def error_text(content: str) -> str:
    """What a server says of an error, of the text of its reply: its message, or the text itself."""
    try:
        return error_message(_parse(content)) or content
    except ReplyError:
        return content


def error_parameter(content: str) -> str:
    """Return the field of the question that an error names as its cause (OpenAI's `param`); "" where it names none."""
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
    """A count of thousands of digits is none, and Python does not read it."""
    return int(digits[:20])


def _shallow(content: str) -> str:
    """JSON without what stands in more brackets than any answer does."""
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
    """The text, None where the server sends null for it; some send it in parts."""
    if route == "chat":
        message = choice.get("message")
        if not isinstance(message, dict):
            raise ReplyError("")
        text = message.get("content")
    else:
        text = choice.get("text")
    if isinstance(text, list) and text and all(isinstance(part, dict) for part in text):
        parts = [part.get("text") for part in text if part.get("type") in (None, "text", "output_text")]
        text = "".join(part for part in parts if isinstance(part, str)) if parts else text
    if text is not None and not isinstance(text, str):
        raise ReplyError("")
    return None if text is None else _clean(text)


def _tokens(logprobs: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[float | None, ...]]:
    """Tokens and their log-probabilities, as many of one as of the other; none where any is no such thing."""
    tokens, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(values, list) or len(tokens) != len(values):
        return (), ()
    if not all(isinstance(token, str) for token in tokens):
        return (), ()
    if not all(value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values):
        return (), ()
    return tuple(tokens), tuple(None if value is None else float(value) for value in values)


def _count(value: Any) -> int | None:
    """How many tokens, also where it is told as 12.0 or "12"."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = _number(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _clean(text: str) -> str:
    """Without halves of characters, which JSON can spell and nothing can store."""
    return text.encode("utf-8", "replace").decode()
