"""Fields that a server refuses, found from its refusals: what it is asked instead.

Example: OpenAI's o-series answers {"max_tokens": 64, "temperature": 0.0} with status 400, "Unsupported parameter:
'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", then with "Unsupported value:
'temperature' does not support 0 with this model."; {"max_completion_tokens": 64} is what it is asked in the end.

A field is remembered for the run and in the response cache: a temperature and a schema by their value, since others
may be accepted, all else by name. Each question is changed by what refusals of itself would say, so what is asked in
the end depends on no order of questions.

Sources of the wordings: OpenAI (above; `param`, "Unrecognized request argument supplied"), Pydantic behind FastAPI
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

UNFIT = (400, 415, 422, 501)  # statuses of a question that a server cannot do as it is asked
# What is done instead, by field, in the order that fields are looked at: the second may take the place of the first.
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
    """What one server refuses; safe to use from several threads.

    Args:
        code: what decides how refusals are read: other code learns them anew.
    """

    def __init__(self, responses: Responses, code: str) -> None:
        self._responses, self._code = responses, code.encode()
        self._refused: dict[bytes, bool] = {}
        self._lock = Lock()

    def accepted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a question without the fields that the server is known to refuse, and with what takes their place."""
        asked = dict(body)
        for field in INSTEAD:
            if field in asked and self._is_refused(field, asked[field]):
                asked = without(asked, [field])
        return asked

    def learn(self, body: Mapping[str, Any], error: RefusedError) -> dict[str, bool]:
        """Remember the fields of a question that its refusal names, each with whether that is news.

        Empty where the refusal names none: then the question itself is at fault, or how it is asked.
        """
        return {field: self.remember(field, body[field]) for field in _named(body, error)}

    def remember(self, field: str, value: Any) -> bool:
        """Remember that a field is refused; False where that was known."""
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
    """Return a question without some fields, and with what takes their place, if that is not left out too."""
    asked = dict(body)
    for field in fields:
        value = asked.pop(field, None)
        if field == "max_tokens" and value is not None:
            asked["max_completion_tokens"] = value
    return asked


def _named(body: Mapping[str, Any], error: RefusedError) -> list[str]:
    """The fields of a question that a refusal names as unsupported; stop strings for whatever reason it names them."""
    if error.status not in UNFIT:
        return []
    fields = [field for field in INSTEAD if field in body]
    if error.parameter:
        named = [field for field in fields if field == error.parameter]
    else:
        named = [field for field in fields if re.search(rf"\b{field}\b", error.said)]
    return named if _REFUSES.search(error.said) else [field for field in named if field == "stop"]
