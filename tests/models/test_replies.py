"""Replies of every wrong kind, from a real server on loopback: usable answers are kept, the rest is one line."""

import base64
import gzip
import json
import multiprocessing
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.models.client import Client
from pfe.models.reply import MOST_TOKENS, ReplyError, read_reply
from pfe.models.secret import Secret
from tests.models.scripted import Reply, Script, ask_twice, chat, error, question, server, text_reply, texts
from tests.servers import Clock

KEY = "sk-proj-Ab3dEf6hIj9lMn2pQr"
GOOD: dict[str, Any] = {"message": {"role": "assistant", "content": " 18"}, "finish_reason": "stop"}


def reply(choice: Any = GOOD, **more: Any) -> Reply:
    body: dict[str, Any] = {"model": "m", "choices": [choice], "usage": {"prompt_tokens": 11, "completion_tokens": 2}}
    return 200, body | more, {}


def raw(text: str, **headers: str) -> Reply:
    return 200, text.encode(), headers


# --- answers that are there ------------------------------------------------------------------------

DEEP = "[" * 200_000 + "]" * 200_000
WHOLE = json.dumps(reply()[1])
USABLE: dict[str, Reply] = {
    "usage a text": reply(usage="12 tokens"),
    "usage a list": reply(usage=[1, 2]),
    "usage of texts": reply(usage={"prompt_tokens": "11", "completion_tokens": "two"}),
    "usage of floats": reply(usage={"prompt_tokens": 11.0, "completion_tokens": 2.5}),
    "usage of nothing": reply(usage={"prompt_tokens": None, "completion_tokens": []}),
    "usage negative": reply(usage={"prompt_tokens": -3, "completion_tokens": True}),
    "usage not finite": raw(WHOLE.replace("11", "NaN").replace(': 2}', ": -Infinity}")),
    "usage huge": raw(WHOLE.replace("11", "9" * 5000)),
    "usage beyond a column": reply(usage={"prompt_tokens": 2**70, "completion_tokens": 1e300}),
    "nested log-probabilities": reply(GOOD | {"logprobs": {"tokens": [["a"]], "token_logprobs": [[[-1]]]}}),
    "log-probabilities a text": reply(GOOD | {"logprobs": "none"}),
    "200,000 brackets beside it": raw(WHOLE.replace('"m"', f'"m", "x": {DEEP}')),
    "200,000 brackets behind it": raw(WHOLE[:-1] + f', "x": {DEEP}}}'),
    "finish a number": reply(GOOD | {"finish_reason": 7}),
    "finish an object": reply(GOOD | {"finish_reason": {"why": "stop"}}),
    "model a list": reply(model=["m"]),
    "more choices than asked": (200, {"choices": [GOOD, {"message": {"content": "other"}}]}, {}),
    "text in parts": reply({"message": {"content": [{"type": "thinking"}, {"type": "text", "text": " 18"}]}}),
    "a refusal beside it": reply({"message": GOOD["message"] | {"refusal": None}}),
    "a byte-order mark": raw("\ufeff" + WHOLE),
    "packed": (200, gzip.compress(WHOLE.encode()), {"Content_Encoding": "gzip"}),
    "an error beside it": reply(error={"message": "slow"}),
}  # fmt: skip


@pytest.mark.parametrize("case", USABLE)
def test_an_answer_that_is_there_is_taken_and_kept_whatever_stands_beside_it(
    case: str, script: Script, cache: Cache
) -> None:
    script.says = chat(lambda p: USABLE[case] if "Question" in p else text_reply("A"))
    (answer,) = server(script.url, cache).answer(texts(1))
    assert answer.output == " 18"
    assert 0 <= answer.tokens_in <= MOST_TOKENS
    assert 0 <= answer.tokens_out <= MOST_TOKENS
    asked = len(script.asked)
    assert server(script.url, cache).answer(texts(1)) == [answer]
    assert len(script.asked) == asked


