"""Models served over the OpenAI protocol: vLLM, SGLang, llama.cpp, `transformers serve`, GPT-4o.

Example, conf/model/gpt4o.yaml:
    # @package models.gpt4o
    kind: openai
    label: GPT-4o
    path: gpt-4o-2024-08-06
    key_variable: OPENAI_API_KEY

A server is tested once, and then asked in the first of these ways that it supports, so that all its answers come in the
same way:
- "echo": completions that return the prompt with its log-probabilities, for choice by log-likelihood and plain
  completion;
- "chat": one user message, and choice by letter;
- "completions": plain completion, and choice by letter.

If a server's chat is seen to think, its thoughts are switched off if possible. Otherwise thoughts have their own
budget of up to max_thinking_tokens, in addition to the answer's max_tokens. With `thinking: true` they have this budget
without a test, and choices are made by letter.

`chat_template: true` or a `system` message allows only the way "chat", `chat_template: false` only the others.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, replace
from threading import Lock

from pfe.config import Model
from pfe.errors import UserError
from pfe.fingerprint import fingerprint
from pfe.icr.prefix import Prefix
from pfe.models.client import OPENAI, RETRIES, TIMEOUT, Client, TooLongError
from pfe.models.exchange import Exchange
from pfe.models.likelihood import EchoScorer
from pfe.models.probing import find_request_format
from pfe.models.reply import Reply
from pfe.models.request import (
    Answer,
    Done,
    Provenance,
    Request,
    contexts,
    cut_answer,
    hash_of,
    in_chat,
    letter_request,
    libraries,
    unseen,
    words,
)  # fmt: skip
from pfe.models.request_format import WAYS, Question, RequestFormat
from pfe.models.responses import APART, Responses
from pfe.problem import Stop

_SHORT = 500  # words of a prompt that no server truncates


def examinee(name: str, model: Model, seed: int) -> "Server":
    """Return the served model of a configuration entry; raise what `Server` raises."""
    return Server(name, model, Responses(identity(model), Responses.user_cache()), seed)


class Server:
    """A model on a server, which scores options (in nats) if the server returns log-probabilities.

    Otherwise it is asked for a letter, and the generated text is the answer. Results are cached at once. Replies that
    may have been paid for are cached as sent, so that no change of our code requests them again.

    Args:
        entry: its name in messages (default: its configuration entry).
        ways: the ways in which it may be asked, the best first.
        thought: token budget of a thought, in addition to the answer's; the model's max_thinking_tokens if None.

    Raises:
        UserError: the environment variable for the key is not set, `base_url` is invalid, or a system message is given
            together with `chat_template: false`.
    """

    writes = True
    revoked: tuple[str, ...] = ()

    def __init__(
        self, name: str, model: Model, responses: Responses, seed: int = 0,
        retries: int = RETRIES, timeout: float = TIMEOUT, entry: str = "", ways: Sequence[str] = WAYS,
        thought: int | None = None,
    ) -> None:  # fmt: skip
        self._name, self._model, self._responses, self._seed = name, model, responses, seed
        self._entry = entry or f"models.{name}"
        self._request_formats = _request_formats(self._entry, model, ways)
        self._thought = model.max_thinking_tokens if thought is None else thought
        client = Client(
            self._entry, str(model.path), model.base_url, model.key_variable, retries=retries, timeout=timeout
        )
        self._exchange = Exchange(name, client, responses, _code())
        self._scorer = EchoScorer(self._exchange, responses, self._entry, _code())
        served = f"{model.path} at {model.base_url or OPENAI}"
        self.provenance = Provenance("openai", libraries("pfe.models.server"), served, model.revision or "")
        self._lock, self._noted = Lock(), set[str]()

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Return an answer to every request, in order.

        Raises:
            UserError: the server cannot be reached, refuses, or sends replies that cannot be parsed; the answers until
                then stay cached.
        """
        if not requests:
            return []
        count_before = self._exchange.requests
        pool = ThreadPoolExecutor(self._model.concurrency)
        try:
            request_format = self._request_format()
            places = {
                pool.submit(self._answer, request_format, request): place for place, request in enumerate(requests)
            }
            answers = {}
            for future in as_completed(places):
                answers[places[future]] = future.result()
                done(1)
        finally:
            pool.shutdown(cancel_futures=True)
            if self._exchange.requests > count_before:
                print(self.totals(), file=sys.stderr)
        return [answers[place] for place in range(len(requests))]

    def count(self, text: str) -> int:
        """Return the server's own token count without what it puts around any text; exact but for merges at the ends.

        Raises:
            UserError: the text does not fit into the server's window.
        """
        request_format = self._request_format()
        try:
            whole, least = (self._written(request_format, Question(part, 1)).tokens_in or 0 for part in (text, "."))
        except TooLongError:
            raise UserError(
                f"{self._entry}: a text of {len(text):,} characters does not fit its window; serve a longer one"
            ) from None
        return whole - least + 1

    def totals(self) -> str:
        """Return the requests and tokens so far in one line, with the cost if prices are given."""
        used, prices = self._exchange.usage, self._model.prices
        line = (
            f"{self._name}: {self._exchange.requests:,} requests, {used.tokens_in:,} tokens in, {used.tokens_out:,} out"
        )
        return line if prices is None else f"{line}, ${used.dollars(prices):.2f}"

    def _request_format(self) -> RequestFormat:
        """Return how the server is asked: cached by any process, or found by a test now."""
        budget = str(self._thought) if self._model.thinking else ""
        ways, system = [request_format.way for request_format in self._request_formats], self._model.system or ""
        key = self._responses.key("request_format", *map(str.encode, (*ways, system, budget, _code())))
        with self._responses.alone(key):
            if (cached := self._responses.get_many([key]).get(key)) is not None:
                return RequestFormat(**cached)
            request_format = find_request_format(
                self._exchange, self._entry, self._request_formats, self._model.thinking, self._thought
            )
            self._responses.put({key: asdict(request_format)})
            self._note(request_format)
        return request_format

    def _note(self, request_format: RequestFormat) -> None:
        if self._request_formats[0].way == "echo" != request_format.way:
            self._exchange.note(
                "the server returns no log-probabilities of prompts; "
                f"choices are asked by letter, by way of {request_format.way}"
            )
        if request_format.switch:
            switch = json.dumps(dict(request_format.switch))
            self._exchange.note(f"the server thinks, which {switch} switches off; thinking: true lets it think")
        if request_format.thinks:
            self._note_thoughts()

    def _note_cut(self, prompt: str, reply: Reply) -> None:
        """Print a note if a server has read fewer tokens than the prompt can have: some truncate long prompts."""
        count = words(prompt)
        if count > _SHORT and reply.tokens_in and reply.tokens_in < count / 2 and self._is_first("cut"):
            self._exchange.note(
                f"the server says that a prompt of {count:,} words had {reply.tokens_in:,} tokens: it seems to cut "
                "prompts to its window, and libraries with them; serve a longer one (Ollama: OLLAMA_CONTEXT_LENGTH)"
            )

    def _is_first(self, note: str) -> bool:
        with self._lock:
            first = note not in self._noted
            self._noted.add(note)
        return first

    def _note_thoughts(self) -> None:
        if self._is_first("thoughts"):
            beside = f"for up to {self._thought:,} tokens (max_thinking_tokens) that do not count towards the answer's"
            within = "within its max_tokens; raise it where answers are cut off"
            self._exchange.note(f"the server thinks before it answers, {beside if self._thought else within}")

    def _answer(self, request_format: RequestFormat, request: Request) -> Answer:
        """Return the answer with as many of the prefix's methods in context as the server's window holds."""
        request = in_chat(request) if request_format.way == "chat" else request
        for prefix in _shortenings(request.prefix):
            try:
                if not request.options:
                    answer = self._text(request_format, request, prefix)
                elif request_format.way == "echo":
                    answer = self._likelihoods(request, prefix)
                else:
                    answer = self._letter(request_format, request, prefix)
            except TooLongError:
                continue
            return replace(answer, dropped=len(request.prefix.methods) - len(prefix.methods), way=request_format.way)
        return Answer(0, 0, "too_long")

    def _text(self, request_format: RequestFormat, request: Request, prefix: Prefix) -> Answer:
        temperature = self._model.temperature
        seed = int.from_bytes(request.lot(self._seed)[:4], "little") >> 1 if temperature else None
        prompt = prefix.text + request.prompt
        question = Question(prompt, request.max_tokens, request.stop, temperature, seed, request.schema)
        reply = self._written(request_format, question)
        text = reply.text or ""
        self._note_cut(prompt, reply)
        output = cut_answer(text, request.stop)
        stop = "stop" if output != text else _stop(reply)
        return _answer(reply, prompt, stop, output)

    def _letter(self, request_format: RequestFormat, request: Request, prefix: Prefix) -> Answer:
        asked = letter_request(request)
        prompt = prefix.text + asked.prompt
        reply = self._written(request_format, Question(prompt, asked.max_tokens))
        self._note_cut(prompt, reply)
        return _answer(reply, prompt, _stop(reply), reply.text or "")

    def _likelihoods(self, request: Request, prefix: Prefix) -> Answer:
        texts = contexts(replace(request, prefix=prefix))
        pairs = zip(texts, request.options, strict=True)
        likelihoods = [self._scorer.score(context, option.continuation) for context, option in pairs]
        return Answer(
            tokens_in=likelihoods[0].tokens - likelihoods[0].scored,
            tokens_out=sum(likelihood.scored for likelihood in likelihoods),
            stop="choice",
            scores=tuple(likelihood.score for likelihood in likelihoods),
            prompt_sha256=hash_of(texts),
        )

    def _written(self, request_format: RequestFormat, question: Question) -> Reply:
        """Return the reply to a question; ask again with room for a thought if one used up the answer's tokens."""
        if not request_format.thinks:
            reply = self._exchange.reply(request_format, question)
            if reply is not None and not reply.cut_short:
                return reply
            self._note_thoughts()
        reply = self._exchange.reply(request_format, question.with_thought(self._thought))
        return reply or Reply(None, "length", stopped=False, tokens_in=None, tokens_out=None)


