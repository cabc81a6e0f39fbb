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
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import Any

from pfe.config import Model
from pfe.errors import UserError
from pfe.fingerprint import fingerprint
from pfe.icr.prefix import Prefix
from pfe.models.client import OPENAI, RETRIES, TIMEOUT, Client, RefusedError, TooLongError
from pfe.models.echo import ECHO_SETTINGS, log_likelihood, prompt_of, spelling
from pfe.models.reply import Reply, ReplyError, Route, read_reply
from pfe.models.request import (
    Answer,
    Done,
    Provenance,
    Request,
    contexts,
    cut,
    hash_of,
    letter_prompt,
    libraries,
    unseen,
)  # fmt: skip
from pfe.models.responses import APART, Responses
from pfe.models.usage import Usage
from pfe.problem import Stop

WAYS = ("echo", "chat", "completions")
MOST_STOPS = 4  # that OpenAI's protocol allows; all are looked for in what comes back
TOKEN_ID = "token_id:"  # before the number of a token, where vLLM is asked to show it so
LETTER_TOKENS = 16  # room for "The answer is B."
_PROBE = "Two and two are four."
# What a server says of a way it does not have; any other refusal holds for all ways.
_CANNOT = (400, 404, 405, 415, 422, 500, 501)
_NO_SCHEMA = (400, 415, 422, 501)  # and of a schema that it cannot keep to


def examinee(name: str, model: Model, seed: int) -> "Server":
    """The examinee of a configuration entry; raises what Server raises."""
    return Server(name, model, Responses(identity(model), Responses.user_cache()), seed)


