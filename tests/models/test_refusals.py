"""Servers that refuse a field of a question, in the words of those that do: asked as they want it, said once."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.models.client import RefusedError
from pfe.models.refusals import INSTEAD, Refusals
from pfe.models.reply import error_parameter, error_text
from pfe.models.request import Request
from pfe.models.responses import Responses
from tests.models.scripted import Body, Reply, Script, error, question, server, text_reply

SCHEMA = json.dumps({"type": "object", "properties": {"answer": {"type": "integer"}}, "required": ["answer"]})
Says = Callable[[str, Body], Reply]


def openai(field: str, **named: Any) -> Reply:
    more = {"type": "invalid_request_error", "code": "unsupported_parameter", **named}
    message = f"Unsupported parameter: '{field}' is not supported with this model."
    message += " Use 'max_completion_tokens' instead." if field == "max_tokens" else ""
    return 400, {"error": {"message": message, **more}}, {}


WORDINGS: dict[str, Callable[[str], Reply]] = {
    "OpenAI": lambda field: openai(field, param=field),
    "OpenAI without param": openai,
    "OpenAI, unknown": lambda field: error(400, f"Unrecognized request argument supplied: {field}"),
    "FastAPI": lambda field: (
        422, {"detail": [{"type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted"}]},
        {},
    ),
    "Gemini": lambda field: error(400, f'Invalid JSON payload received. Unknown name "{field}": Cannot find field.'),
    "Groq": lambda field: error(400, f"property '{field}' is unsupported"),
    "xAI": lambda field: error(400, f"Argument not supported on this model: {field}"),
    "Anthropic": lambda field: error(400, f"`{field}` is deprecated for this model."),
    "LiteLLM": lambda field: error(400, f"UnsupportedParamsError: openai does not support parameters: ['{field}']"),
}  # fmt: skip


def refuses(field: str, wording: Callable[[str], Reply]) -> Says:
    def says(path: str, body: Body) -> Reply:
        if field in body:
            return wording(field)
        return text_reply("18\nfirst") if path.endswith("/chat/completions") else error(404)

    return says


def requests() -> list[Request]:
    texts = [question(number, options=(), stop=("first",), schema=SCHEMA) for number in range(4)]
    return [*texts, question(5), question(6, options=(), max_tokens=99)]


def accepted(script: Script, field: str) -> list[Body]:
    return [body for body in script.questions if field not in body]


@pytest.mark.parametrize("field", INSTEAD)
@pytest.mark.parametrize("wording", WORDINGS)
def test_a_refusal_is_read_for_the_field_that_it_names(field: str, wording: str, cache: Cache) -> None:
    status, reply, _ = WORDINGS[wording](field)
    content = json.dumps(reply)
    error = RefusedError("", status, error_text(content), error_parameter(content))
    refusals = Refusals(Responses("a server", cache), "code")
    body = {name: 1 for name in INSTEAD if name == field or not field.startswith("max_") or not name.startswith("max_")}
    assert refusals.learn(body, error) == {field: True}
    assert refusals.learn(body, error) == {field: False}
    for known in (refusals, Refusals(Responses("a server", cache), "code")):
        limit = {"max_completion_tokens": 1} if field == "max_tokens" else {}
        others = {name: value for name, value in body.items() if name != field}
        assert known.accepted(body) == limit | others
        assert known.accepted(others) == others
    assert Refusals(Responses("another server", cache), "code").accepted(body) == body


@pytest.mark.parametrize("field", [field for field in INSTEAD if field != "max_completion_tokens"])
def test_a_field_that_is_refused_is_left_out_and_all_else_is_asked(
    field: str, script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = refuses(field, WORDINGS["OpenAI"])
    asked = server(script.url, cache, concurrency=1, temperature=0.7, key_variable=None).answer(requests())
    assert [answer.output for answer in asked] == ["18\n"] * 4 + ["18\nfirst"] * 2
    notes = [line for line in capsys.readouterr().err.splitlines() if "does not accept" in line]
    values = 2 if field == "temperature" else 1  # 0 for letters, 0.7 for texts
    assert (
        notes
        == [f"NOTE: mine: the server does not accept all fields of a question; {field}: {INSTEAD[field]}"] * values
    )
    assert len(script.questions) - len(accepted(script, field)) <= 1  # the rest is known from it or from the first try
    limits = {body.get("max_tokens", body.get("max_completion_tokens")) for body in accepted(script, field)}
    assert limits == {8, 64, 99}
    whole = {"max_tokens", "temperature", "messages", "model", "stop", "seed", "response_format"} - {field}
    assert whole <= accepted(script, field)[0].keys()

    asked_before = len(script.asked)
    again = server(script.url, cache, temperature=0.7).answer([*requests(), question(7, options=(), schema=SCHEMA)])
    assert again[:-1] == asked
    assert len(script.asked) == asked_before + 1
    assert field not in script.asked[-1][1]


def test_stop_strings_that_are_too_many_are_applied_here(script: Script, cache: Cache) -> None:
    said = "Invalid 'stop': array too long. Expected an array with maximum length 1, but got one with length 2 instead."
    script.says = lambda path, body: (
        error(400, said) if "stop" in body else text_reply("18\nsecond") if "chat" in path else error(404)
    )
    (answer,) = server(script.url, cache).answer([question(1, options=(), stop=("first", "second"))])
    assert (answer.output, answer.stop) == ("18\n", "stop")


def test_all_rules_of_openais_thinking_models_are_said_in_one_note(
    script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    """As its o-series: one field refused at a time; thoughts counted, not shown, and not to be switched off."""

    def says(path: str, body: Body) -> Reply:
        if not path.endswith("/chat/completions"):
            return error(404, "This is a chat model and not supported in the v1/completions endpoint.")
        for field in ("max_tokens", "stop"):
            if field in body:
                return openai(field, param=field)
        if body.get("temperature", 1) != 1:
            words = "'temperature' does not support 0.0 with this model. Only the default (1) value is supported."
            return 400, {"error": {"message": f"Unsupported value: {words}", "code": "unsupported_value"}}, {}
        for field in ("chat_template_kwargs", "reasoning_effort"):
            if field in body:
                return 400, {"error": {"message": f"Unknown parameter: '{field}'.", "param": field}}, {}
        usage = {"prompt_tokens": 9, "completion_tokens": 70, "completion_tokens_details": {"reasoning_tokens": 64}}
        return text_reply("" if body["max_completion_tokens"] < 100 else "18", usage=usage)

    script.says = says
    asked = server(script.url, cache).answer([question(1, options=(), stop=("first",)), question(2)])
    assert [answer.output for answer in asked] == ["18", "18"]
    notes = [line for line in capsys.readouterr().err.splitlines() if "does not accept" in line]
    assert len(notes) == 1
    assert [field for field in INSTEAD if f"{field}: {INSTEAD[field]}" in notes[0]] == [
        "max_tokens", "temperature", "stop",
    ]  # fmt: skip
    assert [sorted(body) for body in script.questions] == [["max_completion_tokens", "messages", "model"]] * 2


def test_a_server_that_sets_its_own_limit_is_sent_none(script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        named = [field for field in ("max_tokens", "max_completion_tokens") if field in body]
        return error(400, f"unknown field {named[0]}") if named else text_reply("B", path)

    script.says = says
    assert server(script.url, cache).answer([question()])[0].output == "B"


@pytest.mark.parametrize("status", [400, 422, 501])
def test_a_schema_that_is_refused_without_a_word_about_it_is_left_out(
    status: int, script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pfe.models.client.sleep", lambda _: None)
    script.says = lambda path, body: (
        error(status, "no") if "response_format" in body else text_reply("18") if "chat" in path else error(404)
    )
    asked = server(script.url, cache, concurrency=1).answer(requests()[:3])
    assert [answer.output for answer in asked] == ["18"] * 3
    assert sum("response_format" in body for body in script.questions) == 1


@pytest.mark.parametrize(
    "fields",
    [
        ("temperature",),
        ("max_tokens",),
        ("stop",),
        ("seed",),
        ("max_tokens", "temperature"),
        ("max_tokens", "max_completion_tokens"),
        ("temperature", "stop", "seed"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("code", [400, 422])
def test_fields_that_are_refused_in_words_unknown_are_found_by_leaving_them_out(
    fields: tuple[str, ...], code: int, script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    def says(path: str, body: Body) -> Reply:
        if not path.endswith("/chat/completions"):
            return error(404)
        return error(code, "Bad request.") if body.keys() & set(fields) else text_reply("18\nfirst")

    script.says = says
    texts = [question(number, options=(), stop=("first",)) for number in range(3)]
    asked = server(script.url, cache, concurrency=1, temperature=0.7).answer(texts)
    assert [answer.output for answer in asked] == ["18\n"] * 3
    notes = "".join(line for line in capsys.readouterr().err.splitlines() if "does not accept" in line)
    assert [field for field in INSTEAD if f"{field}: {INSTEAD[field]}" in notes] == [
        field for field in INSTEAD if field in fields
    ]
    wanted = {"max_tokens", "temperature", "stop", "seed"} - set(fields)
    assert wanted <= script.questions[-1].keys()

    asked_before = len(script.asked)
    assert server(script.url, cache, concurrency=1, temperature=0.7).answer(
        [*texts, question(9, options=(), stop=("first",))]
    )
    assert len(script.asked) == asked_before + 1


def test_a_question_that_is_refused_for_its_text_is_asked_in_no_other_way(script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        bad = "on 1 days" in json.dumps(body)
        return error(400, "Bad request.") if bad else text_reply("18") if "chat" in path else error(404)

    script.says = says
    with pytest.raises(UserError, match="400: Bad request"):
        server(script.url, cache, concurrency=1).answer([question(number, options=()) for number in range(3)])
    assert sum("on 1 days" in json.dumps(body) for body in script.questions) == 1


def test_a_system_message_that_is_refused_is_named_as_the_cause(script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        roles = [message["role"] for message in body.get("messages", ())]
        return error(400, "roles must alternate") if "system" in roles else text_reply("18") if roles else error(404)

    script.says = says
    with pytest.raises(
        UserError, match=r"refuses a system message \(roles must alternate\); leave system out, or serve"
    ):
        server(script.url, cache, system="You are terse.").answer([question()])


def test_one_question_that_is_refused_leaves_the_schema_of_others(script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        bad = "on 1 days" in json.dumps(body)
        return error(400, "this text is refused") if bad else text_reply("18") if "chat" in path else error(404)

    script.says = says
    with pytest.raises(UserError, match="400: this text is refused"):
        server(script.url, cache, concurrency=1).answer(requests()[:3])
    script.asked.clear()
    server(script.url, cache, concurrency=1).answer(requests()[3:4])
    assert all("response_format" in body for body in script.questions)
    assert script.questions


@pytest.mark.parametrize("field", ["logprobs", "echo"])
def test_a_server_that_refuses_log_probabilities_is_asked_by_letter(field: str, script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        return openai(field, param=field) if field in body else text_reply("B", path)

    script.says = says
    (answer,) = server(script.url, cache).answer([question()])
    assert (answer.output, answer.way) == ("B", "chat")


@pytest.mark.parametrize("field", ["temperature", "max_tokens"])
def test_log_probabilities_are_asked_for_without_what_else_is_refused(field: str, script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        if field in body:
            return openai(field)
        tokens = [*re.findall(r"\s*\S+", body["prompt"]), " x"]
        logprobs = {"tokens": tokens, "token_logprobs": [None, *[-1.0] * (len(tokens) - 1)]}
        return 200, {"choices": [{"text": body["prompt"] + " x", "logprobs": logprobs}]}, {}

    script.says = says
    (answer,) = server(script.url, cache).answer([question()])
    assert answer.scores[0] == -1.0
    assert answer.way == "echo"


NO_REFUSALS = (
    "max_tokens is too large: 8. This model supports at most 4 completion tokens.",
    "temperature must be between 0 and 2",
    "Unsupported media in messages",
)


@pytest.mark.parametrize("said", NO_REFUSALS)
def test_what_is_wrong_with_a_value_or_with_something_else_is_the_users_to_mend(
    said: str, script: Script, cache: Cache
) -> None:
    script.says = lambda path, body: error(400, said) if "chat" in path else error(404)
    with pytest.raises(UserError, match="400: " + re.escape(said)):
        server(script.url, cache).answer([question(1, options=(), stop=("first",))])


def test_what_is_asked_in_the_end_depends_on_no_order(script: Script, cache: Cache) -> None:
    script.says = refuses("stop", WORDINGS["OpenAI"])
    both = [*requests(), *(replace(request, order=1) for request in requests())]

    def asked(concurrency: int, order: int) -> list[str]:
        script.asked.clear()
        server(script.url, cache, concurrency=concurrency, revision=f"{concurrency} {order}").answer(both[::order])
        return sorted(repr(sorted(body.items())) for body in accepted(script, "stop"))

    assert asked(1, 1) == asked(8, -1) == asked(3, 1)
