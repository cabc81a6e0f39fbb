"""One question to a server that speaks the OpenAI protocol, and what can go wrong.

Example: `Client("models.mine", "qwen", "http://localhost:8000/v1", None).post("chat", {"messages": […]})`

The `openai` package tries again, with growing pauses or after the time that the server names in
`Retry-After`, on 408, 409, 429, 5xx, time-outs and broken connections.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI, OpenAIError

from pfe.errors import UserError

Route = Literal["chat", "completions"]
OPENAI = "https://api.openai.com/v1"
RETRIES = 5  # with pauses of 0.5 to 8 seconds, or as the server asks
TIMEOUT = 120.0  # seconds
_TRIES = 3  # for answers that are no answer
_TOO_LONG = re.compile(r"context[ _](?:length|size|window)|exceed_context|prompt is too long", re.IGNORECASE)
_REMEDY = {404: "mend path or base_url", 429: "lower concurrency or see to the quota"}
# What a served name may have behind the name that was asked for: a revision, a tag, a date.
_ALIAS = re.compile(r"(?:[@:].*|-[0-9][0-9-]*)?")


class RefusedError(UserError):
    """The server answered with an HTTP error, `status`."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


class TooLongError(Exception):
    """The question is longer than the model's window."""


@dataclass(frozen=True)
class Reply:
    """The first choice of a reply; counts of tokens are None where the server gives none.

    `tokens` and `log_probabilities` (nats) are those the completion route returns on demand.
    """

    text: str | None
    finish: str
    stopped: bool
    tokens_in: int | None
    tokens_out: int | None
    tokens: tuple[str, ...] = ()
    log_probabilities: tuple[float | None, ...] = ()


class Client:
    """Asks one model on one server; safe to use from several threads.

    Args:
        where: the configuration entry that messages name.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """

    def __init__(
        self, where: str, model: str, base_url: str | None, key_variable: str | None,
        retries: int = RETRIES, timeout: float = TIMEOUT,
    ) -> None:  # fmt: skip
        key = os.environ.get(key_variable) if key_variable else "none"
        if not key:
            raise UserError(f"{where}: the environment variable {key_variable} is not set; export the key in it")
        self._where, self._model, self._url = where, model, base_url or OPENAI
        self._key, self._key_variable, self._timeout = key, key_variable, timeout
        self._client = OpenAI(api_key=key, base_url=self._url, max_retries=retries, timeout=timeout)

    def post(self, route: Route, body: Mapping[str, Any]) -> Reply:
        """Ask, and read the first choice.

        Raises:
            TooLongError: the server says that its window is too short.
            RefusedError: the server answers with another error, as often as it is asked.
            UserError: it cannot be reached, answers nonsense or as another model.
        """
        content = ""
        for _ in range(_TRIES):
            content = self._content(route, body)
            try:
                reply = json.loads(content)
                read = _read(reply, route)
            except (ValueError, LookupError, TypeError, AttributeError):
                continue
            if not same_model(self._model, str(reply.get("model") or self._model)):
                raise self._error(
                    f"'{self._model}' was asked and '{reply['model']}' answered",
                    "name the model as the server does",
                )
            return read
        raise self._error(f"no answer in what it sent: {content[:80]!r}", "see the server's log")

    def _content(self, route: Route, body: Mapping[str, Any]) -> str:
        api: Any = self._client.chat.completions if route == "chat" else self._client.completions
        try:
            return str(api.with_raw_response.create(model=self._model, **body).text)
        except APITimeoutError:
            raise self._error(f"nothing within {self._timeout:g} s", "lower concurrency or mend the server") from None
        except APIConnectionError:
            raise self._error("no connection", "start the server or mend base_url") from None
        except APIStatusError as error:
            if error.status_code in (401, 403):
                remedy = f"put a valid key in {self._key_variable}" if self._key_variable else "set key_variable"
                raise self._refused(error.status_code, "the key was refused", f"{remedy} or mend base_url") from None
            message = _message(error)
            if error.status_code in (400, 413, 422) and _TOO_LONG.search(message):
                raise TooLongError from None
            raise self._refused(
                error.status_code, message, _REMEDY.get(error.status_code, "see the server's log")
            ) from None
        except OpenAIError as error:
            raise self._error(f"{type(error).__name__}: {error}", "start the server or mend base_url") from None

    def _refused(self, status: int, what: str, remedy: str) -> RefusedError:
        return RefusedError(str(self._error(f"{status}: {what}", remedy)), status)

    def _error(self, what: str, remedy: str) -> UserError:
        """One line without the key, also where the server repeats it."""
        told = " ".join((what.replace(self._key, "…") if self._key_variable else what).split())[:160]
        return UserError(
            f"{self._where}: {self._url} did not answer ({told}); {remedy}; what it answered so far is kept"
        )


def same_model(asked: str, answered: str) -> bool:
    """Whether a reply is by the model that was asked: by name, with a date, tag or revision, or in a folder.

    Example: "gpt-4o-2024-08-06" is "gpt-4o", "gpt-4o-mini" is not.
    """
    return any(
        full.startswith(name) and _ALIAS.fullmatch(full[len(name) :])
        for name, full in ((asked, answered), (_last(asked), _last(answered)))
    )


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _read(reply: Any, route: Route) -> Reply:
    choice, usage = reply["choices"][0], reply.get("usage") or {}
    text = choice["message"]["content"] if route == "chat" else choice["text"]
    if text is not None and not isinstance(text, str):
        raise TypeError(text)
    logprobs = (choice.get("logprobs") or {}) if route == "completions" else {}
    return Reply(
        text=text,
        finish=choice.get("finish_reason") or "",
        stopped=isinstance(choice.get("stop_reason"), str),
        tokens_in=usage.get("prompt_tokens"),
        tokens_out=usage.get("completion_tokens"),
        tokens=tuple(logprobs.get("tokens") or ()),
        log_probabilities=tuple(logprobs.get("token_logprobs") or ()),
    )


def _message(error: APIStatusError) -> str:
    """What the server says, with its error code where it gives one."""
    body = error.body if isinstance(error.body, dict) else {}
    parts = [body.get("message") or body.get("detail") or error.message, body.get("code"), body.get("type")]
    return " ".join(str(part) for part in parts if part)
