"""Servers with a short window, servers that are down, slow, broken or other than asked."""

import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.models.client import same_model
from pfe.models.request import Answer, letter_prompt
from tests.models.scripted import (
    PREFIX,
    Reply,
    Script,
    chat,
    error,
    question,
    server,
    text_reply,
    texts,
)
from tests.servers import Clock

# --- windows ---------------------------------------------------------------------------------------

WINDOW_REFUSALS = (
    "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
    "the request exceeds the available context size, try increasing it",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "max_tokens must be at least 1, got -904.",
    "prompt is too long: 5000 tokens > 4096 maximum",
    "Input prompt (5000 tokens) is too long and exceeds limit of 4096",
    "The input token count (5000) exceeds the maximum number of tokens allowed (4096).",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 and 64",
)


@pytest.mark.parametrize(
    ("refusal", "room"),
    [*((refusal, 1) for refusal in WINDOW_REFUSALS), *zip(WINDOW_REFUSALS, [3, 2, 0], strict=False)],
)
def test_methods_are_left_out_until_the_rest_fits(refusal: str, room: int, script: Script, cache: Cache) -> None:
    script.says = chat(lambda p: error(400, refusal) if p.count("METHOD") > room else text_reply("A"))
    (answer,) = server(script.url, cache).answer([question(prefix=PREFIX)])
    assert (answer.output, answer.dropped) == ("A", 3 - room)
    prompt = script.questions[-1]["messages"][0]["content"]
    assert prompt == PREFIX.shortened(room).text + letter_prompt(question())


def test_a_problem_that_alone_is_too_long_is_one_answer_not_an_end(script: Script, cache: Cache) -> None:
    refusal = error(400, WINDOW_REFUSALS[0])
    script.says = chat(lambda p: refusal if "on 1 days" in p else text_reply("A"))
    long, short = server(script.url, cache).answer([question(1, prefix=PREFIX), question(2, prefix=PREFIX)])
    assert long == Answer(0, 0, "too_long")
    assert short.output == "A"


# --- bad servers -----------------------------------------------------------------------------------