class Server:
    """An examinee that others serve; it scores choices in nats where the server gives log-probabilities.

    Otherwise it is asked for a letter, and what it writes is the answer. What is finished is kept at once: of what may
    have been paid for the reply as it came, so that no change of ours asks for it again.

    Args:
        entry: what messages call it.
        ways: those that it may be asked in, the best first.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """

    writes = True
    revoked: tuple[str, ...] = ()

    def __init__(
        self, name: str, model: Model, responses: Responses, seed: int = 0,
        retries: int = RETRIES, timeout: float = TIMEOUT, entry: str = "", ways: Sequence[str] = WAYS,
    ) -> None:  # fmt: skip
        self._name, self._model, self._responses, self._seed = name, model, responses, seed
        self._entry, self._ways = entry or f"models.{name}", tuple(ways)
        self._client = Client(
            self._entry, str(model.path), model.base_url, model.key_variable, retries=retries, timeout=timeout
        )
        served = f"{model.path} at {model.base_url or OPENAI}"
        self.provenance = Provenance("openai", libraries("pfe.models.server"), served, model.revision or "")
        self._lock, self._keeps_schemas = Lock(), True
        self._requests, self._usage = 0, Usage()

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Raises UserError where the server cannot be reached, refuses or answers nonsense; all else is kept."""
        if not requests:
            return []
        count_before = self._requests
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
            if self._requests > count_before:
                print(self.totals(), file=sys.stderr)
        return [answers[place] for place in range(len(requests))]

    def count(self, text: str) -> int:
        """The server's own count, less what it puts around any text; exact but for merges at its ends."""
        way = self._way()
        try:
            whole, least = (self._reply(way, part, 1, (), 0.0, None).tokens_in or 0 for part in (text, "."))
        except TooLongError:
            raise UserError(
                f"{self._entry}: a text of {len(text):,} characters does not fit its window; serve a longer one"
            ) from None
        return whole - least + 1

    def totals(self) -> str:
        """What was asked so far, in one line; the cost where prices are given."""
        used, prices = self._usage, self._model.prices
        line = f"{self._name}: {self._requests:,} requests, {used.tokens_in:,} tokens in, {used.tokens_out:,} out"
        return line if prices is None else f"{line}, ${used.dollars(prices):.2f}"

    def _way(self) -> str:
        if len(self._ways) == 1:
            return self._ways[0]
        key = self._responses.key("way", *map(str.encode, (*self._ways, _code())))
        with self._responses.alone(key):
            way: str | None = self._from_cache(key)
            if way is None:
                way = self._find_way()
                self._responses.put({key: way})
                if way != "echo":
                    print(
                        f"NOTE: {self._name}: the server returns no log-probabilities of prompts; "
                        f"choices are asked by letter, by way of {way}",
                        file=sys.stderr,
                    )
        return way

    def _find_way(self) -> str:
        """The first of the ways that the server can."""
        refusals: dict[str, RefusedError] = {}
        for way in self._ways:
            try:
                if way != "echo":
                    self._reply(way, _PROBE, 1, (), 0.0, None)
                    return way
                echo = self._echo(_PROBE)
                if echo is not None and _bare("".join(echo.tokens)).endswith(_bare(_PROBE)):
                    return way
            except RefusedError as error:
                if error.status not in _CANNOT:
                    raise
                refusals[way] = error
        raise refusals.get("chat") or min(refusals.values(), key=lambda error: error.status)

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
            return replace(answer, dropped=len(request.prefix.methods) - len(prefix.methods), way=way)
        return Answer(0, 0, "too_long")

    def _text(self, way: str, request: Request, prefix: Prefix) -> Answer:
        temperature = self._model.temperature
        seed = int.from_bytes(request.lot(self._seed)[:4], "little") >> 1 if temperature else None
        prompt = prefix.text + request.prompt
        reply = self._reply(way, prompt, request.max_tokens, request.stop, temperature, seed, request.schema)
        text = reply.text or ""
        output = cut(text, request.stop)
        stop = "stop" if output != text else _stop(reply)
        return _answer(reply, prompt, stop, output)

    def _letter(self, way: str, request: Request, prefix: Prefix) -> Answer:
        prompt = prefix.text + letter_prompt(request)
        reply = self._reply(way, prompt, LETTER_TOKENS, (), 0.0, None)
        return _answer(reply, prompt, _stop(reply), reply.text or "")

    def _likelihoods(self, request: Request, prefix: Prefix) -> Answer:
        texts = contexts(replace(request, prefix=prefix))
        pairs = zip(texts, request.options, strict=True)
        likelihoods = [self._likelihood(context, option.continuation) for context, option in pairs]
        return Answer(
            tokens_in=likelihoods[0]["tokens"] - likelihoods[0]["scored"],
            tokens_out=sum(likelihood["scored"] for likelihood in likelihoods),
            stop="choice",
            scores=tuple(likelihood["score"] for likelihood in likelihoods),
            prompt_sha256=hash_of(texts),
        )

    def _likelihood(self, context: str, continuation: str) -> Mapping[str, Any]:
        """The log-likelihood (nats) of a continuation, white space before it included, with counts of tokens.

        Its tokens are the last ones that spell it. Where tokens do not spell their text (parts of a character, lost
        spaces), they are those behind the context's. Where one reaches over its beginning, the tokens asked are the
        context's own and those of the whole beyond as many (as in lm-evaluation-harness 0.4.13, `_encode_pair`).
        Offsets are not trusted: vLLM counts those of the single tokens' texts.
        """
        context, space = context.rstrip(), context[len(context.rstrip()) :]
        key = self._responses.key("likelihood", _code().encode(), context.encode(), (space + continuation).encode())
        with self._responses.alone(key):
            if (cached := self._from_cache(key)) is not None:
                return dict(cached)
            echo = self._prompt(context + space + continuation)
            scored = spelling(echo.tokens, space + continuation)
            if scored is None:
                context_tokens = self._prompt(context).tokens
                scored = len(echo.tokens) - len(context_tokens)
                if scored < 1 or echo.tokens[: len(context_tokens)] != context_tokens:
                    echo, scored = self._over_the_border(context, space + continuation)
            score = log_likelihood(echo, scored)
            if score is None:
                raise UserError(
                    f"{self._entry}: the server returned log-probabilities that are no numbers; its weights are "
                    "broken, or try another precision"
                )
            likelihood = {"score": score, "scored": scored, "tokens": len(echo.tokens)}
            self._responses.put({key: likelihood})
            return likelihood

    def _over_the_border(self, context: str, continuation: str) -> tuple[Reply, int]:
        """What comes back where a token of the whole text begins in the context, and how many tokens are scored."""
        context_ids, whole_ids = self._ids(context), self._ids(context + continuation)
        more = whole_ids[len(context_ids) :] or self._ids(continuation, add_special_tokens=False)
        return self._prompt([*context_ids, *more]), len(more)

    def _ids(self, text: str, **settings: bool) -> list[int]:
        """Token ids, as vLLM tells them.

        Raises:
            UserError: the server tells none.
        """
        body = {"prompt": text, **ECHO_SETTINGS, "return_tokens_as_token_ids": True, **settings}
        echo = prompt_of(self._post("completions", body))
        ids = [token.removeprefix(TOKEN_ID) for token in echo.tokens if token.startswith(TOKEN_ID)] if echo else []
        if echo is None or len(ids) < len(echo.tokens) or not all(map(str.isdecimal, ids)):
            raise UserError(
                f"{self._entry}: a token reaches over the end of a prompt into a choice, and the server tells no token "
                "ids to score it by; serve the model with vLLM, or use kind: huggingface"
            )
        return [int(token_id) for token_id in ids]

    def _prompt(self, prompt: str | list[int]) -> Reply:
        echo = self._echo(prompt)
        if echo is None:
            raise UserError(
                f"{self._entry}: the server no longer returns log-probabilities of prompts; start it as before, "
                "or set another revision to begin anew"
            )
        return echo

    def _echo(self, prompt: str | list[int]) -> Reply | None:
        """The tokens of a text, or of token ids, and their log-probabilities; None where the server returns none."""
        return prompt_of(self._post("completions", {"prompt": prompt, **ECHO_SETTINGS}))

    def _reply(
        self, way: str, prompt: str, max_tokens: int, stop: Sequence[str], temperature: float, seed: int | None,
        schema: str = "",
    ) -> Reply:  # fmt: skip
        """What came back to one prompt: from before, or asked and kept as it came."""
        route: Route = "chat" if way == "chat" else "completions"
        plain = _body(route, prompt, max_tokens, stop, temperature, seed)
        structured = {**plain, "response_format": _response_format(schema)} if schema and route == "chat" else None
        keys = [self._key(route, body) for body in (structured, plain) if body]
        with self._responses.alone(keys[-1]):
            for key in keys:
                if isinstance(cached := self._from_cache(key), str):
                    with suppress(ReplyError):
                        return read_reply(cached, route)
            reply = self._structured_reply(route, structured) if structured else None
            key = keys[0] if reply else keys[-1]
            reply = reply or self._post(route, plain)
            self._responses.put({key: reply.content})
            return reply

    def _key(self, route: Route, body: Mapping[str, Any]) -> bytes:
        return self._responses.key("reply", route.encode(), json.dumps(body, sort_keys=True).encode())

    def _structured_reply(self, route: Route, body: Mapping[str, Any]) -> Reply | None:
        """The reply that keeps to a schema; None where the server knows no such thing."""
        if not self._keeps_schemas:
            return None
        try:
            return self._post(route, body)
        except RefusedError as error:
            if error.status not in _NO_SCHEMA:
                raise
            self._keeps_schemas = False  # of other mistakes in the question it will complain again
            return None

    def _post(self, route: Route, body: Mapping[str, Any]) -> Reply:
        reply = self._client.post(route, body)
        with self._lock:
            self._requests += 1
            self._usage += Usage(reply.tokens_in or 0, reply.tokens_out or 0)
        return reply

    def _from_cache(self, key: bytes) -> Any | None:
        return self._responses.get_many([key]).get(key)


def _code() -> str:
    """What decides a log-likelihood, and whether a server returns any, beside what it sends."""
    return fingerprint("pfe.models.server", *APART, "pfe.models.client").code


def identity(model: Model) -> str:
    """What decides a server's answers beside the question, for `Responses`."""
    return f"server {model.base_url} {model.path} {model.revision}"


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


def _response_format(schema: str) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": json.loads(schema)}}


def _shortenings(prefix: Prefix) -> Iterator[Prefix]:
    yield prefix
    for methods in range(len(prefix.methods) - 1, -1, -1):
        yield prefix.shortened(methods)


def _answer(reply: Reply, prompt: str, stop: Stop, output: str) -> Answer:
    tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
    return Answer(tokens_in, tokens_out, stop, output=output, prompt_sha256=hash_of([prompt]))


def _stop(reply: Reply) -> Stop:
    """Few servers tell a stop string, which they cut off, from the model's own end; those count as "end"."""
    if reply.finish == "length":
        return "length"
    if reply.text is None or reply.finish == "content_filter":
        return "none"
    return "stop" if reply.stopped else "end"


def _bare(text: str) -> str:
    return "".join(text.split())
