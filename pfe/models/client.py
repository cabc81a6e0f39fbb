"""A client that sends requests to an OpenAI-compatible server, with retries, time limits and a masked key.

Example: `Client("models.mine", "qwen", "http://localhost:8000/v1", None).post("chat", {"messages": […]})`

The package `openai` handles addresses, authentication, reused connections, proxies and typed errors. This module adds
- a limit on the time of a whole reply (the limits of `openai` apply to each read) and, in `bounded`, on its size;
- retries on 408, 409, 429, 5xx, time-outs and broken connections, with growing pauses or after the time that the
  server names in `Retry-After`. Those of `openai` are silent; here a note says why and for how long we wait;
- the choice of the proxy: the one that the environment names (`https_proxy`, `http_proxy`, `all_proxy`; not for hosts
  in `no_proxy`), but never for this machine. A failed connection to the proxy is reported with the proxy's name;
- protection of the key: it is sent to `base_url` only, so redirects are not followed, and it is masked where the server
  repeats it.
"""

import asyncio
import os
import re
import threading
import weakref
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import cache
from ipaddress import ip_address
from random import uniform
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import SplitResult, parse_qsl, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from pfe.errors import UserError
from pfe.models.reply import Reply, ReplyError, Route, error_parameter, error_text, read_reply
from pfe.models.secret import Secret
from pfe.models.waiting import WaitingNotes

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

T = TypeVar("T")
OPENAI = "https://api.openai.com/v1"
RETRIES = 5  # with pauses of 0.5 to 8 seconds, or as the server asks
TIMEOUT = 120.0  # seconds for a whole reply of up to `_TIMED_TOKENS` tokens, and in proportion for a longer one
_TIMED_TOKENS = 1024
LONGEST_PAUSE = 60.0  # seconds that a server may ask us to wait
_TRIES = 3  # attempts to get a reply that can be parsed
_AGAIN = (408, 409, 429)
_PATHS = {"chat": "/chat/completions", "completions": "/completions"}
# Error messages for a prompt that is longer than the window: OpenAI, vLLM, SGLang and llama.cpp first, then vLLM for a
# prompt that leaves no room for output, Anthropic and older vLLM, Gemini, text-generation-inference.
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|exceed_context|max_tokens must be at least 1, got -|"
    r"(?:prompt|input)(?: \([^)]*\))? is too long|token count.{0,40} exceeds the maximum|"
    r"tokens \+ .?max_new_tokens.? must be",
    re.IGNORECASE,
)
_REMEDY = {404: "mend path or base_url (most end in /v1)", 429: "lower concurrency or see to the quota"}
_LONGEST_MESSAGE = 160  # characters
_LOOP = threading.Lock()
# The text that may follow the requested name in the name of the model that answers: a revision, a tag, a date.
_ALIAS = re.compile(r"(?:[@:].*|-[0-9][0-9-]*)?")


class RefusedError(UserError):
    """A reply with an HTTP error `status`.

    `said` is the server's whole message, and `parameter` the request field that it names as the cause, or "".
    """

    def __init__(self, message: str, status: int, said: str = "", parameter: str = "") -> None:
        super().__init__(message)
        self.status, self.said, self.parameter = status, said, parameter


class TooLongError(Exception):
    """The prompt is longer than the model's context window."""


