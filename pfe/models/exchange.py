"""Requests to one server: adapted to the fields that it accepts, cached so that each is paid for once, and counted.

Example: `exchange.reply(RequestFormat("chat"), Question("Question: …\\nAnswer:", max_tokens=64))` returns the cached
reply if any process has sent the same request before.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import Any

from pfe.models.client import Client, RefusedError
from pfe.models.echo import ECHO_SETTINGS, prompt_of
from pfe.models.refusals import INSTEAD, UNFIT, Refusals, without
from pfe.models.reply import Reply, ReplyError, Route, read_reply
from pfe.models.request_format import Question, RequestFormat
from pfe.models.responses import Responses
from pfe.models.usage import Usage

_Send = Callable[[Route, Mapping[str, Any]], Reply]
# The message of OpenAI, with status 400, if a thought leaves no room for an answer.
_NO_ROOM = re.compile(r"max_tokens or model output limit was reached", re.IGNORECASE)


class Exchange:
    """The requests to one server, from any thread; `requests` and `usage` count its replies.

    Args:
        name: the model's name in notes.
        code: the version of the code that interprets refusals.
    """

    def __init__(self, name: str, client: Client, responses: Responses, code: str) -> None:
        self._name, self._client, self._responses = name, client, responses
        self._refusals = Refusals(responses, code)
        self._lock, self.requests, self.usage = Lock(), 0, Usage()
        self._taken = set[str]()  # fields of requests that were answered

    def reply(self, request_format: RequestFormat, question: Question) -> Reply | None:
        """Return the new or cached reply, None if a hidden thought left no room for an answer.

        Raises:
            TooLongError: the prompt is longer than the server's context window.
            UserError: the server cannot be reached, refuses, or sends replies that cannot be parsed.
        """
        try:
            return self._written(request_format, question)
        except RefusedError as error:
            if not _leaves_no_room(error):
                raise
            return None

    def echo(self, prompt: str | list[int], **settings: bool) -> Reply | None:
        """Return the tokens of a text or of token ids, with log-probabilities; None if the server returns none.

        Raises what `reply` raises.
        """
        body = {"prompt": prompt, **ECHO_SETTINGS, **settings}
        return prompt_of(self._accepted("completions", body, self._post))

    def note(self, what: str) -> None:
        """Print one line about the server."""
        print(f"NOTE: {self._name}: {what}", file=sys.stderr)

    def _written(self, request_format: RequestFormat, question: Question) -> Reply:
        """Return the reply to a question, without its schema if the server refuses that.

        Raises:
            RefusedError: the question is refused both with its schema and without.
        """
        try:
            return self._accepted(request_format.route, request_format.body(question), self._kept)
        except RefusedError as error:
            if error.status not in UNFIT or _leaves_no_room(error):
                raise
            if not question.schema:
                return self._with_fewest(request_format.route, request_format.body(question), error)
        # The refusal names no field. The schema is the cause if the question is answered without it.
        reply = self._written(request_format, replace(question, schema=""))
        if (form := request_format.body(question).get("response_format")) and self._refusals.remember(
            "response_format", form
        ):
            self._note_refusals(["response_format"])
        return reply

    def _with_fewest(self, route: Route, body: Mapping[str, Any], refusal: RefusedError) -> Reply:
        """Return the reply without the refused fields, if the wording of `refusal` is unknown.

        All fields that the server has never accepted are left out, then each is tried again.

        Raises:
            RefusedError: `refusal`, if none of its fields is at fault.
        """
        suspects = [field for field in INSTEAD if field in body and field not in self._taken]
        if "max_tokens" in suspects:
            suspects.append("max_completion_tokens")  # `without` replaces max_tokens by it
        try:
            reply = self._accepted(route, without(body, suspects), self._kept) if suspects else None
        except RefusedError:
            reply = None
        if reply is None:
            raise refusal
        refused = list(suspects)
        for field in suspects:
            others = [one for one in refused if one != field]
            with suppress(RefusedError):
                reply = self._accepted(route, without(body, others), self._kept)
                refused = others
        self._note_refusals([field for field in refused if self._refusals.remember(field, body.get(field))])
        return reply

    def _accepted(
        self, route: Route, wanted: Mapping[str, Any], send: Callable[[Route, Mapping[str, Any]], Reply]
    ) -> Reply:
        """Return the reply to a body without the fields that the server refuses, learned from its refusals."""
        news: list[str] = []
        try:
            while True:
                body = self._refusals.accepted(wanted)
                try:
                    return send(route, body)
                except RefusedError as error:
                    fields = self._refusals.learn(body, error)
                    if not fields:
                        raise
                    news += [field for field, new in fields.items() if new]
        finally:
            self._note_refusals(news)

    def _note_refusals(self, fields: Iterable[str]) -> None:
        if instead := "; ".join(f"{field}: {INSTEAD[field]}" for field in fields):
            self.note(f"the server does not accept all fields of a question; {instead}")

    def _kept(self, route: Route, body: Mapping[str, Any]) -> Reply:
        """Return the cached or new reply to exactly this body, and record its fields as accepted."""
        reply = self._asked_once(route, body)
        self._taken.update(body)
        return reply

    def _asked_once(self, route: Route, body: Mapping[str, Any]) -> Reply:
        key = self._responses.key("reply", route.encode(), json.dumps(body, sort_keys=True).encode())
        with self._responses.alone(key):
            if isinstance(cached := self._responses.get_many([key]).get(key), str):
                with suppress(ReplyError):
                    return read_reply(cached, route)
            reply = self._post(route, body)
            self._responses.put({key: reply.content})
            return reply

    def _post(self, route: Route, body: Mapping[str, Any]) -> Reply:
        reply = self._client.post(route, body)
        with self._lock:
            self.requests += 1
            self.usage += Usage(reply.tokens_in or 0, reply.tokens_out or 0)
        return reply


def _leaves_no_room(error: RefusedError) -> bool:
    return error.status in UNFIT and _NO_ROOM.search(error.said) is not None
