"""Questions to one server and its replies: asked as it accepts them, each paid for once, all counted.

Example: `exchange.reply(Manner("chat"), Question("Question: …\\nAnswer:", max_tokens=64))` is from the response cache
where the same was asked before, by any process.
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
from pfe.models.manner import Manner, Question
from pfe.models.refusals import INSTEAD, UNFIT, Refusals, without
from pfe.models.reply import Reply, ReplyError, Route, read_reply
from pfe.models.responses import Responses
from pfe.models.usage import Usage

_Send = Callable[[Route, Mapping[str, Any]], Reply]
# What OpenAI says, with status 400, where a thought leaves no room for an answer.
_NO_ROOM = re.compile(r"max_tokens or model output limit was reached", re.IGNORECASE)


class Exchange:
    """What is asked of one server, from any thread; `requests` and `usage` count what it answered.

    Args:
        name: what notes call the model.
        code: what decides how refusals are read.
    """

    def __init__(self, name: str, client: Client, responses: Responses, code: str) -> None:
        self._name, self._client, self._responses = name, client, responses
        self._refusals = Refusals(responses, code)
        self._lock, self.requests, self.usage = Lock(), 0, Usage()
        self._taken = set[str]()  # fields of questions that were answered

    def reply(self, manner: Manner, question: Question) -> Reply | None:
        """Return what came back, now or before; None where an unseen thought left no room for anything.

        Raises:
            TooLongError: the server's window is too short.
            UserError: it cannot be reached, refuses or answers nonsense.
        """
        try:
            return self._written(manner, question)
        except RefusedError as error:
            if not _leaves_no_room(error):
                raise
            return None

    def echo(self, prompt: str | list[int], **settings: bool) -> Reply | None:
        """Return the tokens of a text, or of token ids, and their log-probabilities; None where it returns none.

        Raises what `reply` raises.
        """
        body = {"prompt": prompt, **ECHO_SETTINGS, **settings}
        return prompt_of(self._accepted("completions", body, self._post))

    def note(self, what: str) -> None:
        """Print one line about the server."""
        print(f"NOTE: {self._name}: {what}", file=sys.stderr)

    def _written(self, manner: Manner, question: Question) -> Reply:
        """Raises RefusedError where the question is refused, with its schema and without."""
        try:
            return self._accepted(manner.route, manner.body(question), self._kept)
        except RefusedError as error:
            if error.status not in UNFIT or _leaves_no_room(error):
                raise
            if not question.schema:
                return self._with_fewest(manner.route, manner.body(question), error)
        # It does not say what it refuses: the schema, if it answers the question without one.
        reply = self._written(manner, replace(question, schema=""))
        if (form := manner.body(question).get("response_format")) and self._refusals.remember("response_format", form):
            self._note_refusals(["response_format"])
        return reply

    def _with_fewest(self, route: Route, body: Mapping[str, Any], refusal: RefusedError) -> Reply:
        """The reply to a question that is refused in words unknown, without the fields that the server refuses.

        They are found by leaving out all that it has never accepted, then putting each back.

        Raises:
            RefusedError: `refusal`, where none of its fields is at fault.
        """
        suspects = [field for field in INSTEAD if field in body and field not in self._taken]
        if "max_tokens" in suspects:
            suspects.append("max_completion_tokens")  # which takes its place
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
        """The reply to a question without the fields that the server refuses, which are found out from its refusals."""
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
        """The reply to exactly this body: from before, or asked and kept as it came."""
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