class Client:
    """A thread-safe client for one model on one server.

    Args:
        where: the configuration entry that messages name.
        timeout: seconds for each reply of up to 1,024 tokens, from the request to its last byte; more for a longer one.

    Raises:
        UserError: `base_url` is no address or contains a password, the environment variable for the key is not set or
            contains characters that no key has, or the environment names a proxy that is not an HTTP proxy.
    """

    def __init__(
        self, where: str, model: str, base_url: str | None, key_variable: str | None,
        retries: int = RETRIES, timeout: float = TIMEOUT,
    ) -> None:  # fmt: skip
        key = (os.environ.get(key_variable) or "").strip() if key_variable else ""
        if key_variable and not key:
            raise UserError(f"{where}: the environment variable {key_variable} is not set; export the key in it")
        if not (key.isascii() and key.isprintable()):
            raise UserError(f"{where}: what {key_variable} holds is no key: it has characters that no key has; mend it")
        self._where, self._model, self._url = where, model, _address(where, base_url or OPENAI)
        self._proxy = _proxy(where, self._url)
        self._key, self._key_variable, self._secret = key, key_variable, Secret(key)
        self._retries, self._timeout = retries, timeout
        self._client: AsyncOpenAI | None = None
        self._waiting_notes = WaitingNotes(f"{where}: waiting for {self._shown_url()}")

    def post(self, route: Route, body: Mapping[str, Any]) -> Reply:
        """Send a request and return the first choice of the reply, with the key replaced by "…".

        Raises:
            TooLongError: the prompt is longer than the server's context window.
            RefusedError: the server answers with another HTTP error, also after all retries.
            UserError: the server cannot be reached, its replies cannot be parsed, or another model answers.
        """
        content, trouble = "", ""
        for _ in range(_TRIES):
            content = self._content(route, body)
            try:
                reply = read_reply(content, route)
            except ReplyError as error:
                trouble = str(error)
                continue
            if reply.model and not same_model(self._model, reply.model):
                raise self._error(
                    f"'{self._model}' was asked and '{reply.model}' answered",
                    "name the model as the server does",
                )
            return reply
        what = (
            f"an error instead of an answer: {trouble}" if trouble else f"no answer in what it sent: {content[:800]!r}"
        )
        raise self._error(what, "see the server's log")

    def _content(self, route: Route, body: Mapping[str, Any]) -> str:
        """Return the body of the reply, after retries if they may help."""
        import openai  # takes most of a second, so only with the first request

        from pfe.models.http_client import TooMuchError

        begin, tries, seconds = monotonic(), self._retries + 1, self._timeout * _length(body)
        for attempt in range(1, tries + 1):
            pause = min(8.0, 0.25 * 2**attempt) * uniform(0.75, 1)
            exchange = self._exchange(route, {"model": self._model, **body}, seconds)
            try:
                note = f"try {attempt} of {tries}, each up to {seconds:g} s"
                content = _run(self._waiting_notes.watched(exchange, begin, note))
            except TimeoutError:
                trouble = self._error(f"nothing within {seconds:g} s", "lower concurrency or mend the server")
            except TooMuchError as error:
                raise self._error(str(error), "see what it serves") from None
            except openai.APIStatusError as error:
                response = error.response
                trouble = self._refusal(response)
                wait = _seconds(response.headers.get("Retry-After", ""))
                again = response.status_code in _AGAIN or response.status_code >= 500
                if not again or (wait or 0) > LONGEST_PAUSE:
                    raise trouble from None
                pause = wait if wait is not None else pause
            except (openai.APIConnectionError, OSError, ValueError) as error:
                trouble = self._broken(error.__cause__ or error)
            else:
                self._waiting_notes.end()
                return self._secret.removed(content)
            if attempt < tries:
                reason = str(trouble).rsplit("; ", 2)[0]  # without the remedy, which applies once all tries have failed
                self._waiting_notes.note(begin, f"{reason}; try {attempt + 1} of {tries} in {pause:.0f} s", ahead=pause)
                sleep(pause)
        raise trouble

    async def _exchange(self, route: Route, body: Mapping[str, Any], seconds: float) -> str:
        """Send one request and return the body of its reply within the time limit.

        Raises:
            TimeoutError: the time is up. Otherwise it raises what `openai` raises.
        """
        import httpx2

        if self._client is None:
            self._client = self._new_client()
        async with asyncio.timeout(seconds):
            response = await self._client.post(_PATHS[route], cast_to=httpx2.Response, body=body)
        return response.content.decode("utf-8", "replace")

    def _new_client(self) -> "AsyncOpenAI":
        """Return a client for this server that reuses its connections and closes them with this object."""
        from openai import AsyncOpenAI, Omit

        from pfe.models.http_client import bounded_client

        # The environment may name an organisation and a project of OpenAI, which must not go to other servers.
        headers: dict[str, str | Omit] = {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        client = AsyncOpenAI(
            api_key=self._key or "none",
            base_url=urlunsplit(self._url._replace(query="", fragment="")),
            default_query=dict(parse_qsl(self._url.query)),
            default_headers=cast(dict[str, str], headers | {"Accept-Encoding": "gzip", "User-Agent": "pfe"}),
            max_retries=0,
            timeout=None,
            http_client=bounded_client(self._proxy),
        )
        weakref.finalize(self, _close, client)
        return client

    def _broken(self, error: BaseException) -> UserError:
        """Return the user error for a connection that failed or broke off."""
        import httpx2

        proxy = urlsplit(self._proxy).hostname if self._proxy else ""
        if isinstance(error, httpx2.ConnectError | httpx2.ProxyError) and proxy:
            return self._error(f"no connection to the proxy {proxy}", "mend the proxy's variable, or no_proxy")
        if isinstance(error, httpx2.ConnectError):
            return self._error("no connection", "start the server or mend base_url")
        return self._error(f"the connection broke off: {type(error).__name__}", "see the server's log")

    def _refusal(self, response: "httpx2.Response") -> RefusedError:
        status, content = response.status_code, response.content.decode("utf-8", "replace")
        if 300 <= status < 400:
            where = response.headers.get("Location", "")
            return self._http_error(status, f"redirected to {where}", "set base_url to where it is")
        message = error_text(content)
        if status in (401, 403):
            remedy = f"put a valid key in {self._key_variable}" if self._key_variable else "set key_variable"
            words = f": {message}" if message else ""
            return self._http_error(status, f"the key was refused{words}", f"{remedy} or mend base_url")
        if status in (400, 413, 422) and _TOO_LONG.search(message):
            raise TooLongError
        return self._http_error(status, message, _REMEDY.get(status, "see the server's log"), error_parameter(content))

    def _http_error(self, status: int, what: str, remedy: str, parameter: str = "") -> RefusedError:
        return RefusedError(str(self._error(f"{status}: {what}", remedy)), status, what, parameter)

    def _error(self, what: str, remedy: str) -> UserError:
        """Return an error of one line with the key masked, also if the server repeats a part or an encoding of it."""
        line = " ".join("".join(character if character.isprintable() else " " for character in what).split())
        message = self._secret.hidden(line)[:_LONGEST_MESSAGE]
        return UserError(
            f"{self._where}: {self._shown_url()} did not answer ({message}); {remedy}; answers it gave before are kept"
        )

    def _shown_url(self) -> str:
        return self._secret.hidden(urlunsplit(self._url._replace(query="", fragment="")))


def same_model(requested: str, served: str) -> bool:
    """Return whether the requested model answered: its name may have a date, tag or revision, or be in a folder.

    Example: "gpt-4o-2024-08-06" is "gpt-4o", "gpt-4o-mini" is not.
    """
    return any(
        full.startswith(name) and _ALIAS.fullmatch(full[len(name) :])
        for name, full in ((requested, served), (_last(requested), _last(served)))
    )


def _length(body: Mapping[str, Any]) -> float:
    """Return the factor on the timeout: the requested tokens in units of `_TIMED_TOKENS`, rounded up, at least 1."""
    tokens = body.get("max_tokens", body.get("max_completion_tokens", 0))
    return float(max(1, -(-int(tokens) // _TIMED_TOKENS)))


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _address(where: str, base_url: str) -> SplitResult:
    try:
        url = urlsplit(base_url)
        host = url.hostname and url.port != 0  # an invalid port raises ValueError here
    except ValueError:
        url, host = urlsplit(""), False
    if url.username or url.password:
        raise UserError(f"{where}: base_url holds a user or a password; name a variable in key_variable instead")
    if url.scheme not in ("http", "https") or not host:
        raise UserError(f"{where}: base_url is no address of a server; give one like http://localhost:8000/v1")
    return url


def _proxy(where: str, url: SplitResult) -> str | None:
    """Return the proxy that the environment names for an address, None for this machine or without a proxy.

    Raises:
        UserError: the environment names a proxy that is not an HTTP proxy.
    """
    host = str(url.hostname)
    if host == "localhost" or _is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    address = proxies.get(url.scheme) or proxies.get("all")
    if not address:
        return None
    proxy = urlsplit(address if "://" in address else f"http://{address}")
    if proxy.scheme not in ("http", "https") or not proxy.hostname:
        raise UserError(
            f"{where}: the environment names a {proxy.scheme} proxy for {host}, and only http and https ones can be "
            f"used; change {url.scheme}_proxy, or put {host} in no_proxy"
        )
    return urlunsplit(proxy)


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def _seconds(retry_after: str) -> float | None:
    """Return the seconds that `Retry-After` asks for, as a number or a date; None if it is neither."""
    with suppress(ValueError):
        return max(0.0, float(retry_after)) if float(retry_after) < float("inf") else None
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time())
    return None


@cache
def _new_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="pfe-exchanges", daemon=True).start()
    return loop


def event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of all exchanges in this process, which runs in its own thread."""
    with _LOOP:  # `cache` alone would let several first threads create a loop each
        return _new_loop()


def _run(exchange: Awaitable[T]) -> T:
    async def awaited() -> T:
        return await exchange

    return asyncio.run_coroutine_threadsafe(awaited(), event_loop()).result()


def _close(client: "AsyncOpenAI") -> None:
    closing = asyncio.run_coroutine_threadsafe(client.close(), event_loop())
    with suppress(TimeoutError, RuntimeError):
        if threading.current_thread().name != "pfe-exchanges":
            closing.result(5)
