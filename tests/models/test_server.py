"""What models behind a server answer: by a scripted server, and a real `transformers serve`."""

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from transformers import AutoTokenizer

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Option, Request, fills_blank, hash_of, letter_prompt
from pfe.models.server import Server
from pfe.problem import Problem, Stop
from tests.models.scripted import (
    PREFIX,
    Body,
    Reply,
    Script,
    chat,
    error,
    question,
    server,
    text_reply,
    texts,
)
from tests.real_server import Real

# --- how choices are asked -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "finish", "stop"),
    [
        ("B", "stop", "end"),
        ("A\nbecause air is heavy", "length", "length"),
        (None, "stop", "none"),
    ],
)
def test_a_letter_is_asked_for_and_what_comes_is_the_answer(
    said: str | None, finish: str, stop: Stop, script: Script, cache: Cache
) -> None:
    script.says = chat(lambda _: text_reply(said, finish=finish))
    (answer,) = server(script.url, cache).answer([question()])
    (body,) = script.questions
    prompt = body["messages"][0]["content"]
    assert answer == Answer(11, 2, stop, output=said or "", way="chat", prompt_sha256=hash_of([prompt]))
    assert "\n\nA. barometer\nB. a ruler\nC. the thermometer on the wall\nD. balance\n\n" in prompt


def test_a_blank_is_asked_about_as_a_blank(script: Script, cache: Cache) -> None:
    sentence = "The trophy does not fit into the case, as the _ is too large."
    problem = Problem("w/1", "w", "coreference", sentence, "trophy", choices=("trophy", "case"))
    before, after = sentence.split("_")
    options = tuple(Option(before + choice, after) for choice in problem.choices)
    request = Request(problem, Prefix(), sentence, options)
    assert server(script.url, cache).answer([request])[0].output == "B"
    assert script.questions[0]["messages"][0]["content"] == letter_prompt(request)
    assert fills_blank(request)
    assert not fills_blank(question())
    assert letter_prompt(request) == (
        f"{sentence}\n\nA. trophy\nB. case\n\nWhich of these belongs in the blank (_)? "
        "Reply with its letter alone.\nAnswer:"
    )


# --- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "output", "stop"),
    [
        (text_reply(" 18"), " 18", "end"),
        (text_reply(" 18", finish="length"), " 18", "length"),
        (text_reply(" 18\nQuestion: next\nfifth", finish="length"), " 18\nQuestion: next\n", "stop"),
        (text_reply(""), "", "end"),
        (text_reply(None), "", "none"),
        (text_reply("I can", finish="content_filter"), "I can", "none"),
    ],
)
def test_text_ends_at_a_stop_string_and_says_how_it_ended(
    reply: Reply, output: str, stop: Stop, script: Script, cache: Cache
) -> None:
    script.says = chat(lambda _: reply)
    request = question(options=(), stop=("first", "second", "third", "fourth", "fifth"))
    prompt = hash_of([request.prompt])
    assert server(script.url, cache).answer([request]) == [
        Answer(11, 2, stop, output=output, way="chat", prompt_sha256=prompt)
    ]
    (body,) = script.questions
    assert body["stop"] == ["first", "second", "third", "fourth"]
    assert (body["max_tokens"], body["temperature"], "seed" in body) == (8, 0.0, False)


def test_in_a_chat_punctuation_ends_no_answer(script: Script, cache: Cache) -> None:
    said = "I'm not completely sure, but it is\n**St. Louis**.\nQuestion: Where"
    script.says = chat(lambda _: text_reply(said))
    asked = question(1, options=(), stop=("\n", ".", ",", "Question:"))
    (answer,) = server(script.url, cache).answer([asked])
    assert answer.output == said.partition("Question:")[0]
    assert [body["stop"] for body in script.questions] == [["Question:"]]


