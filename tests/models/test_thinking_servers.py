"""Servers that think before they answer, in every shape that thoughts come in, from a scripted server."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from pfe.cache import Cache
from pfe.config import Tutor, record
from pfe.errors import UserError
from pfe.models.request import LETTER_TOKENS, Request
from pfe.problem import Problem
from pfe.thoughts import after_thoughts
from pfe.tutors.server import server as tutor_server
from tests.models.scripted import Body, Reply, Script, error, question, server, text_reply

THOUGHT = "Okay, let me see. " + "Perhaps it is A? " * 30 + "Question: no, it is 7. So it is the fourth."
THINKING = 4096  # the default of max_thinking_tokens
STOP = ("Question:",)

Says = Callable[[str, Body], Reply]


class Thinker:
    """A chat that thinks, then answers: its tokens are words, its limit and its stop strings hold for both.

    Args:
        shape: where its thought comes.
        thinks: of which question it thinks at all.
    """

    def __init__(self, shape: str, thinks: Callable[[Body], bool] = lambda body: True) -> None:
        self.shape, self.thinks = shape, thinks

    def __call__(self, path: str, body: Body) -> Reply:
        if not path.endswith("/chat/completions"):
            return error(404)
        prompt, answer = body["messages"][0]["content"], "18 loaves."
        answer = "B" if "letter" in prompt else answer
        answer += "\n\nQuestion: and the next?" if "stop" not in body and "letter" not in prompt else ""
        words = re.findall(r"\S+\s*", f"{THOUGHT}\0 {answer}" if self.thinks(body) else answer)
        said, limit = "".join(words[: body["max_tokens"]]), len(words) > body["max_tokens"]
        ends = [place for mark in body.get("stop", []) if (place := said.find(mark)) >= 0]
        said, finish = said[: min(ends, default=len(said))], "length" if limit and not ends else "stop"
        thought, closed, text = said.partition("\0 ") if self.thinks(body) else ("", "", said)
        return self.shaped(thought, bool(closed), text, finish)

    def shaped(self, thought: str, closed: bool, text: str, finish: str) -> Reply:
        opening, end = "<think>\n", "\n</think>\n\n" if closed else ""
        if not thought or self.shape == "inline":
            return text_reply(f"{opening}{thought}{end}{text}" if thought else text, finish=finish)
        if self.shape == "opened in the prompt":
            return text_reply(f"{thought}{end}{text}", finish=finish)
        if self.shape == "counted":
            details = {"prompt_tokens": 9, "completion_tokens_details": {"reasoning_tokens": len(thought.split())}}
            return text_reply(text, finish=finish, usage=details)
        if self.shape == "refused" and not closed:
            return error(400, "Could not finish the message because max_tokens or model output limit was reached.")
        message: Body = {"role": "assistant", "content": text if closed else None}
        if self.shape == "parts":
            parts = [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}]
            message["content"] = [*parts, {"type": "text", "text": text}] if closed else parts
        elif self.shape != "refused":
            message[self.shape] = thought
        return 200, {"choices": [{"message": message, "finish_reason": finish}], "usage": {"prompt_tokens": 9}}, {}


SHAPES = (
    "inline", "opened in the prompt", "reasoning_content", "reasoning", "thinking", "parts", "counted", "refused",
)  # fmt: skip


def is_probe(body: Body) -> bool:
    return "Two and two are four." in body["messages"][0]["content"]


def requests() -> list[Request]:
    return [question(1, options=(), stop=STOP), question(2)]


def answers(url: str, cache: Cache, **changes: Any) -> list[str]:
    outputs = [answer.output for answer in server(url, cache, **changes).answer(requests())]
    return [(after_thoughts(output) or "no answer").strip() for output in outputs]


def budgets(script: Script) -> set[tuple[int, bool]]:
    return {(body["max_tokens"], "stop" in body) for body in script.questions}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_server_that_thinks_has_a_budget_for_it_from_the_start(
    shape: str, script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = Thinker(shape)
    assert answers(script.url, cache) == ["18 loaves.", "B"]
    assert budgets(script) == {(8 + THINKING, False), (LETTER_TOKENS + THINKING, False)}
    assert len(script.questions) == 2
    notes = [line for line in capsys.readouterr().err.splitlines() if "thinks" in line]
    assert notes == [
        "NOTE: mine: the server thinks before it answers, for up to 4,096 tokens (max_thinking_tokens) that do not "
        "count towards the answer's"
    ]
    asked = len(script.asked)
    assert answers(script.url, cache) == ["18 loaves.", "B"]
    assert len(script.asked) == asked


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "opened in the prompt"])
def test_a_thought_that_takes_the_room_of_the_answer_is_given_its_own(
    shape: str, script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    """A template that opens the thought is no question's own: such a server thinks about the first question too."""
    script.says = Thinker(shape, thinks=lambda body: not is_probe(body))
    assert answers(script.url, cache) == ["18 loaves.", "B"]
    small, large = {(8, True), (LETTER_TOKENS, False)}, {(8 + THINKING, False), (LETTER_TOKENS + THINKING, False)}
    assert budgets(script) == small | large
    assert capsys.readouterr().err.count("the server thinks before it answers") == 1


