"""Models behind the OpenAI protocol: vLLM, SGLang, llama.cpp, `transformers serve`, GPT-4o.

Example, conf/model/gpt4o.yaml:
    # @package models.gpt4o
    kind: openai
    label: GPT-4o
    path: gpt-4o-2024-08-06
    key_variable: OPENAI_API_KEY

A server is tried once, and asked in the first of these ways that it can, so that all its answers come
in the same way: "echo", completions that return the prompt with its log-probabilities, for choice by
log-likelihood and plain completion; "chat", one message of the user, and choice by letter; "completions",
plain completion and choice by letter.
"""

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from threading import Lock
from typing import Any

from pfe.config import Model
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.client import RETRIES, TIMEOUT, Client, RefusedError, Reply, Route, TooLongError
from pfe.models.request import Answer, Done, Request, cut, unseen
from pfe.models.responses import Responses
from pfe.problem import Stop
from pfe.scorers.choice import named_choice

WAYS = ("echo", "chat", "completions")
MOST_STOPS = 4  # that OpenAI's protocol allows; all are looked for in what comes back
LETTER_TOKENS = 16  # room for "The answer is B."
_PROBE = "Two and two are four."
# What a server says of a way it does not have; any other refusal holds for all ways.
_CANNOT = (400, 404, 405, 415, 422, 500, 501)


@dataclass(frozen=True)
class Written:
    """What came back to one prompt; `stopped` where the server says that a stop string ended it."""

    text: str | None
    finish: str
    stopped: bool
    tokens_in: int
    tokens_out: int