def test_a_refusal_is_what_was_written(script: Script, cache: Cache) -> None:
    """As OpenAI sends it: null for the text, and the refusal beside it."""
    script.says = lambda path, _: (
        reply({"message": {"content": None, "refusal": "I cannot help."}}) if "chat" in path else error(404)
    )
    (answer,) = server(script.url, cache).answer([question(options=())])
    assert (answer.output, answer.stop) == ("I cannot help.", "end")


def test_what_no_file_can_hold_is_replaced(script: Script, cache: Cache) -> None:
    script.says = chat(lambda p: raw(WHOLE.replace(" 18", "\\ud800 \\u0000 18")))
    (answer,) = server(script.url, cache).answer(texts(1))
    assert answer.output.encode().endswith(b" \0 18")
    script.says = chat(lambda p: (200, WHOLE.encode().replace(b" 18", b"\xff\xfe 18"), {}))
    (answer,) = server(script.url, cache, revision="2").answer(texts(1))
    assert answer.output.endswith(" 18")


def test_what_several_threads_and_processes_ask_at_once_is_paid_for_once(script: Script, tmp_path: Path) -> None:
    def says(prompt: str) -> Reply:
        threading.Event().wait(0.02)
        return text_reply("A")

    script.says = chat(says)
    context = multiprocessing.get_context("forkserver")
    asking = [context.Process(target=ask_twice, args=(script.url, tmp_path / "c.sqlite")) for _ in range(2)]
    for process in asking:
        process.start()
    for process in asking:
        process.join()
    assert not any(process.exitcode for process in asking)
    assert len(script.questions) == 15


# --- answers that are none -------------------------------------------------------------------------

BOMB = gzip.compress(b'{"choices": "' + b"x" * 50_000_000)
NO_ANSWER: dict[str, tuple[Reply, str]] = {
    "choices null": (reply(choices=None), "no answer in what it sent"),
    "choices empty": (reply(choices=[]), "no answer in what it sent"),
    "choices an object": (reply(choices={"0": GOOD}), "no answer in what it sent"),
    "a choice that is a text": (reply(" 18"), "no answer in what it sent"),
    "a choice without a message": (reply({"text": " 18"}), "no answer in what it sent"),
    "a text that is a number": (reply({"message": {"content": 18}}), "no answer in what it sent"),
    "a text that is a list": (reply({"message": {"content": [18]}}), "no answer in what it sent"),
    "a number": (raw("18"), "no answer in what it sent: '18'"),
    "nothing": (raw(""), "no answer in what it sent: ''"),
    "200,000 brackets": (raw(DEEP), r"no answer in what it sent: '\[\["),
    "a page": (raw("<html><body>Log in</body></html>", Content_Type="text/html"), "no answer in what it sent: '<html>"),
    "an error as success": ((200, {"error": {"message": "no credit", "code": 402}}, {}), "an error.*: no credit 402"),
    "an error in words": ((200, {"error": "out\x1b[2J of\norder"}, {}), r"an error.*: out \[2J of order"),
    "far too much": (raw('{"choices": "' + "x" * 3_000_000), "more than 1,056,768 bytes, which no answer"),
    "a bomb": ((200, BOMB, {"Content_Encoding": "gzip"}), "more than 1,056,768 bytes, which no answer"),
    "another packing": ((200, b"\x0b\x02\x80", {"Content_Encoding": "br"}), "packed by br, which was not asked for"),
    "half a packing": ((200, gzip.compress(WHOLE.encode())[:40], {"Content_Encoding": "gzip"}), "no answer in what"),
    "no packing": ((200, WHOLE.encode(), {"Content_Encoding": "gzip"}), "no answer in what it sent"),
    "an error of 30 MB": ((500, b"x" * 30_000_000, {}), "more than 1,056,768 bytes"),
    "an error of brackets": ((400, DEEP.encode()[:200_000], {}), r"400: \[\["),
    "a redirection": ((307, {}, {"Location": "http://127.0.0.2:1/v1"}), "307: redirected to http://127.0.0.2:1/v1"),
}