NO_CHOICE: Reply = (200, {"model": "m", "choices": []}, {})
HALF: Reply = (200, b'{"model": "m", "choices": [{"mess', {})
REFUSALS: dict[str, tuple[Reply, str]] = {
    "500s": (error(500, "CUDA error: out of memory"), r"500: CUDA error: out of memory\); see the server's log"),
    "429": (error(429, "slow down"), r"429: slow down\); lower concurrency or see to the quota"),
    "half a JSON": (HALF, r"no answer in what it sent: '\{\"model\": \"m\""),
    "an empty choice": (NO_CHOICE, r"no answer in what it sent: '\{\"model\": \"m\", \"choices\": \[\]\}'"),
    "another shape": ((200, b'["secret"]', {}), "no answer in what it sent"),
    "another model": (text_reply("A", model="m-mini"), r"'m' was asked and 'm-mini' answered\); name the model as"),
    "a wrong key": (
        error(401, "no such key: secret-key"),
        r"401: the key was refused: no such key: .*\); put a valid key in PFE_KEY",
    ),
    "no such model": (error(404, "The model `m` does not exist"), r"404: The model `m` does not exist\); mend path"),
    "a bad request": (error(400, "secret-key has\nno access"), r"400: … has no access"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_bad_server_is_one_line_and_nothing_is_lost(
    case: str, script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PFE_KEY", "secret-key")
    bad, told = REFUSALS[case]
    script.says = chat(lambda p: bad if "on 2 days" in p else text_reply("A"))
    with pytest.raises(UserError, match=told) as raised:
        server(script.url, cache, concurrency=1, key_variable="PFE_KEY").answer(texts(3))
    line = str(raised.value)
    assert line.startswith(f"models.mine: {script.url} did not answer (")
    assert line.endswith("; answers it gave before are kept")
    assert "\n" not in line
    assert "secret-key" not in line
    before = len(script.questions)
    server(script.url, cache, key_variable="PFE_KEY").answer(texts(2))
    assert len(script.questions) == before


@pytest.mark.parametrize("case", ["a wrong key", "no such model", "500s"])
def test_a_server_that_is_bad_from_the_start_is_told_too(
    case: str, script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PFE_KEY", "secret-key")
    bad, told = REFUSALS[case]
    script.says = lambda path, body: bad
    with pytest.raises(UserError, match=told):
        server(script.url, cache, key_variable="PFE_KEY").answer(texts(1))
    script.says = chat(lambda _: text_reply("A"))
    assert server(script.url, cache, key_variable="PFE_KEY").answer(texts(1))[0].output == "A"


def test_a_server_that_is_down_is_told(cache: Cache) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(UserError, match=r"did not answer \(no connection\); start the server or mend base_url"):
        server(url, cache).answer(texts(2))


def mute(script: Script, clock: Clock, questions: int) -> None:
    """Have the server answer no question: once so many are asked, a minute passes, second by second."""
    asked = threading.Barrier(questions)

    def says(prompt: str) -> Reply:
        if "Question" in prompt and asked.wait(20) == 0:
            for _ in range(60):
                clock.move(1)
        return text_reply("A")

    script.says = chat(says)


def test_a_server_that_is_slow_is_told(script: Script, cache: Cache, clock: Clock) -> None:
    mute(script, clock, questions=1)
    with pytest.raises(UserError, match=r"nothing within 20 s\); lower concurrency or mend the server"):
        server(script.url, cache, timeout=20).answer(texts(1))


def test_a_long_reply_has_more_time_in_proportion(script: Script, cache: Cache, clock: Clock) -> None:
    """A thought of 4,096 tokens at 30 a second takes longer than any answer."""
    mute(script, clock, questions=1)
    (answer,) = server(script.url, cache, timeout=20).answer([question(1, options=(), max_tokens=4160)])
    assert answer.output == "A"
    mute(script, clock, questions=1)
    with pytest.raises(UserError, match="nothing within 40 s"):
        server(script.url, cache, timeout=20).answer([question(1, options=(), max_tokens=2000)])


def test_who_waits_for_a_silent_server_is_told_so_before_long_and_rarely(
    script: Script, cache: Cache, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    mute(script, clock, questions=9)
    with pytest.raises(UserError, match="nothing within 20 s"):
        server(script.url, cache, timeout=20, concurrency=9).answer(texts(9))
    notes = [line for line in capsys.readouterr().err.splitlines() if "waiting" in line]
    assert 1 <= len(notes) <= 3  # of nine questions
    assert all(line.startswith(f"NOTE: models.mine: waiting for {script.url}, no answer for ") for line in notes)
    assert all(line.endswith(" s (try 1 of 1, each up to 20 s)") for line in notes)


def test_who_waits_for_a_failing_server_is_told_why_and_which_try_comes_next(
    script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pfe.models.client.sleep", lambda _: None)
    script.says = chat(lambda prompt: error(500, "CUDA error") if "Question" in prompt else text_reply("A"))
    with pytest.raises(UserError, match="500: CUDA error"):
        server(script.url, cache, retries=5).answer(texts(9))
    notes = [line for line in capsys.readouterr().err.splitlines() if "CUDA" in line]
    assert 1 <= len(notes) <= 2
    assert notes[0].startswith(f"NOTE: models.mine: {script.url} did not answer (500: CUDA error); try ")
    assert notes[0].endswith((" of 6 in 6 s", " of 6 in 7 s", " of 6 in 8 s"))


def test_trouble_that_passes_is_waited_for_as_long_as_the_server_asks(
    script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("pfe.models.client.sleep", waits.append)
    troubles = iter([error(429, "slow down", Retry_After="7"), error(503, "busy"), HALF, NO_CHOICE])
    script.says = chat(lambda p: next(troubles, text_reply("A")) if "Question" in p else text_reply("A"))
    assert server(script.url, cache, retries=2).answer(texts(1))[0].output == "A"
    assert waits[0] == 7
    assert 0 < waits[1] < 7
    assert len(script.questions) == 5


def test_a_missing_key_names_its_variable(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PFE_KEY", raising=False)
    with pytest.raises(UserError, match=r"models\.mine: the environment variable PFE_KEY is not set; export the key"):
        server("http://127.0.0.1:1/v1", cache, key_variable="PFE_KEY")


@pytest.mark.parametrize(
    ("asked", "answered", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4", "gpt-4o", False),
        ("gpt-4", "gpt-4-0613", True),
        ("/models/tiny", "/models/tiny@main", True),
        ("llama3", "llama3:latest", True),
        ("Qwen2-0.5B", "Qwen/Qwen2-0.5B", True),
        ("Qwen/Qwen2-0.5B", "Qwen2-1.5B", False),
    ],
)
def test_an_alias_is_the_same_model_and_a_relative_is_not(asked: str, answered: str, same: bool) -> None:
    assert same_model(asked, answered) is same


@given(st.text(min_size=1), st.text())
def test_a_model_is_itself_and_never_one_with_other_letters_behind(name: str, more: str) -> None:
    assert same_model(name, name)
    assert not same_model(f"m{name.replace('/', '')}", f"m{name.replace('/', '')}x{more.replace('/', '')}")