def test_a_thought_that_a_stop_string_ends_is_asked_for_without_it(script: Script, cache: Cache) -> None:
    script.says = Thinker("inline", thinks=lambda body: not is_probe(body))
    long = replace(requests()[0], max_tokens=500)
    output = server(script.url, cache).answer([long])[0].output
    assert after_thoughts(output) == "\n\n18 loaves.\n\n"  # cut at the first stop string behind the thought
    assert THOUGHT in output
    assert budgets(script) == {(500, True), (500 + THINKING, False)}


def test_a_thought_without_end_is_an_answer_without_an_answer(script: Script, cache: Cache) -> None:
    for shape in ("inline", "reasoning_content", "counted", "refused"):
        script.says = Thinker(shape)
        outputs = server(script.url, cache, revision=shape, max_thinking_tokens=70).answer(requests())
        assert [(after_thoughts(answer.output) or "", answer.stop) for answer in outputs] == [("", "length")] * 2


def test_what_comes_beside_a_text_stands_before_it_as_a_thought(script: Script, cache: Cache) -> None:
    script.says = Thinker("reasoning_content")
    assert server(script.url, cache).answer(requests())[1].output == f"<think>\n{THOUGHT}\n</think>\n\nB"
    script.says = Thinker("reasoning_content")
    cut = server(script.url, cache, max_thinking_tokens=70, revision="2").answer(requests())[1].output
    assert cut.startswith("<think>\nOkay")
    assert "</think>" not in cut


# --- thoughts switched off -------------------------------------------------------------------------

TEMPLATE = {"chat_template_kwargs": {"enable_thinking": False}}
EFFORT = {"reasoning_effort": "none"}


def has(body: Body, fields: Mapping[str, Any]) -> bool:
    return all(body.get(name) == value for name, value in fields.items())