@pytest.mark.parametrize("case", NO_ANSWER)
def test_no_answer_is_one_line_and_the_other_answers_are_kept(case: str, script: Script, cache: Cache) -> None:
    bad, line = NO_ANSWER[case]
    script.says = chat(lambda p: bad if "on 2 days" in p else text_reply("A"))
    with pytest.raises(UserError, match=line) as raised:
        server(script.url, cache, concurrency=1).answer(texts(3))
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 500
    before = len(script.asked)
    assert [answer.output for answer in server(script.url, cache).answer(texts(2))] == ["A", "A"]
    assert len(script.asked) == before


@pytest.mark.parametrize("values", [["-1"] * 4, [[-1.0]] * 4, [-1.0, {"a": 1}, -1.0, -1.0], "-1 -1 -1 -1", [-1.0] * 3])
def test_log_probabilities_that_are_none_are_as_good_as_not_sent(values: Any, script: Script, cache: Cache) -> None:
    def says(path: str, body: dict[str, Any]) -> Reply:
        if path.endswith("/chat/completions"):
            return text_reply("B")
        logprobs = {"tokens": ["Two", " and", " two are", " four."], "token_logprobs": values}
        return 200, {"model": "m", "choices": [{"text": "", "logprobs": logprobs}], "usage": {}}, {}

    script.says = says
    assert server(script.url, cache).answer([question()])[0].output == "B"


@settings(max_examples=300)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["choices", "message", "content", "text", "usage", "logprobs", "tokens", "error", "model"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(["chat", "completions"]),
)
def test_any_json_is_an_answer_or_none(value: Any, route: Any) -> None:
    for content in (json.dumps(value), json.dumps({"choices": [value]}), json.dumps({"choices": [{"message": value}]})):
        try:
            found = read_reply(content, route)
        except ReplyError:
            continue
        assert found.text is None or found.text.encode() is not None


# --- servers that do not end -----------------------------------------------------------------------