def test_what_is_drawn_at_random_is_seeded_by_problem_and_order(script: Script, cache: Cache) -> None:
    script.says = chat(lambda _: text_reply("x"))
    drawing = server(script.url, cache, temperature=0.7)
    drawing.answer([question(1, options=()), question(2, options=()), question(1, options=(), order=1)])
    seeds = {body["seed"] for body in script.questions}
    assert len(seeds) == 3
    script.asked.clear()
    server(script.url, cache, temperature=0.7, revision="new").answer([question(1, options=())])
    assert {body["seed"] for body in script.questions} < seeds


SYSTEM = "You answer with care."


@pytest.mark.parametrize(
    ("changes", "paths", "system"),
    [
        ({}, {"/v1/completions"}, None),
        ({"chat_template": True}, {"/v1/chat/completions"}, None),
        ({"chat_template": False}, {"/v1/completions"}, None),
        ({"system": SYSTEM}, {"/v1/chat/completions"}, SYSTEM),
        ({"system": SYSTEM, "thinking": True}, {"/v1/chat/completions"}, SYSTEM),
    ],
    ids=str,
)
def test_a_template_is_asked_for_or_not_and_every_message_has_the_system_s_before_it(
    script: Script, cache: Cache, changes: dict[str, Any], paths: set[str], system: str | None
) -> None:
    def says(path: str, body: Body) -> Reply:
        if body.get("echo"):
            prompt = [*body["prompt"], "x"]
            values = {"tokens": prompt, "token_logprobs": [None, *[-1.0] * (len(prompt) - 1)]}
            choice = {"index": 0, "text": "".join(prompt), "finish_reason": "length", "logprobs": values}
            return 200, {"model": "m", "choices": [choice]}, {}
        return text_reply("A", path)

    script.says = says
    server(script.url, cache, **changes).answer([question(1, options=())])
    assert {path for path, body in script.asked if not body.get("echo")} == paths
    for _, body in script.asked:
        roles = {message["role"]: message["content"] for message in body.get("messages", [])}
        assert roles.get("system") == system


def test_a_server_that_is_asked_as_plain_text_has_no_place_for_a_system_message(script: Script, cache: Cache) -> None:
    with pytest.raises(UserError, match=r"system is given, but .* as plain text .*; remove system, or"):
        server(script.url, cache, chat_template=False, system=SYSTEM)


def test_as_many_requests_as_allowed_are_under_way_at_once(script: Script, cache: Cache) -> None:
    together, lock = threading.Barrier(3, timeout=20), threading.Lock()
    running, most = 0, 0

    def says(prompt: str) -> Reply:
        nonlocal running, most
        if "Question" in prompt:
            with lock:
                running += 1
                most = max(most, running)
            together.wait()
            with lock:
                running -= 1
            together.wait()
        return text_reply("x")

    script.says = chat(says)
    assert len(server(script.url, cache).answer(texts(9))) == 9
    assert most == 3


def test_openai_is_imported_with_the_first_question_not_before() -> None:
    command = "import sys, pfe.models.server; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0


FIRST_FROM_THREADS = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from pfe.models.client import Client

sys.setswitchinterval(1e-6)
client, together = Client("models.mine", "m", sys.argv[1], None, retries=0, timeout=20), threading.Barrier(32)

def ask(number):
    together.wait()
    body = {"messages": [{"role": "user", "content": str(number)}], "max_tokens": 1}
    return client.post("chat", body).text

with ThreadPoolExecutor(32) as pool:
    answers = list(pool.map(ask, range(32)))