@pytest.mark.parametrize("switch", [TEMPLATE, EFFORT])
@pytest.mark.parametrize("refusal", ["", "Unrecognized request argument supplied: chat_template_kwargs", "bad request"])
def test_thoughts_are_switched_off_by_what_the_server_knows(
    switch: dict[str, Any], refusal: str, script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    thinker = Thinker("inline", thinks=lambda body: not has(body, switch))

    def says(path: str, body: Body) -> Reply:
        strict = refusal and path.endswith("/chat/completions") and {*TEMPLATE, *EFFORT} & {*body} - {*switch}
        return error(400, refusal) if strict else thinker(path, body)

    script.says = says
    assert answers(script.url, cache) == ["18 loaves.", "B"]
    assert all(has(body, switch) for body in script.questions)
    assert budgets(script) == {(8, True), (LETTER_TOKENS, False)}
    assert len(script.questions) == 2
    assert "switches off; thinking: true lets it think" in capsys.readouterr().err


def test_a_server_that_does_not_think_is_asked_with_no_field_about_it(script: Script, cache: Cache) -> None:
    script.says = Thinker("inline", thinks=lambda body: False)
    assert answers(script.url, cache) == ["18 loaves.", "B"]
    assert len(script.asked) == 4  # two of them tried what it can
    assert not [body for _, body in script.asked if {*TEMPLATE, *EFFORT} & {*body}]


def test_an_empty_thought_is_none(script: Script, cache: Cache) -> None:
    """Qwen3 writes one where its thoughts are switched off."""
    script.says = lambda path, body: text_reply("<think>\n\n</think>\n\nB") if "chat" in path else error(404)
    assert server(script.url, cache).answer([question()])[0].output.endswith("B")
    assert budgets(script) == {(LETTER_TOKENS, False)}


# --- log-probabilities -----------------------------------------------------------------------------


def echoes(thinker: Thinker) -> Says:
    """A server whose completions return the prompt, and whose chat thinks."""

    def says(path: str, body: Body) -> Reply:
        if path.endswith("/chat/completions"):
            return thinker(path, body)
        tokens = [*re.findall(r"\s*\S+", body["prompt"]), " x"]
        logprobs = {"tokens": tokens, "token_logprobs": [None, *[-1.0] * (len(tokens) - 1)]}
        usage = {"prompt_tokens": len(tokens) - 1, "completion_tokens": 1}
        return 200, {"choices": [{"text": body["prompt"] + " x", "logprobs": logprobs}], "usage": usage}, {}

    return says


def test_a_chat_that_thinks_is_not_tried_where_the_server_returns_prompts(script: Script, cache: Cache) -> None:
    script.says = echoes(Thinker("inline"))
    assert server(script.url, cache).answer([question()])[0].scores
    assert not [path for path, _ in script.asked if "chat" in path]


def test_a_model_that_is_to_think_makes_choices_by_letter_and_nothing_is_switched_off(
    script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = echoes(Thinker("inline"))
    assert answers(script.url, cache, thinking=True, max_thinking_tokens=1000) == ["18 loaves.", "B"]
    assert budgets(script) == {(1008, False), (LETTER_TOKENS + 1000, False)}
    assert len(script.asked) == 3
    assert not [body for path, body in script.asked if "chat" not in path or {*TEMPLATE, *EFFORT} & {*body}]
    assert "for up to 1,000 tokens" in capsys.readouterr().err


def test_a_tutor_that_thinks_takes_no_more_than_its_max_tokens(
    script: Script, cache: Cache, arc_problem: Problem, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its budget reckons with them for each request."""
    script.says = Thinker("inline")
    tutor = record(Tutor, kind="openai", model="m", base_url=script.url, max_tokens=50)
    tutor_server("t", tutor, cache).answer([arc_problem])
    assert [body["max_tokens"] for body in script.questions] == [50]
    assert "the server thinks before it answers, within its max_tokens; raise it" in capsys.readouterr().err
    script.says = Thinker("inline", thinks=lambda body: not has(body, EFFORT))
    (key,) = tutor_server("t", replace(tutor, base_url=f"{script.url}/"), cache).answer([arc_problem])
    assert key is not None


# --- windows, threads ------------------------------------------------------------------------------


@pytest.mark.parametrize("thinking", [True, False])
def test_a_window_that_is_too_short_for_a_thought_is_said_before_anything_is_asked(
    thinking: bool, script: Script, cache: Cache
) -> None:
    thinker = Thinker("inline")

    def says(path: str, body: Body) -> Reply:
        if body["max_tokens"] > 2048:
            return error(400, f"max_tokens={body['max_tokens']} cannot be met: the maximum context length is 2048.")
        return thinker(path, body)

    script.says = says
    with pytest.raises(UserError, match=r"models\.mine: a thought of 4,096 tokens does not fit .*; lower max_"):
        server(script.url, cache, thinking=thinking).answer(requests())
    assert not script.questions
    assert answers(script.url, cache, thinking=thinking, max_thinking_tokens=1000) == ["18 loaves.", "B"]


def test_what_is_asked_depends_on_no_order(script: Script, cache: Cache) -> None:
    """A server that thinks about every other question: each is asked again by itself alone."""

    def thinks(body: Body) -> bool:
        return re.search(r"on \d*[02468] days", body["messages"][0]["content"]) is not None

    script.says = Thinker("counted", thinks)

    def asked(concurrency: int, order: int) -> Iterator[str]:
        script.asked.clear()
        all_requests = [question(number, **changes) for number in range(8) for changes in ({}, {"options": ()})]
        server(script.url, cache, concurrency=concurrency, revision=f"{concurrency} {order}").answer(
            all_requests[::order]
        )
        return (repr(sorted(body.items())) for _, body in script.asked)

    alone = sorted(asked(1, 1))
    assert sorted(asked(8, -1)) == alone == sorted(asked(3, 1))
