"""What a server sent, read for its first answer: of any JSON, whatever types its fields have.

Example: `read('{"choices": [{"message": {"content": "18"}, "finish_reason": "stop"}]}', "chat").text` is "18".

A reply that holds an answer is paid for, so nothing beside the answer makes it unreadable: counts that are no counts
are not known, and log-probabilities that are none are as good as not sent.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pfe.thoughts import after_thoughts

Route = Literal["chat", "completions"]
MOST_TOKENS = 10**9  # a larger count is no count
OPENED = "<think>"
# Where a message has its thought: vLLM, SGLang, llama.cpp, DeepSeek; newer vLLM, Ollama, OpenRouter; Ollama's own.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_EMPTY_THOUGHT = re.compile(r"\A\s*<(\w+)>\s*</\1>")  # what some models write whose thoughts are switched off
_DEEPEST = 50  # brackets in brackets that are read; answers stand in six
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class ReplyError(ValueError):
    """There is no answer in what came; the message is what the server says of it, or nothing."""


@dataclass(frozen=True)
class Reply:
    """The first choice of a reply; counts of tokens are None where the server gives none.

    `tokens` and `log_probabilities` (nats) are those the completion route returns on demand. `model` is who answered,
    "" where that is not said. `content` is the whole of what was sent. A thought that came beside the text stands
    before it, in `<think>`; of one that is not shown `reasoning_tokens` are counted.
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
        reasoning_tokens=_count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")) or 0,
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
    """The text, or that of a refusal (OpenAI's `refusal`), with the thought before it where one came beside it.

    None where the server sends null for all of them.
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
    """A text, which some send in parts; None for null."""
    if isinstance(text, list) and text and all(isinstance(part, dict) for part in text):
        parts = [part.get("text") for part in text if part.get("type") in (None, "text", "output_text")]
        # Mistral's answers begin with a part of type "thinking", and hold no other where the thought is cut off.
        text = "".join(part for part in parts if isinstance(part, str)) if parts or any(_thoughts(text)) else text
    if text is not None and not isinstance(text, str):
        raise ReplyError("")
    return None if text is None else _clean(text)


def _thought(message: Mapping[str, Any]) -> str:
    """The thought that comes beside a text, "" where none does."""
    for name in _THOUGHTS:
        if isinstance(thought := message.get(name), str) and thought:
            return _clean(thought)
    content = message.get("content")
    return _clean("".join(_thoughts(content))) if isinstance(content, list) else ""


def _thoughts(parts: Sequence[Any]) -> Iterator[str]:
    """The texts of a message's parts of type "thinking", which are texts or parts themselves."""
    for part in parts:
        if isinstance(part, dict) and part.get("type") == "thinking":
            thought = part.get("thinking")
            for inner in thought if isinstance(thought, list) else [thought]:
                text = inner.get("text") if isinstance(inner, dict) else inner
                if isinstance(text, str):
                    yield text


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