@pytest.fixture
def speaking() -> Iterator[Callable[[Callable[[socket.socket, threading.Event], None]], str]]:
    """The address of a server that does with a connection what it is told."""
    over = threading.Event()
    listening: list[socket.socket] = []

    def start(speak: Callable[[socket.socket, threading.Event], None]) -> str:
        door = socket.create_server(("127.0.0.1", 0))
        listening.append(door)

        def serve() -> None:
            while not over.is_set():
                try:
                    connection, _ = door.accept()
                except OSError:
                    return
                with connection:
                    try:
                        connection.recv(1 << 16)
                        speak(connection, over)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{door.getsockname()[1]}/v1"

    yield start
    over.set()
    for door in listening:
        door.close()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "a dripping answer": (HEAD + b"Content-Length: 100000\r\n\r\n", b" "),
    "dripping heads": (HEAD + b"X: ", b"x"),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "silence": (b"", b""),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_a_reply_has_its_time_as_a_whole(case: str, speaking: Any, clock: Clock) -> None:
    head, part = ENDLESS[case]

    def speak(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(head)
        for _ in range(20):
            connection.sendall(part)
            if over.wait(0.01):
                return
            clock.move(50)

    client = Client("models.mine", "m", speaking(speak), None, retries=0, timeout=120)
    with pytest.raises(UserError, match="nothing within 120 s"):
        client.post("chat", {"messages": [], "max_tokens": 8})


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{", b"nonsense\r\n\r\n", HEAD * 900]
)
def test_a_connection_that_breaks_off_is_one_line(said: bytes, speaking: Any, clock: Clock) -> None:
    client = Client("models.mine", "m", speaking(lambda connection, over: connection.sendall(said)), None, retries=1)
    with pytest.raises(
        UserError, match=r"models\.mine: http://127\.0\.0\.1:\d+/v1 did not answer \(the connection broke"
    ):
        client.post("chat", {"messages": [], "max_tokens": 8})
    assert len(clock.pauses) == 1
    assert 0.3 < clock.pauses[0] <= 0.5


def test_chunks_without_end_are_too_much(speaking: Any) -> None:
    def speak(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        while not over.is_set():
            connection.sendall(b"8000\r\n" + b" " * 0x8000 + b"\r\n")

    with pytest.raises(UserError, match="more than 1,056,768 bytes"):
        Client("models.mine", "m", speaking(speak), None, retries=0).post("chat", {"messages": [], "max_tokens": 8})


# --- keys ------------------------------------------------------------------------------------------

SPELLINGS = {
    "plain": KEY,
    "in a header": f"{{'Authorization': 'Bearer {KEY}'}}",
    "cut": KEY[:20],
    "cut in front": KEY[6:],
    "in two lines": f"{KEY[:13]}\n{KEY[13:]}",
    "in capitals": KEY.upper(),
    "in a URL": quote(f"http://x/?key={KEY}"),
    "all percent": "".join(f"%{ord(character):02X}" for character in KEY),
    "escaped": "".join(f"\\u{ord(character):04x}" for character in KEY),
    "hexadecimal": KEY.encode().hex(),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 of the header": base64.b64encode(f"Bearer {KEY}".encode()).decode(),
    "base64 with a name": base64.b64encode(f"me:{KEY}".encode()).decode(),
    "behind much": "x" * 150 + KEY,
    "behind more": "x" * 135 + KEY,
}


def shows(text: str) -> bool:
    """Whether any six characters of the key, in any of these spellings, stand in a text."""
    spelled = [KEY, KEY.upper(), KEY.encode().hex(), SPELLINGS["all percent"], SPELLINGS["escaped"]]
    spelled += [base64.b64encode(b"\0" * shift + KEY.encode()).decode()[shift + 1 : -4] for shift in range(3)]
    sizes = [len(form) * 6 // len(KEY) + 6 for form in spelled]
    return any(
        form[start : start + size] in text
        for form, size in zip(spelled, sizes, strict=True)
        for start in range(len(form) - size)
    )


@pytest.mark.parametrize("kind", ["refused", "as success", "nonsense", "redirected", "another model", "an answer"])
def test_a_server_that_repeats_the_key_puts_it_on_no_screen_and_in_no_file(
    kind: str, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PFE_KEY", KEY)
    cache = Cache(tmp_path / "c.sqlite")
    shown = []
    for spelling, said in SPELLINGS.items():
        answers: dict[str, Reply] = {
            "refused": error(400, said),
            "as success": (200, {"error": {"message": said}}, {}),
            "nonsense": raw(said),
            "redirected": (302, {}, {"Location": f"http://127.0.0.2/{said}".replace("\n", "")}),
            "another model": text_reply("A", model=said),
            "an answer": text_reply(f"You sent {said}."),
        }
        bad = answers[kind]
        script.says = chat(lambda p, bad=bad: bad if "Question" in p else text_reply("A"))  # type: ignore[misc]
        try:
            text = server(script.url, cache, key_variable="PFE_KEY", revision=spelling).answer(texts(1))[0].output
        except UserError as trouble:
            text = str(trouble)
        screen = capfd.readouterr()
        files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("latin-1")
        shown += [(spelling, seen[:500]) for seen in (text, screen.out, screen.err, files) if shows(seen)]
        assert text.startswith("You sent" if kind == "an answer" else "models.mine: "), spelling
    assert shown == []


@given(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=12, max_size=60), st.data())
def test_no_part_of_a_key_that_is_long_enough_passes(key: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(key) - 6))
    part = key[start : start + data.draw(st.integers(6, len(key)))]
    hidden = Secret(key).hidden(f"<<{part}>>")
    assert part not in hidden
    assert hidden.startswith("<<")
    assert hidden.endswith(">>")


def test_text_without_the_key_stays_as_it_is() -> None:
    text = "The answer is none of these: EMPTY, sk-proj, Bearer."
    assert Secret("").hidden(text) == Secret("").removed(text) == text
    assert Secret("EMPTY").removed(text) == text
    assert Secret(KEY).removed(text) == text


def test_the_key_goes_to_no_other_address(script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PFE_KEY", KEY)
    asked = len(script.asked)
    other = script.url.replace("127.0.0.1", "localhost")
    script.says = lambda path, body: (308, {}, {"Location": f"{other}/chat/completions"})
    with pytest.raises(UserError, match=r"308: redirected to .*; set base_url to where it is"):
        server(script.url, cache, key_variable="PFE_KEY").answer(texts(1))
    assert len(script.asked) == asked + 1


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "ftp://x/v1", "http://", "http://[::1", "", "http://me:word@x/v1"]
)
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(UserError, match=r"models\.mine: base_url ") as raised:
        Client("models.mine", "m", url or "x", None)
    assert "word@" not in str(raised.value)


@pytest.mark.parametrize("key", ["sk-abc\ndef-ghi-jkl", "sk-ключ-ключ", "sk-abc\0def"])
def test_a_key_that_is_none_is_told_and_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {"PFE_KEY": key})
    with pytest.raises(UserError, match=r"what PFE_KEY holds is no key") as raised:
        Client("models.mine", "m", "http://x/v1", "PFE_KEY")
    assert "abc" not in str(raised.value)
    assert "ключ" not in str(raised.value)