print(len(answers), [thread.name for thread in threading.enumerate()].count("pfe-exchanges"))
"""


def test_threads_that_ask_first_share_one_event_loop(script: Script) -> None:
    script.says = chat(lambda _: text_reply("x"))
    for _ in range(3):
        command = [sys.executable, "-c", FIRST_FROM_THREADS, script.url]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert ran.stdout.split() == ["32", "1"], ran.stderr


def test_answers_come_in_the_order_of_the_requests_and_progress_is_told(script: Script, cache: Cache) -> None:
    script.says = chat(lambda prompt: text_reply("".join(re.findall(r"on (\d+) days", prompt))))
    told: list[int] = []
    answers = server(script.url, cache).answer(texts(12), told.append)
    assert [answer.output for answer in answers] == [str(number) for number in range(12)]
    assert sum(told) == 12


def test_totals_and_cost_are_one_line(script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    asked = server(script.url, cache, prices=(2500.0, 10000.0))
    asked.answer(texts(2))
    # One further request tried the server out.
    line = "mine: 3 requests, 33 tokens in, 6 out, $0.14\n"
    assert capsys.readouterr().err.endswith(line)
    asked.answer(texts(2))
    assert capsys.readouterr().err == ""


def test_the_server_counts_tokens(script: Script, cache: Cache) -> None:
    def says(prompt: str) -> Reply:
        return text_reply("x", usage={"prompt_tokens": 7 + len(prompt.split()), "completion_tokens": 1})

    script.says = chat(says)
    assert server(script.url, cache).count("three small words") == 3


# --- what was answered is kept ---------------------------------------------------------------------


def test_a_run_that_breaks_off_goes_on_where_it_was(script: Script, cache: Cache) -> None:
    for broken in range(3, 12, 3):
        script.says = chat(lambda prompt, n=broken: error(500) if f"on {n} days" in prompt else text_reply(prompt))  # type: ignore[misc]
        with pytest.raises(UserError, match="500: no"):
            server(script.url, cache, concurrency=1).answer(texts(12))
    script.says = chat(text_reply)
    assert [answer.output for answer in server(script.url, cache).answer(texts(12))] == [r.prompt for r in texts(12)]
    finished = [body["messages"][0]["content"] for body in script.questions]
    assert len(finished) == 12 + 3  # each once, and the three that were refused


def test_only_the_same_question_to_the_same_model_is_known(script: Script, cache: Cache) -> None:
    script.says = chat(lambda _: text_reply("x"))
    request = question(options=())

    def asks(other: Request = request, **changes: Any) -> int:
        script.asked.clear()
        server(script.url, cache, **changes).answer([other])
        return len(script.questions)

    assert asks() == 1
    assert asks() == 0
    assert asks(question(7, prompt=request.prompt, options=())) == 0
    for other in (replace(request, prompt="?"), replace(request, max_tokens=9), replace(request, stop=("Q:",))):
        assert asks(other) == 1
    for changes in (
        {"revision": "2"},
        {"temperature": 0.5},
        {"base_url": script.url.replace("127.0.0.1", "localhost")},
    ):
        assert asks(**changes) == 1


# --- a real server ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_transformers_serve_answers_and_what_it_answered_outlives_it(
    real: tuple[Real, Callable[[], None]], cache: Cache
) -> None:
    served, stop = real
    requests = [*texts(4), *(question(number, prefix=PREFIX) for number in range(4))]

    def examinee() -> Server:
        return server(served.url, cache, path=served.folder, timeout=60)

    first = examinee().answer(requests)
    assert [answer.tokens_out for answer in first[:4]] == [8] * 4
    assert all(answer.stop == "length" and answer.output for answer in first[:4])
    assert all(answer.stop in ("length", "end") and answer.tokens_in > first[0].tokens_in for answer in first[4:])
    tokenizer: Any = AutoTokenizer.from_pretrained(served.folder, trust_remote_code=False)
    assert first[0].tokens_in == len(tokenizer(requests[0].prompt + "\n")["input_ids"])
    assert examinee().count("three small words") > 3

    before = served.asked()
    assert before == 3 + 8 + 2  # tried out, for a thought too as it writes on and on; asked, counted
    assert examinee().answer(requests[2:]) == first[2:]
    assert served.asked() == before
    more = question(9, options=())
    examinee().answer([*requests, more])
    assert served.asked() == before + 1

    with pytest.raises(UserError, match="Server is pinned to"):
        server(served.url, cache, path="another").answer([more])

    stop()
    assert examinee().answer([*requests, more])[:8] == first
    with pytest.raises(UserError, match="no connection"):
        examinee().answer([question(10)])