class Server:
    """An examinee that others serve; it scores choices in nats where the server gives log-probabilities.

    Otherwise the letter that it names scores 1 and the others 0. What is finished is kept at once.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """

    writes = True
    revoked: tuple[str, ...] = ()

    def __init__(
        self, name: str, model: Model, responses: Responses, seed: int = 0,
        retries: int = RETRIES, timeout: float = TIMEOUT,
    ) -> None:  # fmt: skip
        self._name, self._model, self._responses, self._seed = name, model, responses, seed
        self._client = Client(
            f"models.{name}", str(model.path), model.base_url, model.key_variable, retries=retries, timeout=timeout
        )
        self._lock = Lock()
        self._asked, self._tokens_in, self._tokens_out = 0, 0, 0

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Raises UserError where the server cannot be reached, refuses or answers nonsense; all else is kept."""
        if not requests:
            return []
        asked = self._asked
        pool = ThreadPoolExecutor(self._model.concurrency)
        try:
            way = self._way()
            places = {pool.submit(self._answer, way, request): place for place, request in enumerate(requests)}
            answers = {}
            for future in as_completed(places):
                answers[places[future]] = future.result()
                done(1)
        finally:
            pool.shutdown(cancel_futures=True)
            if self._asked > asked:
                print(self.totals(), file=sys.stderr)
        return [answers[place] for place in range(len(requests))]

    def count(self, text: str) -> int:
        """The server's own count, less what it puts around any text; exact but for merges at its ends."""
        way = self._way()
        try:
            whole, least = (self._written(way, part, 1, (), 0.0, None).tokens_in for part in (text, "."))
        except TooLongError:
            raise UserError(
                f"models.{self._name}: a text of {len(text):,} characters does not fit its window; serve a longer one"
            ) from None
        return whole - least + 1

    def totals(self) -> str:
        """What was asked so far, in one line; the cost where prices are given."""
        line = f"{self._name}: {self._asked:,} requests, {self._tokens_in:,} tokens in, {self._tokens_out:,} out"
        if self._model.prices is None:
            return line
        dollars = (self._tokens_in * self._model.prices[0] + self._tokens_out * self._model.prices[1]) / 1e6
        return f"{line}, ${dollars:.2f}"

    def _way(self) -> str:
        key = self._responses.key("way")
        with self._lock:
            known: dict[bytes, str] = self._responses.get_many([key])
        if key not in known:
            known[key] = self._tried()
            with self._lock:
                self._responses.put(known)
            if known[key] != "echo":
                print(
                    f"NOTE: {self._name}: the server returns no log-probabilities of prompts; "
                    f"choices are asked by letter, by way of {known[key]}",
                    file=sys.stderr,
                )
        return known[key]

    def _tried(self) -> str:
        """The first of `WAYS` that the server can."""
        refused: dict[str, RefusedError] = {}
        for way in WAYS:
            try:
                if way != "echo":
                    self._posted(_route(way), _body(_route(way), _PROBE, 1, (), 0.0, None))
                    return way
                echo = self._echoed(_PROBE)
                if echo is not None and _bare("".join(echo.tokens)).endswith(_bare(_PROBE)):
                    return way
            except RefusedError as error:
                if error.status not in _CANNOT:
                    raise
                refused[way] = error
        raise refused["chat"]

    def _answer(self, way: str, request: Request) -> Answer:
        """The answer behind as many of the prefix's methods as the server's window holds."""
        for prefix in _shortenings(request.prefix):
            try:
                if not request.options:
                    answer = self._text(way, request, prefix)
                elif way == "echo":
                    answer = self._likelihoods(request, prefix)
                else:
                    answer = self._letter(way, request, prefix)
            except TooLongError:
                continue
            return replace(answer, dropped=len(request.prefix.methods) - len(prefix.methods))
        return Answer(0, 0, "too_long")

    def _text(self, way: str, request: Request, prefix: Prefix) -> Answer:
        temperature = self._model.temperature
        seed = int.from_bytes(request.lot(self._seed)[:4], "little") >> 1 if temperature else None
        prompt = prefix.text + request.prompt
        written = self._written(way, prompt, request.max_tokens, request.stop, temperature, seed)
        text = written.text or ""
        output = cut(text, request.stop)
        stop = "stop" if output != text else _stop(written)
        return Answer(written.tokens_in, written.tokens_out, stop, output=output)

    def _letter(self, way: str, request: Request, prefix: Prefix) -> Answer:
        texts = lettered(request)
        prompt = prefix.text + letter_prompt(request)
        written = self._written(way, prompt, LETTER_TOKENS, (), 0.0, None)
        named = named_choice(texts, written.text or "")
        if named is None:
            return Answer(written.tokens_in, written.tokens_out, "none", output=written.text or "")
        scores = tuple(float(place == texts.index(named)) for place in range(len(texts)))
        return Answer(written.tokens_in, written.tokens_out, "choice", scores)

    def _likelihoods(self, request: Request, prefix: Prefix) -> Answer:
        found = [self._likelihood(prefix.text + option.context, option.continuation) for option in request.options]
        return Answer(
            tokens_in=found[0]["tokens"] - found[0]["scored"],
            tokens_out=sum(one["scored"] for one in found),
            stop="choice",
            scores=tuple(one["score"] for one in found),
        )

    def _likelihood(self, context: str, continuation: str) -> Mapping[str, Any]:
        """The log-likelihood (nats) of a continuation, white space before it included, with counts of tokens.

        Its tokens are the last ones that spell it. Where a token reaches over its beginning, or tokens do
        not spell their text (parts of a character, lost spaces), they are those beyond as many as the
        context has by itself (as in lm-evaluation-harness 0.4.13, `_encode_pair`). Offsets are not
        trusted: vLLM counts those of the single tokens' texts.
        """
        context, space = context.rstrip(), context[len(context.rstrip()) :]
        key = self._responses.key("likelihood", context.encode(), (space + continuation).encode())
        if (known := self._kept(key)) is not None:
            return dict(known)
        echo = self._prompt(context + space + continuation)
        scored = _spelling(echo.tokens, space + continuation)
        if scored is None:
            scored = max(1, len(echo.tokens) - len(self._prompt(context).tokens))
        values = [math.nan if value is None else value for value in echo.log_probabilities[-scored:]]
        if not all(map(math.isfinite, values)):
            raise UserError(
                f"models.{self._name}: the server returned log-probabilities that are no numbers; its weights are "
                "broken, or try another precision"
            )
        return self._keep(key, {"score": sum(values), "scored": scored, "tokens": len(echo.tokens)})

    def _prompt(self, text: str) -> Reply:
        echo = self._echoed(text)
        if echo is None:
            raise UserError(
                f"models.{self._name}: the server no longer returns log-probabilities of prompts; start it as before, "
                "or set another revision to begin anew"
            )
        return echo

    def _echoed(self, text: str) -> Reply | None:
        """The tokens of a prompt and their log-probabilities; None where the server returns none.

        One token is asked for, as some servers take none for no limit, and taken off.
        """
        body = {"prompt": text, "max_tokens": 1, "temperature": 0.0, "echo": True, "logprobs": 1}
        reply = self._posted("completions", body)
        length = len(reply.tokens) - (reply.tokens_out if reply.tokens_out is not None else 1)
        if len(reply.tokens) != len(reply.log_probabilities) or length < 1 or None in reply.log_probabilities[1:length]:
            return None
        return replace(reply, tokens=reply.tokens[:length], log_probabilities=reply.log_probabilities[:length])

    def _written(
        self, way: str, prompt: str, max_tokens: int, stop: Sequence[str], temperature: float, seed: int | None
    ) -> Written:
        route = _route(way)
        body = _body(route, prompt, max_tokens, stop, temperature, seed)
        key = self._responses.key(route, json.dumps(body, sort_keys=True).encode())
        if (known := self._kept(key)) is not None:
            return Written(**known)
        reply = self._posted(route, body)
        written = Written(reply.text, reply.finish, reply.stopped, reply.tokens_in or 0, reply.tokens_out or 0)
        self._keep(key, asdict(written))
        return written

    def _posted(self, route: Route, body: Mapping[str, Any]) -> Reply:
        reply = self._client.post(route, body)
        with self._lock:
            self._asked += 1
            self._tokens_in += reply.tokens_in or 0
            self._tokens_out += reply.tokens_out or 0
        return reply

    def _kept(self, key: bytes) -> Any | None:
        with self._lock:
            return self._responses.get_many([key]).get(key)

    def _keep(self, key: bytes, value: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self._responses.put({key: value})
        return value


def identity(model: Model) -> str:
    """What decides a server's answers beside the question, for `Responses`."""
    return f"server {model.base_url} {model.path} {model.revision}"


def lettered(request: Request) -> tuple[str, ...]:
    """The texts that letters stand for: what follows the prompt, or what goes into its blank."""
    if fills_blank(request):
        return request.problem.choices
    return tuple(option.continuation.strip() for option in request.options)


def letter_prompt(request: Request) -> str:
    """The prompt, then its options by letter, and the wish for a letter.

    Example: "Question: Which tool measures air pressure?\\nAnswer:\\n\\nA. barometer\\nB. ruler\\n\\n
    Which of these comes next? Reply with its letter alone.\\nAnswer:"
    """
    options = "\n".join(f"{chr(ord('A') + place)}. {text}" for place, text in enumerate(lettered(request)))
    question = "Which of these belongs in the blank (_)?" if fills_blank(request) else "Which of these comes next?"
    return f"{request.prompt}\n\n{options}\n\n{question} Reply with its letter alone.\nAnswer:"


def fills_blank(request: Request) -> bool:
    """Whether the options differ in what stands before the continuation, as WinoGrande's do."""
    return len({option.context for option in request.options}) > 1


def _route(way: str) -> Route:
    return "chat" if way == "chat" else "completions"


def _body(
    route: Route, prompt: str, max_tokens: int, stop: Sequence[str], temperature: float, seed: int | None
) -> dict[str, Any]:
    body: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
    body |= {"messages": [{"role": "user", "content": prompt}]} if route == "chat" else {"prompt": prompt}
    if stop:
        body["stop"] = list(stop[:MOST_STOPS])
    if seed is not None:
        body["seed"] = seed
    return body


def _shortenings(prefix: Prefix) -> Iterator[Prefix]:
    yield prefix
    for methods in range(len(prefix.methods) - 1, -1, -1):
        yield prefix.shortened(methods)


def _spelling(tokens: Sequence[str], text: str) -> int | None:
    """How many of the last tokens spell exactly `text`; None where none do."""
    length = 0
    for count, token in enumerate(reversed(tokens), 1):
        length += len(token)
        if length >= len(text):
            return count if "".join(tokens[-count:]) == text else None
    return None


def _stop(written: Written) -> Stop:
    """Few servers tell a stop string, which they cut off, from the model's own end; those count as "end"."""
    if written.finish == "length":
        return "length"
    if written.text is None or written.finish == "content_filter":
        return "none"
    return "stop" if written.stopped else "end"


def _bare(text: str) -> str:
    return "".join(text.split())