def test_what_the_environment_holds_for_openai_goes_to_no_other_server(
    script: Script, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ORG_ID", "PROJECT_ID", "API_KEY", "ADMIN_KEY", "BASE_URL"):
        monkeypatch.setenv(f"OPENAI_{name}", f"http://{KEY}.example")
    assert server(script.url, cache).answer(texts(1))[0].output == "B"
    assert script.heads
    assert not [head for head in script.heads if KEY in str(head)]


def test_an_address_keeps_its_query(script: Script) -> None:
    assert asked_at(f"{script.url}?api-version=2024-10-21") == "B"
    assert [path for path, _ in script.asked] == ["/v1/chat/completions?api-version=2024-10-21"]


PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Without any proxy."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


def asked_at(base_url: str) -> str | None:
    client = Client("models.mine", "m", base_url, None, retries=0, timeout=10)
    return client.post("chat", {"messages": [{"role": "user", "content": "x"}], "max_tokens": 4}).text


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_a_proxy_of_the_environment_is_used(environment: pytest.MonkeyPatch, script: Script, variable: str) -> None:
    environment.setenv(variable, script.url.removesuffix("/v1"))
    assert asked_at("http://models.example/v1") == "B"
    assert [path for path, _ in script.asked] == ["http://models.example/v1/chat/completions"]


def test_a_proxy_is_not_used_for_this_machine_nor_where_the_environment_says_no(
    environment: pytest.MonkeyPatch, script: Script
) -> None:
    environment.setenv("http_proxy", "http://127.0.0.1:9")
    for host in ("127.0.0.1", "localhost"):
        assert asked_at(script.url.replace("127.0.0.1", host)) == "B"
    environment.setenv("no_proxy", "models.example")
    with pytest.raises(UserError, match="no connection\\)"):
        asked_at("http://models.example/v1")


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ("socks5://127.0.0.1:9", "a socks5 proxy for models.example, and only http and https"),
        ("http://user:secret@127.0.0.1:9", "no connection to the proxy 127.0.0.1"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_one_line_without_its_password(
    environment: pytest.MonkeyPatch, proxy: str, words: str
) -> None:
    environment.setenv("http_proxy", proxy)
    with pytest.raises(UserError, match=words) as error:
        asked_at("http://models.example/v1")
    assert "secret" not in str(error.value)