def _request_formats(entry: str, model: Model, ways: Sequence[str]) -> list[RequestFormat]:
    """Return the request_formats in which a server may be asked, the best first."""
    if model.system is not None and model.chat_template is False:
        raise UserError(
            f"{entry}: system is given, but the model is asked as plain text (chat_template: false), which has no "
            "place for it; remove system, or set chat_template: true"
        )
    chat = model.chat_template is True or model.system is not None
    allowed = {"chat"} if chat else {*WAYS} - ({"chat"} if model.chat_template is False else set())
    return [
        RequestFormat(way, system=model.system)
        for way in ways
        if way in allowed and not (model.thinking and way == "echo")
    ]


def _code() -> str:
    """Return the version of the code that computes log-likelihoods and tests whether a server returns any."""
    return fingerprint("pfe.models.server", *APART, "pfe.models.client").code


def identity(model: Model) -> str:
    """Return all that determines a server's answers in addition to the request, for `Responses`."""
    return f"server {model.base_url} {model.path} {model.revision}"


def _shortenings(prefix: Prefix) -> Iterator[Prefix]:
    yield prefix
    for methods in range(len(prefix.methods) - 1, -1, -1):
        yield prefix.shortened(methods)


def _answer(reply: Reply, prompt: str, stop: Stop, output: str) -> Answer:
    tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
    return Answer(tokens_in, tokens_out, stop, output=output, prompt_sha256=hash_of([prompt]))


def _stop(reply: Reply) -> Stop:
    """Return the stop reason; it is "end" if the server does not report stop strings, as most servers do not."""
    if reply.finish == "length":
        return "length"
    if reply.text is None or reply.finish == "content_filter":
        return "none"
    return "stop" if reply.stopped else "end"
