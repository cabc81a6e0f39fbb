"""Request fields that a server refuses, learned from its error messages, and what is sent instead.

Example: OpenAI's o-series answers {"max_tokens": 64, "temperature": 0.0} with status 400, "Unsupported parameter:
'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", then with "Unsupported value:
'temperature' does not support 0 with this model.". The final request has {"max_completion_tokens": 64}.

A refused field is remembered for the run and in the response cache: a temperature and a schema by value, since other
values may be accepted, any other field by name. Each request changes only as refusals of the request itself would
require, so the final requests do not depend on the order of requests.

Sources of the wordings: OpenAI (above; `param`, "Unrecognized request argument supplied"), Pydantic in FastAPI
(422, "Extra inputs are not permitted"), Gemini ("Unknown name"), Groq ("property … is unsupported"), xAI ("Argument
not supported"), Anthropic ("deprecated for this model"), LiteLLM ("does not support parameters").
"""

import json
import re
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any

from pfe.models.client import RefusedError
from pfe.models.responses import Responses

UNFIT = (400, 415, 422, 501)  # HTTP statuses of a request that the server does not support in this form
# The alternative to each field, in the order in which fields are checked: the second may replace the first.
INSTEAD = {
    "max_tokens": "its limit is sent as max_completion_tokens",
    "max_completion_tokens": "no limit of tokens is sent",
    "temperature": "its default temperature is used, so answers may differ between runs",
    "stop": "stop strings are applied to what it sends",
    "seed": "its samples are not seeded",
    "response_format": "the form of an answer is left to the prompt",
}
_BY_VALUE = ("temperature", "response_format")
_REFUSES = re.compile(
    r"unsupported|(?:not|n't) (?:be )?(?:support|permit|allow|recogni[sz]ed|accept|available|implement|valid)|"
    r"unrecogni[sz]ed|unknown|unexpected|extra_forbidden|only (?:the default|supports?)\b|deprecated|cannot find field",
    re.IGNORECASE,
)


class Refusals:
    """The request fields that one server refuses; thread-safe.

    Args:
        code: the version of the code that interprets refusals; another version learns them again.
    """

    def __init__(self, responses: Responses, code: str) -> None:
        self._responses, self._code = responses, code.encode()
        self._refused: dict[bytes, bool] = {}
        self._lock = Lock()

    def accepted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request body without the fields that the server is known to refuse, and with their replacements."""
        asked = dict(body)
        for field in INSTEAD:
            if field in asked and self._is_refused(field, asked[field]):
                asked = without(asked, [field])
        return asked

    def learn(self, body: Mapping[str, Any], error: RefusedError) -> dict[str, bool]:
        """Remember the fields that the refusal of a request names; return whether each is newly refused.

        The result is empty if the refusal names no field: then the question itself or the way of asking is at fault.
        """
        return {field: self.remember(field, body[field]) for field in _named(body, error)}

    def remember(self, field: str, value: Any) -> bool:
        """Remember that a field is refused; return False if this was known."""
        key = self._key(field, value)
        with self._lock:
            known = self._refused.get(key, False)
            self._refused[key] = True
        if not known:
            self._responses.put({key: True})
        return not known

    def _is_refused(self, field: str, value: Any) -> bool:
        key = self._key(field, value)
        with self._lock:
            if key not in self._refused:
                self._refused[key] = bool(self._responses.get_many([key]))
            return self._refused[key]

    def _key(self, field: str, value: Any) -> bytes:
        value = json.dumps(value, sort_keys=True) if field in _BY_VALUE else ""
        return self._responses.key("refused", self._code, field.encode(), value.encode())


def without(body: Mapping[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    """Return a request body without some fields, and with their replacements unless these are left out too."""
    asked = dict(body)
    for field in fields:
        value = asked.pop(field, None)
        if field == "max_tokens" and value is not None:
            asked["max_completion_tokens"] = value
    return asked


def _named(body: Mapping[str, Any], error: RefusedError) -> list[str]:
    """Return the fields that a refusal names as unsupported, and `stop` if it is named for any reason."""
    if error.status not in UNFIT:
        return []
    fields = [field for field in INSTEAD if field in body]
    if error.parameter:
        named = [field for field in fields if field == error.parameter]
    else:
        named = [field for field in fields if re.search(rf"\b{field}\b", error.said)]
    return named if _REFUSES.search(error.said) else [field for field in named if field == "stop"]
